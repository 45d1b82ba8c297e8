"""Bounds of means of scores from 0 to 1 that count on nothing unseen: one more subject stands at the end."""

from typing import NamedTuple

import numpy as np

Z = 1.959963984540054
"""The normal distribution's 97.5%."""
STEPS = 100
CLOSE = 1e-10


class Subjects(NamedTuple):
    """Subjects of k groups, those of a group together and equal ones as one.

    total: (n,) sums of scores; images: (n,) how many; times: (n,) subjects like this; starts: (k,) where each group
    begins; group: (n,) whose they are.
    """

    total: np.ndarray
    images: np.ndarray
    times: np.ndarray
    starts: np.ndarray
    group: np.ndarray

    def sums(self, values: np.ndarray) -> np.ndarray:
        """(k,): a sum over the subjects of each group."""
        return np.add.reduceat(values * self.times, self.starts)


def bounds(of: Subjects) -> np.ndarray:
    """95% intervals of the mean score of each group: (k, 2).

    The bound above is the 97.5% quantile of sum(e s) / sum(e c), of sums of scores s and numbers of images c of the
    subjects and one more whose images all score 1, e independent standard exponentials (Gaffke, 2005; Learned-Miller
    and Thomas, 2020); below likewise with one who scores 0. Of right/wrong scores with an image each it is Clopper and
    Pearson's. The one more has as many images as others have (root mean square).
    """
    low = 1 - _upper(of._replace(total=of.images - of.total))
    return np.column_stack([low, _upper(of)])


def _upper(of: Subjects) -> np.ndarray:
    """(k,): Newton's steps on the quantile (`_quantile`), by halves where they leave what is known to hold it."""
    images = of.sums(of.images)
    full = of.sums(of.total) >= images * (1 - CLOSE)
    # A group at the end has no other bound; its subjects are looked at as if they scored 0.
    of = of._replace(total=np.where(full[of.group], 0, of.total))
    more = np.sqrt(of.sums(of.images**2) / of.sums(np.ones(len(of.images))))
    low, high, tilt = of.sums(of.total) / images, np.ones(len(images)), np.zeros(len(images))
    spread = of.sums((of.total - of.images * low[of.group]) ** 2) + (more * (1 - low)) ** 2
    at = np.minimum(low + Z * np.sqrt(spread) / (images + more), (low + high) / 2)
    for _ in range(STEPS):
        value, slope, tilt = _quantile(of, more, at, tilt)
        low, high = np.where(value < Z, at, low), np.where(value < Z, high, at)
        stepped = at - (value - Z) / slope
        moved = np.where((stepped > low) & (stepped < high), stepped, (low + high) / 2)
        settled = (np.abs(moved - at) < CLOSE) | (high - low < CLOSE)
        at = np.where(settled, at, moved)
        if settled.all():
            break
    return np.where(full, 1.0, at)


def _quantile(
    of: Subjects, more: np.ndarray, at: np.ndarray, tilt: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The normal quantile of P(sum(e a) <= 0), a = s - c `at`, of the subjects and the one more; its slope in `at`,
    about; and the saddlepoint. By Barndorff-Nielsen's r* of the cumulants -log(1 - t a): against Clopper and Pearson's
    bounds it is never too narrow by more than 0.02%, and up to 0.5% too wide for rates of 0."""
    a, end = of.total - of.images * at[of.group], more * (1 - at)
    point = _saddlepoint(of, a, end, tilt)
    left, left_end = 1 - point[of.group] * a, 1 - point * end
    cumulant = of.sums(np.log(left)) + np.log(left_end)
    w = np.sign(point) * np.sqrt(2 * np.maximum(cumulant, 0))
    u = point * np.sqrt(of.sums((a / left) ** 2) + (end / left_end) ** 2)
    near = np.abs(w) < 1e-4
    safe, ratio = np.where(near, 1, w), np.where(near, 1, u) / np.where(near, 1, w)
    slope = point * (of.sums(of.images / left) + more / left_end) / safe
    return np.where(near, w, w + np.log(ratio) / safe), np.where(slope > 0, slope, np.inf), point


def _saddlepoint(of: Subjects, a: np.ndarray, end: np.ndarray, first: np.ndarray) -> np.ndarray:
    """(k,): the t where sum(a / (1 - t a)) is 0: it rises from one pole to the other."""
    least = np.minimum.reduceat(a, of.starts)
    most = np.maximum(np.maximum.reduceat(a, of.starts), end)
    low, high = 1 / np.minimum(least, -np.finfo(float).tiny), 1 / np.maximum(most, np.finfo(float).tiny)
    at = np.where((first > low) & (first < high), first, 0.0)
    for _ in range(STEPS):
        tilted, tilted_end = a / (1 - at[of.group] * a), end / (1 - at * end)
        value, slope = of.sums(tilted) + tilted_end, of.sums(tilted**2) + tilted_end**2
        low, high = np.where(value < 0, at, low), np.where(value < 0, high, at)
        stepped = at - value / slope
        moved = np.where((stepped > low) & (stepped < high), stepped, (low + high) / 2)
        settled = np.abs(moved - at) <= CLOSE * np.abs(at)
        at = moved
        if settled.all():
            break
    return at
