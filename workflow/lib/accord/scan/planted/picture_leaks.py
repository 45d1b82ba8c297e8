"""Leaks of pictures that are planted on purpose: whole, changed, in part, and inside other things."""

import base64
import io
import json
import pickle
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from accord.scan.planted.leaks import Person, Plant


def made_up(rng: np.random.Generator, height: int = 256, width: int = 320) -> np.ndarray:
    """A picture with smooth shades, edges and texture, unlike any other."""
    import cv2

    scales = [(2, 60), (6, 40), (24, 25), (80, 15)]
    layers = [
        cv2.resize(rng.normal(0, a, (n, n, 3)), (width, height), interpolation=cv2.INTER_CUBIC) for n, a in scales
    ]
    canvas = np.ascontiguousarray(np.clip(128 + sum(layers), 0, 255).astype(np.uint8))
    for _ in range(25):
        corner = rng.integers(0, (width, height))
        far = corner + rng.integers(8, 70, 2)
        cv2.rectangle(canvas, corner.tolist(), far.tolist(), rng.integers(256, size=3).tolist(), -1)
        cv2.circle(
            canvas,
            rng.integers(0, (width, height)).tolist(),
            int(rng.integers(4, 30)),
            rng.integers(256, size=3).tolist(),
            2,
        )
    return canvas


def person(rng: np.random.Generator) -> Person:
    """Somebody at random."""
    import uuid

    vector = rng.normal(size=128)
    return Person(
        f"Pérez {rng.integers(10**6):06}",
        rng.bytes(8).hex(),
        rng.bytes(8).hex(),
        str(uuid.UUID(bytes=rng.bytes(16), version=4)),
        rng.bytes(32).hex(),
        made_up(rng),
        vector / np.linalg.norm(vector),
    )


def encoded(pixels: np.ndarray, kind: str = "PNG", **options: Any) -> bytes:
    """The picture as a file's bytes."""
    from PIL import Image

    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, kind, **options)
    return buffer.getvalue()


def png(person: Person, path: Path, _: np.random.Generator) -> None:
    path.write_bytes(encoded(person.pixels))


def jpeg(person: Person, path: Path, rng: np.random.Generator) -> None:
    path.write_bytes(encoded(person.pixels, ["JPEG", "WEBP"][rng.integers(2)], quality=int(rng.integers(40, 90))))


def resized(person: Person, path: Path, rng: np.random.Generator) -> None:
    path.write_bytes(encoded(_scaled(person.pixels, rng.uniform(0.3, 1.6)), "JPEG", quality=80))


def mirrored(person: Person, path: Path, _: np.random.Generator) -> None:
    path.write_bytes(encoded(person.pixels[:, ::-1], "JPEG", quality=85))


def cropped(person: Person, path: Path, rng: np.random.Generator) -> None:
    path.write_bytes(encoded(_scaled(_part(person.pixels, rng), rng.uniform(0.7, 1.3)), "JPEG", quality=85))


def figure_grid(person: Person, path: Path, rng: np.random.Generator) -> None:
    side, rows, columns = int(rng.integers(96, 160)), 3, 4
    canvas = np.full((rows * (side + 9) + 9, columns * (side + 9) + 9, 3), 255, np.uint8)
    mine = rng.integers(rows * columns)
    for number in range(rows * columns):
        pixels = person.pixels if number == mine else made_up(rng)
        y, x = (9 + (side + 9) * index for index in divmod(number, columns))
        canvas[y : y + side, x : x + side] = _fitted(pixels, side, side)
    path.write_bytes(encoded(canvas))


def pasted(person: Person, path: Path, rng: np.random.Generator) -> None:
    canvas, part = made_up(rng, 500, 700), _scaled(_part(person.pixels, rng), 0.9)
    y, x = (int(rng.integers(0, big - small)) for big, small in zip(canvas.shape[:2], part.shape[:2], strict=True))
    canvas[y : y + part.shape[0], x : x + part.shape[1]] = part
    path.write_bytes(encoded(canvas, "JPEG", quality=85))


def in_array(person: Person, path: Path, rng: np.random.Generator) -> None:
    stack = np.stack([made_up(rng), person.pixels])
    with path.open("wb") as file:
        np.save(file, stack if rng.integers(2) else stack.transpose(0, 3, 1, 2))


def in_parquet(person: Person, path: Path, rng: np.random.Generator) -> None:
    import pyarrow
    import pyarrow.parquet as pq

    rows = [{"bytes": encoded(pixels, "JPEG"), "path": "x"} for pixels in (made_up(rng), person.pixels)]
    pq.write_table(pyarrow.table({"image": rows}), path, compression="zstd")


def in_database(person: Person, path: Path, _: np.random.Generator) -> None:
    with closing(sqlite3.connect(path)) as opened, opened:
        opened.execute("CREATE TABLE t (thumbnail BLOB)")
        opened.execute("INSERT INTO t VALUES (?)", [encoded(person.pixels, "JPEG")])


def in_html(person: Person, path: Path, _: np.random.Generator) -> None:
    data = base64.b64encode(encoded(person.pixels)).decode()
    path.write_text(f'<p><img src="data:image/png;base64,{data}"></p>')


def in_notebook(person: Person, path: Path, _: np.random.Generator) -> None:
    data = base64.encodebytes(encoded(person.pixels, "JPEG")).decode()
    path.write_text(json.dumps({"cells": [{"outputs": [{"data": {"image/jpeg": data}}]}]}))


def in_pdf(person: Person, path: Path, rng: np.random.Generator) -> None:
    if rng.integers(2):
        path.write_bytes(encoded(person.pixels, "PDF"))
        return
    height, width = person.pixels.shape[:2]
    stream = zlib.compress(person.pixels.tobytes())
    about = f"/Subtype /Image /Width {width} /Height {height} /BitsPerComponent 8 /Filter /FlateDecode"
    head = f"%PDF-1.4\n1 0 obj <<{about} /ColorSpace /DeviceRGB>>\nstream\n".encode()
    path.write_bytes(head + stream + b"\nendstream endobj\n%%EOF")


def in_pickle(person: Person, path: Path, rng: np.random.Generator) -> None:
    path.write_bytes(pickle.dumps([rng.bytes(100), encoded(person.pixels, "JPEG", quality=80)]))


def as_thumbnail(person: Person, path: Path, rng: np.random.Generator) -> None:
    thumbnail = encoded(_fitted(person.pixels, 160, 128), "JPEG", quality=80)
    path.write_bytes(encoded(made_up(rng), "JPEG", exif=b"Exif\0\0MM\0*\0\0\0\x08\0\0\0\0\0\0" + thumbnail))


EXACT: dict[str, Plant] = {
    plant.__name__: plant
    for plant in (png, jpeg, in_array, in_parquet, in_database, in_html, in_notebook, in_pdf, in_pickle)
}
"""Leaks that must always be found."""
CHANGED: dict[str, Plant] = {
    plant.__name__: plant for plant in (resized, mirrored, cropped, figure_grid, pasted, as_thumbnail)
}
"""Leaks that are found as far as perceptual hashes and features reach."""


def _scaled(pixels: np.ndarray, factor: float) -> np.ndarray:
    return _fitted(pixels, round(pixels.shape[1] * factor), round(pixels.shape[0] * factor))


def _fitted(pixels: np.ndarray, width: int, height: int) -> np.ndarray:
    import cv2

    return cv2.resize(pixels, (width, height), interpolation=cv2.INTER_AREA)


def _part(pixels: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Between 55% and 85% of each side, anywhere."""
    height, width = (round(side * rng.uniform(0.55, 0.85)) for side in pixels.shape[:2])
    y, x = rng.integers(0, pixels.shape[0] - height + 1), rng.integers(0, pixels.shape[1] - width + 1)
    return pixels[y : y + height, x : x + width]
