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

TRIES, ROWS, TOLERANCE, DRAWN = 8, 1_000, 1e-9, 60
"""By so many random parts of so many rows at most a function is held against each metric; and by rows drawn anew."""
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
        some = numbers[numbers >= 0]
        if self.form and np.isnan(_figure(self.form, self.true[some], self.predicted[some])):
            return float("nan")  # of which scikit-learn says 0 or 1
        return of_some(self.function, self.true, self.predicted, some)

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
    """The metric that a function is, as far as random parts of the rows tell; None for none.

    What it gives where the metric isn't defined doesn't count; where truths or predictions are all the same, rows that
    are `drawn` tell, too.
    """
    if len(true) < 2:
        return None
    sample = drawn(true, predicted, positive)
    forms = _forms(np.concatenate([true, sample[0]]), np.concatenate([predicted, sample[1]]), positive)
    parts = [(true[part], predicted[part]) for part in _parts(true, predicted)] if forms else []
    parts += [sample] if is_constant(true, predicted) else []
    tried = [(*part, value) for part in parts if (value := _value(function, *part)) is not None]
    for form in forms:
        same = {_same(form, *one) for one in tried}
        if True in same and False not in same:
            return form
    return None


def is_constant(true: np.ndarray, predicted: np.ndarray) -> bool:
    """Whether truths or predictions are all the same, so that different metrics are."""
    return any((one == one[0]).all() for one in (true, predicted) if len(one))


def drawn(true: np.ndarray, predicted: np.ndarray, positive: object) -> tuple[np.ndarray, np.ndarray]:
    """Rows such as these might be of other people: truths and predictions at random, of two labels at least."""
    rng, kinds = np.random.default_rng(0), true.dtype.kind + predicted.dtype.kind
    if kinds not in ("ii", "ff", "if", "UU"):
        return true, predicted
    labels = sorted(set(true.tolist()))
    if len(labels) == 1:
        another = f"{labels[0]}'" if kinds == "UU" else int(not labels[0])
        labels.append(positive if type(positive) is type(labels[0]) and positive != labels[0] else another)
    said = sorted({*labels, *predicted.tolist()})
    return rng.choice(labels, DRAWN), rng.random(DRAWN) if predicted.dtype.kind == "f" else rng.choice(said, DRAWN)


def _parts(true: np.ndarray, predicted: np.ndarray) -> list[np.ndarray]:
    """Random rows, by number; in every other part rare truths and predictions are as likely as common ones."""
    rng, n = np.random.default_rng(0), len(true)
    size = min(n, max(2, n // 2), ROWS)
    codes = [pd.factorize(one)[0] for one in (true, predicted)]
    rare = np.sum([1 / np.bincount(code)[code] for code in codes], axis=0)
    return [rng.choice(n, size, replace=False, p=rare / rare.sum() if at % 2 else None) for at in range(TRIES)]


def _value(function: Function, true: np.ndarray, predicted: np.ndarray) -> float | None:
    try:
        return of_some(function, true, predicted, np.arange(len(true)))
    except REFUSALS:
        return None


def _same(form: Weighed, true: np.ndarray, predicted: np.ndarray, value: float) -> bool | None:
    """Whether a metric is the value; None where it isn't defined."""
    found = _figure(form, true, predicted)
    return None if np.isnan(found) else bool(abs(found - value) <= TOLERANCE)


def _figure(form: Weighed, true: np.ndarray, predicted: np.ndarray) -> float:
    return float(form(true, predicted, np.ones((1, len(true))))[0])


def _forms(true: np.ndarray, predicted: np.ndarray, positive: object) -> list[Weighed]:
    """What a function of these truths and predictions may be."""
    labels = pd.unique(pd.Series([*true.tolist(), *predicted.tolist()]))
    of_labels: list[Weighed] = []
    if len(labels) <= LABELS:
        of_labels = [_of_labels(metric, sorted(labels, key=str), positive) for metric in METRICS]
    numbers = predicted.dtype.kind in "iuf" and len(set(true.tolist())) == 2
    return [*of_labels, *(_of_scores(metric, max(true)) for metric in (roc_auc, average_precision) if numbers)]


def _of_scores(metric: Weighed, positive: object) -> Weighed:
    """A metric of scores, with the positive label that all rows have: a group may have one label only."""
    return lambda true, predicted, weights: metric((true == positive).astype(int), predicted, weights)


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
    """Of the positive label: the harmonic mean of precision and recall, which counts beta times as much.

    Undefined where nobody has or gets it.
    """
    if confusion.positive < 0:
        return np.full(len(confusion.counts), np.nan)
    figure = _fbeta(confusion, beta)[:, confusion.positive]
    return np.where(_occurs(confusion)[:, confusion.positive], figure, np.nan)


def macro_f1(confusion: Confusion) -> np.ndarray:
    """The mean over the labels that occur."""
    return _over_labels(_fbeta(confusion, 1.0), _occurs(confusion))


def weighted_f1(confusion: Confusion) -> np.ndarray:
    """The mean over labels, each as often as it is true."""
    return _share((_fbeta(confusion, 1.0) * confusion.true).sum(axis=1), confusion.true.sum(axis=1))


def macro_precision(confusion: Confusion) -> np.ndarray:
    """The mean over the labels that occur, 0 of one that nobody predicted."""
    return _over_labels(_share(confusion.hits, confusion.predicted), _occurs(confusion))


def macro_recall(confusion: Confusion) -> np.ndarray:
    """The mean over the labels that occur, 0 of one that is never true."""
    return _over_labels(_share(confusion.hits, confusion.true), _occurs(confusion))


def balanced_accuracy(confusion: Confusion) -> np.ndarray:
    """The mean recall of the labels that are true of some; undefined where one label is true of all."""
    return _over_labels(_share(confusion.hits, confusion.true), confusion.true > 0)


def jaccard(confusion: Confusion) -> np.ndarray:
    """Of the positive label: hits as a share of all that is it or is said to be; undefined of none."""
    if confusion.positive < 0:
        return np.full(len(confusion.counts), np.nan)
    figure = _share(confusion.hits, confusion.true + confusion.predicted - confusion.hits)[:, confusion.positive]
    return np.where(_occurs(confusion)[:, confusion.positive], figure, np.nan)


def matthews(confusion: Confusion) -> np.ndarray:
    """The correlation of truth and prediction (Matthews, 1975; Gorodkin, 2004).

    Undefined where one of them doesn't vary.
    """
    n, together = confusion.counts.sum(axis=(1, 2)), (confusion.true * confusion.predicted).sum(axis=1)
    covariance = confusion.hits.sum(axis=1) * n - together
    spread = (n**2 - (confusion.predicted**2).sum(axis=1)) * (n**2 - (confusion.true**2).sum(axis=1))
    return np.divide(covariance, np.sqrt(spread), out=np.full(len(n), np.nan), where=spread > 0)


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
    """The mean of precision over thresholds, weighed by the steps of recall; equal scores are one threshold.

    Undefined without positive rows.
    """
    positive, negative = (part[:, ::-1] for part in _by_score(true, predicted, weights))
    hits = np.cumsum(positive, axis=1)
    precision = _share(hits, hits + np.cumsum(negative, axis=1))
    whole = positive.sum(axis=1)
    return np.divide((precision * positive).sum(axis=1), whole, out=np.full(len(whole), np.nan), where=whole > 0)


def _by_score(true: np.ndarray, predicted: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The weights of positive and of negative rows at each different score, rising: each (draws, scores)."""
    scores, place = np.unique(predicted, return_inverse=True)
    labels = sorted(set(true.tolist()))
    is_positive = true == labels[-1] if len(labels) > 1 or labels == [1] else np.zeros(len(true), bool)
    at = sparse.csr_array((np.ones(len(place)), (place, np.arange(len(place)))), shape=(len(scores), len(place)))
    return (at @ np.where(is_positive, weights, 0).T).T, (at @ np.where(is_positive, 0, weights).T).T


def _fbeta(confusion: Confusion, beta: float) -> np.ndarray:
    return _share((1 + beta**2) * confusion.hits, beta**2 * confusion.true + confusion.predicted)


def _over_labels(each: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """The mean over the labels that count, undefined of one: it says nothing of telling labels apart."""
    several = counts.sum(axis=1)
    return np.where(several > 1, _share((each * counts).sum(axis=1), several.astype(float)), np.nan)


def _occurs(confusion: Confusion) -> np.ndarray:
    """(draws, labels): whether a label is true or predicted of some."""
    return (confusion.true + confusion.predicted) > 0


def _share(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    return np.divide(part, whole, out=np.zeros_like(part, float), where=whole > 0)
