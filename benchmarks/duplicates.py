"""How fast near duplicates are found among n hashes, and how many of them: the band join beside what else there is.

    python benchmarks/duplicates.py [--hashes 10000] [--radius 31]

Half of the hashes are random, the others are copies of them with 0 to radius + 10 bits turned. Recall counts the pairs
within the radius that comparing all with all finds. imagehash compares one pair at a time in Python: it is timed on a
subset, and its time for all is the time of that subset times the ratio of pairs. Peak memory is that of a process of
its own, above what it held before. faiss takes part where it is installed.
"""

import argparse
import multiprocessing
import time
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np

from accord.checks.hamming import close_pairs, distances

IMAGEHASH_SUBSET = 1000
BLOCK = 256


class Result(NamedTuple):
    """What one method found in which CPU time, s, and with how much memory, MB."""

    pairs: np.ndarray
    seconds: float
    megabytes: float


def main() -> None:
    """Run all methods and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hashes", type=int, default=10_000)
    parser.add_argument("--radius", type=int, default=31)
    parser.add_argument("--methods", nargs="*", default=list(METHODS), choices=list(METHODS))
    asked = parser.parse_args()
    hashes = planted(asked.hashes, asked.radius)
    results = {name: measured(METHODS[name], hashes, asked.radius) for name in asked.methods}
    report({name: result for name, result in results.items() if result}, len(hashes), asked.radius)


def planted(count: int, radius: int) -> np.ndarray:
    """(count, 4) uint64 hashes; half of them copies."""
    rng = np.random.default_rng(1)
    words = rng.integers(0, 2**64, (count // 2, 4), dtype=np.uint64)
    bits = np.unpackbits(words.view(np.uint8), axis=1)
    copies = bits[rng.integers(0, len(bits), count - len(bits))]
    turned = rng.integers(0, radius + 11, (len(copies), 1))
    copies ^= rng.permuted(np.arange(256) < turned, axis=1).astype(np.uint8)
    return np.packbits(np.concatenate([bits, copies]), axis=1).view(np.uint64)


def bands(hashes: np.ndarray, radius: int) -> np.ndarray:
    """The band join of accord.checks.hamming."""
    found = close_pairs(hashes, radius)
    return np.column_stack([found.left, found.right])


def numpy_all(hashes: np.ndarray, radius: int) -> np.ndarray:
    """All with all: XOR and popcount in blocks."""
    found = [np.empty((0, 2), np.int64)]
    for start in range(0, len(hashes), BLOCK):
        close = distances(hashes[start : start + BLOCK, None], hashes[None, start:]) <= radius
        pairs = np.argwhere(close) + start
        found.append(pairs[pairs[:, 0] < pairs[:, 1]])
    return np.concatenate(found)


def faiss_all(hashes: np.ndarray, radius: int) -> np.ndarray:
    """faiss' flat binary index, one thread. Raises ImportError where faiss is not installed."""
    import faiss

    faiss.omp_set_num_threads(1)
    codes = hashes.view(np.uint8)
    index = faiss.IndexBinaryFlat(256)
    index.add(codes)
    limits, _, right = index.range_search(codes, radius + 1)
    left = np.repeat(np.arange(len(codes)), np.diff(limits).astype(np.int64))
    return np.column_stack([left, right])[left < right]


def imagehash_all(hashes: np.ndarray, radius: int) -> np.ndarray:
    """imagehash's own subtraction on every pair."""
    import imagehash

    made = [imagehash.ImageHash(np.unpackbits(row.view(np.uint8)).astype(bool).reshape(16, 16)) for row in hashes]
    close = [(i, j) for i, j in combinations(range(len(made)), 2) if made[i] - made[j] <= radius]
    return np.array(close, np.int64).reshape(-1, 2)


METHODS: dict[str, Callable] = {"bands": bands, "numpy": numpy_all, "faiss": faiss_all, "imagehash": imagehash_all}


def measured(method: Callable, hashes: np.ndarray, radius: int) -> Result | None:
    """The result of a method in a process of its own; None where what it needs is not installed."""
    part = hashes[:: max(1, len(hashes) // IMAGEHASH_SUBSET)] if method is imagehash_all else hashes
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        try:
            result = pool.apply(_timed, (method, part, radius))
        except ImportError:
            return None
    return result._replace(seconds=result.seconds * (len(hashes) / len(part)) ** 2)


def _timed(method: Callable, hashes: np.ndarray, radius: int) -> Result:
    method(hashes[:2], radius)
    # A child's peak starts at its parent's: Linux forgets it when asked to.
    Path("/proc/self/clear_refs").write_text("5")
    before = _peak()
    start = time.process_time()
    pairs = method(hashes, radius)
    return Result(pairs, time.process_time() - start, _peak() - before)


def _peak() -> float:
    """The most memory, MB, that this process has held."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024


def report(results: dict[str, Result], count: int, radius: int) -> None:
    """Print what each method took, beside the band join, and its recall against those that compare all."""
    true = max((len(result.pairs) for name, result in results.items() if name in ("numpy", "faiss")), default=0)
    ours = results["bands"].seconds if "bands" in results else float("nan")
    print(f"{count} hashes of 256 bits, radius {radius}, {true or 'an unknown number of'} pairs within it")
    print(f"{'method':12}{'CPU s':>10}{'ratio':>9}{'MB':>7}{'recall':>9}")
    for name, result in results.items():
        recall = "subset" if name == "imagehash" else f"{len(result.pairs) / true:.4f}" if true else "unknown"
        row = f"{result.seconds:10.2f}{result.seconds / ours:9.1f}{result.megabytes:7.0f}{recall:>9}"
        print(f"{name:12}{row}")


if __name__ == "__main__":
    main()
