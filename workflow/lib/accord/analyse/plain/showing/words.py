"""What `accord analyse` prints: for each metric how well, for whom worst, how sure."""

from collections.abc import Iterator
from typing import Any

import pandas as pd

from accord.analyse.disparities import EXPLAINED
from accord.analyse.plain.found import UNDEFINED, Found, Part, by_strength, parts
from accord.analyse.plain.showing import figures
from accord.analyse.scoring.extreme_groups import extreme_groups
from accord.grouping import BETWEEN, WHOLE
from accord.text.nouns import counted, listed

ROWS = 10


def lines(found: Found) -> Iterator[str]:
    """The summary, line by line: each task, model and metric; then how columns were read."""
    for part in parts(found):
        yield part.title
        row, of = part.everyone, part.found
        figure = _everyone(row, "mean " if len(of.disparities) else "")
        yield f"  everyone: {figure}, {_size(row, of.counted)}"
        if undefined := row["average"].partition(", ")[2]:
            yield f"  left out: {undefined}"
        yield from _compared(part) if len(of.disparities) else _figures(of.groups)
        yield from _intersections(of.intersections)
        yield from _left_out(of.groups)
    yield from (f"note: {remark}" for remark in found.remarks)


def _everyone(row: pd.Series, called: str) -> str:
    """The figure of all rows, or why there is none; and why it has no interval."""
    if pd.isna(row["mean"]):
        return row["note"]
    figure = f"{called}{_with(row['mean'], row['low'], row['high'], '95% interval ')}"
    return f"{figure}, {row['note']}" if row["note"] else figure


def _figures(table: pd.DataFrame) -> Iterator[str]:
    """The groups of a metric that no test compares."""
    yield "  not tested, since it is a figure of a whole group: compare the intervals"
    for row in table[(table["attribute"] != WHOLE) & table["mean"].notna()].to_dict("records"):
        yield f"    {row['attribute']}: {row['group']} {_with(row['mean'], row['low'], row['high'])}"


def _left_out(table: pd.DataFrame) -> Iterator[str]:
    """Who was not compared: the groups of each attribute that have too few subjects, or no figure."""
    left = table[table["mean"].isna() & (table["attribute"] != WHOLE)]
    undefined = left["note"].str.startswith(UNDEFINED)
    reasons = left["note"].str.replace(UNDEFINED, "not defined", regex=False).where(undefined, "with too few subjects")
    for (reason, attribute), some in left.groupby([reasons, "attribute"], sort=True):
        named = [f"{row.group} ({row.subjects:,})" for row in some.head(ROWS).itertuples()]
        more = f" and {len(some) - ROWS} more" if len(some) > ROWS else ""
        yield f"  not compared, {reason}: {attribute}: {', '.join(named)}{more}"


def _size(row: pd.Series, of: tuple[str, str]) -> str:
    """`239 images of 120 subjects in 60 clusters`; rows, where no column tells images or people."""
    image, subject = of
    people = counted(row["subjects"], subject)
    told = people if image == subject else f"{counted(row['images'], image)} of {people}"
    return f"{told}{figures.in_clusters(row)}"


def _compared(part: Part) -> Iterator[str]:
    yield from _claims(part.found.disparities)
    yield from _extremes(part)


def _claims(table: pd.DataFrame) -> Iterator[str]:
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
    for row in claimed.head(ROWS).to_dict("records"):
        yield f"    {row['attribute']}: {_surest(row)}, p {_p(row['p_between_subjects'])}"
        if row["note"]:
            yield f"      {row['note']}"
    yield from _more(claimed)
    yield from _explained(table)


def _surest(row: dict) -> str:
    """Two groups that differ: their means and the difference; the medians, where means say the contrary."""
    if row["difference"] > 0:
        means = " against ".join(figures.apart(row["worst_mean"], row["best_mean"]))
        difference = _with(row["difference"], row["difference_low"], row["difference_high"])
        return f"{row['worst']} worse than {row['best']}: mean {means}, difference {difference}"
    medians = " against ".join(figures.apart(row["worst_median"], row["best_median"]))
    return f"{row['worst']} worse than {row['best']} by the median: {medians}"


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


def _extremes(part: Part) -> Iterator[str]:
    """The groups with the worst and the best mean of each attribute."""
    groups = part.found.groups
    told = {}
    for name in dict.fromkeys(groups["attribute"]):
        if name != WHOLE and BETWEEN not in name:
            told[name] = extreme_groups(groups, name, part.found.lower_is_better)
    if any(told.values()):
        yield f"  worst and best mean of each attribute, certain or not [95% interval] ({part.found.counted[1]}s):"
    for name, ends in told.items():
        sides = [f"{row.group} {_with(row.mean, row.low, row.high)} ({_people(row)})" for row in ends]
        if sides and ends[0].mean == ends[1].mean:
            yield f"    {name}: all means are equal, as {sides[0]} and {sides[1]}"
        elif sides:
            yield f"    {name}: worst {sides[0]}, best {sides[1]}"


def _people(row: Any) -> str:
    """`20`, or `20 in 4 clusters`."""
    return f"{row.subjects:,}{figures.in_clusters(row)}"


def _intersections(table: pd.DataFrame) -> Iterator[str]:
    worse = table[table["group"] != ""].sort_values("gap", ascending=False, kind="stable")
    if len(worse):
        does = "does worse than each of its parts" if len(worse) == 1 else "do worse than each of their parts"
        of = counted(worse["looked_at"].iloc[0], "combined group")
        yield f"  {len(worse):,} of {of} {does}, beyond chance:"
    elif looked_at := int(table["looked_at"].sum()):
        yield f"  none of {counted(looked_at, 'combined group')} does worse than each of its parts, beyond chance"
    for row in worse.head(ROWS).to_dict("records"):
        means = figures.apart(row["mean"], row["part_mean"])
        than = f"mean {means[0]}, {row['worst_part']} {means[1]}"
        yield f"    {row['group']}: {than}, gap {_with(row['gap'], row['low'], row['high'])}, p {_p(row['p_value'])}"
    yield from _more(worse)


def _more(table: pd.DataFrame) -> Iterator[str]:
    if len(table) > ROWS:
        yield f"    ... and {len(table) - ROWS} more in the table"


def _with(figure: float, low: float, high: float, called: str = "") -> str:
    """A figure with its 95% interval in brackets: the first of a summary is `called` so."""
    if pd.isna(low):
        return figures.value(figure)
    return f"{figures.value(figure)} [{called}{', '.join(figures.apart(low, high))}]"


def _p(value: float) -> str:
    return "< 0.0001" if value < 1e-4 else f"{value:.2g}"
