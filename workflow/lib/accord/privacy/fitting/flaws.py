"""What gives a fill away: its seam, detail unlike that of its surroundings, the outline of who stood there."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from accord.privacy.fitting import detail, outline, seam


class Flaws(NamedTuple):
    """The scores of a fill, less is better; each module says how it is made and up to where it can't be told."""

    seam: float
    detail: float
    outline: float

    def worst(self) -> float:
        """How many times the score that stands out most exceeds what can't be told; 1 or less where none does."""
        return max(one / limit for one, limit in zip(self, UNSEEN, strict=True))


NO_FLAWS = Flaws(0.0, 0.0, 0.0)
UNSEEN = Flaws(seam.UNSEEN, detail.UNSEEN, outline.UNSEEN)


WORDS = {
    "seam": "a painted region has a visible seam",
    "detail": "a painted region differs in detail from its surroundings",
    "outline": "the outline of the painted-over content is visible",
}
"""What is wrong with a fill whose score is above its limit."""
PLAIN = "filled plainly, since all candidates failed"


def of_fill(pixels: np.ndarray, hole: np.ndarray, others: np.ndarray) -> Flaws:
    """The flaws of the hole in a picture, uint8 (H, W, 3), filled; masks: bool (H, W); others count for neither."""
    return Flaws(*(module.score(pixels, hole, others) for module in (seam, detail, outline)))
