"""Pairs of 256-bit hashes that differ in few bits: exact, without comparing every hash with every other.

Two hashes that differ in at most r bits differ in at most floor(r / 16) bits in one of sixteen bands of sixteen bits
(the pigeonhole principle; Norouzi, Punjani and Fleet, "Fast Exact Search in Hamming Space with Multi-Index Hashing",
2014). So for each band only hashes with close keys are compared.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np

WORDS, BANDS, BAND_BITS = 4, 16, 16
CANDIDATES_AT_ONCE = 1 << 20
HEX_DIGITS = 64


class Close(NamedTuple):
    """Pairs of positions, left < right, in this order, and the number of differing bits: three arrays of int64."""

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


def close_pairs(hashes: np.ndarray, radius: int, offset: np.ndarray | None = None) -> Close:
    """All pairs of the (n, 4) uint64 hashes within `radius` bits of each other.

    With an `offset` (4 words), pairs whose XOR lies within `radius` bits of it. Recall is 1 for any radius; the cost
    grows fast beyond 31, where keys must be sought that differ in two bits.
    """
    offset = np.zeros(WORDS, np.uint64) if offset is None else offset
    bands, shifts = hashes.view(np.uint16), offset.view(np.uint16)
    probes = _flips(radius // BANDS)
    found = [_close_in_band(hashes, bands[:, band], probes ^ shifts[band], radius, offset) for band in range(BANDS)]
    codes, first = np.unique(
        np.concatenate([pairs[:, 0] * len(hashes) + pairs[:, 1] for pairs in found]), return_index=True
    )
    distance = np.concatenate([pairs[:, 2] for pairs in found])[first]
    return Close(codes // max(len(hashes), 1), codes % max(len(hashes), 1), distance)


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


def _flips(count: int) -> np.ndarray:
    """All 16-bit masks with at most `count` bits set."""
    chosen = [bits for size in range(count + 1) for bits in combinations(range(BAND_BITS), size)]
    return np.array([sum(1 << bit for bit in bits) for bits in chosen], np.uint16)


def _close_in_band(hashes, keys, probes, radius: int, offset) -> np.ndarray:
    """(m, 3) int64: left, right and distance of the close pairs whose keys differ by one of the probes."""
    order = np.argsort(keys, kind="stable")
    keys, columns = keys[order], np.ascontiguousarray(hashes[order].T)
    starts = np.searchsorted(keys, np.arange((1 << BAND_BITS) + 1))
    found = [np.empty((0, 3), np.int64)]
    for probe in probes:
        for left, right in _candidates(keys, starts, probe):
            left, right, distance = _close(columns, left, right, radius, offset)
            pair = np.sort(np.stack([order[left], order[right]], axis=1), axis=1)
            found.append(np.column_stack([pair, distance]))
    return np.concatenate(found)


def _candidates(keys: np.ndarray, starts: np.ndarray, probe: np.uint16) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Positions of pairs whose sorted keys differ by exactly `probe`, each pair once, in blocks."""
    positions = np.arange(len(keys))
    if probe:
        positions = positions[keys < keys ^ probe]
    partners = (keys[positions] ^ probe).astype(np.int64)
    begin, end = (starts[partners] if probe else positions + 1), starts[partners + 1]
    counts = end - begin
    total = np.cumsum(counts)
    cuts = np.searchsorted(total, np.arange(CANDIDATES_AT_ONCE, total[-1] if len(total) else 0, CANDIDATES_AT_ONCE))
    for part in np.split(np.arange(len(positions)), np.unique(cuts)):
        many = counts[part]
        before = np.repeat(np.cumsum(many) - many, many)
        yield np.repeat(positions[part], many), np.repeat(begin[part], many) + np.arange(len(before)) - before


def _close(columns, left, right, radius: int, offset) -> Close:
    """Those of the pairs that are close. `columns`: (4, n) words.

    Word by word, since NumPy is slow to sum over a short axis; two words rule out nearly all pairs.
    """
    distance = np.zeros(len(left), np.uint16)
    for i in range(WORDS):
        distance += np.bitwise_count(columns[i][left] ^ columns[i][right] ^ offset[i])
        if i % 2:
            near = distance <= radius
            left, right, distance = left[near], right[near], distance[near]
    return Close(left, right, distance.astype(np.int64))
