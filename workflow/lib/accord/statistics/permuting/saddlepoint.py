"""The tail of a sum of scores that are dealt out within strata, by saddlepoint."""

from typing import NamedTuple

import numpy as np
from scipy.special import expit, gammaln

from accord.statistics.permuting import lugannani_rice

SMALL = 40
"""The cumulants of strata of up to so many subjects are exact."""
STEPS = 100


class Cumulants(NamedTuple):
    """At some t, over all deals: log of the mean of exp(t sum), its first and second derivative; and the log of the
    ratio of the spreads of the numbers chosen in large strata, at t and at 0."""

    value: float
    first: float
    second: float
    ratio: float


def tail(scores: np.ndarray, strata: np.ndarray, chosen: np.ndarray, total: float, span: float) -> float:
    """P(sum of the chosen scores > total), `chosen` (strata,) of each stratum drawn at random; total above the mean.

    scores: (n,); strata: (n,) int from 0, each with some chosen and some not; span: between neighbouring sums.
    Lugannani and Rice's formula with continuity correction, from the conditional cumulants: exact ones of small strata
    (elementary symmetric polynomials), of large ones by their own saddlepoint (Skovgaard, 1987; Booth and Butler,
    1990). Never less than the share of a single deal: some deal is as extreme as the data.
    """
    dealt = _Dealt(scores, strata, chosen)
    point, found = 0.0, dealt.at(0.0)
    height = 0.0
    for _ in range(STEPS):
        step, size = (total - found.first) / found.second, 1.0
        while True:
            here = dealt.at(point + size * step)
            higher = (point + size * step) * total - here.value
            if higher >= height or size < 1e-9:
                break
            size /= 2
        point, gained, height, found = point + size * step, higher - height, higher, here
        if gained < 1e-12 * max(1.0, height):
            break
    w = np.sqrt(2 * max(height, 0.0))
    v = 2 / span * np.sinh(span * point / 2) * np.sqrt(found.second) * np.exp(found.ratio / 2)
    single = np.exp(-np.sum(gammaln(dealt.sizes + 1) - gammaln(chosen + 1) - gammaln(dealt.sizes - chosen + 1)))
    return float(np.clip(lugannani_rice.tail(w, v), single, 1))


class _Dealt:
    """Scores, and how many of each stratum are chosen. `lift` (strata,): what is added to each score's log odds so that
    as many are expected to be chosen as are; kept from one t to the next, which lie near."""

    def __init__(self, scores: np.ndarray, strata: np.ndarray, chosen: np.ndarray):
        self.scores, self.of, self.chosen = scores, strata, chosen
        self.sizes = np.bincount(strata)
        self.share = chosen / self.sizes
        self.lift = np.log(self.share) - np.log1p(-self.share)
        self.small = self.sizes <= SMALL
        self.padded, self.there = self._padded()
        self.ways = self._exact(0.0)[0] if self.small.any() else np.zeros(0)

    def at(self, t: float) -> Cumulants:
        self._lifted(t)
        value, first, second, ratio = self._large(t)
        if self.small.any():
            log, one, two = self._exact(t)
            value, first, second = value + (log - self.ways).sum(), first + one.sum(), second + two.sum()
        return Cumulants(float(value), float(first), float(second), float(ratio))

    def _odds(self, t: float) -> np.ndarray:
        return self.lift[self.of] + t * self.scores

    def _lifted(self, t: float) -> None:
        """Newton's steps to as many expected as are chosen, none further than 2: beyond that odds are nearly 0 or 1."""
        for _ in range(STEPS):
            p = expit(self._odds(t))
            missing = self.chosen - np.bincount(self.of, p)
            if np.abs(missing).max() < 1e-10 * len(p):
                return
            self.lift = self.lift + np.clip(missing / np.bincount(self.of, p * (1 - p)), -2, 2)

    def _large(self, t: float) -> tuple[float, float, float, float]:
        large = ~self.small
        if not large.any():
            return 0.0, 0.0, 0.0, 0.0
        odds, x = self._odds(t), self.scores
        p = expit(odds)
        v = p * (1 - p)
        logs, sums, varied, mixed, squares = (
            np.bincount(self.of, part)[large] for part in (np.logaddexp(0, odds), x * p, v, v * x, v * x * x)
        )
        sizes, share, chosen = self.sizes[large], self.share[large], self.chosen[large]
        at_rest = -sizes * np.log1p(-share) - (np.log(share) - np.log1p(-share)) * chosen
        value = logs - self.lift[large] * chosen - at_rest
        ratio = np.log(varied / (sizes * share * (1 - share)))
        return value.sum(), sums.sum(), (squares - mixed**2 / varied).sum(), ratio.sum()

    def _padded(self) -> tuple[np.ndarray, np.ndarray]:
        """The scores of the small strata, (small, most of one), and which of them are any."""
        inside = self.small[self.of]
        of = np.cumsum(self.small)[self.of[inside]] - 1
        order = np.argsort(of, kind="stable")
        sizes = self.sizes[self.small]
        place = np.arange(len(of)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        shape = (len(sizes), int(sizes.max(initial=0)))
        scores, there = np.zeros(shape), np.zeros(shape, bool)
        scores[of[order], place], there[of[order], place] = self.scores[inside][order], True
        return scores, there

    def _exact(self, t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Of each small stratum the log of the sum of exp(t sum) over all choices, and its first two derivatives.

        Subject after subject, with odds by which about as many are chosen, so that nothing overflows.
        """
        lift, chosen = self.lift[self.small], self.chosen[self.small]
        odds = lift[:, np.newaxis] + t * self.padded
        p = np.where(self.there, expit(odds), 0)
        made = np.zeros((3, len(lift), int(chosen.max()) + 1))
        made[0, :, 0] = 1
        for x, one in zip(self.padded.T[:, :, np.newaxis], p.T[:, :, np.newaxis], strict=True):
            value, first, second = made[:, :, :-1] * one
            made *= 1 - one
            made[0, :, 1:] += value
            made[1, :, 1:] += first + x * value
            made[2, :, 1:] += second + 2 * x * first + x * x * value
        value, first, second = made[:, np.arange(len(lift)), chosen]
        none = np.where(self.there, np.logaddexp(0, odds), 0).sum(axis=1)
        mean = first / value
        return np.log(value) + none - lift * chosen, mean, second / value - mean**2
