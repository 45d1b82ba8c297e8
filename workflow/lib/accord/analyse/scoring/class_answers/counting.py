"""Counts of answers per class and group, recalls, and balanced accuracies, with their intervals."""

from collections.abc import Sequence
from math import nan
from typing import Any

import pandas as pd

from accord.analyse.scoring.class_answers.outcomes import KEY, SAID
from accord.evaluate.labelling.exact import NO, YES
from accord.grouping import WHOLE
from accord.statistics.describing.proportions import newcombe_paired, wilson

RUN, CELL = ["model", "question", "encoder"], ["class", "attribute", "group"]
PERSON = ["image", "subject"]
NOBODY = "no image"


def expanded(rows: pd.DataFrame, members: pd.DataFrame, reported: Sequence[str]) -> pd.DataFrame:
    """Each row once for its class and, where that is reported, for class `all`; and of both for each of its groups.

    rows: outcomes; members: image, subject, attribute, group, without the whole set, which is added.
    """
    pooled = rows[rows["class"].isin(reported)].assign(**{"class": WHOLE})
    everyone = rows[PERSON].drop_duplicates().assign(attribute=WHOLE, group=WHOLE)
    groups = pd.concat([everyone, members[[*PERSON, "attribute", "group"]]])
    return pd.concat([pooled, rows]).merge(groups, on=PERSON)


def counted(cells: pd.DataFrame, members: pd.DataFrame, classes: Sequence[str]) -> pd.DataFrame:
    """One row per run, class and group, those without images too: images, subjects, yes, no, unknown, failed.

    cells: `expanded` outcomes, one per person of a cell; classes: those that get rows besides `all`.
    """
    told = cells.assign(**{name: cells["said"] == name for name in SAID})
    sizes = {"images": ("image", "nunique"), "subjects": ("subject", "nunique")}
    found = told.groupby(RUN + CELL).agg(**sizes, **{name: (name, "sum") for name in SAID})
    index = _all_cells(cells[RUN].drop_duplicates(), members, classes)
    return found.reindex(index, fill_value=0).astype(int).reset_index()


def recalls(counts: pd.DataFrame) -> pd.DataFrame:
    """The counts of questions about the true class, with the share of yes and its 95% interval (Wilson)."""
    return _rated(counts, "recall")


def false_yes(counts: pd.DataFrame, pairs: pd.DataFrame) -> pd.DataFrame:
    """The counts of questions about another class, with the share of yes, and the balanced accuracy beside it.

    pairs: `paired` outcomes of both questions, expanded. Balanced accuracy is the mean of the share of yes where it is
    right and the share of no where that is right, over the same images; unknown and failed answers are neither.
    """
    rated = _rated(counts, "false_yes_rate")
    both = pairs.assign(
        yes_only=pairs["right"] & ~pairs["right_other"], no_only=~pairs["right"] & pairs["right_other"],
        all_right=pairs["right"] & pairs["right_other"],
    )  # fmt: skip
    sums = {name: (name, "sum") for name in ("all_right", "yes_only", "no_only")}
    found = both.groupby(RUN + CELL).agg(pairs=("image", "size"), **sums).reset_index()
    joined = rated.merge(found, on=RUN + CELL, how="left").fillna(dict.fromkeys(("pairs", *sums), 0))
    told = [_balanced(int(r.all_right), int(r.yes_only), int(r.no_only), int(r.pairs)) for r in joined.itertuples()]
    columns = ("balanced_accuracy", "balanced_low", "balanced_high")
    return rated.assign(**dict(zip(columns, zip(*told, strict=True), strict=True)) if told else dict.fromkeys(columns))


def paired(rows: pd.DataFrame) -> pd.DataFrame:
    """One row per run and person asked about both their class and another: whether each answer is right.

    rows: outcomes of one question or several.
    """
    true, other = (rows[rows["contrast"] == which] for which in (False, True))
    told = true.assign(right=true["said"] == YES).merge(
        other.assign(right_other=other["said"] == NO)[[*KEY, "right_other"]], on=KEY, validate="one_to_one"
    )
    return told[[*KEY, "class", "right", "right_other"]]


def _all_cells(runs: pd.DataFrame, members: pd.DataFrame, classes: Sequence[str]) -> pd.MultiIndex:
    groups = [(WHOLE, WHOLE), *sorted(set(members[["attribute", "group"]].itertuples(index=False, name=None)))]
    cells = [
        (*run, name, *group)
        for run in sorted(runs.itertuples(index=False, name=None))
        for name in (WHOLE, *classes)
        for group in groups
    ]
    return pd.MultiIndex.from_tuples(cells, names=RUN + CELL) if cells else _nothing()


def _nothing() -> pd.MultiIndex:
    return pd.MultiIndex.from_arrays([[] for _ in RUN + CELL], names=RUN + CELL)


def _rated(counts: pd.DataFrame, name: str) -> pd.DataFrame:
    told = [_share(row) for row in counts.itertuples()]
    values = {key: [one[key] for one in told] for key in ("rate", "low", "high", "note")}
    return counts.assign(**{name: values.pop("rate")}, **values)


def _share(row: Any) -> dict[str, Any]:
    if not row.images:
        return {"rate": nan, "low": nan, "high": nan, "note": NOBODY}
    low, high = wilson(row.yes / row.images, row.images)
    note = "" if row.images == row.subjects else "images of one person are taken as independent"
    return {"rate": row.yes / row.images, "low": low, "high": high, "note": note}


def _balanced(all_right: int, yes_only: int, no_only: int, pairs: int) -> tuple[float, float, float]:
    """Half of what the two shares come to, and its interval: theirs of the difference of yes and of not-no."""
    if not pairs:
        return nan, nan, nan
    # Said yes to both, only to the true class, only to the other one (where "yes" to the other is "not no").
    low, high = newcombe_paired(yes_only, all_right, pairs - all_right - yes_only - no_only, no_only)
    return (2 * all_right + yes_only + no_only) / (2 * pairs), (1 + low) / 2, (1 + high) / 2
