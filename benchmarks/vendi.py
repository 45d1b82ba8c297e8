"""Vendi score of 10,318 embeddings (FHIBE's images): sums per shard against vendi-score, on one core.

vendi-score's `score_dual` makes the same d x d matrix, of all vectors at once; its `score_K`, of the n x n matrix of
all cosines, is what one uses where vectors are longer than there are images (--square; minutes, gigabytes). Prints
CPU seconds and peak memory above the vectors' own. --shards: the workflow's step on tables of so many shards, each time
in a process of its own. Run: python benchmarks/vendi.py [--count 10318] [--length 512] [--shards 16 64 256]
"""

import argparse
import multiprocessing
import resource
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from time import process_time

import numpy as np
import pandas as pd
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
    made.add_argument("--shards", type=int, nargs="+", default=(), help="the step on tables of so many shards")
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

    if flags.shards:
        print("\n| the step, three parts, shards | CPU s | MiB of the process, imports included |\n|---|---|---|")
    for shards in flags.shards:
        with multiprocessing.get_context("spawn").Pool(1) as alone:  # its peak memory is its own
            print("| {} | {:.1f} | {:,.0f} |".format(shards, *alone.apply(step, (flags.count, flags.length, shards))))


def step(count: int, length: int, shards: int) -> tuple[float, float]:
    """CPU seconds and peak memory of `analyse.diversity` on made embeddings of three parts, written before."""
    from accord.analyse import diversity
    from accord.checks.tables.findings import Verdicts
    from accord.engine import table
    from accord.evaluate.tables.parts import PARTS, PartEmbeddings

    names = np.array([f"image-{number:08d}" for number in range(count)])
    verdicts = table.empty(Verdicts).reindex(range(count)).assign(image=names, verdict="pass")
    with tempfile.TemporaryDirectory() as folder, threadpool_limits(1):
        for shard, some in enumerate(np.array_split(names, shards)):
            rng = np.random.default_rng(shard)
            made = pd.DataFrame({"model": "m", "image": np.repeat(some, len(PARTS)), "subject": ""})
            made = made.assign(part=np.tile(PARTS, len(some)))
            made["vector"] = list(rng.normal(size=(len(made), length)).astype(np.float32))
            table.write(made, PartEmbeddings, Path(folder) / f"{shard}.parquet")
        start = process_time()
        diversity.run(verdicts, predictions=sorted(Path(folder).iterdir()))
        return process_time() - start, peak()


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
