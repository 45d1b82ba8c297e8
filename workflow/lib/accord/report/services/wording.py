"""The sentences of the page: which service, for whom worse, how sure, how right."""

from collections.abc import Iterator
from typing import Any

import pandas as pd

from accord.analyse.identities.tables import COMMON
from accord.grouping import WHOLE
from accord.report.foundation.rates import percent
from accord.report.services import gaps
from accord.report.services.gaps import Gap
from accord.text.nouns import counted, listed


def short(curves: pd.DataFrame, services: pd.DataFrame) -> list[str]:
    """The best and the worst service, and the differences between groups that are larger than chance, at the largest
    FMR."""
    mine = curves[(curves["labels"] == "estimated") & (curves["threshold_of"] == COMMON) & curves["fnmr"].notna()]
    if mine.empty:
        why = "; ".join(f"{row.service}: {row.note}" for row in services.itertuples() if row.note)
        return [f"No service has a figure.{f' {why}.' if why else ''}"]
    largest = mine[mine["fmr"] == mine["fmr"].max()]
    whole = largest[largest["attribute"] == WHOLE].sort_values("fnmr")
    told = list(_ends(list(whole.itertuples())))
    looks = gaps.comparisons(mine[mine["attribute"] != WHOLE])
    every = gaps.of(largest[largest["attribute"] != WHOLE], looks)
    return [*told, *certain(every, looks, ": see “For whom worse”")]


def certain(every: list[Gap], looks: int, more: str = "") -> Iterator[str]:
    """The gaps that are larger than chance, and that no other is. more: what is said of where the others stand."""
    sure = [gap for gap in every if gap.is_certain]
    yield from (gaps.sentence(gap, looks) for gap in sure)
    if len(sure) < len(every):
        yield f"No {'other ' if sure else ''}difference between groups is larger than chance may make it{more}."


def _ends(rows: list[Any]) -> Iterator[str]:
    """Who refuses least and most often, of `rows` from the best to the worst service, and against whom that may be
    chance."""
    if not rows:
        return
    best, worst = rows[0], rows[-1]
    least = " least often" if len(rows) > 1 else ""
    yield f"At an FMR of {best.fmr:g}, {best.service} refuses the same person{least}: {gaps.figure(best)}."
    yield from _alike(best, rows)
    if len(rows) > 1:
        yield f"{worst.service} refuses most often: {gaps.figure(worst)}."
        yield from _alike(worst, rows)


def _alike(row: Any, rows: list[Any]) -> Iterator[str]:
    """The other services whose interval overlaps, or has no ends."""
    others = [other for other in rows if other.service != row.service]
    alike = [other.service for other in others if not (other.low > row.high or other.high < row.low)]
    if alike:
        yield f"Against {listed(alike)} that may be chance: the intervals overlap."


def agreement(table: pd.DataFrame, by: str) -> list[str]:
    """How many labels are those `by` whom they are held against, and how many faces of the people themselves were kept:
    both, or neither means much."""
    cells = table.set_index(["hand", "estimated"])["faces"]
    labelled = int(sum(cells[y, z] for y in (1, 0) for z in (1, 0)))
    right, own = int(cells[1, 1] + cells[0, 0]), int(cells[1].sum())
    told = []
    if labelled:
        told.append(f"Of {labelled:,} labelled faces {right:,} ({percent(right / labelled)}) are labelled as by {by}.")
    if own:
        kept = int(cells[1, 1])
        told.append(
            f"Of {own:,} faces of the people themselves, by {by}, {kept:,} ({percent(kept / own)}) were kept as such."
        )
    return told


def silent(groups: list[str]) -> list[str]:
    """That groups have no figure, where any hasn't. groups: what is said of these."""
    return ["Some groups have no figure, and may be those that are worst off: see “For whom worse”."] if groups else []


def disputed(queries: int, by: str, drawn: bool) -> Iterator[str]:
    """What it means that services dispute a query together. drawn: whether `by` tells of some queries alone."""
    if queries:
        where = "of those among them that people looked at," if drawn else "there"
        yield (
            f"In {counted(queries, 'query')} most services found nobody, or several people: {where} {by} may be wrong, "
            "which makes FNMR by them too high. Without these queries FNMR may be too low, if they fail there."
        )
