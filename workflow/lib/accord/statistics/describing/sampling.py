"""Samples that anyone can draw again: each unit has a fixed random number, and the lowest of a stratum are taken."""

from collections.abc import Mapping
from hashlib import blake2b

import pandas as pd

from accord.statistics.describing.proportions import allocation


def number(seed: int, purpose: str, unit: str) -> str:
    """The random number of a unit, as hexadecimal digits: the same for a seed and purpose whatever else there is.

    So a sample changes by as few units as possible when units come or go (permanent random numbers: Ohlsson, 1995).
    """
    return blake2b("\0".join((str(seed), purpose, unit)).encode(), digest_size=8).hexdigest()


def draw(units: pd.DataFrame, total: int, seed: int, purpose: str, rates: Mapping[str, float] | None = None):
    """The units drawn, and how many there are of each stratum: (unit, stratum), (stratum, population, sampled).

    units: unit, stratum, each unit once; rates: stratum -> expected rate, for Neyman's allocation where given for any
    (the others count as the largest of them).
    """
    sizes = units.groupby("stratum", sort=True).size()
    expected = [rates.get(str(name), max(rates.values())) for name in sizes.index] if rates else None
    taken = dict(zip(sizes.index, allocation(sizes.tolist(), total, expected), strict=True))
    ranked = units.assign(rank=[number(seed, purpose, str(unit)) for unit in units["unit"]]).sort_values("rank")
    place = ranked.groupby("stratum").cumcount()
    chosen = ranked[place < ranked["stratum"].map(taken).astype("int64")]
    strata = pd.DataFrame({"stratum": sizes.index, "population": sizes.to_numpy(), "sampled": list(taken.values())})
    return chosen.sort_values("unit", ignore_index=True)[["unit", "stratum"]], strata
