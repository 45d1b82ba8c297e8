"""The tables that say how far a finding, or the lack of one, can be trusted."""

import pandera.pandas as pa

from accord.analyse.tables.scores import OfMetric
from accord.engine.table import Table
from accord.statistics.testing.correction import METHODS


class Power(OfMetric):
    """One row per (task, model, metric, attribute) and pair of groups with enough subjects: what difference between
    their subjects' mean scores could have been found.

    worst, best: which mean is worse; subjects of both are left out. difference: mean(best) - mean(worst), where lower
    is better turned round; deviation: standard deviation of subjects' means within the groups. detectable: the
    difference that is found in 80% of cases at `level` = 0.05 / pairs of the attribute; detectable_in_report: at that
    level divided by the number of (task, model, metric, attribute) compared. detectable_share: `detectable` as a
    share of the better mean. `note` says why there is no figure, or that no difference so large is possible.
    """

    attribute: str
    worst: str
    best: str
    worst_subjects: int = pa.Field(ge=0)
    best_subjects: int = pa.Field(ge=0)
    difference: float = pa.Field(nullable=True)
    deviation: float = pa.Field(nullable=True, ge=0)
    level: float = pa.Field(gt=0, lt=1)
    detectable: float = pa.Field(nullable=True, ge=0)
    detectable_in_report: float = pa.Field(nullable=True, ge=0)
    detectable_share: float = pa.Field(nullable=True, ge=0)
    note: str

    class Config(Table.Config):
        unique = ["task", "model", "metric", "attribute", "worst", "best"]  # noqa: RUF012


class Multiverse(OfMetric):
    """One row per claimed finding (task, model, metric, attribute, worst, best) and way of looking at it: does the
    worse group still score worse, beyond chance? The specification curve of the finding.

    models: `this one` or `mean of 3`; outcome: `score`, or the share of scores that reach a threshold; grouping: `as
    told`, `merged` (wider groups), `against all others`; min_subjects, test, correction: what the names say.
    changed: in how many of these the row differs from how the report looked. pairs: comparisons corrected for.
    difference: how much better the better group is, by what the test compares (means, or medians); p_value: corrected.
    holds: p_value < 0.05 and in the same direction. A row with a `note` can't be said, and counts neither way.
    """

    attribute: str
    worst: str
    best: str
    models: str
    outcome: str
    grouping: str = pa.Field(isin=("as told", "merged", "against all others"))
    min_subjects: int = pa.Field(ge=1)
    test: str = pa.Field(isin=("subject ranks", "subject means", "subject medians", "image ranks"))
    correction: str = pa.Field(isin=METHODS)
    changed: int = pa.Field(ge=0, le=6)
    worst_subjects: int = pa.Field(ge=0)
    best_subjects: int = pa.Field(ge=0)
    pairs: int = pa.Field(ge=0)
    difference: float = pa.Field(nullable=True)
    p_value: float = pa.Field(nullable=True, in_range={"min_value": 0, "max_value": 1})
    holds: bool
    note: str

    class Config(Table.Config):
        unique = [  # noqa: RUF012
            *("task", "model", "metric", "attribute"),
            *("models", "outcome", "grouping", "min_subjects", "test", "correction"),
        ]


class Reversals(OfMetric):
    """One row per (task, model, metric, attribute), pair of groups and feature that turns the sign of their gap round
    when it is held fixed (Simpson's paradox), where both signs are sure.

    worst, best: as it is; gap: mean(best) - mean(worst), where lower is better turned round, with its 95% interval:
    above 0. within: the same within strata of the feature, weighed as both groups together have them, with its 95%
    interval: below 0. strata: those with both groups in them; reversed_strata: those of them with a gap below 0.
    p_value: that either sign is chance, corrected for all pairs and features looked at (`looked_at`); claimed: p_value
    < 0.05.
    """

    attribute: str
    worst: str
    best: str
    feature: str
    worst_subjects: int = pa.Field(ge=0)
    best_subjects: int = pa.Field(ge=0)
    gap: float
    low: float
    high: float
    within: float
    within_low: float
    within_high: float
    strata: int = pa.Field(ge=2)
    reversed_strata: int = pa.Field(ge=1)
    looked_at: int = pa.Field(ge=1)
    p_value: float = pa.Field(in_range={"min_value": 0, "max_value": 1})
    claimed: bool

    class Config(Table.Config):
        unique = ["task", "model", "metric", "attribute", "worst", "best", "feature"]  # noqa: RUF012
