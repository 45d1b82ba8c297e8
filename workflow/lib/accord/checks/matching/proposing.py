"""Which pictures are proposed to which, by short vectors in cells: parts to whole ones, and whole ones to parts."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from accord.checks.matching import cells
from accord.checks.matching.quantised import Quantised
from accord.statistics.distinct import distinct

ASKING, HELD = 20_000, 500
"""Pictures for which others are proposed at once, and whose proposals are told at once."""


class Proposing(NamedTuple):
    """Numbers of a short vector; times as many parts as pictures are wanted that are proposed to a whole one, and four
    times as many as whole ones to a part: cosines of short vectors are not exact; the fewest cells of parts, and
    vectors in them, that a whole one is held against, and twice and four times those of wholes that a part is."""

    short: int
    wider: int
    probes: int
    compared: int


class Arranged(NamedTuple):
    """Longer vectors of n pictures in the order of the cells of their parts, and (n, regions) which row is which part;
    cells of short ones, which are their first numbers: of parts and of whole pictures."""

    longer: Quantised
    lies: np.ndarray
    parts: cells.Cells
    wholes: cells.Cells

    def alike(self, one: int, others: np.ndarray) -> np.ndarray:
        """(m,) cosines by longer vectors: of whole `one` with parts of the others, or the other way round."""
        mine = self.longer[self.lies[one]]
        seen = self.longer.along(self.lies[others].ravel(), mine[:1]).reshape(len(others), -1).max(axis=1)
        return np.maximum(seen, self.longer.along(self.lies[others, 0], mine).max(axis=1))


def arranged(longer: Quantised, regions: int, length: int) -> Arranged:
    """The vectors, (n * regions, d) by number, are put in their order in place."""
    short = longer.first(length)
    wholes = cells.placed(own := Quantised(short.codes[::regions].copy(), short.scale))
    own.reorder(wholes.order)
    parts = cells.placed(short)
    longer.reorder(parts.order)
    lies = np.empty(len(longer), np.int32)
    lies[parts.order] = np.arange(len(lies), dtype=np.int32)
    return Arranged(longer, lies.reshape(-1, regions), parts, wholes)


def proposed(held: Arranged, most: int, how: Proposing) -> Iterator[np.ndarray]:
    """(m, 2) numbers of HELD pictures at a time and of those that short vectors propose to them."""
    wholes, parts, regions = held.wholes, held.parts, held.lies.shape[1]
    probes = _probes(parts, how.probes, how.compared), _probes(wholes, how.probes // 2, how.compared // 4)
    for start in range(0, len(wholes.order), ASKING):
        rows = wholes.order[start : start + ASKING]
        mine = parts.vectors[held.lies[rows].ravel()]
        near, _ = cells.proposals(parts, mine[::regions], how.wider * most, probes[0])
        whole, _ = cells.proposals(wholes, mine, how.wider * most // 4, probes[1])
        others = np.concatenate([near // regions, whole.reshape(len(rows), -1)], axis=1)
        for first in range(0, len(rows), HELD):
            asking, some = rows[first : first + HELD], others[first : first + HELD]
            line, place = np.nonzero((some >= 0) & (some != asking[:, None]))
            code = distinct(line * len(held.lies) + some[line, place])
            yield np.stack([asking[code // len(held.lies)], code % len(held.lies)], axis=1)


def _probes(among: cells.Cells, least: int, vectors: int) -> int:
    """The number of cells that have so many vectors together, if they are of a size; no fewer than `least`."""
    return max(least, -(-vectors * len(among.centres) // max(len(among.order), 1)))
