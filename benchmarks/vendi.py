"""Vendi score of 10,318 embeddings (FHIBE's images): sums per shard against vendi-score, on one core.

vendi-score's `score_dual` makes the same d x d matrix, of all vectors at once; its `score_K`, of the n x n matrix of
all cosines, is what one uses where vectors are longer than there are images (--square; minutes, gigabytes). Prints
CPU seconds and peak memory above the vectors' own. Run: python benchmarks/vendi.py [--count 10318] [--length 512]
"""

import argparse
import resource
import warnings
from collections.abc import Callable
from time import process_time

import numpy as np
from threadpoolctl import threadpool_limits

from accord.statistics.describing.vendi import Moments, moments, subtract, vendi

SHARDS, THEMES, ROUNDS = 64, 40, 3
KIB, MIB = 1024, 1024**2


def main() -> None:
    """Time all ways on the same vectors, then a withdrawal, and hold the scores together. Ours first: memory peaks."""
    from vendi_score import vendi as reference

    made = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    made.add_argument("--count", type=int, default=10_318)
    made.add_argument("--length", type=int, default=512)
    made.add_argument("--square", action="store_true", help="the n x n matrix, too")
    flags = made.parse_args()
    warnings.simplefilter("ignore", DeprecationWarning)
    rng = np.random.default_rng(1)
    vectors = rng.normal(size=(flags.count, flags.length)).astype(np.float32)
    vectors += 2 * rng.normal(size=(THEMES, flags.length))[rng.integers(0, THEMES, flags.count)]
    double, parts = vectors.astype(float), np.array_split(vectors, SHARDS)
    print(f"n = {flags.count:,}, d = {flags.length:,}\n\n| way | CPU s | MiB | score | apart |\n|---|---|---|---|---|")
    with threadpool_limits(1):
        truth = told(f"ours, {SHARDS} shards", lambda: vendi(summed(parts)))
        told("score_dual, float64", lambda: reference.score_dual(double), truth)
        told("score_dual, float32", lambda: reference.score_dual(vectors), truth)
        whole = summed(parts)
        left = moments(vectors[10:])
        told("ours, ten images withdrawn", lambda: vendi(subtract(whole, moments(vectors[:10]))), vendi(left))
        if flags.square:
            told("score_K of all cosines", lambda: reference.score_X(double), truth, rounds=1)


def summed(parts: list[np.ndarray]) -> Moments:
    """The moments of all shards, one after the other."""
    whole = None
    for part in parts:
        whole = moments(part, whole)
    return whole


def told(way: str, score: Callable[[], float], truth: float | None = None, rounds: int = ROUNDS) -> float:
    """Print a line: the best time of some rounds. Returns the score."""
    before, spent = peak(), []
    for _ in range(rounds):
        start = process_time()
        found = float(score())
        spent.append(process_time() - start)
    apart = "" if truth is None else f"{abs(found - truth):.1e}"
    print(f"| {way} | {min(spent):.2f} | {peak() - before:,.0f} | {found:.6f} | {apart} |", flush=True)
    return found


def peak() -> float:
    """MiB that this process held at most so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * KIB / MIB


if __name__ == "__main__":
    main()
