"""F_IND of all pairs at 330,000 faces in 128 dimensions, against the usual ways. Prints seconds of all processors.

On two that nothing else uses, half of them pass on the clock. The usual ways run on fewer faces, and ours beside them:
SciPy's cdist, scikit-learn's pairwise_distances_chunked and torch's cdist, each by blocks of rows. Scores as of a sure
detector; two spreads of points: near ones, where most pairs count, and far ones, where few do. Beside them the least
that any way by products takes: torch's and NumPy's product of the same blocks in float32, without all that follows.
On busy processors threads wait for each other, which counts too: use one. Seconds grow with the square of the faces.
Run: OMP_NUM_THREADS=1 python benchmarks/individual.py [faces]
"""

import sys
from collections.abc import Callable, Iterator
from time import process_time

import numpy as np
import torch
from scipy.spatial.distance import cdist
from sklearn.metrics import pairwise_distances_chunked

from accord.analyse.scoring.individual import HIGH, SCALE, WIDE, blocked

FACES, FEWER, SPACE, ROWS = 330_000, 16_000, 128, 256


def main() -> None:
    """All ways on the same faces; each must give the same sum."""
    faces = int(sys.argv[1]) if len(sys.argv) > 1 else FACES
    for spread in (0.1, 0.5):
        rng = np.random.default_rng(1)
        scores, points = rng.beta(0.3, 0.3, faces), rng.normal(0, spread, (faces, SPACE))
        took, _ = timed(lambda scores=scores, points=points: blocked(scores, points, SCALE))
        print(f"spread {spread}: {faces:,} faces in {took:.1f} s", flush=True)
        few, part = scores[:FEWER], points[:FEWER]
        ours, expected = timed(lambda few=few, part=part: blocked(few, part, SCALE))
        print(f"  {FEWER:,} faces: {ours:.2f} s")
        for name, product in (("torch", torch.mm), ("NumPy", np.matmul)):
            bare, _ = timed(lambda part=part, product=product: products(part, product))
            print(f"  products alone, {name}: {bare:.2f} s, {ours / bare:.1f} times that is ours", flush=True)
        ways = {"SciPy, cdist": of_scipy, "scikit-learn, chunked": of_sklearn, "torch, cdist": of_torch}
        for name, way in ways.items():
            took, found = timed(lambda few=few, part=part, way=way: summed(few, way(part)))
            apart = abs(found / expected - 1)
            print(f"  {name}: {took:.2f} s, {took / ours:.1f} times; sums {apart:.0e} apart", flush=True)


def products(points: np.ndarray, product: Callable) -> float:
    """Products of as many rows and columns, and of as many numbers, as the squared distances of all pairs take."""
    left = np.hstack([points, points[:, :2]]).astype(np.float32)
    given, out = (left, np.empty((HIGH, WIDE), np.float32))
    if product is torch.mm:
        given, out = torch.from_numpy(left), torch.from_numpy(out)
    for top in range(0, len(left), HIGH):
        for start in range(top, len(left), WIDE):
            rows, columns = given[top : top + HIGH], given[start : start + WIDE]
            product(rows, columns.T, out=out[: len(rows), : len(columns)])
    return 0.0


def of_scipy(points: np.ndarray) -> Iterator[np.ndarray]:
    """Distances of some rows to all."""
    for start in range(0, len(points), ROWS):
        yield cdist(points[start : start + ROWS], points)


def of_sklearn(points: np.ndarray) -> Iterator[np.ndarray]:
    """The same, as many rows as take 64 MiB."""
    yield from pairwise_distances_chunked(points, working_memory=64)


def of_torch(points: np.ndarray) -> Iterator[np.ndarray]:
    """The same in float32."""
    given = torch.from_numpy(points.astype(np.float32))
    for start in range(0, len(points), ROWS):
        yield torch.cdist(given[start : start + ROWS], given).numpy()


def summed(scores: np.ndarray, distances: Iterator[np.ndarray]) -> float:
    """The sum over pairs: each is in the distances twice."""
    start, total = 0, 0.0
    for rows in distances:
        apart = np.abs(scores[start : start + len(rows), None] - scores)
        total += float(np.maximum(apart - SCALE * rows, 0).sum(dtype=float))
        start += len(rows)
    return total / 2


def timed(way: Callable[[], float]) -> tuple[float, float]:
    """Seconds, and what it gave."""
    start = process_time()
    found = way()
    return process_time() - start, found


if __name__ == "__main__":
    main()
