"""What breaks a rule of publication in a shard: pure functions over what is exported.

They are written without `permits` and `coarsen`, whose work they look at: a mistake there is not made here as well.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import pandas as pd

from accord.findings import FAIL, PASS
from accord.release.making.exported import PAIR, Exported
from accord.vocabularies import AGGREGATE_ATTRIBUTES, HOURS, IMAGE, PUBLIC_ATTRIBUTES
from accord.vocabularies import ATTRIBUTES as KNOWN

CONSENT, SCOPE, AGGREGATE_ONLY, TIMES = "consent", "scope", "aggregate_only", "times"
PICTURE = "publish_image"
FROM_THE_PICTURE = ("camera_distance",)
"""Attributes that are measured in the picture, and need no scope but its own."""

MONTH = re.compile(
    r"(January|February|March|April|May|June|July|August|September|October|November|December)-\d{4}"
)  # fmt: skip
MOST_TOLD = 3
PER_PERSON = ("people", "attributes", "keypoints", "segments", "faces", "derivatives", "checked")


class Violation(NamedTuple):
    """What a gate found in an image; `what` names no one."""

    gate: str
    what: str
    image: str


def violations(shard: Exported) -> pd.DataFrame:
    """gate, what, image: one row per violation in a shard."""
    found = [*_consent(shard), *_scope(shard), *_aggregate_only(shard), *_times(shard)]
    return pd.DataFrame(found, columns=Violation._fields)


def columns(names: Iterable[str]) -> pd.DataFrame:
    """Violations in the columns of what is published per person."""
    found = [
        Violation(AGGREGATE_ONLY, f"a column lists {name} per person", "")
        for name in sorted(set(names) & set(AGGREGATE_ATTRIBUTES))
    ]
    return pd.DataFrame(found, columns=Violation._fields)


def row(gate: str, score: int, threshold: int, fine: bool, why: str) -> dict[str, Any]:
    """A row of Gates, without the counts of what was looked at."""
    judged = {"verdict": PASS, "reason": ""} if fine else {"verdict": FAIL, "reason": why}
    return {"gate": gate, "score": float(score), "threshold": float(threshold), **judged}


def judged(gate: str, found: pd.DataFrame, noun: str = "image") -> dict[str, Any]:
    """The row of a gate that no violation (a row of `found`) of its own may reach."""
    own = found[found["gate"] == gate]
    return row(gate, len(own), 0, not len(own), _reason(own, noun))


def _reason(found: pd.DataFrame, noun: str) -> str:
    """What is wrong, how often, in how many images; the most frequent first."""
    parts = found.groupby("what")["image"].agg(["size", "nunique"]).reset_index()
    ordered = parts.sort_values(["size", "what"], ascending=[False, True])
    told = [f"{one.what} ({one.size} in {one.nunique} {noun}(s))" for one in ordered.itertuples(index=False)]
    more = f"; and {len(told) - MOST_TOLD} more" if len(told) > MOST_TOLD else ""
    return "; ".join(told[:MOST_TOLD]) + more


def _consent(shard: Exported) -> Iterator[Violation]:
    pictures = pd.concat([shard.tables["derivatives"], shard.tables["public"]])["image"].drop_duplicates()
    shown = pd.concat([shard.depicted, shard.tables["people"][PAIR]]).drop_duplicates()
    yield from unpermitted(set(pictures), shown, shard.permits, shard.findings)


def unpermitted(
    images: set[str],
    shown: pd.DataFrame,
    permits: frozenset[tuple[str, str, str]],
    findings: pd.DataFrame,
    gate: str = CONSENT,
    noun: str = "image",
) -> Iterator[Violation]:
    """Everyone in an image (rows of `shown`), known to intake or to the release, permits it; and consent let it pass.

    findings: of consent, on these images.
    """
    for image, subject in shown.itertuples(index=False, name=None):
        if (image, subject, PICTURE) not in permits:
            yield Violation(gate, f"a person in the {noun} does not permit publish_image", image)
    for image in sorted(images - set(shown["image"])):
        yield Violation(gate, f"no person is recorded in the {noun}", image)
    for image in findings.loc[findings["verdict"] == FAIL, "image"]:
        yield Violation(gate, f"the consent steps stopped the {noun}", image)
    for image in sorted(images - set(findings["image"])):
        yield Violation(gate, f"the consent steps never checked the {noun}", image)


def _scope(shard: Exported) -> Iterator[Violation]:
    for name in PER_PERSON:
        rows = shard.tables[name]
        of_people = rows[rows["subject"] != ""][PAIR].drop_duplicates()
        yield from _without(shard, of_people.assign(scope=PICTURE), f"{name} without publish_image")
    aged = shard.tables["people"].dropna(subset="age")[PAIR]
    yield from _without(shard, aged.assign(scope="publish_attr:age"), "age without publish_attr:age")
    yield from _attributes(shard, shard.tables["attributes"], "publish_attr", PUBLIC_ATTRIBUTES)
    yield from _attributes(shard, shard.tables["checked"], "publish_attr", PUBLIC_ATTRIBUTES)
    yield from _attributes(shard, shard.tables["aggregate"], "aggregate_attr", AGGREGATE_ATTRIBUTES)


def _attributes(shard: Exported, rows: pd.DataFrame, prefix: str, names: tuple[str, ...]) -> Iterator[Violation]:
    """Rows of attributes that aren't on the list, or that their person doesn't grant."""
    for name, some in rows.groupby("attribute"):
        of_images = name in KNOWN and KNOWN[name].of == IMAGE
        if of_images and prefix == "publish_attr":
            some = some[some["subject"] != ""]
        elif name not in (*names, *FROM_THE_PICTURE):
            yield from (Violation(SCOPE, f"{name} is not a releasable attribute", image) for image in some["image"])
            continue
        scope = PICTURE if name in FROM_THE_PICTURE else f"{prefix}:{name}"
        yield from _without(shard, some[PAIR].drop_duplicates().assign(scope=scope), f"{name} without {scope}")


def _without(shard: Exported, wanted: pd.DataFrame, what: str) -> Iterator[Violation]:
    """Violations where a person of `wanted` (image, subject, scope) doesn't grant the scope, alone or with all others
    of its kind."""
    for image, subject, scope in wanted.itertuples(index=False, name=None):
        kind = scope.partition(":")[0]
        if not {(image, subject, scope), (image, subject, f"{kind}:*")} & shard.permits:
            yield Violation(SCOPE, what, image)


def _aggregate_only(shard: Exported) -> Iterator[Violation]:
    told = shard.tables["attributes"]
    for row in told[told["attribute"].isin(AGGREGATE_ATTRIBUTES)].itertuples():
        yield Violation(AGGREGATE_ONLY, f"{row.attribute} is listed per person", row.image)
    for name in [name for name in PER_PERSON if name != "derivatives"]:  # whose height is a picture's, in px
        for column in sorted(set(shard.tables[name].columns) & set(AGGREGATE_ATTRIBUTES)):
            yield Violation(AGGREGATE_ONLY, f"a column of {name} lists {column} per person", "")


def _times(shard: Exported) -> Iterator[Violation]:
    for row in shard.tables["public"].itertuples():
        if row.user_date_captured and not MONTH.fullmatch(row.user_date_captured):
            yield Violation(TIMES, "a date is more precise than a month", row.image)
        if row.user_hour_captured and row.user_hour_captured not in HOURS:
            yield Violation(TIMES, "a time is more precise than a quarter of the day", row.image)
