"""The cells that propose which pictures are compared, beside the indexes of faiss and hnswlib, on one core.

    python benchmarks/proposing.py [--pictures 20000] [--asking 5000] [--tables FOLDER]

Each index holds the short vectors (96 numbers) of five parts of each picture, and gives the 160 nearest of each asking
whole picture, as `checks.crops` wants them. Cells hold them in one byte a number, faiss's lists in float32, one byte or
four bits a number, or four bits of two numbers; hnswlib's graph in float32. Printed are CPU s of building, CPU ms of
each asking picture, and the share of the ten nearest parts of others, of 500 drawn asking pictures, that are among the
160. Vectors are those of `crops.py`; --tables: of the tables Looks of a run or of `sized_gathers.py --only-write`.
Where they aren't installed, faiss and hnswlib are left out: pip install faiss-cpu hnswlib.
"""

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from accord.checks.crops import CANDIDATES
from accord.checks.matching import looks, stored_looks
from accord.checks.matching.index import cells
from accord.checks.matching.index.lots import drawn
from accord.checks.matching.index.quantised import Quantised, Scale
from accord.checks.matching.index.searching import LEARNT, LONGER
from accord.checks.matching.index.shorter import projection
from crops import all_ids, every, made, timed

SHORT, MOST = looks.PROPOSING.short, looks.PROPOSING.wider * CANDIDATES
DRAWN, SEED = 500, 0
Search = Callable[[np.ndarray], np.ndarray]


class Index(NamedTuple):
    """A way to search: what builds an index of (n, d) vectors, which tells the numbers of the MOST nearest of each of
    (q, d) others."""

    name: str
    build: Callable[[np.ndarray], Search]


def main() -> None:
    """Print a line for each index."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pictures", type=int, default=20_000)
    parser.add_argument("--asking", type=int, default=5_000)
    parser.add_argument("--tables", type=Path)
    asked = parser.parse_args()
    vectors = shortened(of_tables(asked.tables) if asked.tables else made(asked.pictures))
    wholes = vectors[:: looks.REGIONS]
    numbers = np.random.default_rng(SEED).permutation(len(wholes))[: asked.asking]
    asking, nearest = wholes[numbers], exact(vectors, wholes, numbers[:DRAWN])
    print(f"{len(vectors)} parts, {len(asking)} asking", flush=True)
    for one in indexes(len(vectors)):
        try:
            told(one, vectors, asking, nearest)
        except ImportError as error:
            print(f"{one.name:44} left out: {error}", flush=True)


def of_tables(folder: Path) -> Iterator[np.ndarray]:
    """(n, 5, d) vectors of some pictures at a time."""
    paths = sorted(folder.glob("results/checks/*/looks.parquet"))
    return every(stored_looks.pictures(paths, all_ids(paths)))


def shortened(vectors: Iterator[np.ndarray]) -> np.ndarray:
    """(n * 5, SHORT) vectors, as the step shortens them."""
    whole = np.concatenate([one.astype(np.float16) for one in vectors])
    flat = whole.reshape(-1, whole.shape[2])
    some = whole[drawn(len(whole), LEARNT)].reshape(-1, whole.shape[2])
    axes = projection(some.astype(np.float32), LONGER, SHORT)[:, :SHORT]
    return np.concatenate([flat[at : at + 10_000].astype(np.float32) @ axes for at in range(0, len(flat), 10_000)])


def exact(vectors: np.ndarray, wholes: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """(q, CANDIDATES) numbers of the parts of other pictures that are nearest to the whole ones with these numbers."""
    apart = -wholes[numbers] @ vectors.T
    own = looks.REGIONS * numbers[:, None] + np.arange(looks.REGIONS)
    np.put_along_axis(apart, own, np.inf, axis=1)
    return np.argpartition(apart, CANDIDATES, axis=1)[:, :CANDIDATES]


def told(index: Index, vectors: np.ndarray, asking: np.ndarray, nearest: np.ndarray) -> None:
    """Print what an index takes, and what it finds. It is built once before: what it imports is not counted."""
    index.build(vectors[:LEARNT])
    search, built = timed(lambda: index.build(vectors))
    found, spent = timed(lambda: search(asking))
    share = np.mean([np.isin(mine, row).mean() for mine, row in zip(nearest, found, strict=False)])
    each = spent / len(asking) * 1e3
    print(f"{index.name:44}{built:8.1f} s to build{each:8.3f} ms each  recall {share:.4f}", flush=True)


def indexes(count: int) -> Iterator[Index]:
    """The ways, the slower and more exact ones of each last."""
    lists = round(2 * count**0.5)
    compared = sorted({min(lists, -(-some * lists // count)) for some in (12_500, 25_000, 50_000)})
    for probes in compared:
        yield Index(f"cells, {probes} of {lists}", lambda v, p=probes: by_cells(v, p))
    kinds = {
        "float32": "Flat",
        "8 bits a number": "SQ8",
        "4 bits a number": f"PQ{SHORT}x4fsr",
        "4 bits of two": f"PQ{SHORT // 2}x4fsr",
    }
    for kind, name in kinds.items():
        for probes in compared:
            found = f"faiss IVF, {kind}, {probes} of {lists}"
            yield Index(found, lambda v, p=probes, n=f"IVF{lists},{name}": by_lists(v, n, p))
    for effort in (MOST, 2 * MOST):
        yield Index(f"hnswlib, M 16, ef {effort}", lambda v, e=effort: by_graph(v, e))


def by_cells(vectors: np.ndarray, probes: int) -> Search:
    """Accord's."""
    scale = Scale.of(vectors[: LEARNT * looks.REGIONS])
    held = Quantised(scale.codes(vectors), scale)
    built = cells.placed(held)
    held.reorder(built.order)
    return lambda asking: cells.proposals(built, asking, MOST, probes)[0]


def by_lists(vectors: np.ndarray, kind: str, probes: int) -> Search:
    """faiss's, its lists learnt from as many vectors and in as many rounds."""
    import faiss

    faiss.omp_set_num_threads(1)
    index = faiss.index_factory(vectors.shape[1], kind, faiss.METRIC_INNER_PRODUCT)
    index.cp.niter, index.cp.spherical, index.cp.max_points_per_centroid = cells.ROUNDS, True, cells.SAMPLE
    index.train(vectors[drawn(len(vectors), cells.SAMPLE * index.nlist)])
    index.add(vectors)
    index.nprobe = probes
    return lambda asking: index.search(asking, MOST)[1]


def by_graph(vectors: np.ndarray, effort: int) -> Search:
    """hnswlib's."""
    import hnswlib

    index: Any = hnswlib.Index("ip", vectors.shape[1])
    index.init_index(len(vectors), ef_construction=100, M=16, random_seed=1)
    index.add_items(vectors, num_threads=1)
    index.set_ef(effort)
    return lambda asking: index.knn_query(asking, MOST, num_threads=1)[0].astype(np.int64)


if __name__ == "__main__":
    main()
