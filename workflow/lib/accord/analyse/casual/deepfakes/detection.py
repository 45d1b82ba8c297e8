"""How well fakes are told from real videos: weighted precision, log-loss, AUC, ROC. Labels: 0 real, 1 fake.

Weighted precision is that of the DeepFake Detection Challenge (Dolhansky et al., 2020, Section 5.1):
wP = TP / (TP + a FP). Casual Conversations prints "log" of it with neither base nor threshold; its Tables I and III
agree with one another for natural logarithms, a = 100 and one threshold (config/numbers/casual-conversations.csv).
"""

import numpy as np

from accord.statistics.describing.ratios import ratio
from accord.statistics.distinct import distinct

WEIGHT = 100.0
"""a: a false alarm weighs as much as so many fakes, for how rare these are outside of tests."""
CLIP = 1e-15
"""Probabilities are kept so far from 0 and 1, as Kaggle keeps them."""
AT_ONCE = 4_000_000


def called_fake(p: np.ndarray, threshold: float) -> np.ndarray:
    """Whether videos are called fake: at the threshold, too."""
    return np.asarray(p) >= threshold


def weighted_precision(true_positives: np.ndarray, false_positives: np.ndarray) -> np.ndarray:
    """wP of counts (...); NaN where nothing is called fake."""
    found = np.asarray(true_positives, float)
    return ratio(found, found + WEIGHT * np.asarray(false_positives, float))


def log_losses(labels: np.ndarray, p: np.ndarray) -> np.ndarray:
    """The loss of each video, natural log: (n,)."""
    right = np.where(np.asarray(labels) == 1, p, 1 - np.asarray(p, float))
    return -np.log(np.clip(right, CLIP, 1 - CLIP))


def auc(labels: np.ndarray, p: np.ndarray, times: np.ndarray) -> np.ndarray:
    """The area under the ROC curve when each video counts as often as `times` (draws, n) says: (draws,).

    The chance that a fake has a higher p than a real video, equal ones counting half; NaN without one of both.
    """
    order = np.argsort(p, kind="stable")
    starts = np.flatnonzero(np.r_[True, np.diff(np.asarray(p)[order]) > 0])[: len(order)]
    fake = np.asarray(labels)[order] == 1
    found, size = np.empty(len(times)), max(1, AT_ONCE // max(1, len(order)))
    for start in range(0, len(times), size):
        some = times[start : start + size][:, order].astype(float)
        fakes, reals = (np.add.reduceat(some * which, starts, axis=1) for which in (fake, ~fake))
        below = np.cumsum(reals, axis=1) - reals / 2
        pairs = fakes.sum(axis=1) * reals.sum(axis=1)
        found[start : start + size] = ratio((fakes * below).sum(axis=1), pairs)
    return found


def roc(labels: np.ndarray, p: np.ndarray) -> np.ndarray:
    """The corners of the ROC curve, (k, 3): the p at and above which videos are called fake (NaN: none), the share of
    real videos and the share of fakes that are. Nothing without one of both."""
    from sklearn.metrics import roc_curve

    if len(distinct(labels)) < 2:
        return np.empty((0, 3))
    false_alarms, hits, thresholds = roc_curve(labels, p)
    return np.stack([np.where(np.isinf(thresholds), np.nan, thresholds), false_alarms, hits], axis=1)
