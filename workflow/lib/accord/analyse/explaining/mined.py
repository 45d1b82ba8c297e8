"""Patterns among the rows of one test: which sets of items go with errors."""

from dataclasses import dataclass
from hashlib import blake2b

import numpy as np

from accord.analyse.explaining.binary_features import Items
from accord.statistics.conjunctions import Conjunctions, conjunctions, tallies
from accord.statistics.itemsets import frequent, packed
from accord.statistics.permuting.max_statistic import Association, associate, blocks
from accord.statistics.permuting.max_statistic_limit import associate_many, many

HELD = 1 << 25
"""So many numbers, 128 MB, are unpacked once and kept; more are unpacked anew each time."""


@dataclass(frozen=True)
class Candidates:
    """m sets of items: `sets[i]` their column numbers; columns: their rows, all of them different."""

    sets: list[tuple[int, ...]]
    columns: Conjunctions


def candidates(items: Items, subjects: np.ndarray, support: float, most: int, least: int) -> Candidates:
    """All sets of up to `most` items that hold for at least a share `support` of rows and `least` subjects.

    Errors play no part in the choice, so that they can be tested. Of sets that hold in exactly the same rows the
    shortest stays (then the first by column).
    """
    rows, sets = len(subjects), []
    bits = packed(items.marks.T)
    for some, _ in frequent(items.marks, max(1, int(np.ceil(support * rows)), least), most):
        sets += list(map(tuple, some.tolist()))
    columns = conjunctions(bits, sets, rows)
    held = [blake2b(cover, digest_size=16).digest() for some in columns.covers() for cover in some]
    first = np.sort(np.unique(np.array(held, "S16"), return_index=True)[1]) if sets else np.zeros(0, int)
    described = sum((of.subjects for of in tallies(columns.only(first), blocks(subjects))), np.zeros(len(first), int))
    kept = first[described >= least]
    return Candidates([sets[i] for i in kept], columns.only(kept))


def weigh(
    found: Candidates, errors: np.ndarray, subjects: np.ndarray, most: int, rng: np.random.Generator, below: float
) -> Association:
    """How each candidate goes with errors: z, and p corrected for all candidates; `below`: see `associate`."""
    if many(subjects):
        return associate_many(found.columns, errors, subjects, most, rng, below=below)
    held = list(found.columns()) if len(found.sets) * found.columns.rows <= HELD else None
    columns = found.columns if held is None else lambda: held
    return associate(columns, errors.astype(np.float32), subjects, most, rng, even=True, below=below)
