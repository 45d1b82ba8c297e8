"""Metrics of predictions that are means over rows: each row has a value, or none where the metric leaves it out.

So the mean over a group's rows is the metric of the group, exactly, and people can be compared by them. Names are those
of scikit-learn (sklearn.metrics) and fairlearn (fairlearn.metrics).
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

SMALLEST = np.finfo(float).eps
"""Probabilities are kept so far from 0 and 1, as sklearn.metrics.log_loss does."""


class Outcomes(NamedTuple):
    """(n,) each: truths and predictions as given; probabilities or scores of the positive label, None where not given;
    positive: the label that counts as 1."""

    true: np.ndarray
    predicted: np.ndarray | None
    score: np.ndarray | None
    positive: Any


class RowMetric(NamedTuple):
    """values: of each row, float64 (n,); lower: whether lower is better; needs: the field of Outcomes that it compares
    with the truth; binary: whether it needs a positive label;
    apart: whether it is of numbers, which need not agree."""

    values: Callable[[Outcomes], np.ndarray]
    lower: bool = False
    needs: str = "predicted"
    binary: bool = False
    apart: bool = False

    @property
    def of(self) -> str:
        """What a caller gives for `needs`."""
        return {"predicted": "y_pred", "score": "y_score"}[self.needs]


def _right(one: Outcomes) -> np.ndarray:
    return (one.true == one.predicted).astype(float)


def _among(side: str, wanted: bool, said: bool) -> Callable[[Outcomes], np.ndarray]:
    """Of the rows whose truth (or prediction) is positive, or negative: whether the other is positive, or negative."""

    def values(one: Outcomes) -> np.ndarray:
        true, predicted = one.true == one.positive, one.predicted == one.positive
        given, asked = (true, predicted) if side == "true" else (predicted, true)
        return np.where(given == wanted, asked == said, np.nan).astype(float)

    return values


def _selected(one: Outcomes) -> np.ndarray:
    return np.asarray(one.predicted == one.positive, float)


def _apart(one: Outcomes) -> np.ndarray:
    assert one.predicted is not None  # RowMetric.needs says so
    return one.predicted.astype(float) - one.true.astype(float)


def _brier(one: Outcomes) -> np.ndarray:
    assert one.score is not None  # RowMetric.needs says so
    return (one.score.astype(float) - (one.true == one.positive)) ** 2


def _log_loss(one: Outcomes) -> np.ndarray:
    assert one.score is not None  # RowMetric.needs says so
    known = np.clip(one.score.astype(float), SMALLEST, 1 - SMALLEST)
    return -np.log(np.where(one.true == one.positive, known, 1 - known))


RECALL = RowMetric(_among("true", True, True), binary=True)
SPECIFICITY = RowMetric(_among("true", False, False), binary=True)
FALSE_POSITIVE = RowMetric(_among("true", False, True), lower=True, binary=True)
FALSE_NEGATIVE = RowMetric(_among("true", True, False), lower=True, binary=True)
METRICS = {
    "accuracy": RowMetric(_right),
    "zero_one_loss": RowMetric(lambda one: 1 - _right(one), lower=True),
    "precision": RowMetric(_among("predicted", True, True), binary=True),
    "recall": RECALL,
    "true_positive_rate": RECALL,
    "true_negative_rate": SPECIFICITY,
    "false_positive_rate": FALSE_POSITIVE,
    "false_negative_rate": FALSE_NEGATIVE,
    "selection_rate": RowMetric(_selected, binary=True),
    "mean_absolute_error": RowMetric(lambda one: np.abs(_apart(one)), lower=True, apart=True),
    "mean_squared_error": RowMetric(lambda one: _apart(one) ** 2, lower=True, apart=True),
    "brier_score_loss": RowMetric(_brier, lower=True, needs="score", binary=True),
    "log_loss": RowMetric(_log_loss, lower=True, needs="score", binary=True),
}


def known(name: str) -> str:
    """The name in METRICS that a metric's name, or a function's (`accuracy_score`), means; "" for none."""
    short = name.removesuffix("_score")
    return next((one for one in (name, short) if one in METRICS), "")
