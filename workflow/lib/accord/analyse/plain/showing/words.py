"""What `accord analyse` prints: for each metric how well, for whom worst, how sure."""

from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd

from accord.analyse.disparities import EXPLAINED
from accord.analyse.plain.found import UNDEFINED, Found, are_of_rates, by_strength, parts
from accord.analyse.tables.benchmark import ends
from accord.grouping import BETWEEN, WHOLE
from accord.text.nouns import counted, listed

ROWS = 10
MEDIAN = "median"
"""By what groups must be ranked for D to be told: it is of medians."""
Ranked = Callable[[pd.DataFrame], pd.DataFrame]
"""By what two groups are ranked, and the figures of both, as `ends` has it."""


def lines(found: Found) -> Iterator[str]:
    """The summary, line by line: each task, model and metric; then how columns were read."""
    for part in parts(found):
        yield part.title
        row, of = part.everyone, part.found
        figure = _everyone(row, "mean " if len(of.disparities) else "")
        yield f"  everyone: {figure}, {counted(row['images'], 'image')} of {counted(row['subjects'], 'subject')}"
        if undefined := row["average"].partition(", ")[2]:
            yield f"  left out: {undefined}"
        by = _by_mean if _is_rate(of.groups) else ends
        yield from _claims(of.disparities, by) if len(of.disparities) else _figures(of.groups)
        yield from _extremes(of.extremes, by)
        yield from _intersections(of.intersections)
        yield from _left_out(of.groups)
    yield from (f"note: {remark}" for remark in found.remarks)


def _everyone(row: pd.Series, called: str) -> str:
    """The figure of all rows, or why there is none; and why it has no interval."""
    if pd.isna(row["mean"]):
        return row["note"]
    figure = f"{called}{_with(row['mean'], row['low'], row['high'], '95% interval ')}"
    return f"{figure}, {row['note']}" if row["note"] else figure


def _is_rate(table: pd.DataFrame) -> bool:
    """Whether values are 0 and 1, as far as medians tell: then only means tell how groups differ."""
    return bool(are_of_rates(table["median"].dropna()).all())


def _by_mean(table: pd.DataFrame) -> pd.DataFrame:
    """As `ends`, always by the mean."""
    told = {"worst": table["worst_mean"], "best": table["best_mean"]}
    return pd.DataFrame({"by": np.where(table["worst"] != "", "mean", ""), **told}, table.index)


def _figures(table: pd.DataFrame) -> Iterator[str]:
    """The groups of a metric that no test compares."""
    yield "  not tested, since it is a figure of a whole group: compare the intervals"
    for row in table[(table["attribute"] != WHOLE) & table["mean"].notna()].to_dict("records"):
        yield f"    {row['attribute']}: {row['group']} {_with(row['mean'], row['low'], row['high'])}"


def _left_out(table: pd.DataFrame) -> Iterator[str]:
    """Who was not compared: the groups of each attribute that have too few subjects, or no figure."""
    left = table[table["mean"].isna() & (table["attribute"] != WHOLE)]
    reasons = (left["note"] == UNDEFINED).map({True: "not defined", False: "with too few subjects"})
    for (reason, attribute), some in left.groupby([reasons, "attribute"], sort=True):
        named = [f"{row.group} ({row.subjects:,})" for row in some.head(ROWS).itertuples()]
        more = f" and {len(some) - ROWS} more" if len(some) > ROWS else ""
        yield f"  not compared, {reason}: {attribute}: {', '.join(named)}{more}"


def _claims(table: pd.DataFrame, ranked: Ranked) -> Iterator[str]:
    if table["pairs"].sum() == 0:
        yield "  nothing can be compared: no attribute has two groups with enough subjects"
        return
    known, alone = table["p_between_subjects"].notna(), (table["pairs"] > 0) & table["p_between_subjects"].isna()
    if alone.any():
        why = "no two of their groups have subjects with equally many images"
        yield f"  not compared between subjects: {_families(table[alone])}, since {why}"
    if not known.any():
        return
    claimed = by_strength(table)
    compared = f"  compared by {_families(table[known])}"
    if not len(claimed):
        yield f"{compared}: no difference between groups is certain"
        yield from _explained(table)
        return
    yield f"{compared}; certain (between subjects, corrected for all that was compared):"
    shown = claimed.head(ROWS)
    for row, by in zip(shown.to_dict("records"), ranked(shown).to_dict("records"), strict=True):
        scores = f"{by['by']} {by['worst']:.3g} against {by['best']:.3g}"
        told = f"    {row['attribute']}: worst {row['worst']}, best {row['best']}: {scores}"
        d = f", D {_with(row['disparity'], row['low'], row['high'])}" if by["by"] == MEDIAN else ""
        yield f"{told}{d}, p {_p(row['p_between_subjects'])}"
        if row["note"]:
            yield f"      {row['note']}"
    yield from _more(claimed)
    yield from _explained(table)


def _explained(table: pd.DataFrame) -> Iterator[str]:
    """Differences that only another attribute makes."""
    told = table[~table["claimed"] & table["note"].str.startswith(EXPLAINED)]
    for row in told.head(ROWS).itertuples():
        yield f"    not certain: {row.attribute}: {row.note}"
    yield from _more(told)


def _families(table: pd.DataFrame) -> str:
    """`2 attributes`, `3 attributes and 1 intersection`. table: a row for each."""
    several = int(table["attribute"].str.contains(BETWEEN, regex=False).sum())
    counts = {"attribute": len(table) - several, "intersection": several}
    return listed([counted(number, noun) for noun, number in counts.items() if number])


def _extremes(table: pd.DataFrame, ranked: Ranked) -> Iterator[str]:
    told = table[(table["worst"] != "") & ~table["attribute"].str.contains(BETWEEN, regex=False)]
    if len(told):
        how = "mean" if ranked is _by_mean else "median, or mean where medians are equal"
        yield f"  worst and best of each attribute, certain or not ({how}; subjects):"
    for row, by in zip(told.to_dict("records"), ranked(told).to_dict("records"), strict=True):
        d = f"D {row['disparity']:.3g}, " if by["by"] == MEDIAN else ""
        sides = (f"{row[side]} {by[side]:.3g} ({row[f'{side}_subjects']:,})" for side in ("worst", "best"))
        pair = f"{d}p {_p(row['p_value'])} over images"
        yield f"    {row['attribute']}, by {by['by']}: {', '.join(sides)}: {pair}"


def _intersections(table: pd.DataFrame) -> Iterator[str]:
    worse = table[table["group"] != ""].sort_values("gap", ascending=False, kind="stable")
    if len(worse):
        does = "does worse than each of its parts" if len(worse) == 1 else "do worse than each of their parts"
        of = counted(worse["looked_at"].iloc[0], "combined group")
        yield f"  {len(worse):,} of {of} {does}, beyond chance:"
    elif looked_at := int(table["looked_at"].sum()):
        yield f"  none of {counted(looked_at, 'combined group')} does worse than each of its parts, beyond chance"
    for row in worse.head(ROWS).to_dict("records"):
        than = f"mean {row['mean']:.3g}, {row['worst_part']} {row['part_mean']:.3g}"
        yield f"    {row['group']}: {than}, gap {_with(row['gap'], row['low'], row['high'])}, p {_p(row['p_value'])}"
    yield from _more(worse)


def _more(table: pd.DataFrame) -> Iterator[str]:
    if len(table) > ROWS:
        yield f"    ... and {len(table) - ROWS} more in the table"


def _with(figure: float, low: float, high: float, called: str = "") -> str:
    """A figure with its 95% interval in brackets: the first of a summary is `called` so."""
    return f"{figure:.3g} [{called}{low:.3g}, {high:.3g}]" if pd.notna(low) else f"{figure:.3g}"


def _p(value: float) -> str:
    return "< 0.0001" if value < 1e-4 else f"{value:.2g}"
