"""A service's scores by pairs of faces: those of a query as a matrix, those of strangers as draws of matrices."""

from functools import cached_property

import numpy as np
import pandas as pd
from scipy import sparse

from accord.analyse.identities.matrices import matrix
from accord.statistics.seeds import generator

DRAWS = 40
"""Draws of strangers that a limit by chance is the 95th percentile of."""


def once(pairs: pd.DataFrame) -> pd.DataFrame:
    """`Confidences` of one service, each pair once: one that was asked both ways has the mean of its scores."""
    ends = np.sort(pairs[["left", "right"]].to_numpy(str), axis=1)
    again = pd.DataFrame(ends, index=pairs.index).duplicated().to_numpy()
    if not again.any():
        return pairs
    means = pairs["score"].groupby([ends[:, 0], ends[:, 1]]).mean()
    kept = pairs[~again]
    return kept.assign(score=means.loc[list(map(tuple, ends[~again]))].to_numpy())


class ScoredPairs:
    """What one service said of pairs of faces, each once.

    names: (faces,) str, of all queries; queries: (faces,) int, whose they are; left, right: (pairs,) int faces; scores:
    (pairs,) float64, NaN where the service gave none.
    """

    def __init__(self, faces: pd.DataFrame, pairs: pd.DataFrame):
        self.names = pd.Index(faces["face"])
        self.queries = pd.factorize(faces["query"], sort=True)[0]
        ends = np.stack([self.names.get_indexer(pairs[side]) for side in ("left", "right")])
        low, high = np.sort(ends, axis=0)
        if pd.Series(low * len(faces) + high).duplicated().any():
            pairs = once(pairs)
            ends = np.stack([self.names.get_indexer(pairs[side]) for side in ("left", "right")])
        self.left, self.right = ends
        self.scores = pairs["score"].to_numpy(float)

    @cached_property
    def within(self) -> np.ndarray:
        """(pairs,) bool: of which both faces are of one query."""
        return self.queries[self.left] == self.queries[self.right]

    @cached_property
    def strangers(self) -> np.ndarray:
        """The known scores of pairs of two queries."""
        some = self.scores[~self.within]
        return some[~np.isnan(some)]

    @cached_property
    def own(self) -> np.ndarray:
        """The known scores of pairs of one query."""
        some = self.scores[self.within]
        return some[~np.isnan(some)]

    def of_query(self, query: int) -> np.ndarray:
        """The confidences (n, n) of a query's faces, in their order; NaN where there is no score."""
        rows = np.nonzero(self.queries == query)[0]
        some = self.within & (self.queries[self.left] == query)
        left, right = (np.searchsorted(rows, side[some]) for side in (self.left, self.right))
        return matrix(len(rows), left, right, self.scores[some])

    def of_strangers(self, size: int, seed: int, name: str) -> np.ndarray:
        """Confidences (40, size, size) of faces of different queries, drawn at random; name: of the service.

        Faces are drawn that were compared with each other, where there are any (`_strangers`). A pair that was never
        compared, or whose faces share a query since there are too few, has a score drawn from all scores of strangers:
        then what the service finds alike in several strangers at once is underrated.
        """
        rng = generator(seed, "strangers", name, str(size))
        made = np.empty((DRAWS, size, size))
        for draw in made:
            rows = self._strangers(size, rng)
            draw[:] = self._symmetric(rng, size)
            known = self._among(rows)
            own = draw[: len(rows), : len(rows)]
            own[:] = np.where(np.isnan(known), own, known)
            np.fill_diagonal(draw, 1.0)
        return made

    def _strangers(self, size: int, rng: np.random.Generator) -> np.ndarray:
        """Faces of as many queries, `size` if there are so many. The first was compared with as many faces of other
        queries, if any was; then always one that was compared with most of those drawn before."""
        compared = self._compared
        counts = np.diff(compared.indptr)
        enough = np.flatnonzero(counts >= min(size - 1, counts.max(initial=0)))
        rows, known = [int(rng.choice(enough))], rng.random(len(self.names))
        free = np.ones(len(self.names), bool)
        for _ in range(min(size, self.queries.max() + 1) - 1):
            known[compared.indices[compared.indptr[rows[-1]] : compared.indptr[rows[-1] + 1]]] += 1
            free &= self.queries != self.queries[rows[-1]]
            rows.append(int(np.argmax(np.where(free, known, -1))))
        return np.array(rows)

    def _symmetric(self, rng: np.random.Generator, size: int) -> np.ndarray:
        upper = np.triu(rng.choice(self.strangers, (size, size)), 1)
        return upper + upper.T

    def _among(self, rows: np.ndarray) -> np.ndarray:
        places = self._places[rows][:, rows].toarray().astype(int)
        places = np.maximum(places, places.T)
        return np.where(places > 0, self.scores[places - 1], np.nan)

    @cached_property
    def _compared(self) -> sparse.csr_array:
        """(faces, faces): 1 where a face was compared with one of another query, both ways."""
        both = self._places + self._places.T
        return sparse.csr_array((np.ones_like(both.data), both.indices, both.indptr), shape=both.shape)

    @cached_property
    def _places(self) -> sparse.csr_array:
        """(faces, faces): the number of a pair among `scores`, counted from 1; 0 where it was not compared."""
        between = np.nonzero(~self.within)[0]
        size = (len(self.names), len(self.names))
        return sparse.coo_array((between + 1, (self.left[between], self.right[between])), shape=size).tocsr()
