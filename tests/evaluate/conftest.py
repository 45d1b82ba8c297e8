"""A small shard of photographs (openpeople's synthetic people), as release hands it to evaluate; the shipped models."""

import json
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from accord.engine import table
from accord.imaging.bundle import BundleWriter
from accord.imaging.decode import encode_png
from accord.models import loading, registry, tasks
from accord.release.tables import Derivatives, Faces, People, Segments

ROOT = Path(__file__).parents[2]
# What tests of exports share: small checkouts and networks; and the scripts themselves, which are no part of Accord.
sys.path[:0] = [str(Path(__file__).parent), str(ROOT / "workflow")]
HEIGHT = 640
FACES = {  # x0, y0, x1, y1 from hair line to chin and ear to ear, drawn by hand in the 640 px photographs
    ("P001", "amateur_posture"): (181, 60, 235, 133),
    ("P001", "studio_portrait"): (204, 132, 440, 478),
    ("P005", "amateur_selfie"): (143, 156, 335, 420),
}
# Square around the head, drawn by hand as FFHQ draws it: centre x, centre y, side; shares of width, height, height.
HEADS = {
    ("P001", "studio_portrait"): (0.504, 0.436, 0.72),
    ("P001", "amateur_selfie"): (0.497, 0.319, 0.40),
    ("P005", "studio_portrait"): (0.50, 0.307, 0.60),
    ("P005", "amateur_selfie"): (0.551, 0.428, 0.64),
}


def open_photo(person: str, name: str) -> np.ndarray:
    """(640, width, 3) uint8 RGB."""
    package = Path(find_spec("openpeople").submodule_search_locations[0])
    with Image.open(package / "data/curated" / person / "assets" / f"{name}.jpg") as image:
        width = round(image.width * HEIGHT / image.height)
        return np.asarray(image.convert("RGB").resize((width, HEIGHT), Image.Resampling.LANCZOS))


def cut_head(person: str, name: str) -> np.ndarray:
    """(512, 512, 3) uint8 RGB: a face as an aligned derivative shows it."""
    picture = open_photo(person, name)
    x, y, side = HEADS[person, name]
    x, y, side = x * picture.shape[1], y * HEIGHT, side * HEIGHT
    box = (x - side / 2, y - side / 2, x + side / 2, y + side / 2)
    image = Image.fromarray(picture)
    return np.asarray(image.transform((512, 512), Image.Transform.EXTENT, box, Image.Resampling.BICUBIC))


class Shard:
    """Release's files of a shard: add pictures and people, then hand `inputs` to a step."""

    def __init__(self, folder: Path):
        self.files = folder / "files.tar"
        self._writer = BundleWriter(self.files)
        self._derivatives, self._people, self._faces, self._segments = [], [], [], []

    def picture(self, image: str, pixels: np.ndarray, kind: str = "downsampled", subject: str = "") -> None:
        member = self._writer.add(f"{image}{subject}{kind}.png", encode_png(pixels))
        size = {"width": pixels.shape[1], "height": pixels.shape[0]}
        where = {"image": image, "subject": subject, "kind": kind, "part": "", "source_sha256": "0" * 64}
        self._derivatives.append({**where, **member._asdict(), **size})

    def person(self, image: str, subject: str, face=(None,) * 4, person=(None,) * 4) -> None:
        sides = ("x", "y", "width", "height")
        boxes = {f"face_{s}": v for s, v in zip(sides, face, strict=True)}
        boxes |= {f"person_{s}": v for s, v in zip(sides, person, strict=True)}
        who = {"image": image, "subject": subject, "is_primary": True, "age": 30, "face_annotator": "a"}
        self._people.append({**who, **boxes})

    def crop(self, image: str, subject: str, pixels: np.ndarray, x: float, y: float) -> None:
        """A face cut out of the downsampled picture, from x, y on."""
        self.picture(image, pixels, "face_crop", subject)
        moved = [1.0, 0, -x, 0, 1, -y, 0, 0, 1]
        self._faces.append({"image": image, "subject": subject, "kind": "face_crop", "homography": moved})

    def segment(self, image: str, subject: str, *polygon: float) -> None:
        """An outline of a part of a person: x0, y0, x1, y1, ..."""
        where = {"image": image, "subject": subject, "segment": 20, "num": len(self._segments) + 1, "annotator": "a"}
        self._segments.append({**where, "polygon": list(polygon)})

    def segments(self):
        """The table Segments."""
        return table.rows(self._segments, Segments)

    def faces(self):
        """The table Faces."""
        return table.rows(self._faces, Faces)

    def inputs(self) -> dict:
        self._writer.__exit__()
        derivatives = table.rows(self._derivatives, Derivatives)
        return {"derivatives": derivatives, "people": table.rows(self._people, People), "files": self.files}


@pytest.fixture(scope="session")
def shard_in():
    """A function of a folder: a shard in it."""
    return Shard


@pytest.fixture
def shard(tmp_path: Path) -> Shard:
    return Shard(tmp_path)


@pytest.fixture(scope="session")
def photo():
    """A function of person and name: (640, width, 3) uint8 RGB."""
    return open_photo


@pytest.fixture(scope="session")
def heads() -> dict[str, list[np.ndarray]]:
    """Per person, two faces as aligned derivatives show them."""
    return {person: [cut_head(*key) for key in HEADS if key[0] == person] for person in ("P001", "P005")}


@pytest.fixture(scope="session")
def faces() -> dict[tuple[str, str], tuple[int, int, int, int]]:
    """Boxes of the faces of some photographs."""
    return FACES


@pytest.fixture(scope="session")
def adapter():
    """A function of a model's name in config/models.yaml: its adapter."""

    @cache
    def load(name: str):
        settings = {"models": str(ROOT / "config/models.yaml"), "run": [name]}
        spec = json.loads(registry.read(settings, ROOT / "workflow/schemas/models.schema.yaml").spec(name))
        return loading.load(spec, ROOT / "weights", tasks.method_of(spec["task"]))

    return load
