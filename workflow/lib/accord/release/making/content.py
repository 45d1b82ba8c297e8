"""What goes into a release, as digests: before ids are given, so that equal content is known again."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from accord.engine import table
from accord.release.making.shard_tables import MODELS

FORMAT = 4
"""Raised when the same content would be written in other bytes: a change of metadata, to a version's holder."""

NAMES = tuple(MODELS)
"""The tables of a shard."""

PLACES = ["member", "offset", "source_sha256"]
PICTURES = ("original", "downsampled")

AT_ONCE = 2**23
"""Bytes of tables' files that are read at once where all shards are gone through: pandas takes as long for the few rows
of a small shard as for thousands."""


Paths = Mapping[str, Path | Sequence[Path]]
"""The files of tables by the tables' names: of one shard, or of several."""


class Digests(NamedTuple):
    """Of one image: its pictures, and all that is published of it."""

    pictures: str
    all: str


def by_shard(*lists: list[Path]) -> list[dict[str, Path]]:
    """The tables of each shard by their names, from lists of one file per shard, in the order of NAMES."""
    return [dict(zip(NAMES, shard, strict=True)) for shard in zip(*lists, strict=True)]


def blocks(shards: Sequence[dict[str, Path]]) -> Iterator[slice]:
    """Shards that follow each other and are small enough to be read at once; every shard is in one block."""
    start, held = 0, 0
    for end, shard in enumerate(shards):
        size = sum(path.stat().st_size for path in shard.values())
        if end > start and held + size > AT_ONCE:
            yield slice(start, end)
            start, held = end, 0
        held += size
    if shards:
        yield slice(start, len(shards))


def joined(shards: Sequence[dict[str, Path]]) -> Paths:
    """The files of several shards."""
    return {name: [shard[name] for shard in shards] for name in NAMES}


def tables(paths: Paths, passing: set[str]) -> dict[str, pd.DataFrame]:
    """Tables by name, as far as they speak of images that pass."""
    read = {name: table.read(paths[name], model) for name, model in MODELS.items()}
    return {name: of_images(rows, passing).reset_index(drop=True) for name, rows in read.items()}


def of_images(rows: pd.DataFrame, passing: Set[str]) -> pd.DataFrame:
    """The rows of images that pass."""
    return rows[table.among(rows["image"], passing)]


def digests(shard: dict[str, pd.DataFrame]) -> dict[str, Digests]:
    """Image -> digests, from a shard's tables."""
    lines: dict[str, list[str]] = {}
    for name in (name for name in NAMES if name != "aggregate"):
        for image, line in _lines(name, shard[name]):
            lines.setdefault(image, []).append(line)
    files = shard["derivatives"][shard["derivatives"]["kind"].isin(PICTURES)]
    pictures = files.sort_values("kind").groupby("image")["sha256"].agg("".join).to_dict()
    return {image: Digests(sha256([pictures.get(image, "")]), sha256(found)) for image, found in lines.items()}


def fingerprint(images: dict[str, Digests], about: dict) -> str:
    """The sha256 of all that goes in: the images' digests, and JSON `about` the release as a whole."""
    told = json.dumps({"format": FORMAT, **about}, sort_keys=True)
    return sha256([told, *sorted(digest.all for digest in images.values())])


def plain(frame: pd.DataFrame) -> list[list[str]]:
    """The rows of a table as text: equal tables give equal text; missing values are empty."""
    return frame.astype(str).fillna("").to_numpy().tolist()


def _lines(name: str, frame: pd.DataFrame) -> Iterator[tuple[str, str]]:
    """(image, text) of each row."""
    frame = frame.drop(columns=[column for column in PLACES if name == "derivatives"])
    for column in frame.columns.intersection(["polygon", "homography"]):
        frame[column] = [hashlib.sha256(np.asarray(v, float).tobytes()).hexdigest() for v in frame[column]]
    for image, row in zip(frame["image"], plain(frame), strict=True):
        yield image, "\x1f".join([name, *row])


def sha256(lines: Iterable[str]) -> str:
    """The sha256 of texts, one a line."""
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
