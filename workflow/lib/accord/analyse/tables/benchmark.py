"""The tables of the benchmarking analysis: the extremes of each attribute, and what is worse than all its parts."""

import pandas as pd
import pandera.pandas as pa

from accord.analyse.tables.scores import OfMetric
from accord.engine.table import Table


class Extremes(OfMetric):
    """One row per (task, model, metric, attribute): the groups with the worst and the best mean, with an interval each
    and together, whether they differ significantly or not.

    groups: that have enough subjects; too_small: that haven't. *_low, *_high: 95% interval of the mean; difference: of
    the means, with its 95% interval; disparity: D = 1 - median(worst)/median(best) with its interval, undefined where
    medians say the contrary of means, of a negative median, and of scores that are all 0 or 1; ratio: of the means, the
    smaller by the larger, undefined where one isn't positive. p_value: Mann-Whitney over images, corrected for all
    pairs of the attribute; effect: its z, negative where the worst group does worse.
    """

    attribute: str
    parts: int = pa.Field(ge=1)
    groups: int = pa.Field(ge=0)
    too_small: int = pa.Field(ge=0)
    worst: str
    best: str
    worst_images: int = pa.Field(ge=0)
    best_images: int = pa.Field(ge=0)
    worst_subjects: int = pa.Field(ge=0)
    best_subjects: int = pa.Field(ge=0)
    worst_median: float = pa.Field(nullable=True)
    best_median: float = pa.Field(nullable=True)
    worst_mean: float = pa.Field(nullable=True)
    worst_low: float = pa.Field(nullable=True)
    worst_high: float = pa.Field(nullable=True)
    best_mean: float = pa.Field(nullable=True)
    best_low: float = pa.Field(nullable=True)
    best_high: float = pa.Field(nullable=True)
    difference: float = pa.Field(nullable=True)
    difference_low: float = pa.Field(nullable=True)
    difference_high: float = pa.Field(nullable=True)
    ratio: float = pa.Field(nullable=True)
    disparity: float = pa.Field(nullable=True, in_range={"min_value": 0, "max_value": 1})
    low: float = pa.Field(nullable=True)
    high: float = pa.Field(nullable=True)
    p_value: float = pa.Field(nullable=True)
    effect: float = pa.Field(nullable=True)
    significant: bool
    note: str

    class Config(Table.Config):
        unique = ["task", "model", "metric", "attribute"]  # noqa: RUF012


def ends(table: pd.DataFrame) -> pd.DataFrame:
    """By what rows of Extremes or Disparities rank two groups: `by`, the mean; of Disparities the median where there
    are two different ones ("" of no groups); that of the `worst` and of the `best` one, and by how much these are
    `apart`, 0 or more."""
    differ = (table["best_median"] - table["worst_median"]).fillna(0) != 0
    by = (differ & ("worst_low" not in table)).map({True: "median", False: "mean"})
    by = by.where(table["worst"] != "", "")
    told = {side: table[f"{side}_mean"].where(by == "mean", table[f"{side}_median"]) for side in ("worst", "best")}
    return pd.DataFrame({"by": by, **told, "apart": (told["best"] - told["worst"]).abs()})


class Intersections(OfMetric):
    """One row per (task, model, metric) and intersection that does worse than every one of its parts, beyond chance;
    or one row that says why there is none (group "").

    parts: how many attributes it combines. Its parts are the groups of one and more of these attributes that it lies
    in; each is compared with it by its subjects outside it. worst_part (of `part_attribute`): the one with the worst
    mean, so the smallest `gap`: that mean less the intersection's (the other way round where lower is better), with
    its 95% interval. p_value: the largest over the parts, corrected for all intersections of the table; where there is
    none, the smallest of all, as far as it was looked for above 0.05. looked_at: how many were tested; untested: how
    many couldn't be, since too few subjects are in a part and not in them, or none of these has as many scores as one
    of theirs.
    """

    attribute: str
    group: str
    parts: int = pa.Field(ge=0)
    images: int = pa.Field(ge=0)
    subjects: int = pa.Field(ge=0)
    mean: float = pa.Field(nullable=True)
    part_attribute: str
    worst_part: str
    part_mean: float = pa.Field(nullable=True)
    gap: float = pa.Field(nullable=True)
    low: float = pa.Field(nullable=True)
    high: float = pa.Field(nullable=True)
    p_value: float = pa.Field(nullable=True)
    looked_at: int = pa.Field(ge=0)
    untested: int = pa.Field(ge=0)
    note: str

    class Config(Table.Config):
        unique = ["task", "model", "metric", "attribute", "group"]  # noqa: RUF012


class Differences(OfMetric):
    """One row per (task, model, metric, attribute) and pair of its groups, group < other by name: the difference of
    their mean scores (group - other) with its standard error and 95% interval over draws of subjects. Not corrected
    for how many pairs there are."""

    attribute: str
    group: str
    other: str
    group_subjects: int = pa.Field(ge=0)
    other_subjects: int = pa.Field(ge=0)
    difference: float
    standard_error: float = pa.Field(nullable=True)
    low: float = pa.Field(nullable=True)
    high: float = pa.Field(nullable=True)

    class Config(Table.Config):
        unique = ["task", "model", "metric", "attribute", "group", "other"]  # noqa: RUF012
