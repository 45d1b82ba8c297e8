"""Which pairs of faces services compare: all of one query, and as many of two, drawn within groups."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pandas as pd

from accord.grouping import WHOLE
from accord.statistics.seeds import generator

EACH = 6
"""Pairs of faces of each two queries: some are of others than the queries' people, and three must be left."""
BLOCKS, PART = 40, 4
"""Blocks of strangers that are compared all with all; of the pairs within queries they are a quarter at most."""


def pairs(faces: pd.DataFrame, groups: pd.DataFrame, seed: int) -> pd.DataFrame:
    """The rows of `FacePairs`. faces: query, face, one row each; groups: attribute, group, query.

    Of everyone, and of each group, as many pairs of two queries are drawn as there are pairs within its queries, or all
    that there are; a pair that several groups draw is there once. Of each two queries 6 pairs are drawn besides, so
    that one person under two queries is seen: as many in all as there are pairs within queries at most. And blocks of
    strangers are compared all with all: what a query of strangers looks like can't be told from single pairs.
    """
    by_query = {query: sorted(some) for query, some in faces.groupby("query")["face"]}
    within = [(*pair, "within") for some in by_query.values() for pair in combinations(some, 2)]
    everyone = pd.DataFrame({"attribute": WHOLE, "group": WHOLE, "query": list(by_query)})
    together = pd.concat([everyone, groups[groups["query"].isin(set(by_query))]])
    across: set[tuple[str, str]] = set()
    for (attribute, group), some in together.groupby(["attribute", "group"], sort=True):
        members = {query: by_query[query] for query in sorted(set(some["query"]))}
        across |= _drawn(members, generator(seed, "across", str(attribute), str(group)))
    across |= set(_of_each_two(by_query, len(within), generator(seed, "each two")))
    across |= set(_of_strangers(by_query, len(within) // PART, generator(seed, "strangers")))
    columns = ["left", "right", "pairs"]
    return pd.DataFrame([*within, *((*pair, "across") for pair in sorted(across))], columns=columns)


def _drawn(members: dict[str, list[str]], rng: np.random.Generator) -> set[tuple[str, str]]:
    """Pairs of faces of two queries, as many as there are within queries; all where they are fewer than twice that."""
    names = [face for some in members.values() for face in some]
    owner = np.repeat(np.arange(len(members)), [len(some) for some in members.values()])
    sizes = np.bincount(owner, minlength=len(members)).astype(int)
    wanted = int((sizes * (sizes - 1) // 2).sum())
    possible = int((sizes.sum() ** 2 - (sizes**2).sum()) // 2)
    if possible <= 2 * wanted:
        every = [pair for pair in combinations(range(len(names)), 2) if owner[pair[0]] != owner[pair[1]]]
        some = [every[place] for place in rng.permutation(len(every))[:wanted]]
    else:
        some = list(_random(owner, wanted, rng))
    return {(min(names[one], names[other]), max(names[one], names[other])) for one, other in some}


def _of_each_two(by_query: dict[str, list[str]], most: int, rng: np.random.Generator) -> Iterator[tuple[str, str]]:
    """Pairs of faces of each two queries, drawn at random, as long as they are at most `most`; never of one face."""
    twos = list(combinations(sorted(by_query), 2))
    for place in rng.permutation(len(twos))[: most // EACH]:
        one, other = (by_query[query] for query in twos[place])
        every = rng.permutation(len(one) * len(other))[:EACH]
        for left, right in ((one[spot // len(other)], other[spot % len(other)]) for spot in every):
            yield min(left, right), max(left, right)


def _of_strangers(by_query: dict[str, list[str]], most: int, rng: np.random.Generator) -> Iterator[tuple[str, str]]:
    """All pairs of blocks of faces of different queries, each as large as the largest query if there are queries
    enough; at most `most` pairs."""
    queries = sorted(by_query)
    size = min(max(map(len, by_query.values()), default=0), len(queries))
    for _ in range(min(BLOCKS, most // max(size * (size - 1) // 2, 1))):
        chosen = [by_query[queries[place]] for place in rng.permutation(len(queries))[:size]]
        yield from combinations(sorted(some[rng.integers(len(some))] for some in chosen), 2)


def _random(owner: np.ndarray, wanted: int, rng: np.random.Generator) -> Iterator[tuple[int, int]]:
    """Different pairs of two queries, each as likely; at least half of all such pairs aren't wanted."""
    seen: set[tuple[int, int]] = set()
    while len(seen) < wanted:
        drawn = np.sort(rng.integers(len(owner), size=(2 * wanted, 2)), axis=1)
        for one, other in drawn[owner[drawn[:, 0]] != owner[drawn[:, 1]]].tolist():
            if (one, other) not in seen and len(seen) < wanted:
                seen.add((one, other))
                yield one, other
