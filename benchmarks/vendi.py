"""Vendi score of 10,318 embeddings (FHIBE's images): d x d sums per shard against vendi-score's n x n matrix.

Prints seconds, peak memory above the vectors' own, and ratio. Run: python benchmarks/vendi.py [COUNT [LENGTH]]
"""

import resource
import sys
import warnings
from time import perf_counter

import numpy as np

from accord.analyse.vendi import add, moments, subtract, vendi

COUNT, LENGTH, SHARDS, THEMES = 10_318, 512, 64, 40
KIB, MIB = 1024, 1024**2


def main() -> None:
    """Time both ways on the same vectors, then a withdrawal, and hold the scores together. Ours first: memory peaks."""
    from vendi_score import vendi as reference

    count, length = map(int, [*sys.argv[1:], *(COUNT, LENGTH)[len(sys.argv) - 1 :]])
    rng = np.random.default_rng(1)
    vectors = rng.normal(size=(count, length)) + 2 * rng.normal(size=(THEMES, length))[rng.integers(0, THEMES, count)]
    before = peak()
    start = perf_counter()
    sums = [moments(part) for part in np.array_split(vectors, SHARDS)]
    whole = add(sums)
    ours = vendi(whole)
    fast, small = perf_counter() - start, peak() - before
    start = perf_counter()
    left = vendi(subtract(whole, moments(vectors[:10])))
    withdrawn = perf_counter() - start
    apart = abs(left - vendi(moments(vectors[10:])))
    print(f"ten images withdrawn: {withdrawn:.2f} s, apart from all anew {apart:.1e}", flush=True)
    start = perf_counter()
    theirs = slow_way(reference, vectors)
    slow, large = perf_counter() - start, peak() - before
    print(f"n = {count:,}, d = {length:,}: {fast:.2f} s against {slow:.1f} s: {slow / fast:.0f} x")
    print(f"memory {small:,.0f} against {large:,.0f} MiB; {ours:.6f}, apart {abs(ours - theirs):.1e}")


def slow_way(reference, vectors: np.ndarray) -> float:
    """vendi-score on the matrix of all cosines."""
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return reference.score_K(unit @ unit.T)


def peak() -> float:
    """MiB that this process held at most so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * KIB / MIB


if __name__ == "__main__":
    main()
