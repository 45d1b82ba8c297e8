"""How often annotations are right, in each stratum and in all of them: counted, and weighted by their sizes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from accord.analyse.scoring.detectors.drawn import ends
from accord.grouping import WHOLE
from accord.statistics.describing.ratios import ratio
from accord.statistics.distinct import distinct
from accord.statistics.resampling import bootstrap

WEIGHTED = "weighted"
"""In the place of a stratum: all of them, each as it weighs in the whole that they were taken from."""
ONE = "one person or source: no interval"
EMPTY = "no picture was judged in {}"
ALIKE = "all draws are alike: no interval"
RARE = "no interval: too many draws have nobody of {}"
MISSED = 0.01
"""A draw that has nobody of a stratum has no weighted figure. Where more are left out, of strata of fewer than about
five people, the others aren't draws of the same whole: strata that are always right would be so in all of them."""


class Judged(NamedTuple):
    """n pictures. right: (n,) bool; strata: (n,) categories; units: (n,) codes from 0 of whom the bootstrap draws;
    sizes: stratum -> pictures of the whole that are in it."""

    right: np.ndarray
    strata: pd.Categorical
    units: np.ndarray
    sizes: Mapping[str, int]


class Accuracy(NamedTuple):
    """Of a stratum: pictures and units that were judged, the share that is right with its 95% interval, the share that
    the stratum has of the whole."""

    stratum: str
    images: int
    units: int
    value: float
    low: float
    high: float
    weight: float
    note: str


def accuracies(judged: Judged, drawn: Any) -> list[Accuracy]:
    """Of each stratum, of `all` that were judged together, and `weighted`, where no stratum is without a judgement.

    drawn: how often each unit is drawn, as of `bootstrap.resampled`.
    """
    names, total = list(judged.strata.categories), sum(judged.sizes.values())
    of = [judged.strata.codes == code for code in range(len(names))]
    shares = np.array([judged.sizes[name] / total for name in names])
    each = [_of(judged, some, drawn) for some in of]
    made = [
        _told(judged, name, some, *found, float(share))
        for name, some, found, share in zip(names, of, each, shares, strict=True)
    ]
    everyone = np.ones(len(judged.right), bool)
    made.append(_told(judged, WHOLE, everyone, *_of(judged, everyone, drawn), 1.0))
    absent = sorted(set(judged.sizes) - {name for name, some in zip(names, of, strict=True) if some.any()})
    if absent or not names:
        note = EMPTY.format("; ".join(absent)) if absent else ""
        return [*made, Accuracy(WEIGHTED, len(judged.right), _units(judged, everyone), *(np.nan,) * 3, 1.0, note)]
    parts = np.array([[found[0], *found[1]] for found in each])
    value, *draws = np.clip(shares @ parts, 0, 1)  # shares add up to 1 but for rounding
    told = _told(judged, WEIGHTED, everyone, float(value), np.array(draws), 1.0)
    rare = [name for name, draw in zip(names, parts[:, 1:], strict=True) if np.isnan(draw).mean() > MISSED]
    if told.units > 1 and rare:
        told = told._replace(low=np.nan, high=np.nan, note=RARE.format("; ".join(rare)))
    return [*made, told]


def _of(judged: Judged, some: np.ndarray, drawn: Any) -> tuple[float, np.ndarray]:
    """The share of right ones, and that of each draw."""
    if not some.any():
        return np.nan, np.full(len(drawn), np.nan)
    right, units = judged.right[some].astype(float), judged.units[some]
    sums = (np.bincount(units, weights, drawn.shape[1]) for weights in (right, np.ones(len(right))))
    found = [np.concatenate([block.astype(float) @ each for block in bootstrap.blocks(drawn)]) for each in sums]
    return float(right.mean()), ratio(*found)


def _told(judged: Judged, name: str, some: np.ndarray, value: float, draws: np.ndarray, weight: float) -> Accuracy:
    units, draws = _units(judged, some), draws[~np.isnan(draws)]
    if units < 2 or not len(draws):
        return Accuracy(name, int(some.sum()), units, value, np.nan, np.nan, weight, ONE if some.any() else "")
    low, high = ends(draws, units)
    return Accuracy(name, int(some.sum()), units, value, low, high, weight, ALIKE if np.isnan(low) else "")


def _units(judged: Judged, some: np.ndarray) -> int:
    return len(distinct(judged.units[some]))
