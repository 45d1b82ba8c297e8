"""Vendi score of 4,000 embeddings of 512 numbers: d x d sums per shard against vendi-score's n x n matrix.

Prints seconds and ratio. Run: python benchmarks/vendi.py
"""

import warnings
from time import perf_counter

import numpy as np

from accord.analyse.vendi import add, moments, vendi

COUNT, LENGTH, SHARDS = 4_000, 512, 64


def main() -> None:
    """Time both ways on the same vectors, and hold the scores together."""
    from vendi_score import vendi as reference

    rng = np.random.default_rng(1)
    vectors = rng.normal(size=(COUNT, LENGTH)) + 2 * rng.normal(size=(40, LENGTH))[rng.integers(0, 40, COUNT)]
    start = perf_counter()
    ours = vendi(add(moments(part) for part in np.array_split(vectors, SHARDS)))
    halfway = perf_counter()
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        theirs = reference.score_K(unit @ unit.T)
    end = perf_counter()
    fast, slow = halfway - start, end - halfway
    times = f"{fast:.2f} s against {slow:.1f} s: {slow / fast:.0f} x"
    print(f"n = {COUNT:,}: {times}; {ours:.6f}, apart {abs(ours - theirs):.1e}")


if __name__ == "__main__":
    main()
