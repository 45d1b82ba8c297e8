"""Score each vendor and delivery: what was delivered, what failed, what it cost, and how annotators agree."""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.check_names import position
from accord.checks.suspicion.rules import PREFIX
from accord.checks.tables.findings import Findings, Verdicts
from accord.checks.tables.summary import Scorecards, Suspicions
from accord.checks.tables.views import OfDeliveries
from accord.engine import table
from accord.findings import PASS
from accord.intake.tables import Refused
from accord.shards import opaque_id
from accord.statistics.describing.clustered_rates import independent
from accord.statistics.describing.funnel import funnel
from accord.statistics.describing.proportions import wilson

ALL = "all"


class Scored(NamedTuple):
    """The scorecards, and how many people of each vendor are marked as suspicious; nothing of a subject."""

    scorecards: DataFrame[Scorecards]
    suspicions: DataFrame[Suspicions]


def run(
    images: DataFrame[OfDeliveries],
    refused: DataFrame[Refused],
    verdicts: DataFrame[Verdicts],
    suspicious: DataFrame[Findings],
    *,
    image_cost: float | None = None,
) -> Scored:
    """images, refused: of intake; verdicts: of all delivered images; suspicious: of `checks.patterns`.

    Images that wait for a review count as stopped until somebody decides. image_cost: price of an image.
    """
    delivered = _delivered(images, refused, verdicts)
    rows = _rows(delivered, image_cost)
    marked = suspicious.merge(delivered[["image", "vendor", "subject"]], on="image")
    marked = marked.assign(rule=marked["check"].str.removeprefix(PREFIX))
    counts = marked.groupby(["vendor", "rule"], sort=True)["subject"].nunique()
    return Scored(
        table.rows(rows, Scorecards), table.rows([(*unit, people) for unit, people in counts.items()], Suspicions)
    )


def _delivered(images: pd.DataFrame, refused: pd.DataFrame, verdicts: pd.DataFrame) -> pd.DataFrame:
    """image, subject, vendor, delivery, check ("" where it passed) of every delivered image.

    Of a refused image the vendor's reference is known, and its id is made of it: the vendor and delivery that give this
    id are its own.
    """
    taken = images[["image", "vendor", "delivery"]]
    sources = sorted(set(taken[["vendor", "delivery"]].itertuples(index=False, name=None)))
    fatal = refused[refused["fatal"] & (refused["image"] != "")].drop_duplicates("image")
    out = [
        (row.image, *next((s for s in sources if opaque_id(*s, row.reference) == row.image), ("", "")))
        for row in fatal.itertuples()
    ]
    every = pd.concat([taken, pd.DataFrame(out, columns=taken.columns, dtype="str")], ignore_index=True)
    found = verdicts.merge(every.drop_duplicates("image"), on="image", how="left")
    found[["vendor", "delivery"]] = found[["vendor", "delivery"]].fillna("")
    stopped = found["check"].where(found["verdict"] != PASS, "")
    return found.assign(check=stopped)[["image", "subject", "vendor", "delivery", "check"]]


def _rows(delivered: pd.DataFrame, image_cost: float | None) -> list[dict]:
    checks = [ALL, *sorted(set(delivered["check"]) - {""}, key=position)]
    compared = _compared(delivered, checks)
    both = pd.concat([delivered.assign(delivery=ALL), delivered[delivered["delivery"] != ""]])
    rows = []
    for (vendor, delivery), own in both.groupby(["vendor", "delivery"], sort=True):
        for check in checks:
            row: dict[str, Any] = {"vendor": vendor, "delivery": delivery, "check": check}
            row |= _figures(own, _stopped(own, check))
            row |= compared.get((vendor, check), {}) if delivery == ALL and vendor else {}
            row["cost"] = np.nan if image_cost is None else image_cost * row["stopped"]
            rows.append(row)
    return rows


def _stopped(images: pd.DataFrame, check: str) -> pd.Series:
    return images["check"] != "" if check == ALL else images["check"] == check


def _figures(own: pd.DataFrame, stopped: pd.Series) -> dict:
    counts = _by_subject(own, stopped)
    taken, images = counts["failed"].to_numpy(float), counts["images"].to_numpy(float)
    rate = float(taken.sum() / images.sum())
    low, high = wilson(rate, independent(rate, images, (taken - rate * images) / images.sum()))
    known = own["subject"] != ""
    return {
        "images": len(own), "subjects": own.loc[known, "subject"].nunique(), "stopped": int(stopped.sum()),
        "subjects_stopped": own.loc[known & stopped, "subject"].nunique(), "share": rate, "low": low, "high": high,
        "others": np.nan, "z": np.nan, "p_value": np.nan,
    }  # fmt: skip


def _by_subject(own: pd.DataFrame, stopped: pd.Series) -> pd.DataFrame:
    """failed, images of each subject; an image of nobody known stands for itself."""
    whose = own["subject"].where(own["subject"] != "", own["image"])
    flags = pd.DataFrame({"vendor": own["vendor"], "subject": whose, "failed": stopped.astype("int64"), "images": 1})
    return flags.groupby(["vendor", "subject"], sort=True)[["failed", "images"]].sum().reset_index()


def _compared(delivered: pd.DataFrame, checks: list[str]) -> dict[tuple[str, str], dict]:
    """others, z, p_value of each vendor and check."""
    known = delivered[delivered["vendor"] != ""]
    if known.empty:
        return {}
    counts = pd.concat([_by_subject(known, _stopped(known, check)).assign(check=check) for check in checks])
    found = funnel(counts.reset_index(drop=True))
    return {
        (row.vendor, row.check): {"others": row.others, "z": row.z, "p_value": row.p_value}
        for row in found.itertuples()
    }
