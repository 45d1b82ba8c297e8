"""How far shares of pairs of two subjects may be off, since pairs share subjects: variances, draws, intervals."""

from collections.abc import Sequence

import numpy as np
from scipy import special

from accord.statistics.describing.proportions import Z95, wilson
from accord.statistics.resampling.half_unseen import kish

SAME = 1e-9
AT_ONCE = 4_000_000
"""So many weights are looked at in one go, whatever their number."""


class PairsOfTwo:
    """Pairs of two subjects each. left, right: (q,) int, the subjects; they are counted from 0 to below `subjects`."""

    def __init__(self, left: np.ndarray, right: np.ndarray, subjects: int) -> None:
        self.left, self.right, self.subjects = left, right, subjects
        low, high = np.minimum(left, right).astype(np.int64), np.maximum(left, right)
        self.sides = self._of_subjects(np.ones(len(left)))
        _, self.couples, self.together = np.unique(low * subjects + high, return_inverse=True, return_counts=True)

    def sway(self, hits: np.ndarray) -> np.ndarray:
        """What each subject sways the share of `hits` (q,), from 0 to 1: (m,), to be multiplied with normal numbers.

        Sums of such products, one of each subject, spread like the share over other samples of subjects. Their
        variance is that of Fafchamps and Gubert (2007; Aronow, Samii and Assenova, 2015): with S the sum of a subject's
        errors (hit less share) and E that of two subjects' together, (sum S^2 - sum E^2) / q^2. Resamples that weigh a
        pair by the product of two weights come to sum S^2 + sum E^2, and are too wide (Owen, 2007: the pigeonhole
        bootstrap). At least sum E^2, of independent couples; and times m / (m - 3), which the mean of m subjects takes
        away. Few subjects with hits tell it badly: so it is wider by what Student's t of Kish's number of them asks.
        """
        share, each = hits.mean(), self._of_subjects(hits)
        off = each - share * self.sides
        of_subjects, of_couples = (off**2).sum(), (self._of_couples(hits, share) ** 2).sum()
        m = int((self.sides > 0).sum())
        variance = max((of_subjects - of_couples) * m / max(m - 3, 1), of_couples)
        if of_subjects <= SAME * of_couples:
            # Hits are spread as evenly as can be: nobody sways the share more than others.
            off, of_subjects = (self.sides > 0).astype(float), m
        if not variance > 0:
            return np.zeros(self.subjects)
        wider = special.stdtrit(max(kish(each), 2.0), special.ndtr(Z95)) / Z95
        return off * (wider * np.sqrt(variance / of_subjects) / len(hits))

    def interval(self, is_hit: np.ndarray, weights: np.ndarray, shares: np.ndarray | float = 0) -> tuple[float, float]:
        """95% interval of the share of pairs that are hits, (q,) bool, over resamples of `half_unseen`'s weights.

        shares: (draws,) of the same pairs, where what is a hit moves, too. Wilson's interval of as many independent
        pairs as would spread like the share (Fogliato, Patil and Perona, 2024); where it doesn't, since all pairs are
        hits or none, of as many as there are couples. NaN without pairs.
        """
        return self.intervals([is_hit], weights, [shares])[0]

    def intervals(
        self, hits: Sequence[np.ndarray], weights: np.ndarray, shares: Sequence[np.ndarray | float]
    ) -> list[tuple[float, float]]:
        """`interval` of each of `hits` and `shares`: weights are looked at once for all."""
        if not len(self.left):
            return [(float("nan"), float("nan"))] * len(hits)
        off = errors_of(weights, [self.sway(is_hit) for is_hit in hits])
        return [self._interval(is_hit, some + moved) for is_hit, some, moved in zip(hits, shares, off, strict=True)]

    def _interval(self, is_hit: np.ndarray, moved: np.ndarray) -> tuple[float, float]:
        share = float(is_hit.mean())
        spread, even = float(np.var(moved)), share * (1 - share)
        trials = min(even / spread, len(self.left)) if spread > 0 and even > 0 else kish(self.together)
        return wilson(share, trials)

    def _of_subjects(self, hits: np.ndarray) -> np.ndarray:
        return np.bincount(self.left, hits, self.subjects) + np.bincount(self.right, hits, self.subjects)

    def _of_couples(self, hits: np.ndarray, share: float) -> np.ndarray:
        return np.bincount(self.couples, hits, len(self.together)) - share * self.together


def errors(weights: np.ndarray, sway: np.ndarray) -> np.ndarray:
    """The error of a share in each resample: (draws,). weights: (draws, m) of `half_unseen`; sway: (m,).

    The normal number of a subject is that which is as far up as its weight: so what a subject does to a threshold goes
    with what it does to the pairs of its own. Sums run in a fixed order.
    """
    return errors_of(weights, [sway])[0]


def errors_of(weights: np.ndarray, sways: Sequence[np.ndarray]) -> list[np.ndarray]:
    """`errors` of each of `sways`: what takes longest, the normal numbers, is worked out once for all."""
    if not sways:
        return []
    moving = np.flatnonzero(np.logical_or.reduce([sway != 0 for sway in sways]))
    columns = [np.flatnonzero(sway[moving]) for sway in sways]
    found = np.empty((len(sways), len(weights)))
    size = max(1, AT_ONCE // max(1, len(moving)))
    for start in range(0, len(weights), size):
        normal = -special.ndtri(np.exp(-weights[start : start + size, moving]))
        for made, own, sway in zip(found, columns, sways, strict=True):
            some = normal if len(own) == len(moving) else normal[:, own]
            made[start : start + size] = np.einsum("dm,m->d", some, sway[moving[own]])
    return list(found)
