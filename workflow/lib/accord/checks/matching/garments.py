"""Whether somebody wears the same clothes in two pictures, by the colours of the garments that annotators outlined.

The colours are compared as they are. Setting them in proportion to the person's own skin, which should cancel light and
white balance (Bianco and Schettini 2012), was tried and told less: docs/checks.md has the figures.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from accord.checks.files.light import FEWEST
from accord.imaging.cielab import lab, linear

UPPER, LOWER, WHOLE = GARMENTS = (20, 21, 22)
"""FHIBE's segments: upper body clothes, lower body clothes, full body clothes."""
SHARES = (0.1, 0.3, 0.5, 0.7, 0.9)
OTHER_KIND = 100.0
"""Distance of a dress from shirt and trousers."""

Worn = Mapping[int, np.ndarray]


def worn(garments: Mapping[int, np.ndarray]) -> Worn:
    """Segment -> (5, 3) quantiles of L*, a*, b*, of the garments with enough pixels.

    garments: segment -> sRGB colours, uint8 (n, 3).
    """
    seen = {name: lab(linear(colours)) for name, colours in garments.items() if len(colours) >= FEWEST}
    return {name: np.quantile(colours, SHARES, axis=0) for name, colours in seen.items()}


def apart(left: Worn, right: Worn) -> float:
    """How different clothes are, in units of CIE L*a*b* (1976): the garment that differs most, of those seen in both.

    NaN where no garment is seen in both, unless one is a dress and the other is not.
    """
    both = left.keys() & right.keys()
    if both:
        return max(float(np.linalg.norm(left[name] - right[name], axis=1).mean()) for name in both)
    dressed = [WHOLE in seen for seen in (left, right) if seen]
    return OTHER_KIND if len(dressed) == 2 and dressed[0] != dressed[1] else float("nan")
