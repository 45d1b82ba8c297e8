"""Productive patterns: more than each part of them, in the light of all that was looked at."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import ceil

import numpy as np
from scipy.special import ndtri

from accord.analyse.explaining.mined import Candidates
from accord.statistics.conjunctions import CHUNK, Conjunctions, unpacked
from accord.statistics.permuting.max_statistic import RESOLUTION, associate, blocks, moments
from accord.statistics.permuting.max_statistic_limit import associate_many, excess, many
from accord.statistics.testing.correction import ALPHA

Part = tuple[int, ...]
"""Some of the items of a candidate, but not all: column numbers, ascending."""

HOPELESS = -ndtri(ALPHA)
"""No excess under so many standard deviations passes a test at 5%, let alone one that corrects for many."""


@dataclass(frozen=True)
class Search:
    """All m candidates of k items, and what they are held against.

    holds: (m, k) bool, the items of each; sizes: (m,) how many; errors: (n,) float32 of 0 and 1; subjects: (n,) int;
    counts: (n,) int, how many rows the subject of each row has; tests: how many searches there are in the report.
    """

    found: Candidates
    holds: np.ndarray
    sizes: np.ndarray
    errors: np.ndarray
    subjects: np.ndarray
    counts: np.ndarray
    tests: int

    def rows(self, part: Part) -> np.ndarray:
        """The rows in which all items of a part hold."""
        columns = self.found.columns
        cover = np.bitwise_and.reduce(columns.bits[list(part)], axis=0)
        return np.flatnonzero(unpacked(cover[np.newaxis], columns.rows)[0])

    def family(self, part: Part) -> np.ndarray:
        """The candidates that add items to a part, ascending."""
        return np.flatnonzero(self.holds[:, list(part)].all(axis=1) & (self.sizes > len(part)))

    def columns(self, some: np.ndarray, rows: np.ndarray) -> Conjunctions:
        """In which of some rows some candidates hold."""
        return self.found.columns.only(some).of(rows)


def productive(
    found: Candidates, p: np.ndarray, errors: np.ndarray, subjects: np.ndarray, tests: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """The candidates that go with errors and are more than every part of them, and their p: (kept,), (kept,).

    p: (m,) that a candidate goes with errors as chance allows, corrected. One of several items must also have more
    errors than the rows of each of its parts explain (Webb, 2007: productive rules). It stands out by its errors, so
    what it adds to a part is held against all that could have stood out there: see `added`. Its p is the largest of all
    these. Where a candidate goes with errors and nothing of it is kept, see `explained`. tests: searches of the report.
    """
    search = _search(found, errors, subjects, tests)
    chosen = np.flatnonzero(p < ALPHA)
    kept = {one: max(float(p[one]), least) for one, least in _more_than_parts(search, chosen, rng).items()}
    number = {items: one for one, items in enumerate(found.sets)}
    for one in chosen[np.argsort(p[chosen], kind="stable")].tolist():
        if not any(number.get(part) in kept for part in _subsets(found.sets[one], len(found.sets[one]))):
            part, least = explained(search, one, rng)
            if part in number:
                kept[number[part]] = max(float(p[one]), least)
    return np.array(sorted(kept), int), np.array([kept[one] for one in sorted(kept)])


def added(search: Search, part: Part, asked: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """(c,): the p-value that each candidate of `asked` (c,), ascending, adds errors to a part of it; exact below 5%.

    Within the rows of the part, subjects exchange their errors with subjects who have as many rows in the part and as
    many in all, so the part keeps all that it explains. The largest excess over all candidates that add to this part
    corrects for the choice among them (Westfall and Young, 1993). A part's share of the level is that of its
    candidates among all, so that all parts together cost no more than the whole search.
    """
    rows, family = search.rows(part), search.family(part)
    share, wanted = len(family) / len(search.sizes), np.isin(family, asked)
    most = ceil(search.tests * RESOLUTION / ALPHA / share)
    columns, below = search.columns(family, rows), ALPHA * share / search.tests
    how = {"alike": search.counts[rows], "asked": wanted, "below": below}
    if many(subjects := search.subjects[rows], part=True):
        found = associate_many(columns, search.errors[rows], subjects, most, rng, **how)
    else:
        held = list(_ordered(columns)) if len(family) <= CHUNK else None
        some = (lambda: _ordered(columns)) if held is None else lambda: held
        found = associate(some, search.errors[rows], subjects, most, rng, even=True, **how)
    return np.minimum(1, found.p[wanted] * search.tests / share)


def explained(search: Search, one: int, rng: np.random.Generator) -> tuple[Part, float]:
    """The part of a candidate that explains its errors where no other does, and the largest p of those that don't.

    () where several do, or where none does. So who is told of `dark & hat` for what is dark is told of `dark`, even if
    that alone doesn't stand out; to name a hat that does nothing takes the same false finding as before.
    """
    items, found, largest = search.found.sets[one], (), 0.0
    for part in _subsets(items, len(items) - 1):
        if found and set(found) <= set(part):
            continue
        p = float(added(search, part, np.array([one]), rng)[0])
        if p < ALPHA:
            largest = max(largest, p)
        elif found:
            return (), 1.0
        else:
            found = part
    return found, largest


def _subsets(items: Part, most: int) -> Iterator[Part]:
    """Those of 1 ... `most` items, the smallest first."""
    return (some for size in range(1, most + 1) for some in combinations(items, size))


def _more_than_parts(search: Search, chosen: np.ndarray, rng: np.random.Generator) -> dict[int, float]:
    """Those of `chosen` that add errors to each of their parts -> the largest p over these, 0 of a single item."""
    waiting = excesses(search, chosen)
    largest = dict.fromkeys(waiting, 0.0)
    while parts := [(z, part) for untested in waiting.values() for part, z in untested.items()]:
        part = min(parts)[1]
        asked = [one for one in sorted(waiting) if part in waiting[one]]
        for one, p in zip(asked, added(search, part, np.array(asked), rng).tolist(), strict=True):
            largest[one] = max(largest[one], p)
            del waiting[one][part]
            if p >= ALPHA:
                del waiting[one]
    return {one: largest[one] for one in waiting}


def excesses(search: Search, chosen: np.ndarray) -> dict[int, dict[Part, float]]:
    """Candidate -> part -> how far its errors are above what the part explains (z), of those with hope against all."""
    sets, found = search.found.sets, {one: {} for one in chosen.tolist()}
    for size in range(1, max((len(sets[one]) for one in found), default=0)):
        by_part = defaultdict(list)
        for one in found:
            for part in combinations(sets[one], size) if len(sets[one]) > size else ():
                by_part[part].append(one)
        for part, some in by_part.items():
            alive = [one for one in some if one in found]
            for one, z in zip(alive, _excess(search, part, np.array(alive, int)).tolist(), strict=True):
                found[one][part] = z
                if z < HOPELESS:
                    del found[one]
    return found


def _excess(search: Search, part: Part, some: np.ndarray) -> np.ndarray:
    """(c,): z of the errors of candidates among the rows of a part, by the exact mean and spread over deals."""
    rows = search.rows(part)
    errors, of = search.errors[rows], blocks(search.subjects[rows], search.counts[rows])
    columns = search.columns(some, rows)
    if many(search.subjects[rows], part=True):
        return excess(columns, errors, of)
    mean, spread = moments(lambda: _ordered(columns), errors, of)
    seen = np.concatenate([np.zeros(0), *(errors @ held for held in _ordered(columns))])
    return np.divide(seen - mean, spread, out=np.zeros(len(some)), where=spread > 0)


def _ordered(columns: Conjunctions) -> Iterator[np.ndarray]:
    """The columns (n, c), each row's in one piece of memory."""
    return (np.ascontiguousarray(some) for some in columns())


def _search(found: Candidates, errors: np.ndarray, subjects: np.ndarray, tests: int) -> Search:
    holds, sizes = (
        np.zeros((len(found.sets), len(found.columns.bits)), bool),
        np.array([len(some) for some in found.sets], int),
    )
    holds[np.repeat(np.arange(len(sizes)), sizes), [item for items in found.sets for item in items]] = True
    return Search(found, holds, sizes, errors.astype(np.float32), subjects, np.bincount(subjects)[subjects], tests)
