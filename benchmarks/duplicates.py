"""How fast near duplicates are found among n hashes, and how many of them: the band join beside what else there is.

    python benchmarks/duplicates.py [--hashes 10000 100000] [--radius 31] [--methods bands faiss_flat]

Half of the hashes are random, the others are copies of them with 0 to radius + 10 bits turned. Recall counts, of the
pairs within the radius that 500 of the hashes have (all compared), those that a method finds. Methods that would take
hours ask for a sample of the hashes alone, and their search time is multiplied (`~`): faiss' indexes and NumPy by the
number of queries; imagehash and imagededup, of which both sides are sampled, by the number of pairs. Peak memory is
that of a process of its own, above what it held before. faiss-cpu and imagededup take part where they are installed:
pip install faiss-cpu, pip install --no-deps imagededup.
"""

import argparse
import multiprocessing
import time
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np

from accord.checks.matching.copies import TURNED_RADIUS
from accord.imaging.hamming import close_across, close_pairs, distances

ASKED = 500
BLOCK = 1 << 17


class Found(NamedTuple):
    """(n, 2) positions of pairs; CPU seconds of what is done once, and of what grows with the number of queries."""

    pairs: np.ndarray
    once: float
    search: float


class Method(NamedTuple):
    """A function of hashes, number of queries (the first ones) and radius; how many of them it asks for at most (0 for
    all); whether it knows no others than these."""

    run: Callable
    queries: int = 0
    is_subset: bool = False


def main() -> None:
    """Run all methods at all sizes and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hashes", type=int, nargs="*", default=[10_000])
    parser.add_argument("--radius", type=int, default=31)
    parser.add_argument("--methods", nargs="*", default=list(METHODS), choices=list(METHODS))
    asked = parser.parse_args()
    print(f"{'hashes':>9} {'method':16}{'CPU s':>10}{'MB':>7}{'recall':>8}  radius {asked.radius}")
    for count in asked.hashes:
        hashes = planted(count, asked.radius)
        truth = _pairs_of(numpy_all(hashes, ASKED, asked.radius).pairs)
        for name in asked.methods:
            print(f"{count:9} {name:16}{measured(METHODS[name], hashes, asked.radius, truth)}", flush=True)


def planted(count: int, radius: int) -> np.ndarray:
    """(count, 4) uint64 hashes in any order; half of them copies."""
    rng = np.random.default_rng(1)
    words = rng.integers(0, 2**64, (count // 2, 4), dtype=np.uint64)
    bits = np.unpackbits(words.view(np.uint8), axis=1)
    copies = bits[rng.integers(0, len(bits), count - len(bits))]
    turned = rng.integers(0, radius + 11, (len(copies), 1))
    copies ^= rng.permuted(np.arange(256) < turned, axis=1).astype(np.uint8)
    return rng.permutation(np.packbits(np.concatenate([bits, copies]), axis=1).view(np.uint64))


def bands(hashes: np.ndarray, _: int, radius: int) -> Found:
    """The band join of accord.checks.hamming."""
    start = time.process_time()
    found = close_pairs(hashes, radius)
    return Found(np.column_stack([found.left, found.right]), 0.0, time.process_time() - start)


def eight_forms(hashes: np.ndarray, _: int, radius: int) -> Found:
    """What accord.checks.matching.copies does: the band join, and seven with the hashes of turned pictures (here
    random)."""
    rng = np.random.default_rng(2)
    forms = [rng.integers(0, 2**64, hashes.shape, dtype=np.uint64) for _ in range(7)]
    start = time.process_time()
    found = close_pairs(hashes, radius)
    for form in forms:
        close_across(hashes, form, min(radius, TURNED_RADIUS))
    return Found(np.column_stack([found.left, found.right]), 0.0, time.process_time() - start)


def numpy_all(hashes: np.ndarray, queries: int, radius: int) -> Found:
    """All with all: XOR and popcount in blocks."""
    start, found = time.process_time(), [np.empty((0, 2), np.int64)]
    for query in range(min(queries, len(hashes))):
        for block in range(0, len(hashes), BLOCK):
            near = np.flatnonzero(distances(hashes[block : block + BLOCK], hashes[query]) <= radius) + block
            found.append(np.column_stack([np.full(len(near), query), near]))
    return Found(np.concatenate(found), 0.0, time.process_time() - start)


def faiss_flat(hashes: np.ndarray, queries: int, radius: int) -> Found:
    """faiss' flat binary index, one thread. Raises ImportError where faiss is not installed."""
    import faiss

    return _faiss(faiss.IndexBinaryFlat(256), hashes, queries, radius)


def faiss_multihash(hashes: np.ndarray, queries: int, radius: int) -> Found:
    """faiss' multi-index hashing: sixteen tables of sixteen bits, keys with up to radius // 16 bits turned."""
    import faiss

    index = faiss.IndexBinaryMultiHash(256, 16, 16)
    index.nflip = radius // 16
    return _faiss(index, hashes, queries, radius)


def _faiss(index, hashes: np.ndarray, queries: int, radius: int) -> Found:
    import faiss

    faiss.omp_set_num_threads(1)
    start, codes = time.process_time(), np.ascontiguousarray(hashes).view(np.uint8)
    index.add(codes)
    added = time.process_time()
    limits, _, right = index.range_search(codes[:queries], radius + 1)
    left = np.repeat(np.arange(len(limits) - 1), np.diff(limits).astype(np.int64))
    return Found(np.column_stack([left, right]), added - start, time.process_time() - added)


def imagehash_all(hashes: np.ndarray, _: int, radius: int) -> Found:
    """imagehash's own subtraction on every pair."""
    import imagehash

    made = [imagehash.ImageHash(np.unpackbits(row.view(np.uint8)).astype(bool).reshape(16, 16)) for row in hashes]
    start = time.process_time()
    close = [(i, j) for i, j in combinations(range(len(made)), 2) if made[i] - made[j] <= radius]
    return Found(np.array(close, np.int64).reshape(-1, 2), 0.0, time.process_time() - start)


def imagededup_tree(hashes: np.ndarray, _: int, radius: int) -> Found:
    """imagededup's BK-tree. Its own distance and its compiled search know hashes of 64 bits alone; so the distance is
    Python's own popcount, which is faster."""
    from imagededup.handlers.search.bktree import BKTree

    made = {str(place): int.from_bytes(row.tobytes()) for place, row in enumerate(hashes)}
    start = time.process_time()
    tree = BKTree(made, lambda one, other: (one ^ other).bit_count())
    close = [(int(one), int(other[0])) for one in made for other in tree.search(made[one], radius)]
    return Found(np.array(close, np.int64).reshape(-1, 2), 0.0, time.process_time() - start)


METHODS = {
    "bands": Method(bands),
    "eight_forms": Method(eight_forms),
    "numpy": Method(numpy_all, ASKED),
    "faiss_flat": Method(faiss_flat, 2_000),
    "faiss_multihash": Method(faiss_multihash, 20_000),
    "imagehash": Method(imagehash_all, 1_000, is_subset=True),
    "imagededup": Method(imagededup_tree, 1_000, is_subset=True),
}


def measured(method: Method, hashes: np.ndarray, radius: int, truth: set) -> str:
    """Seconds, memory and recall of a method in a process of its own, as text."""
    queries = min(method.queries or len(hashes), len(hashes))
    known = hashes[:queries] if method.is_subset else hashes
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        try:
            found, megabytes = pool.apply(_timed, (method.run, known, queries, radius))
        except ImportError as error:
            return f"  not installed: {error.name}"
    share = (len(hashes) / queries) ** (2 if method.is_subset else 1)
    seconds = f"{'~' if share > 1 else ''}{found.once + found.search * share:.1f}"
    reachable = {pair for pair in truth if max(pair) < len(known)} if method.is_subset else truth
    recall = f"{len(reachable & _pairs_of(found.pairs)) / len(reachable):.4f}" if reachable else "-"
    return f"{seconds:>10}{megabytes:7.0f}{recall:>8}"


def _pairs_of(pairs: np.ndarray) -> set[tuple[int, int]]:
    """The pairs of which one is among those asked for, the smaller position first."""
    ordered = np.sort(pairs, axis=1)
    return set(map(tuple, ordered[(ordered[:, 0] < ASKED) & (ordered[:, 0] != ordered[:, 1])].tolist()))


def _timed(run: Callable, hashes: np.ndarray, queries: int, radius: int) -> tuple[Found, float]:
    run(hashes[:20], 2, radius)
    # A child's peak starts at its parent's: Linux forgets it when asked to.
    Path("/proc/self/clear_refs").write_text("5")
    before = _peak()
    found = run(hashes, queries, radius)
    return found, _peak() - before


def _peak() -> float:
    """The most memory, MB, that this process has held."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024


if __name__ == "__main__":
    main()
