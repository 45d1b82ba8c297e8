"""Hostile pictures and annotations in a delivery: what hides pixels, what hides regions, what costs without end."""

import hashlib
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import Image

sys.path.insert(0, str(Path(__file__).parents[1] / "core"))

from icc import of_matrix, p3_to_srgb

from accord.imaging.decode import FIRST, decode
from accord.imaging.formats import colour
from house import rows_of, write_rows

HIDDEN = (slice(20, 120), slice(20, 140))
"""Rows and columns of what only alpha hides."""
PROMISED = (255, 0, 255)
SCAN, COMMENT = b"\xff\xda\0\x08\1\1\0\1\1\0", b"\xff\xfe\0\2"
EXIF = b"\xff\xe1\0\x0cExif\0\0II*\0"
MEBIBYTE = 1 << 20
Row = dict[str, str]
Drawn = dict[str, list]


class Seen(NamedTuple):
    """What viewers show of a picture, (height, width, 3) uint8, the conversion that it takes, and the largest
    difference that a right conversion makes, colour levels."""

    pixels: np.ndarray
    conversion: str
    most: int


def disguised(delivery: Path, rows: dict[str, Row]) -> dict[str, Seen]:
    """Write pictures whose pixels aren't what programs read first; rows: kind -> row. Returns image -> what is seen."""
    return {row["image"]: DISGUISES[kind](delivery, row) for kind, row in rows.items()}


def _transparent(delivery: Path, row: Row) -> Seen:
    """What was hidden under alpha 0 is loud; viewers show white."""
    image, exif = _opened(delivery, row)
    hidden = np.asarray(image).copy()
    hidden[HIDDEN] = PROMISED
    alpha = np.full(hidden.shape[:2], 255, np.uint8)
    alpha[HIDDEN] = 0
    _stored(delivery, row, Image.fromarray(np.dstack([hidden, alpha])), "PNG", exif=exif)
    shown = hidden.copy()
    shown[HIDDEN] = 255
    return Seen(shown, colour.ALPHA, 0)


def _deep(delivery: Path, row: Row) -> Seen:
    """Greys of 16 bits, of which careless programs make white."""
    image, exif = _opened(delivery, row)
    grey = np.asarray(image.convert("L"))
    _stored(delivery, row, Image.fromarray(grey.astype(np.uint16) * 257), "PNG", exif=exif)
    return Seen(np.dstack([grey] * 3), colour.DEPTH, 1)


def _wide(delivery: Path, row: Row) -> Seen:
    """Display P3, as phones write it."""
    image, exif = _opened(delivery, row)
    _stored(delivery, row, image, "PNG", exif=exif, icc_profile=of_matrix())
    return Seen(p3_to_srgb(np.asarray(image)).astype(np.uint8), colour.PROFILE, 2)


def _several(delivery: Path, row: Row) -> Seen:
    """A second picture in the file."""
    image, exif = _opened(delivery, row)
    data = _stored(delivery, row, image, "MPO", save_all=True, append_images=[Image.new("RGB", image.size, PROMISED)],
                   quality=90, exif=exif)  # fmt: skip
    with Image.open(io.BytesIO(data)) as first:
        return Seen(np.asarray(first.convert("RGB")), FIRST, 0)


DISGUISES: dict[str, Callable[[Path, Row], Seen]] = {
    "transparent": _transparent, "16 bits": _deep, "Display P3": _wide, "two pictures": _several,
}  # fmt: skip


def covered(delivery: Path, twice: Row, under: Row) -> dict[str, list]:
    """Wind the regions of an image twice, and lay a sloppy segment of the subject over those of another; returns image
    -> the outlines of its regions."""
    outlined = {row["image"]: _outlines(delivery, row) for row in (twice, under)}
    _annotated(delivery, twice, _wound)
    _annotated(delivery, under, _sloppy)
    return outlined


def _outlines(delivery: Path, row: Row) -> list:
    return [region["polygon"] for region in json.loads((delivery / row["annotations"]).read_text())["regions"]]


def _wound(said: Drawn) -> None:
    for region in said["regions"]:
        region["polygon"] *= 2


def _sloppy(said: Drawn) -> None:
    corners = np.concatenate([region["polygon"] for region in said["regions"]])
    (left, top), (right, bottom) = (corners.min(axis=0) - 20).tolist(), (corners.max(axis=0) + 20).tolist()
    polygon = [{"x": x, "y": y} for x, y in ((left, top), (right, top), (right, bottom), (left, bottom))]
    person = said["people"][0]
    person["segments"].append({"class_name": "20. Upper body clothes", "num": 99, "polygon": polygon})
    # The box is as sloppy, or `points_in_boxes` would stop the image.
    x, y, width, height = person["person_bbox"]
    x0, y0, x1, y1 = min(x, left), min(y, top), max(x + width, right), max(y + height, bottom)
    person["person_bbox"] = [max(x0, 0), max(y0, 0), x1 - max(x0, 0), y1 - max(y0, 0)]


def broken(delivery: Path, row: Row) -> dict[str, tuple[str, str]]:
    """Add images as good as that of a row, but for one thing; returns image -> check and a part of the reason."""
    data, text = ((delivery / row[name]).read_bytes() for name in ("file", "annotations"))
    found = {}
    for number, (change, spoil, told) in enumerate(BROKEN):
        image = f"broken-{number}"
        files = {"file": f"images/{image}.jpg", "annotations": f"annotations/{image}.json"}
        (delivery / files["file"]).write_bytes(change(data))
        said = json.dumps({**json.loads(text), "image": image})
        (delivery / files["annotations"]).write_text(spoil(said))
        _added(delivery, row["image"], {"image": image, **files, **_digests(delivery, files)})
        found[image] = told
    return found


def _added(delivery: Path, like: str, row: Row) -> None:
    """Add an image to the tables, with the people of another."""
    for name in ("images.csv", "people.csv"):
        rows = rows_of(delivery / name)
        rows += [{**old, **{key: row[key] for key in old if key in row}} for old in rows if old["image"] == like]
        write_rows(delivery / name, rows, list(rows[0]))


def _same(content):
    return content


def _region(said: str, *corners: tuple[float, float]) -> str:
    region = {"region": "r9", "kind": "bystander", "polygon": corners, "annotator": "A01"}
    return json.dumps({**json.loads(said), "regions": [region]})


def _progressive(data: bytes) -> bytes:
    with Image.open(io.BytesIO(data)) as image:
        buffer = io.BytesIO()
        image.save(buffer, "JPEG", progressive=True, exif=image.info["exif"])
    return buffer.getvalue()


BROKEN = (
    (_same, lambda said: said[:-1] + ', "regions": []}', ("annotation", "`regions` is given twice")),
    (_same, lambda said: said.replace('"regions"', '"Regions"'), ("annotation", "is `regions` meant?")),
    (_same, lambda said: _region(said, (0.1, 0.1), (0.4, 0.1), (0.4, 0.9)), ("annotation", "shares of the picture")),
    (_same, lambda said: _region(said, (10, 10), (90, 90), (10, 10)), ("annotation", "has no area")),
    (_same, lambda said: _region(said, (9000, 10), (9900, 10), (9900, 90)), ("annotation", "off the image")),
    (lambda data: _progressive(data)[:-2] + SCAN * 400 + b"\xff\xd9", _same, ("parts", "more than 64 scans")),
    (lambda data: data[:2] + COMMENT * (15 * MEBIBYTE // 4) + data[2:], _same, ("parts", "more than 1000 segments")),
    (lambda data: data[:2] + EXIF * 1000 + data[2:], _same, ("parts", "more than 16 segments of EXIF")),
    (lambda data: data[: len(data) // 3].replace(b"\xff\xd8", b"\xff\xd7", 1), _same, ("header", "readable JPEG")),
)
"""What is done to a picture, to its annotations as text, and what must be told."""


def _opened(delivery: Path, row: Row) -> tuple[Image.Image, bytes]:
    with Image.open(delivery / row["file"]) as image:
        return Image.fromarray(decode((delivery / row["file"]).read_bytes())), _upright(image.getexif())


def _upright(exif: Image.Exif) -> bytes:
    exif[0x0112] = 1
    return exif.tobytes()


def _stored(delivery: Path, row: Row, image: Image.Image, kind: str, **options) -> bytes:
    (delivery / row["file"]).unlink()
    row["file"] = str(Path(row["file"]).with_suffix(".png" if kind == "PNG" else ".jpg"))
    image.save(delivery / row["file"], kind, **options)
    row.update(_digests(delivery, {"file": row["file"]}))
    return (delivery / row["file"]).read_bytes()


def _annotated(delivery: Path, row: Row, change: Callable[[Drawn], object]) -> None:
    said = json.loads((delivery / row["annotations"]).read_text())
    change(said)
    (delivery / row["annotations"]).unlink()
    (delivery / row["annotations"]).write_text(json.dumps(said))
    row.update(_digests(delivery, {"annotations": row["annotations"]}))


def _digests(delivery: Path, files: Row) -> Row:
    columns = {"file": "sha256", "annotations": "annotations_sha256"}
    return {columns[name]: hashlib.sha256((delivery / path).read_bytes()).hexdigest() for name, path in files.items()}
