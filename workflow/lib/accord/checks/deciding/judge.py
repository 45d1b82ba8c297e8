"""From findings to verdicts: the first check, in a stated order, that stops an image."""

from collections.abc import Iterable

import pandas as pd

from accord.check_names import position, room_of
from accord.checks.tables.findings import Verdicts
from accord.engine import table
from accord.errors import AccordError, Problem
from accord.findings import FAIL, PASS, REVIEW

INTAKE_PREFIX = "intake."


def delivered(images: pd.DataFrame, refused: pd.DataFrame) -> pd.DataFrame:
    """Verdicts on all delivered images after intake: those taken (table Images) pass, those refused (table Refused,
    fatal rows) fail. The first refusal counts where an image has several."""
    taken = pd.DataFrame({"image": images["image"], "subject": images["subject"]})
    start = taken.assign(verdict=PASS, room="", check="", reason="")
    fatal = refused[refused["fatal"] & (refused["image"] != "")]
    checks = INTAKE_PREFIX + fatal["check"].str.removeprefix(INTAKE_PREFIX)
    out = fatal.assign(check=checks.astype("str"), verdict=FAIL, room="intake")[list(start.columns)]
    out = _first(out)
    start = start[~table.is_in(start["image"], out["image"])]
    return _verdicts(pd.concat([start, out], ignore_index=True))


def judge(verdicts: pd.DataFrame, findings: pd.DataFrame) -> pd.DataFrame:
    """The verdicts after further findings: a failure stays, a pass or review gives way to a failed finding, a pass
    to one that wants a review. Raises AccordError on findings of images that were never delivered."""
    refuse_strangers(verdicts, findings["image"])
    stopping = findings[findings["verdict"].isin((FAIL, REVIEW))]
    worst = _first(stopping.assign(weight=(stopping["verdict"] == REVIEW).astype(int)), by=["weight"])
    new = verdicts[["image", "subject"]].merge(worst[["image", "verdict", "check", "reason"]], on="image")
    new["room"] = new["check"].map(room_of).astype("str")
    settled = verdicts.loc[verdicts["verdict"] == FAIL, "image"]
    waiting = verdicts.loc[verdicts["verdict"] == REVIEW, "image"]
    held = table.is_in(new["image"], waiting) & (new["verdict"] == REVIEW)
    new = new[~table.is_in(new["image"], settled) & ~held]
    return _verdicts(pd.concat([verdicts[~table.is_in(verdicts["image"], new["image"])], new], ignore_index=True))


def _first(rows: pd.DataFrame, by: list[str] | None = None) -> pd.DataFrame:
    """For each image the row whose check comes first; `by`: columns that count before the check."""
    places = {check: place for place, check in enumerate(sorted(rows["check"].unique(), key=position))}
    placed = rows.assign(place=rows["check"].map(places).astype("int64"))
    ordered = placed.sort_values(["image", *(by or []), "place", "reason"])
    return ordered.drop_duplicates("image").drop(columns="place")


def refuse_strangers(verdicts: pd.DataFrame, images: Iterable[str]) -> None:
    """Raise AccordError where images with findings were never delivered."""
    strangers = sorted(set(images) - set(verdicts["image"]))
    if strangers:
        hint = "the tables come from different runs: delete the results of these steps and rerun"
        what = f"{len(strangers)} image(s) with findings were never delivered; the first is {strangers[0]}"
        raise AccordError(Problem("findings", what, hint))


def _verdicts(rows: pd.DataFrame) -> pd.DataFrame:
    return table.check(rows.sort_values("image"), Verdicts, "verdicts")
