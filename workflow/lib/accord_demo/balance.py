"""Balanced draws: every level of every factor meets every level of every other about equally often.

Minimisation after Pocock and Simon (Biometrics 31, 1975): units come one by one, and each takes the level that is
behind the most, given the levels that it has already; ties are drawn.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

Level = str | int


def balanced(
    rng: np.random.Generator, count: int, factors: Mapping[str, Sequence[Level] | Mapping[Level, float]]
) -> list[dict[str, Level]]:
    """One level per factor for each of `count` units.

    A factor is a sequence of levels, all equally frequent, or a mapping of levels to their shares. Factors are
    balanced in the order given, each against all that come before it.
    """
    shares = {name: dict.fromkeys(levels, 1.0) if not isinstance(levels, Mapping) else dict(levels)
              for name, levels in factors.items()}  # fmt: skip
    seen: Counter = Counter()
    units = []
    for _ in range(count):
        unit: dict[str, Level] = {}
        for name, levels in shares.items():
            unit[name] = _most_behind(rng, name, levels, unit, seen)
        seen.update(_cells(unit))
        units.append(unit)
    return units


def _most_behind(rng, name: str, levels: Mapping[Level, float], unit: Mapping[str, Level], seen: Counter) -> Level:
    """The level with the fewest units for its share, summed over the cells that it would make with the unit."""
    scores = {}
    for level, share in levels.items():
        pairs = sum(seen[(other, given, name, level)] + 1 for other, given in unit.items())
        scores[level] = (pairs + seen[(name, level)] + 1) / share
    least = min(scores.values())
    return list(levels)[int(rng.choice([i for i, score in enumerate(scores.values()) if score == least]))]


def _cells(unit: Mapping[str, Level]) -> list[tuple]:
    """The marginal and the pairwise cells that a unit counts in."""
    items = list(unit.items())
    pairs = [(*items[i], *items[j]) for j in range(len(items)) for i in range(j)]
    return [*items, *pairs]
