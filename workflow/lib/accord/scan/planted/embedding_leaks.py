"""Leaks of embeddings that are planted on purpose."""

import json
import pickle
from pathlib import Path

import numpy as np

from accord.scan.planted.leaks import Person, Plant


def embedding_table(person: Person, path: Path, rng: np.random.Generator) -> None:
    import pyarrow
    import pyarrow.parquet as pq

    rows = np.vstack([_unit(rng, (40, len(person.vector))), person.vector]).astype(
        [np.float32, np.float16][rng.integers(2)]
    )
    pq.write_table(pyarrow.table({"vector": pyarrow.array(list(rows))}), path, compression="zstd")


def embedding_array(person: Person, path: Path, rng: np.random.Generator) -> None:
    rows = np.vstack([_unit(rng, (40, len(person.vector))), 3.7 * person.vector])
    with path.open("wb") as file:
        np.savez_compressed(file, a=np.arange(3), b=rows.astype(np.float16)) if rng.integers(2) else np.save(file, rows)


def embedding_json(person: Person, path: Path, _: np.random.Generator) -> None:
    path.write_text(json.dumps({"image": "x", "vector": [round(float(v), 6) for v in person.vector], "n": 1}))


def embedding_csv(person: Person, path: Path, rng: np.random.Generator) -> None:
    rows = np.vstack([_unit(rng, (5, len(person.vector))), person.vector])
    path.write_text("\n".join(f"0a{i:x}," + ",".join(f"{v:.5f}" for v in row) for i, row in enumerate(rows)))


def embedding_pickle(person: Person, path: Path, _: np.random.Generator) -> None:
    path.write_bytes(pickle.dumps({"v": person.vector.astype(np.float32)}))


EMBEDDINGS: dict[str, Plant] = {
    plant.__name__: plant
    for plant in (embedding_table, embedding_array, embedding_json, embedding_csv, embedding_pickle)
}
"""Leaks that must always be found."""


def _unit(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    rows = rng.normal(size=shape)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)
