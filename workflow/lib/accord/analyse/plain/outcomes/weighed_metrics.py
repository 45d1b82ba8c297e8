"""Usual metrics of a whole group from counts: of all draws of people at once, where a function takes one at a time.

A draw of people only changes how often each row counts. So F1, balanced accuracy and their like follow from how often
each label was predicted for each, the area under the ROC curve and average precision from the weights of sorted scores.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import sparse

from accord.analyse.plain.outcomes.functions import REFUSALS, Function, of_some

TRIES, ROWS, TOLERANCE = 8, 1_000, 1e-9
"""By so many random parts of so many rows at most a function is held against each metric."""
LABELS = 30
"""More different labels are looked at by the function alone."""
AT_ONCE = 4_000_000
"""Weights in memory at once."""

Weighed = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
"""Truths and predictions (n,), and weights (draws, n) of these rows -> the metric of each draw, NaN where undefined."""


class GroupMetric(NamedTuple):
    """A function of a group's truths and predictions (n,), of the rows of the table that have both: place (rows,), the
    number of each among these, -1 of others; form: the same of weights, None where it isn't known."""

    function: Function
    true: np.ndarray
    predicted: np.ndarray
    place: np.ndarray
    form: Weighed | None

    def __call__(self, rows: np.ndarray) -> float:
        """The figure of some rows of the table, given by number."""
        numbers = self.place[rows]
        return of_some(self.function, self.true, self.predicted, numbers[numbers >= 0])

    def weighed(self, rows: np.ndarray, units: np.ndarray, draws: np.ndarray) -> np.ndarray:
        """The figures of draws (draws, m) of the units (rows,) of the rows."""
        assert self.form is not None  # the caller has seen to it
        usable = self.place[rows] >= 0
        true, predicted = (column[self.place[rows[usable]]] for column in (self.true, self.predicted))
        figures, size = [], max(1, AT_ONCE // max(1, usable.sum()))
        for start in range(0, len(draws), size):
            times = np.array([np.bincount(draw, minlength=draws.shape[1]) for draw in draws[start : start + size]])
            figures.append(self.form(true, predicted, times[:, units[usable]].astype(float)))
        return np.concatenate(figures)


class Confusion(NamedTuple):
    """counts: (draws, labels, labels), how often a label (true) was predicted as each; positive: its number."""

    counts: np.ndarray
    positive: int

    @property
    def hits(self) -> np.ndarray:
        """(draws, labels): right predictions."""
        return np.diagonal(self.counts, axis1=1, axis2=2)

    @property
    def true(self) -> np.ndarray:
        """(draws, labels): rows of each label."""
        return self.counts.sum(axis=2)

    @property
    def predicted(self) -> np.ndarray:
        """(draws, labels): predictions of each label."""
        return self.counts.sum(axis=1)


def recognised(function: Function, true: np.ndarray, predicted: np.ndarray, positive: object) -> Weighed | None:
    """The metric that a function is, as far as random parts of the rows tell; None for none."""
    rng, n = np.random.default_rng(0), len(true)
    parts = [rng.choice(n, min(n, max(2, n // 2), ROWS), replace=False) for _ in range(TRIES)] if n > 1 else []
    tried = [(part, value) for part in parts if (value := _value(function, true, predicted, part)) is not None]
    forms = _forms(true, predicted, positive) if tried else []
    return next((form for form in forms if all(_same(form, true, predicted, *one) for one in tried)), None)


def _value(function: Function, true: np.ndarray, predicted: np.ndarray, part: np.ndarray) -> float | None:
    try:
        return of_some(function, true, predicted, part)
    except REFUSALS:
        return None


def _same(form: Weighed, true: np.ndarray, predicted: np.ndarray, part: np.ndarray, value: float) -> bool:
    found = float(form(true[part], predicted[part], np.ones((1, len(part))))[0])
    return abs(found - value) <= TOLERANCE or (np.isnan(found) and np.isnan(value))


def _forms(true: np.ndarray, predicted: np.ndarray, positive: object) -> list[Weighed]:
    """What a function of these truths and predictions may be."""
    labels = pd.unique(pd.Series([*true.tolist(), *predicted.tolist()]))
    of_labels: list[Weighed] = []
    if len(labels) <= LABELS:
        of_labels = [_of_labels(metric, sorted(labels, key=str), positive) for metric in METRICS]
    numbers = predicted.dtype.kind in "iuf" and len(set(true.tolist())) == 2
    return [*of_labels, *((roc_auc, average_precision) if numbers else ())]


def _of_labels(metric: Callable[[Confusion], np.ndarray], labels: list, positive: object) -> Weighed:
    """A metric of a confusion as one of rows."""
    number = labels.index(positive) if positive in labels else -1

    def weighed(true: np.ndarray, predicted: np.ndarray, weights: np.ndarray) -> np.ndarray:
        k = len(labels)
        place = {label: at for at, label in enumerate(labels)}
        codes = np.array([k * place[t] + place[p] for t, p in zip(true.tolist(), predicted.tolist(), strict=True)], int)
        cells = sparse.csr_array((np.ones(len(codes)), (np.arange(len(codes)), codes)), shape=(len(codes), k * k))
        return metric(Confusion((cells.T @ weights.T).T.reshape(-1, k, k), number))

    return weighed


def fbeta(confusion: Confusion, beta: float = 1.0) -> np.ndarray:
    """Of the positive label: the harmonic mean of precision and recall, which counts beta times as much; 0 of none."""
    if confusion.positive < 0:
        return np.full(len(confusion.counts), np.nan)
    return _fbeta(confusion, beta)[:, confusion.positive]


def macro_f1(confusion: Confusion) -> np.ndarray:
    """The mean over the labels that occur."""
    return _over_labels(_fbeta(confusion, 1.0), (confusion.true + confusion.predicted) > 0)


def weighted_f1(confusion: Confusion) -> np.ndarray:
    """The mean over labels, each as often as it is true."""
    return _over_labels(_fbeta(confusion, 1.0), confusion.true)


def macro_precision(confusion: Confusion) -> np.ndarray:
    """The mean over the labels that occur, 0 of one that nobody predicted."""
    return _over_labels(_share(confusion.hits, confusion.predicted), (confusion.true + confusion.predicted) > 0)


def macro_recall(confusion: Confusion) -> np.ndarray:
    """The mean over the labels that occur, 0 of one that is never true."""
    return _over_labels(_share(confusion.hits, confusion.true), (confusion.true + confusion.predicted) > 0)


def balanced_accuracy(confusion: Confusion) -> np.ndarray:
    """The mean recall of the labels that are true of some."""
    return _over_labels(_share(confusion.hits, confusion.true), confusion.true > 0)


def jaccard(confusion: Confusion) -> np.ndarray:
    """Of the positive label: hits as a share of all that is it or is said to be."""
    if confusion.positive < 0:
        return np.full(len(confusion.counts), np.nan)
    return _share(confusion.hits, confusion.true + confusion.predicted - confusion.hits)[:, confusion.positive]


def matthews(confusion: Confusion) -> np.ndarray:
    """The correlation of truth and prediction (Matthews, 1975; Gorodkin, 2004); 0 where one of them doesn't vary."""
    n, together = confusion.counts.sum(axis=(1, 2)), (confusion.true * confusion.predicted).sum(axis=1)
    covariance = confusion.hits.sum(axis=1) * n - together
    spread = (n**2 - (confusion.predicted**2).sum(axis=1)) * (n**2 - (confusion.true**2).sum(axis=1))
    return np.divide(covariance, np.sqrt(spread), out=np.zeros(len(n)), where=spread > 0)


def kappa(confusion: Confusion) -> np.ndarray:
    """Agreement beyond what chance gives (Cohen, 1960); undefined where chance gives all."""
    n = confusion.counts.sum(axis=(1, 2))
    chance, same = (confusion.true * confusion.predicted).sum(axis=1) / n**2, confusion.hits.sum(axis=1) / n
    return np.divide(same - chance, 1 - chance, out=np.full(len(n), np.nan), where=chance < 1)


METRICS: tuple[Callable[[Confusion], np.ndarray], ...] = (
    fbeta, macro_f1, weighted_f1, balanced_accuracy, macro_precision, macro_recall, jaccard, matthews, kappa,
    lambda confusion: fbeta(confusion, 2.0), lambda confusion: fbeta(confusion, 0.5),
)  # fmt: skip


def roc_auc(true: np.ndarray, predicted: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The chance that a positive row has the higher score, half of a tie; the positive label is sorted last."""
    positive, negative = _by_score(true, predicted, weights)
    below = np.cumsum(negative, axis=1) - negative / 2
    pairs = positive.sum(axis=1) * negative.sum(axis=1)
    return np.divide((positive * below).sum(axis=1), pairs, out=np.full(len(pairs), np.nan), where=pairs > 0)


def average_precision(true: np.ndarray, predicted: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The mean of precision over thresholds, weighed by the steps of recall; equal scores are one threshold."""
    positive, negative = (part[:, ::-1] for part in _by_score(true, predicted, weights))
    hits = np.cumsum(positive, axis=1)
    precision = _share(hits, hits + np.cumsum(negative, axis=1))
    whole = positive.sum(axis=1)
    return np.divide((precision * positive).sum(axis=1), whole, out=np.zeros(len(whole)), where=whole > 0)


def _by_score(true: np.ndarray, predicted: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The weights of positive and of negative rows at each different score, rising: each (draws, scores)."""
    scores, place = np.unique(predicted, return_inverse=True)
    labels = sorted(set(true.tolist()))
    is_positive = true == labels[-1] if len(labels) > 1 or labels == [1] else np.zeros(len(true), bool)
    at = sparse.csr_array((np.ones(len(place)), (place, np.arange(len(place)))), shape=(len(scores), len(place)))
    return (at @ np.where(is_positive, weights, 0).T).T, (at @ np.where(is_positive, 0, weights).T).T


def _fbeta(confusion: Confusion, beta: float) -> np.ndarray:
    return _share((1 + beta**2) * confusion.hits, beta**2 * confusion.true + confusion.predicted)


def _over_labels(each: np.ndarray, weights: np.ndarray) -> np.ndarray:
    weights = weights.astype(float)
    return _share((each * weights).sum(axis=1), weights.sum(axis=1))


def _share(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    return np.divide(part, whole, out=np.zeros_like(part, float), where=whole > 0)
