"""Over time: what changed between two versions of a service on the same pictures, and what can't be told to change."""

from collections.abc import Iterator
from typing import Any

import pandas as pd

from accord.analyse.identities.tables import FELL, OPEN, SOURCES
from accord.grouping import WHOLE
from accord.report.drawing.blocks import Section, Words, grid
from accord.report.foundation.rates import percent
from accord.report.services import small
from accord.text.nouns import counted

ESTIMATED, ANNOTATED, _, UNDISPUTED = SOURCES
INTRO = (
    "Two versions of a service, on the same pairs of pictures, so that a change is the service's. Each version has its "
    "own threshold, set where it accepts the share FMR of pairs of two people. Intervals are of the change, by people, "
    "and hold together for all rows in 95%: only a change whose interval leaves out 0 is called one."
)
BY_ARCHIVE = "Whom a face shows is what the archive's annotations say, which may be wrong."
BY_HAND = "Whom a face shows is what most people said who looked, of the queries drawn by lot alone."
BY_SERVICES = (
    "Whom a face shows is what today's services agree on. Faces that they don't recognise are missing, which favours "
    "today's versions: a fall may be theirs or this."
)
COLUMNS = {
    "service": "service", "before": "before", "fmr": "FMR", "group": "group", "fnmr_before": "FNMR before",
    "fnmr_after": "FNMR now", "change": "change", "low": "from", "high": "to", "called": "called", "queries": "queries",
    "genuine": "genuine pairs", "note": "note",
}  # fmt: skip
CALLED = {FELL: "better", OPEN: "not certain", "": "no figure"}


def sections(changes: pd.DataFrame, fewest: int, by_hand: bool, disputed: int) -> Iterator[Section]:
    """The section, where an earlier version was compared. fewest: queries of a group that is shown; by_hand: whether
    people labelled faces; disputed: queries in which most services found nobody, or several people."""
    if changes.empty:
        return
    by = ANNOTATED if (changes["labels"] == ANNOTATED).any() else ESTIMATED
    mine = changes[changes["labels"] == by]
    may = small.large(mine.reset_index(drop=True), fewest)
    enough = (may["queries"] >= fewest) & may["change"].notna()
    shown = may[(may["attribute"] == WHOLE) | enough].sort_values(["service", "fmr"], ascending=[True, False])
    labels = BY_SERVICES if by == ESTIMATED else BY_HAND if by_hand else BY_ARCHIVE
    blocks: list = [Words([labels, *_sentences(shown), *_without(changes, disputed)])]
    for attribute, some in shown.groupby("attribute", sort=True):
        of = "all queries" if attribute == WHOLE else f"by {attribute.replace('_', ' ')}"
        id = "table-rapid-changes" if attribute == WHOLE else f"table-rapid-changes-{attribute}"
        told = some.assign(called=some["verdict"].map(CALLED).fillna("worse"))
        columns = [name for name in COLUMNS if name != "group" or attribute != WHOLE]
        blocks.append(grid(id, f"FNMR before and now, {of}", told[columns].rename(columns=COLUMNS)))
    yield Section("over-time", "Over time", INTRO, blocks)


def _without(changes: pd.DataFrame, disputed: int) -> list[str]:
    """The same of everyone, without queries whose labels most services dispute."""
    some = changes[(changes["labels"] == UNDISPUTED) & (changes["attribute"] == WHOLE)]
    if not disputed or some.empty:
        return []
    told = _sentences(some.sort_values(["service", "fmr"], ascending=[True, False]))
    why = f"Without {counted(disputed, 'query')} in which most services found nobody, or several people:"
    return [f"{why} {told[0]}", *told[1:]]


def _sentences(shown: pd.DataFrame) -> list[str]:
    """Of everyone every comparison, of groups those changes alone that are certain."""
    return [_sentence(row) for row in shown.itertuples() if row.attribute == WHOLE or row.verdict not in ("", OPEN)]


def _sentence(row: Any) -> str:
    of = "" if row.attribute == WHOLE else f", {row.attribute.replace('_', ' ')} {row.group}"
    at = f"{row.service} after {row.before}, FMR {row.fmr:g}{of}"
    if row.note:
        return f"{at}: no figure ({row.note})."
    rates = f"{percent(row.fnmr_before)} before, {percent(row.fnmr_after)} now"
    change = f"{100 * row.change:+.1f} points, {100 * row.low:+.1f} to {100 * row.high:+.1f}"
    if row.verdict == OPEN:
        return f"{at}: no change is certain ({rates}; {change})."
    return f"{at}: refuses the same person {'less' if row.verdict == FELL else 'more'} often ({rates}; {change})."
