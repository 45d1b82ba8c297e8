"""Pairs of 256-bit hashes that differ in few bits: exact, without comparing every hash with every other.

Two hashes that differ in at most r bits differ in at most floor((r - 7 + i) / 8) bits in the i-th of eight words of 32
bits, for some i (the pigeonhole principle with uneven shares; Qin et al., "GPH: Similarity Search in Hamming Space",
2018, after Norouzi, Punjani and Fleet, 2014). A word with at most q differing bits, cut into 2q parts, has at least q
equal ones: so the pairs are among those with an equal key of 16 bits, for each way to choose q of the 2q parts.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations, pairwise
from typing import Any, NamedTuple

import numpy as np

from accord.statistics.distinct import distinct

WORDS, PARTS, PART_BITS, KEY_BITS = 4, 8, 32, 16
CANDIDATES_AT_ONCE = 1 << 15
"""So many candidates stay in a processor's cache."""
FOUND_AT_ONCE = 1 << 22
ONE_WORD_RADIUS = 24
"""Below this radius one word of 64 bits rules out nearly all candidates; else it takes two."""
PROPOSED = 8
"""A pair that keys propose costs as much as so many that are compared as they come."""
HEX_DIGITS = 64
SIDE = 16


class Close(NamedTuple):
    """Pairs of positions, in the order of `left` and `right`, and the number of differing bits: arrays of int64."""

    left: np.ndarray
    right: np.ndarray
    distance: np.ndarray


def words(hashes: Iterable[str]) -> np.ndarray:
    """(n, 4) uint64 of n hashes of 64 hexadecimal digits."""
    joined = bytes.fromhex("".join(hashes))
    return np.frombuffer(joined, dtype=">u8").astype(np.uint64).reshape(-1, WORDS)


def distances(left: np.ndarray, right: np.ndarray, offset: np.ndarray | int = 0) -> np.ndarray:
    """Number of differing bits, int64, of (..., 4) uint64 hashes, after `offset` is XORed onto one of them."""
    return np.bitwise_count(left ^ right ^ np.uint64(offset)).sum(axis=-1, dtype=np.int64)


def transposed(hashes: np.ndarray) -> np.ndarray:
    """(n, 4) uint64 hashes as square matrices of 16 x 16 bits, transposed: the PDQ hashes of transposed pictures."""
    bits = np.unpackbits(hashes.astype(">u8").view(np.uint8), axis=1).reshape(-1, SIDE, SIDE)
    packed = np.packbits(bits.transpose(0, 2, 1).reshape(len(bits), SIDE * SIDE), axis=1)
    return packed.view(">u8").astype(np.uint64).reshape(-1, WORDS)


def close_pairs(hashes: np.ndarray, radius: int) -> Close:
    """All pairs, left < right, of the (n, 4) uint64 hashes within `radius` bits of each other. Recall is 1.

    Where so many are alike that keys rule out little, all are compared with all.
    """
    return _joined(hashes, None, radius)


def close_across(left: np.ndarray, right: np.ndarray, radius: int) -> Close:
    """All pairs of one of the (n, 4) uint64 hashes `left` and one of `right` within `radius` bits. Recall is 1."""
    return _joined(left, right, radius)


def nearest(queries: np.ndarray, references: np.ndarray, block: int = 1 << 16) -> tuple[np.ndarray, np.ndarray]:
    """For each query the position of its nearest reference and the distance, all compared; -1 and 257 without any."""
    position, distance = np.full(len(queries), -1), np.full(len(queries), 64 * WORDS + 1)
    for start in range(0, len(references), block):
        for query, hash_ in enumerate(queries):
            away = distances(references[start : start + block], hash_)
            best = int(away.argmin())
            if away[best] < distance[query]:
                position[query], distance[query] = start + best, away[best]
    return position, distance


def _joined(left: np.ndarray, right: np.ndarray | None, radius: int) -> Close:
    """The close pairs of two sets, or, without `right`, of one with itself."""
    other = left if right is None else right
    found, pairs = [np.empty(0, np.int64)], len(left) * len(other) // (2 if right is None else 1)
    candidates = 0
    for part, share in _shares(radius):
        # The words after that of the key: where that is equal in half of its bits, it rules out little.
        looked_at = [(part // 2 + 1) % WORDS, (part // 2 + 2) % WORDS]
        first = np.ascontiguousarray(left[:, looked_at].T)
        second = first if right is None else np.ascontiguousarray(other[:, looked_at].T)
        for keys in zip(_keys(left, part, share), _keys(other, part, share), strict=True):
            candidates += _equal(*keys) // (2 if right is None else 1)
            if candidates * PROPOSED > pairs:
                return _compared(left, right, radius)
            rows, columns = _close_by_key(first, second, *keys, right is None, radius)
            near = distances(left[rows], other[columns]) <= radius
            found.append(rows[near] * len(other) + columns[near])
            found = _merged(found)
    codes = distinct(np.concatenate(found))
    rows, columns = codes // max(len(other), 1), codes % max(len(other), 1)
    return Close(rows, columns, distances(left[rows], other[columns]))


def _equal(left_keys: np.ndarray, right_keys: np.ndarray) -> int:
    """How many pairs of two sets have equal keys."""
    return int(np.bincount(right_keys, minlength=1 << KEY_BITS)[left_keys].sum())


def _compared(left: np.ndarray, right: np.ndarray | None, radius: int) -> Close:
    """As `_joined`, every hash with every other: faster where so many are alike that keys rule out little."""
    other = left if right is None else right
    rows, columns = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for row, one in enumerate(left):
        begin = row + 1 if right is None else 0
        near = np.flatnonzero(distances(other[begin:], one) <= radius)
        rows.append(np.full(len(near), row))
        columns.append(near + begin)
    found = np.concatenate(rows), np.concatenate(columns)
    return Close(*found, distances(left[found[0]], other[found[1]]))


def _merged(found: list[np.ndarray]) -> list[np.ndarray]:
    """Found codes without repetitions, once they have become many: a pair is found by many keys."""
    if sum(map(len, found)) < FOUND_AT_ONCE + 2 * len(found[0]):
        return found
    return [distinct(np.concatenate(found))]


def _shares(radius: int) -> Iterator[tuple[int, int]]:
    """Each of the eight parts of a hash, and how many of its bits may differ. A part that may not be equal is left."""
    for part in range(PARTS):
        allowed = (radius - (PARTS - 1) + part) // PARTS
        if allowed >= 0:
            yield part, max(allowed, 1)


def _keys(hashes: np.ndarray, part: int, share: int) -> Iterator[np.ndarray]:
    """The keys, uint16, of a part for each choice of `share` of its 2 * share pieces."""
    word = np.ascontiguousarray(hashes).view(np.uint32)[:, part]
    edges = [PART_BITS * piece // (2 * share) for piece in range(2 * share + 1)]
    pieces = [((word >> np.uint32(a)) & np.uint32((1 << (b - a)) - 1), b - a) for a, b in pairwise(edges)]
    for chosen in combinations(pieces, share):
        key = np.zeros(len(word), np.uint32)
        for piece, bits in chosen:
            key = (key << np.uint32(bits)) ^ piece
        yield (key & np.uint32((1 << KEY_BITS) - 1)).astype(np.uint16)


def _close_by_key(
    first: Any, second: Any, left_keys: np.ndarray, right_keys: np.ndarray, is_one: bool, radius: int
) -> tuple[np.ndarray, np.ndarray]:
    """Positions, left and right, of pairs with equal keys that may be close, by the two words that are looked at.

    first, second: (2, n) uint64, one and the same array where a set is joined with itself (`is_one`).
    """
    ranks = np.argsort(left_keys, kind="stable")
    others = ranks if is_one else np.argsort(right_keys, kind="stable")
    lefts = first[0][ranks], first[1][ranks]
    rights = lefts if is_one else (second[0][others], second[1][others])
    counts = np.bincount(right_keys, minlength=1 << KEY_BITS)
    ends, keys = np.cumsum(counts), left_keys[ranks]
    begin = np.arange(1, len(ranks) + 1) if is_one else (ends - counts)[keys]
    found = [_close(lefts, rights, *some, radius) for some in _candidates(begin, ends[keys] - begin)]
    rows, columns = (np.concatenate(part) for part in zip(*found, strict=True))
    rows, columns = ranks[rows], others[columns]
    return (np.minimum(rows, columns), np.maximum(rows, columns)) if is_one else (rows, columns)


def _candidates(begin: np.ndarray, counts: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Pairs of a position and one of the `counts` positions from `begin` on, in blocks."""
    total = np.cumsum(counts)
    cuts = np.searchsorted(total, np.arange(CANDIDATES_AT_ONCE, total[-1] if len(total) else 0, CANDIDATES_AT_ONCE))
    for start, end in pairwise([0, *cuts, len(counts)]):
        many = counts[start:end]
        ahead = np.repeat(begin[start:end] - (np.cumsum(many) - many), many)
        yield np.repeat(np.arange(start, end), many), ahead + np.arange(len(ahead))


def _close(
    lefts: tuple[Any, Any], rights: tuple[Any, Any], rows: np.ndarray, columns: np.ndarray, radius: int
) -> tuple[np.ndarray, np.ndarray]:
    """Those of the pairs that are close in two words."""
    distance = np.bitwise_count(lefts[0][rows] ^ rights[0][columns])
    if radius < ONE_WORD_RADIUS:
        near = np.flatnonzero(distance <= radius)
        rows, columns, distance = rows[near], columns[near], distance[near]
    distance += np.bitwise_count(lefts[1][rows] ^ rights[1][columns])
    near = np.flatnonzero(distance <= radius)
    return rows[near], columns[near]
