"""Whether a group of subjects has a larger share of hits than all others: permutation of whole subjects."""

from itertools import combinations
from math import comb

import numpy as np

MOST = 20_000
"""Deals that are looked at: all of them, or so many by lot."""
AT_ONCE = 1 << 20
DUST = 1e-12


def p_value(hits: np.ndarray, sizes: np.ndarray, inside: np.ndarray, rng: np.random.Generator) -> float:
    """The chance that as many subjects by lot have a share of hits that exceeds that of all others by as much.

    hits, sizes: (m,) of each subject; inside: (m,) bool. NaN where the group, or the others, have no pairs. Exact if
    all deals are looked at, else never too small (Phipson and Smyth, 2010): subjects are exchangeable, with all their
    pairs, if groups don't matter.
    """
    known = sizes > 0
    hits, sizes, inside = hits[known].astype(float), sizes[known].astype(float), inside[known]
    subjects, members = len(sizes), int(inside.sum())
    if not 0 < members < subjects:
        return float("nan")
    found = _excess(hits, sizes, inside[np.newaxis])[0] - DUST
    if comb(subjects, members) <= MOST:
        return float((_excess(hits, sizes, _every(subjects, members)) >= found).mean())
    each = max(1, AT_ONCE // subjects)
    parts = [min(each, MOST - start) for start in range(0, MOST, each)]
    extreme = sum(int((_excess(hits, sizes, _dealt(subjects, members, some, rng)) >= found).sum()) for some in parts)
    return (extreme + 1) / (MOST + 1)


def _every(subjects: int, members: int) -> np.ndarray:
    chosen = np.array(list(combinations(range(subjects), members)))
    dealt = np.zeros((len(chosen), subjects), bool)
    np.put_along_axis(dealt, chosen, True, axis=1)
    return dealt


def _dealt(subjects: int, members: int, deals: int, rng: np.random.Generator) -> np.ndarray:
    ranks = rng.random((deals, subjects)).argpartition(members - 1, axis=1)
    dealt = np.zeros((deals, subjects), bool)
    np.put_along_axis(dealt, ranks[:, :members], True, axis=1)
    return dealt


def _excess(hits: np.ndarray, sizes: np.ndarray, inside: np.ndarray) -> np.ndarray:
    """(deals,): the share inside less that outside."""
    some, pairs = inside @ hits, inside @ sizes
    return some / pairs - (hits.sum() - some) / (sizes.sum() - pairs)
