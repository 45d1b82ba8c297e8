"""Small tables and pictures that the tests of this room start from."""

import io

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from accord.checks.tables.findings import Findings, Fingerprints, Images
from accord.engine import table
from accord.imaging import bundle
from accord.shards import opaque_id

ZERO = "0" * 64
IMAGE = {
    "subject": "s1", "vendor": "acme", "delivery": "2026-03", "rendered": False, "member": "m", "offset": 0, "size": 1,
    "sha256": ZERO, "media": "image/jpeg", "width": 640, "height": 480, "orientation": 1, "has_exif": True,
    "manufacturer": "Acme", "model": "One", "software": "", "captured_at": "2024-05-01T10:00:00",
    "aperture_value": None, "focal_length": None, "iso_speed_ratings": None, "shutter_speed_value": None,
    "gps_latitude": None, "gps_longitude": None,
    "location_country": "", "location_country_m49": None, "location_country_given": "", "location_region": "",
    "user_date_captured": "", "user_hour_captured": "",
}  # fmt: skip
PRINT = {
    "subject": "s1", "pdq_quality": 100, "phash": "0" * 16, "width": 640, "height": 480, "sharpness": 1.0,
    "brightness": 100.0, "encoding": 90,
}  # fmt: skip


@pytest.fixture
def images():
    """A table Images from dicts; what they leave out is ordinary."""
    return lambda *rows: table.rows([{**IMAGE, "source": row["image"], **row} for row in rows], Images)


@pytest.fixture
def prints():
    """A table Fingerprints from dicts; pixels and hash follow from the image's name unless given."""

    def make(*rows):
        own = [{**_hashes(row["image"]), **PRINT, **row} for row in rows]
        return table.rows(own, Fingerprints)

    return make


@pytest.fixture
def findings():
    """A table Findings from (image, check, verdict)."""

    def make(*rows):
        columns = ("image", "check", "score", "threshold", "verdict", "reason")
        return table.rows(
            [dict(zip(columns, (i, c, None, None, v, f"why {c}"), strict=True)) for i, c, v in rows], Findings
        )

    return make


@pytest.fixture
def photo():
    """A picture with edges and gradients at all scales, like a photograph; the same for a seed."""

    def make(seed: int, width: int = 640, height: int = 480) -> np.ndarray:
        rng = np.random.default_rng(seed)
        layers = [Image.fromarray(rng.integers(0, 256, (n, n, 3), dtype=np.uint8)) for n in (3, 6, 12, 40)]
        grown = [np.asarray(layer.resize((width, height), Image.Resampling.BICUBIC), float) for layer in layers]
        return np.average(grown, axis=0, weights=[4, 3, 2, 1]).astype(np.uint8)

    return make


@pytest.fixture
def jpeg():
    """The picture as JPEG data."""

    def make(pixels: np.ndarray, quality: int = 90, **options) -> bytes:
        buffer = io.BytesIO()
        Image.fromarray(pixels).save(buffer, "JPEG", quality=quality, **options)
        return buffer.getvalue()

    return make


@pytest.fixture
def shard(tmp_path, images):
    """A bundle and its table Images, from image -> data or (data, dict of other columns)."""

    def make(files: dict) -> tuple[pd.DataFrame, object]:
        path, rows = tmp_path / "images.tar", []
        with bundle.BundleWriter(path) as writer:
            for name, given in files.items():
                data, more = given if isinstance(given, tuple) else (given, {})
                rows.append({"image": name, **writer.add(name, data)._asdict(), **more})
        return images(*rows), path

    return make


def _hashes(name: str) -> dict:
    turned = "".join(_digits(f"{name} {form}") for form in range(3))
    return {"pixels": _digits(name), "pdq": _digits(name), "turned": turned}


def _digits(name: str) -> str:
    return "".join(opaque_id(name, str(part)) for part in range(4))
