"""Fairness of detectors of made faces, as AI-Face (Lin et al., 2025) measures it: label 0 is real, 1 is fake."""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from accord.errors import AccordError, Problem
from accord.statistics.describing.ratios import ratio


class Confusion(NamedTuple):
    """counts: (k, 2, 2) int, [group, label, predicted class]; groups: k names, sorted."""

    counts: np.ndarray
    groups: tuple[str, ...]


class Fairness(NamedTuple):
    """Each 0 where all groups are served alike; NaN where fewer than two groups can be compared.

    f_eo: sum over groups of |FPR_g - FPR| + |TPR_g - TPR|; f_oae: largest less smallest accuracy; f_dp: the same of the
    share that is predicted a class, for the worse class; f_dp_floor: f_dp of a detector that is always right, above 0
    where shares of fakes differ; f_meo: largest less smallest share of a label that is predicted a class, for the worst
    of both. left_out: groups without both labels, which f_eo and f_meo can't cover; all others cover `covered` too.
    """

    f_eo: float
    f_oae: float
    f_dp: float
    f_dp_floor: float
    f_meo: float
    covered: tuple[str, ...]
    left_out: tuple[str, ...]


def confusion(labels: np.ndarray, predicted: np.ndarray, groups: Any) -> Confusion:
    """Counts of (n,) labels and predicted classes, 0 or 1, per group (n,). Raises AccordError where they are not.

    groups: names in an array, or a pandas Categorical, whose codes are counted as they are: then no text is read. Rows
    of an unknown group (code -1) and groups without a row are left out.
    """
    labels, predicted = np.asarray(labels), np.asarray(predicted)
    _check(labels, predicted, groups)
    codes, names = coded(groups)
    cell = 4 * codes.astype(np.int64)
    cell += 2 * labels.astype(np.int64) + predicted.astype(np.int64)
    known = cell if not len(codes) or codes.min() >= 0 else cell[codes >= 0]
    counts = np.bincount(known, minlength=4 * len(names)).reshape(-1, 2, 2)
    seen = np.flatnonzero(counts.any(axis=(1, 2)))
    return Confusion(counts[seen], tuple(names[k] for k in seen))


def coded(groups: Any) -> tuple[np.ndarray, list[str]]:
    """The code of each row, and the names that codes stand for, sorted where `groups` is no Categorical."""
    found = getattr(groups, "array", groups)
    if hasattr(found, "codes") and hasattr(found, "categories"):
        return np.asarray(found.codes), list(map(str, found.categories))
    codes, names = pd.factorize(np.asarray(groups), sort=True)
    return codes, list(map(str, names))


def fairness(found: Confusion) -> Fairness:
    """The group metrics, from counts alone."""
    both = (found.counts.sum(axis=2) > 0).all(axis=1)
    names = np.array(found.groups, object)
    f_eo, f_oae, f_dp, f_dp_floor, f_meo = map(float, group_metrics(found.counts))
    return Fairness(f_eo, f_oae, f_dp, f_dp_floor, f_meo, tuple(names[both]), tuple(names[~both]))


def group_metrics(counts: np.ndarray) -> tuple[np.ndarray, ...]:
    """f_eo, f_oae, f_dp, f_dp_floor, f_meo of counts (..., k, 2, 2), each (...): one data set, or as many as there are.

    NaN where fewer than two groups can be compared.
    """
    both = (counts.sum(axis=-1) > 0).all(axis=-1)
    per_label = ratio(counts, counts.sum(axis=-1, keepdims=True))
    of_all = counts.sum(axis=-3)
    whole = ratio(of_all, of_all.sum(axis=-1, keepdims=True))
    sizes = counts.sum(axis=(-1, -2))
    shares = ratio(counts, sizes[..., np.newaxis, np.newaxis])
    apart = np.abs(per_label[..., 1] - whole[..., np.newaxis, :, 1]).sum(axis=-1)
    return (
        np.where(both.sum(axis=-1) > 1, np.where(both, apart, 0).sum(axis=-1), np.nan),
        _range((shares[..., 0, 0] + shares[..., 1, 1])[..., np.newaxis], sizes > 0),
        _range(shares.sum(axis=-2), sizes > 0),
        _range(shares.sum(axis=-1), sizes > 0),
        _range(per_label.reshape(*per_label.shape[:-2], 4), both),
    )


def _range(figures: np.ndarray, counted: np.ndarray) -> np.ndarray:
    """The largest over columns of the largest less the smallest over groups that count: (..., k, c), (..., k) -> (...).

    NaN of fewer than two groups.
    """
    inside = counted[..., np.newaxis]
    high = np.where(inside, figures, -np.inf).max(axis=-2, initial=-np.inf)
    low = np.where(inside, figures, np.inf).min(axis=-2, initial=np.inf)
    return np.where(counted.sum(axis=-1) > 1, (high - low).max(axis=-1), np.nan)


def _check(labels: np.ndarray, predicted: np.ndarray, groups: Any) -> None:
    if not len(labels) == len(predicted) == len(groups):
        raise AccordError(
            Problem("labels", "differ in number from predictions and groups", "give one of each for every face")
        )
    for name, values in (("labels", labels), ("predictions", predicted)):
        if values.dtype.kind != "b" and not ((values == 0) | (values == 1)).all():
            raise AccordError(Problem(name, "must be 0 (real) or 1 (fake)", "threshold probabilities first"))
