"""What the exclusions do to who is in the dataset: shares of groups before and after, and whom checks stop more."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow.compute as pc
from pandera.typing import DataFrame

from accord.check_names import CHECKS, position, room_of
from accord.checks.tables.findings import Verdicts
from accord.checks.tables.summary import Exclusions
from accord.checks.tables.views import Ages, Answers, Whose
from accord.consent.tables import Permits
from accord.engine import table
from accord.findings import PASS
from accord.grouping import DERIVED, KEY, groups_of
from accord.statistics.describing.clustered_rates import Risk, change_of_share, risk
from accord.statistics.testing.holm import holm
from accord.text.nouns import counted, fewer

ALL, NOT_GIVEN = "all", "not given"
FEWEST_EXCLUDED = 5
"""Fewest subjects that must lose images for an interval: fewer say too little of a variance over subjects."""
UNSEEN = "self-reported attributes are not analysed without consent"
SCOPES = ("publish_attr", "aggregate_attr")


def run(
    images: DataFrame[Whose],
    people: DataFrame[Ages],
    attributes: list[Path],
    permits: list[Path],
    verdicts: DataFrame[Verdicts],
    *,
    names: list[str],
    min_subjects: int,
) -> DataFrame[Exclusions]:
    """Each check that stopped an image, and all together, against each group of the attributes `names`.

    attributes, permits: tables Attributes and Permits. images: all that consent lets pass, which is what shares are of;
    an image counts in the groups of its primary subject, in each that they named, where a permit to publish or count
    the attribute covers it. Images that wait for a review count as stopped. Groups of fewer than `min_subjects`
    subjects are told with their n and no figure.
    """
    stopped = verdicts[verdicts["verdict"] != PASS]
    found = images[["image", "subject"]].merge(stopped[["image", "check"]], on="image", how="left")
    whose = Subjects(found["subject"].factorize(sort=True)[0], found["image"], found["check"])
    checks = (ALL, *sorted(whose.checks.dropna().unique(), key=position))
    rows = [_everyone(whose, check) for check in checks]
    for name in names:
        source = DERIVED.get(name, (name, None))[0]
        said = table.read(attributes, Answers, pc.field("attribute") == source)
        scopes = [f"{scope}:{source}" for scope in SCOPES]
        allowed = table.read(permits, Permits, pc.field("scope").isin(scopes))["image"]
        rows += _rows(whose, _members(images, people, said, allowed, name), checks, min_subjects)
    return table.rows(_corrected([*rows, *_unseen(stopped, images, len(verdicts))]), Exclusions)


class Subjects(NamedTuple):
    """Image by image: the number of its subject, its id, and the check that stopped it (missing: none)."""

    codes: np.ndarray
    images: pd.Series
    checks: pd.Series

    def taken(self, check: str) -> np.ndarray:
        """Whether a check stopped each image."""
        return (self.checks.notna() if check == ALL else self.checks == check).to_numpy(bool)

    def per_subject(self, these: np.ndarray) -> np.ndarray:
        """How many of these images each subject has."""
        return np.bincount(self.codes, these, minlength=self.codes.max(initial=-1) + 1)


def _members(
    images: pd.DataFrame, people: pd.DataFrame, said: pd.DataFrame, allowed: pd.Series, name: str
) -> pd.DataFrame:
    """image, subject, attribute, group of each image's primary subject; those who gave no answer are a group.

    said: what is said of the attribute that `name` is derived from; allowed: images of which it may be told.
    """
    of_the_place = said.loc[said["subject"] == "", "image"]
    groups = groups_of(people, said, name).merge(images[KEY], on=KEY)
    covered = groups[table.is_in(groups["image"], of_the_place) | table.is_in(groups["image"], allowed)]
    silent = images.loc[~table.is_in(images["image"], covered["image"]), KEY].assign(attribute=name, group=NOT_GIVEN)
    return pd.concat([covered, silent], ignore_index=True)


def _everyone(whose: Subjects, check: str) -> dict:
    taken = whose.taken(check)
    row = _row(check, ALL, ALL, whose.per_subject(np.ones(len(taken))), whose.per_subject(taken), "")
    return row | {"rate": float(taken.mean()) if len(taken) else np.nan}


def _rows(whose: Subjects, members: pd.DataFrame, checks: tuple[str, ...], min_subjects: int) -> Iterator[dict]:
    stopped = {check: whose.taken(check) for check in checks}
    taken = {check: whose.per_subject(these) for check, these in stopped.items()}
    images = whose.per_subject(np.ones(len(whose.codes)))
    place = pd.Index(whose.images).get_indexer(pd.Index(members["image"]))
    for (attribute, group), some in sorted(members.groupby(["attribute", "group"]).indices.items()):
        member = np.zeros(len(whose.codes), bool)
        member[place[some]] = True
        inside = whose.per_subject(member)
        for check in checks:
            both = whose.per_subject(member & stopped[check])
            row = _row(check, attribute, group, inside, both, "")
            yield _told(row, (inside, images, taken[check], both), min_subjects)


def _told(row: dict, counts: tuple[np.ndarray, ...], min_subjects: int) -> dict:
    inside, images, taken, both = counts
    if row["subjects"] < min_subjects:
        return row | {"note": fewer(row["subjects"], "subject", min_subjects)}
    change = change_of_share(inside, images, inside - both, images - taken)
    row |= {"before": change.before, "after": change.after, "change": change.change}
    losing = int((taken > 0).sum())
    if losing < FEWEST_EXCLUDED:
        lose = f"{counted(losing, 'subject')} {'loses' if losing == 1 else 'lose'} images to this check"
        return row | {"note": f"{lose}, fewer than {FEWEST_EXCLUDED}: too few to compare"}
    found = risk(taken, inside, both, images)
    row |= {"change_low": change.low, "change_high": change.high, "rate": found.inside, "others": found.outside}
    row |= {name: getattr(found, name) for name in Risk._fields[2:]}
    return row | {"note": _note(found)}


def _note(found: Risk) -> str:
    if np.isnan(found.inside):
        return "all subjects are in this group"
    return "no ratio: one of the two rates is 0" if np.isnan(found.ratio) else ""


def _row(check: str, attribute: str, group: str, images: np.ndarray, excluded: np.ndarray, note: str) -> dict:
    empty = dict.fromkeys(Exclusions.to_schema().columns, np.nan)
    room = CHECKS if check == ALL else room_of(check)
    counts = {
        "images": int(images.sum()),
        "subjects": int((images > 0).sum()),
        "excluded_images": int(excluded.sum()),
        "excluded_subjects": int((excluded > 0).sum()),
    }
    return empty | {"room": room, "check": check, "attribute": attribute, "group": group, **counts, "note": note}


def _unseen(stopped: pd.DataFrame, images: pd.DataFrame, delivered: int) -> Iterator[dict]:
    """What was stopped before consent let it pass: how many, and why there is no more to tell."""
    for check, some in stopped[~stopped["image"].isin(images["image"])].groupby("check", sort=True):
        row = _row(check, ALL, ALL, np.zeros(0), np.zeros(0), UNSEEN)
        subjects = some.loc[some["subject"] != "", "subject"].nunique()
        yield row | {"images": delivered, "excluded_images": len(some), "excluded_subjects": subjects}


def _corrected(rows: list[dict]) -> list[dict]:
    tested = [place for place, row in enumerate(rows) if not np.isnan(row["p_value"])]
    for place, p in zip(tested, holm(np.array([rows[place]["p_value"] for place in tested])), strict=True):
        rows[place]["p_value"] = float(p)
    return rows
