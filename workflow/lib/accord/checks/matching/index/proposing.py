"""Which pictures are proposed to which, by short vectors in cells: parts to whole ones, and whole ones to parts.

Longer vectors choose among the proposals, each by what was proposed: a whole picture and a part.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from accord.checks.matching.index import cells
from accord.checks.matching.index.quantised import Quantised
from accord.checks.matching.index.top_k import once, place_in_each

ASKING, HELD, TOGETHER = 20_000, 500, 25
"""Pictures for which others are proposed at once, which are told at once, and whose longer vectors are compared at
once: these fit a processor's cache."""
OFTEN, FURTHER = 5, 1.5
"""Parts of the same other picture at most that are compared by whole vectors, since of a plain picture all parts look
like all of another; times as many parts as others that are so compared besides one of each."""


class Proposing(NamedTuple):
    """Numbers of a short vector; times as many parts as pictures are wanted that are proposed to a whole one, and four
    times as many as whole ones to a part: cosines of short vectors are not exact; the fewest cells of parts, and
    vectors in them, that a whole one is held against, and twice and four times those of wholes that a part is."""

    short: int
    wider: int
    probes: int
    compared: int


class Proposed(NamedTuple):
    """m numbers of pictures that ask, one after the other, and of others; which part of the one and which of the other
    are alike: one of the two is 0, the whole."""

    asking: np.ndarray
    others: np.ndarray
    own: np.ndarray
    theirs: np.ndarray


class Arranged(NamedTuple):
    """Longer vectors of n pictures in the order of the cells of their parts, and (n, regions) which row is which part;
    cells of short ones, which are their first numbers: of parts and of whole pictures."""

    longer: Quantised
    lies: np.ndarray
    parts: cells.Cells
    wholes: cells.Cells

    def kept(self) -> np.ndarray:
        """(n,) float32, by number: the squared length of the short vector of each whole picture."""
        vectors, found = self.wholes.vectors, np.empty(len(self.wholes.order), np.float32)
        for start in range(0, len(found), ASKING):
            found[self.wholes.order[start : start + ASKING]] = np.square(vectors[start : start + ASKING]).sum(axis=1)
        return found

    def cosines(self, mine: np.ndarray, others: np.ndarray) -> np.ndarray:
        """(n, k, m) cosines of (n, k, d) longer vectors with rows, (n, k, m)."""
        blocks = range(0, len(mine), TOGETHER)
        found = [self.longer.along(others[at : at + TOGETHER], mine[at : at + TOGETHER]) for at in blocks]
        return np.concatenate(found)


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


def proposed(held: Arranged, most: int, kept: int, how: Proposing) -> Iterator[Proposed]:
    """HELD pictures at a time, with the `kept` nearest others that are proposed to each, by their nearest parts."""
    wholes, parts, regions = held.wholes, held.parts, held.lies.shape[1]
    probes = _probes(parts, how.probes, how.compared), _probes(wholes, how.probes // 2, how.compared // 4)
    for start in range(0, len(wholes.order), ASKING):
        rows = wholes.order[start : start + ASKING]
        mine = parts.vectors[held.lies[rows].ravel()]
        near, _ = cells.proposals(parts, mine[::regions], how.wider * most, probes[0])
        whole, _ = cells.proposals(wholes, mine, how.wider * most // 4, probes[1])
        whole = whole.reshape(len(rows), regions, -1)
        for first in range(0, len(rows), HELD):
            some = slice(first, first + HELD)
            yield _chosen(held, rows[some], near[some], whole[some], kept)


def _chosen(held: Arranged, asking: np.ndarray, near: np.ndarray, whole: np.ndarray, kept: int) -> Proposed:
    """n asking pictures, and to each the nearest of parts, (n, p), and of whole ones, (n, regions, w)."""
    regions = held.lies.shape[1]
    mine = held.longer[held.lies[asking].ravel()].reshape(len(asking), regions, -1)
    by_parts = held.cosines(mine[:, :1], held.lies.ravel()[near][:, None])
    by_wholes = held.cosines(mine, held.lies[whole, 0])
    cosines = np.concatenate([by_parts.reshape(len(asking), -1), by_wholes.reshape(len(asking), -1)], axis=1)
    parts = np.concatenate([near, whole.reshape(len(asking), -1) * regions], axis=1)
    own = np.concatenate([np.zeros(near.shape[1], int), np.repeat(np.arange(regions), whole.shape[2])])
    line, place = np.nonzero((parts >= 0) & (parts // regions != asking[:, None]))
    line, both, _ = once(line, parts[line, place] * regions + own[place], cosines[line, place])
    parts, own = np.divmod(both, regions)
    found = Proposed(asking[line], parts // regions, own, parts % regions)
    nearest = _nearest(line, found.others, kept)
    return Proposed(*(of[nearest] for of in found))


def _nearest(line: np.ndarray, others: np.ndarray, kept: int) -> np.ndarray:
    """Which are the first of the first `kept` others of each line, and FURTHER times as many after the first of some;
    lines are sorted."""
    pair = line * (int(others.max(initial=0)) + 1) + others
    order, place = np.argsort(pair, kind="stable"), np.empty(len(pair), int)
    place[order] = place_in_each(pair[order])
    first, further = np.flatnonzero(place == 0), np.flatnonzero((place > 0) & (place < OFTEN))
    wanted = (first, kept), (further, round(FURTHER * kept))
    return np.sort(np.concatenate([some[place_in_each(line[some]) < most] for some, most in wanted]))


def _probes(among: cells.Cells, least: int, vectors: int) -> int:
    """The number of cells that have so many vectors together, if they are of a size; no fewer than `least`."""
    return max(least, -(-vectors * len(among.centres) // max(len(among.order), 1)))
