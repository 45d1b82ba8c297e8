"""Recall and cost of cells, which propose crops and faces, beside comparing all with all.

    python benchmarks/crops.py [--pictures 6000] [--faces 20000] [--alone 30000 60000]
    python benchmarks/crops.py --tables FOLDER

The vectors are made to be hard: pictures of a few hundred scenes, each in forty that hardly differ (near ties), with
five positive parts of 1,280 numbers; faces of people with ten pictures each, whose cosines lie around the threshold,
among people of whom some resemble each other. Pictures lie in tables of 500. --alone: numbers of pictures that cells
alone are timed at; their recall is that of drawn ones, which are compared with all others. --tables: so with the tables
Looks of a run or of `sized_gathers.py --steps checks.crops`.
"""

import argparse
import os
import resource
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from accord.checks.crops import CANDIDATES, MIN_COSINE
from accord.checks.matching import looks, stored_looks
from accord.checks.matching.index.alike import alike_with
from accord.checks.matching.index.close import close
from accord.engine import memory
from accord.statistics.describing.medoids import close_cosines

LEAST = 0.7
LATENT, DRAWN = 24, 200


def main() -> None:
    """Print a line for each way and size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pictures", type=int, default=6000)
    parser.add_argument("--faces", type=int, default=20_000)
    parser.add_argument("--alone", type=int, nargs="*", default=[])
    parser.add_argument("--tables", type=Path)
    asked = parser.parse_args()
    memory.keep_freed()
    if asked.tables:
        of_tables(sorted(asked.tables.glob("results/checks/*/looks.parquet")))
        return
    of_faces(people(asked.faces, np.random.default_rng(0)))
    with TemporaryDirectory() as folder:
        of_pictures(asked.pictures, Path(folder))
    for count in asked.alone:
        with TemporaryDirectory() as folder:
            fork(partial(write, count, Path(folder)))
            fork(partial(of_tables, sorted(Path(folder).glob("*.parquet"))))


def of_pictures(count: int, folder: Path) -> None:
    """Tables of pictures, and what is found in them, each in a process of its own."""
    fork(partial(write, count, folder))
    wanted, paths = [f"i{number:07}" for number in range(count)], sorted(folder.glob("*.parquet"))
    for name, limit in (("all with all", count), ("cells", 0)):

        def find(name: str = name, limit: int = limit) -> None:
            (_, pairs, *_), spent = timed(lambda: looks.likely(paths, wanted, CANDIDATES, MIN_COSINE, limit))
            if limit:
                np.save(folder / "exact.npy", codes(pairs))
            told(f"pictures {count}, {name}", spent, len(pairs), recall(np.load(folder / "exact.npy"), codes(pairs)))

        fork(find)


def of_tables(paths: list[Path]) -> None:
    """What is proposed for all pictures of tables, and how much of it for drawn ones."""
    ids = all_ids(paths)
    (images, pairs, recalls, _), spent = timed(lambda: looks.likely(paths, ids, CANDIDATES, MIN_COSINE, 0))
    exact = read_of_some(stored_looks.pictures(paths, ids))
    told(f"pictures {len(images)}, of tables", spent, len(pairs), recall(codes(exact), codes(pairs)))
    for one in recalls:
        print(f"  as the step itself tells of {one.drawn} drawn of {one.drawn_from}: {one.recall:.5f}", flush=True)


def all_ids(paths: list[Path]) -> list[str]:
    """Of all pictures of tables."""
    return [name for path in paths for name in stored_looks.names(path).to_pylist()]


def read_of_some(shown: stored_looks.Pictures) -> np.ndarray:
    """The pairs that drawn pictures are in by their own nearest ones, each compared with all others."""
    places = shown.places.astype(np.int64)
    drawn = np.sort(np.random.default_rng(1).permutation(len(places))[:DRAWN])
    mine = at(shown, drawn)
    alike = np.concatenate([alike_with(mine, one, np.ascontiguousarray(one[:, 0])) for one in every(shown)], axis=1)
    alike[np.arange(len(drawn)), drawn] = -np.inf
    best = np.argpartition(-alike, CANDIDATES, axis=1)[:, :CANDIDATES]
    kept = np.take_along_axis(alike, best, axis=1) >= MIN_COSINE
    found = np.stack([np.broadcast_to(drawn[:, None], best.shape)[kept], best[kept]], axis=1)
    return np.unique(np.sort(places[found], axis=1), axis=0)


def at(shown: stored_looks.Pictures, numbers: np.ndarray) -> np.ndarray:
    """The vectors of sorted numbers."""
    found, start = [], 0
    for one in every(shown):
        found.append(one[numbers[(numbers >= start) & (numbers < start + len(one))] - start].copy())
        start += len(one)
    return np.concatenate(found)


def every(shown: stored_looks.Pictures) -> Iterator[np.ndarray]:
    """(n, 5, d) vectors of some pictures at a time, in the order of their numbers."""
    for table in shown.tables:
        yield from table.vectors(looks.REGIONS)


def write(count: int, folder: Path) -> None:
    """Tables Looks of 500 pictures each."""
    for number, vectors in enumerate(made(count)):
        write_some(vectors, 500 * number, folder)


def made(count: int) -> Iterator[np.ndarray]:
    """(n, 5, 1280) vectors of 500 pictures at a time."""
    for start in range(0, count, 500):
        yield scenes(min(500, count - start), np.random.default_rng(start))


def write_some(made: np.ndarray, start: int, folder: Path) -> None:
    """A table Looks of the pictures i<start>, i<start + 1>, ..., of which these are the (n, 5, d) vectors."""
    ids = [f"i{number:07}" for number in range(start, start + len(made))]
    vectors = pa.array(list(made.reshape(len(made), -1)), pa.list_(pa.float32()))
    pq.write_table(pa.table({"image": ids, "subject": ids, "vector": vectors}), folder / f"{start:07}.parquet")


def fork(work: Callable[[], None]) -> None:
    """Do it in a process of its own, so that its peak of memory is its own."""
    if os.fork() == 0:
        work()
        os._exit(0)
    os.wait()


def of_faces(vectors: np.ndarray) -> None:
    """All with all, and cells."""
    exact, spent = timed(lambda: joined(close_cosines(vectors, LEAST)))
    told(f"faces {len(vectors)}, all with all", spent, len(exact))
    found, spent = timed(lambda: joined(close(vectors, LEAST)))
    told(f"faces {len(vectors)}, cells", spent, len(found), recall(codes(exact), codes(found)))


def scenes(count: int, rng: np.random.Generator) -> np.ndarray:
    """(count, 5, 1280) unit vectors."""
    middle = rng.normal(size=(max(count // 40, 1), LATENT))[rng.integers(0, max(count // 40, 1), count)]
    turned = np.random.default_rng(0).normal(size=(LATENT, 1280)).astype(np.float32) / LATENT**0.5
    made = np.empty((count, looks.REGIONS, 1280), np.float32)
    for start in range(0, count, 1000):
        some = middle[start : start + 1000, None]
        parts = some + 0.7 * rng.normal(size=(len(some), looks.REGIONS, LATENT))
        noise = 0.3 * rng.standard_normal((len(some), looks.REGIONS, 1280), np.float32)
        seen = np.maximum(parts.astype(np.float32) @ turned + noise, 0)
        seen[:, 0] = seen[:, 1:].mean(axis=1) + 0.5 * seen[:, 0]
        made[start : start + 1000] = seen / np.linalg.norm(seen, axis=2, keepdims=True)
    return made


def people(count: int, rng: np.random.Generator) -> np.ndarray:
    """(count, 128) unit vectors, ten of a person."""
    families = rng.normal(size=(max(count // 100, 1), 128))
    person = families[rng.integers(0, len(families), count // 10)] + rng.normal(size=(count // 10, 128))
    made = np.repeat(person, 10, axis=0) + 0.9 * rng.normal(size=(len(person) * 10, 128))
    return (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)


def joined(blocks: Any) -> np.ndarray:
    """(m, 2) pairs."""
    return np.concatenate([np.stack([left, right], axis=1) for left, right, _ in blocks])


def codes(pairs: np.ndarray) -> np.ndarray:
    """One number for each pair."""
    return pairs[:, 0] * 10**7 + pairs[:, 1]


def recall(exact: np.ndarray, found: np.ndarray) -> float:
    """The share of the exact pairs that were found."""
    return float(np.isin(exact, found).mean())


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """What it gives, and its CPU s."""
    start = time.process_time()
    made = work()
    return made, time.process_time() - start


def told(what: str, spent: float, pairs: int, share: float | None = None) -> None:
    """Print a line."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    more = "" if share is None else f"  recall {share:.5f}"
    print(f"{what:34}{spent:8.1f} CPU s{pairs:10} pairs{peak:6.2f} GiB at most so far{more}", flush=True)


if __name__ == "__main__":
    main()
