"""Rows that a step made the last time and would make again: taken over from its former output, not computed.

Where the rows of an item (an image, say) depend on that item alone, the footer of their table tells from what they were
made: a digest of code, libraries, settings and the item's own rows. An output that is `update()` in its rule is still
there when the step runs again; rows of items under the same digests are taken from it, all others are made. There is no
other cache, so what is erased from the table is remembered nowhere.
"""

import hashlib
import importlib.metadata
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow
import pyarrow.parquet as pq

from accord.engine import source, table
from accord.engine.conforming import conforming
from accord.engine.parameter_types import Former, Kept

LIBRARIES = (
    "av", "numpy", "scipy", "pillow", "simplejpeg", "opencv-python-headless", "onnxruntime", "torch", "torchvision",
    "diffusers", "transformers", "rapidocr", "ai-edge-litert", "imagehash", "pdqhash", "dlib-bin",
    "efficientnet-lite-pytorch",
)  # fmt: skip
"""Packages that compute what rows say: another version of one may say something else."""


class Memory(NamedTuple):
    """A former output: its rows, the name of the column of items, and item -> digest of what they were made from."""

    rows: pd.DataFrame
    item: str
    digests: dict[str, str]

    def holds(self, item: str, digest: str) -> bool:
        """Whether the rows of an item were made from the same."""
        return self.digests.get(item) == digest

    def of(self, item: str) -> pd.DataFrame:
        """The rows of an item."""
        return self.rows[self.rows[self.item] == item]

    def only(self, items: Collection[str]) -> "Memory":
        """The memory of some items alone: the others are made anew, whatever they were made from."""
        return self._replace(digests={item: digest for item, digest in self.digests.items() if item in items})


def memory(former: Former, name: str, model: type[table.Table], item: str = "image") -> Memory:
    """What the former output of a name holds; nothing where there is none that is whole and of the model."""
    path = former.get(name)
    found = _read(path, model) if path is not None and path.is_file() else None
    rows, made_from = found or (table.empty(model), {})
    return Memory(rows, item, made_from)


def joined(
    memory: Memory,
    model: type[table.Table],
    digests: Mapping[str, str],
    made: Iterable[Any] | Sequence[pd.DataFrame],
) -> Kept:
    """The rows of all items of `digests` (item -> digest), by item: the memory's where it holds them, else those `made`
    (records or tuples of the model's rows, or tables of it). The order of an item's own rows stays."""
    held = {item for item, digest in digests.items() if memory.holds(item, digest)}
    former = memory.rows[memory.rows[memory.item].isin(held)]
    made = list(made)
    new = made if made and isinstance(made[0], pd.DataFrame) else [table.rows(made, model)]
    parts = [part for part in (former, *new) if len(part)]
    rows = pd.concat(parts, ignore_index=True) if parts else table.empty(model)
    ordered = rows.sort_values(memory.item, kind="stable", ignore_index=True)
    return Kept(ordered, dict(sorted(digests.items())))


def basis(step: str, settings: Any) -> str:
    """Digest of what the rows of all items are made from alike: the code of a module `room.name`, libraries, settings
    (what JSON can say)."""
    return digest(source.digest(step), _libraries(), settings)


def digest(*parts: Any) -> str:
    """32 hexadecimal digits for parts that JSON can say, arrays and tables among them."""
    text = json.dumps(parts, sort_keys=True, default=_plain)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def by_item(rows: pd.DataFrame, item: str = "image") -> dict[str, str]:
    """Item -> digest of its rows, for items that have any."""
    return {key: digest(part) for key, part in rows.groupby(item, sort=False)}


def digests(path: Path) -> dict[str, str] | None:
    """Item -> digest, as the footer of a table tells; None where it tells of no items."""
    footer = pq.read_schema(path).metadata or {}
    return json.loads(footer[table.MADE_FROM]) if table.MADE_FROM in footer else None


def _read(path: Path, model: type[table.Table]) -> tuple[pd.DataFrame, dict[str, str]] | None:
    """Rows and digests of a table; None where it is cut, changed, or of another model."""
    try:
        found = pq.read_table(path, partitioning=None, page_checksum_verification=True)
        told = json.loads((found.schema.metadata or {}).get(table.MADE_FROM, b"null"))
    except (pyarrow.ArrowException, OSError, ValueError):
        return None
    if not isinstance(told, dict) or not found.schema.equals(table.arrow_schema(model)):
        return None
    rows = conforming(found.to_pandas(), model)
    return None if rows is None else (rows, told)


@cache
def _libraries() -> dict[str, str]:
    installed = {}
    for name in LIBRARIES:
        try:
            installed[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return installed


def _plain(value: Any) -> Any:
    if isinstance(value, pd.DataFrame):
        return [list(value.columns), value.to_numpy(object).tolist()]
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if value is pd.NA:
        return None
    raise TypeError(f"{type(value).__name__} has no digest")
