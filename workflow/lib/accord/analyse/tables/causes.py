"""The tables of what errors and low scores go with."""

import pandera.pandas as pa

from accord.analyse.tables.scores import Disparities, OfMetric
from accord.engine.table import Table


class Features(Table):
    """One row per (image, subject) and thing that may go with how well a model does: kind `category` has a `label`
    (several rows where several hold), kind `number` has a `number` and label ""."""

    image: str
    subject: str
    feature: str
    kind: str = pa.Field(isin=("category", "number"))
    label: str
    number: float = pa.Field(nullable=True, gt=float("-inf"), lt=float("inf"))

    class Config(Table.Config):
        unique = ["image", "subject", "feature", "label"]  # noqa: RUF012


class Patterns(OfMetric):
    """One row per (task, model, metric) and pattern that goes with errors, or one row that says why there is none
    (pattern "").

    An error scores at most `threshold` (where lower is better, at least). pattern: `feature = label & feature <= 3`;
    `items` of them. images, subjects: of all whom it describes; errors: people in images that are errors among them.
    support: share of all errors that it covers, or its errors as a share of all rows (`analyse/support_of`);
    confidence: share of errors in it, low and high its 95% interval; lift: confidence / share of errors in all, with
    its interval. p_value: that errors go with it no more than chance, or than a part of it, explains (the largest of
    these); corrected for all patterns that were looked at (`looked_at`), in all tests.
    """

    pattern: str
    items: int = pa.Field(ge=0)
    images: int = pa.Field(ge=0)
    subjects: int = pa.Field(ge=0)
    errors: int = pa.Field(ge=0)
    threshold: float = pa.Field(nullable=True)
    support: float = pa.Field(nullable=True, in_range={"min_value": 0, "max_value": 1})
    confidence: float = pa.Field(nullable=True, in_range={"min_value": 0, "max_value": 1})
    low: float = pa.Field(nullable=True)
    high: float = pa.Field(nullable=True)
    lift: float = pa.Field(nullable=True)
    lift_low: float = pa.Field(nullable=True)
    lift_high: float = pa.Field(nullable=True)
    p_value: float = pa.Field(nullable=True)
    looked_at: int = pa.Field(ge=0)
    note: str

    class Config(Table.Config):
        unique = ["task", "model", "metric", "pattern"]  # noqa: RUF012


class PatternDisparities(Disparities):
    """Disparities among the people in images that a pattern describes: one row per (pattern, attribute)."""

    pattern: str

    class Config(Disparities.Config):
        unique = ["task", "model", "metric", "pattern", "attribute"]  # noqa: RUF012


class Causes(OfMetric):
    """One row per (task, model, metric, feature): how much a forest loses without it on people it never saw; one row
    with feature "" where that can't be said.

    images, subjects: of whom the feature is known. importance: share of the variance of scores that is lost when the
    feature's values are dealt out at random, with its standard error and 95% interval; explained: held-out R^2 of the
    forest. Where `analyse/importance` is impurity: the feature's share of what splits explain, alone. selected: before
    the elbow. p_value: that scores go with the feature, corrected for all features and tests. claimed: selected and
    p_value < 0.05. Scores are worse where `feature side number` or `feature side label` holds: worse_*, against
    other_mean elsewhere; both are of whom the feature is known.
    """

    feature: str
    kind: str
    images: int = pa.Field(ge=0)
    subjects: int = pa.Field(ge=0)
    importance: float = pa.Field(nullable=True)
    standard_error: float = pa.Field(nullable=True)
    low: float = pa.Field(nullable=True)
    high: float = pa.Field(nullable=True)
    explained: float = pa.Field(nullable=True)
    selected: bool
    p_value: float = pa.Field(nullable=True)
    claimed: bool
    side: str = pa.Field(isin=("", "<=", ">", "=", "!="))
    number: float = pa.Field(nullable=True)
    label: str
    worse_images: int = pa.Field(ge=0)
    worse_subjects: int = pa.Field(ge=0)
    worse_mean: float = pa.Field(nullable=True)
    worse_low: float = pa.Field(nullable=True)
    worse_high: float = pa.Field(nullable=True)
    other_mean: float = pa.Field(nullable=True)
    note: str

    class Config(Table.Config):
        unique = ["task", "model", "metric", "feature"]  # noqa: RUF012


class CauseTree(OfMetric):
    """One row per node of the tree of a (task, model, metric), in preorder; node 0 is everyone and its parent -1.

    condition: what leads from the parent to the node, `feature <= 3` or `feature = label`. low, high: 95% interval of
    the mean. `note` says why a tree has no branches.
    """

    node: int = pa.Field(ge=0)
    parent: int = pa.Field(ge=-1)
    condition: str
    leaf: bool
    images: int = pa.Field(ge=0)
    subjects: int = pa.Field(ge=0)
    mean: float = pa.Field(nullable=True)
    low: float = pa.Field(nullable=True)
    high: float = pa.Field(nullable=True)
    note: str

    class Config(Table.Config):
        unique = ["task", "model", "metric", "node"]  # noqa: RUF012


class Conditioned(OfMetric):
    """One row per (task, model, metric, attribute), feature and way of holding it fixed: the gap between two groups.

    how: `as it is` (feature ""), `restricted` (to the rows where `condition` holds), `matched` (both groups with the
    values of the worse one), `standardised` (with those of both together). Counts are of what is compared. gap:
    mean(best) - mean(worst), where lower is better mean(worst) - mean(best), with standard error and 95% interval;
    change: the gap as it is of the rows for which the feature is known - this one.
    """

    attribute: str
    worst: str
    best: str
    feature: str
    how: str = pa.Field(isin=("as it is", "restricted", "matched", "standardised"))
    condition: str
    worst_images: int = pa.Field(ge=0)
    best_images: int = pa.Field(ge=0)
    worst_subjects: int = pa.Field(ge=0)
    best_subjects: int = pa.Field(ge=0)
    gap: float = pa.Field(nullable=True)
    standard_error: float = pa.Field(nullable=True)
    low: float = pa.Field(nullable=True)
    high: float = pa.Field(nullable=True)
    change: float = pa.Field(nullable=True)
    change_low: float = pa.Field(nullable=True)
    change_high: float = pa.Field(nullable=True)
    note: str

    class Config(Table.Config):
        unique = ["task", "model", "metric", "attribute", "feature", "how"]  # noqa: RUF012
