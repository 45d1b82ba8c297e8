"""The sentences of the page: which service, for whom worse, how sure, how right."""

from collections.abc import Iterator
from math import hypot
from typing import Any

import pandas as pd
from scipy.stats import norm

from accord.analyse.identities.tables import COMMON
from accord.grouping import WHOLE
from accord.report.foundation.rates import percent
from accord.text.nouns import counted

MAYBE = "This may be chance: the intervals overlap."
BY_CHANCE = "This may be chance."
OUTSIDE = 0.025


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
    every = gaps(largest[largest["attribute"] != WHOLE], comparisons(mine[mine["attribute"] != WHOLE]))
    certain = [line for line in every if not line.endswith(BY_CHANCE)]
    return told + certain + list(_others(len(every) - len(certain), len(certain)))


def _others(uncertain: int, certain: int) -> Iterator[str]:
    if uncertain:
        every = "No difference" if not certain else "No other difference"
        yield f"{every} between groups is larger than chance may make it: see “For whom worse”."


def _ends(rows: list[Any]) -> Iterator[str]:
    if not rows:
        return
    best, worst = rows[0], rows[-1]
    yield f"At an FMR of {best.fmr:g}, {best.service} refuses the same person in {_figure(best)}."
    if len(rows) > 1:
        chance = f" {MAYBE}" if worst.low <= best.high else ""
        yield f"{worst.service} does worst: {_figure(worst)}.{chance}"


def comparisons(groups: pd.DataFrame) -> int:
    """How many pairs of groups are compared, of all services, FMRs and attributes."""
    sizes = groups.groupby(["service", "fmr", "attribute"]).size()
    return int((sizes * (sizes - 1) // 2).sum())


def gaps(groups: pd.DataFrame, looks: int) -> list[str]:
    """For each service, FMR and attribute, the group that is refused most against the one that is refused least.

    looks: pairs of groups on the page. A difference is called larger than chance where its interval (of Newcombe's
    kind, 1998: made of the ends of both groups' intervals) leaves out 0 at a level corrected for all of them
    (Bonferroni).
    """
    told = []
    wider = float(norm.isf(OUTSIDE / max(looks, 1)) / norm.isf(OUTSIDE))
    for (service, fmr, attribute), some in groups.groupby(["service", "fmr", "attribute"], sort=True):
        ordered = list(some.sort_values(["fnmr", "group"]).itertuples())
        least, most = ordered[0], ordered[-1]
        if len(ordered) > 1 and most.fnmr > least.fnmr:
            half = wider * hypot(most.fnmr - most.low, least.high - least.fnmr)
            is_certain = most.fnmr - least.fnmr > half
            chance = (
                f"This is more than chance makes among {counted(looks, 'comparison')}." if is_certain else BY_CHANCE
            )
            told.append(
                f"{service}, FMR {fmr:g}, {attribute.replace('_', ' ')}: worst for {most.group} ({_figure(most)}), "
                f"best for {least.group} ({_figure(least)}). {chance}"
            )
    return told


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


def disputed(queries: int, by: str) -> Iterator[str]:
    """What it means that services dispute a query together."""
    if queries:
        yield (
            f"In {counted(queries, 'query')} most services found nobody, or several people: there {by} may be wrong, "
            "which makes FNMR by them too high. Without these queries FNMR may be too low, if they fail there."
        )


def _figure(row: Any) -> str:
    if pd.isna(row.low) or pd.isna(row.high):
        return f"{percent(row.fnmr)} of {row.genuine:,} pairs"
    return f"{percent(row.fnmr)} of {row.genuine:,} pairs, 95% interval {percent(row.low)} to {percent(row.high)}"
