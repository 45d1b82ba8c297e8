"""A person's pictures as they were delivered, with everybody else in them painted out.

Others are painted over by their boxes and segments, whole: where people overlap, parts of her go, too. A picture in
which somebody else has neither is withheld, as is one that can't be decoded or was barred.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow.parquet as pq

from accord.errors import AccordError
from accord.imaging import bundle, masks
from accord.imaging.decode import decode, encode_png
from accord.intake.tables import FACE, PERSON

BARRED, UNREADABLE, UNMARKED = (
    "was barred by the safety check",
    "can't be decoded",
    "shows somebody else whose place isn't marked",
)


class Picture(NamedTuple):
    """An image: its PNG, or b"" and why it is withheld; how many others were painted out."""

    image: str
    data: bytes
    withheld: str
    others: int


def find(results: Path, subject: str, images: frozenset[str], barred: frozenset[str]) -> Iterator[Picture]:
    """The pictures of her images that are still there, sorted within each shard; barred: sha256 of delivered files."""
    for table in sorted(results.glob("intake/*/images.parquet")):
        rows = [row for row in pq.read_table(table).to_pylist() if row["image"] in images]
        people, segments, regions = (_rows(table.parent, name, images) for name in ("people", "segments", "regions"))
        for row in sorted(rows, key=lambda row: row["image"]):
            image = row["image"]
            others = [one for one in people if one["image"] == image and one["subject"] != subject]
            outlines = [(one["subject"], one["polygon"]) for one in segments if one["image"] == image]
            marked = [one["polygon"] for one in regions if one["image"] == image]
            if row["sha256"] in barred:
                yield Picture(image, b"", BARRED, len(others))
            else:
                yield _painted(table.with_name("images.tar"), row, others, outlines, marked)


def _painted(
    tar: Path, row: dict[str, Any], others: list[dict[str, Any]], outlines: list[tuple], marked: list[list[float]]
) -> Picture:
    polygons = list(marked)
    for other in others:
        places = _places(other, outlines)
        if not places:
            return Picture(row["image"], b"", UNMARKED, len(others))
        polygons += places
    try:
        pixels = decode(bundle.read(tar, bundle.Member(*(row[name] for name in bundle.Member._fields)))).copy()
    except AccordError:
        return Picture(row["image"], b"", UNREADABLE, len(others))
    pixels[masks.rasterise(polygons, pixels.shape[:2])] = 0
    return Picture(row["image"], encode_png(pixels), "", len(others))


def _places(other: dict[str, Any], outlines: list[tuple]) -> list[list[float]]:
    """The polygons that cover somebody: body, or segments; and the face. None where only the face is marked."""
    boxes = {name: [other.get(side) for side in sides] for name, sides in (("body", PERSON), ("face", FACE))}
    found = {name: _corners(box) for name, box in boxes.items() if all(map(_is_number, box))}
    drawn = [list(polygon) for subject, polygon in outlines if subject == other["subject"]]
    return [*found.values(), *drawn] if "body" in found or drawn else []


def _corners(box: list[Any]) -> list[float]:
    x, y, width, height = box
    return [x, y, x + width, y, x + width, y + height, x, y + height]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and bool(np.isfinite(value))


def _rows(folder: Path, name: str, images: frozenset[str]) -> list[dict[str, Any]]:
    path = folder / f"{name}.parquet"
    return [row for row in pq.read_table(path).to_pylist() if row["image"] in images] if path.is_file() else []
