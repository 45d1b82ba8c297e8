"""What of a picture is embedded: all of it, all but its people, its people alone."""

from pathlib import Path

import numpy as np
import pytest

from accord.errors import AccordError
from accord.evaluate import masked
from accord.evaluate.asking.variants import Outlines, variant

STUB = """
import numpy as np

class Stub:
    def __init__(self, weights, mode=""):
        self.mode = mode

    def embed(self, pictures):
        if self.mode == "short":
            return []
        # How many pixels are lit, and how many dark; nothing of a picture that is dark all over.
        lit = [int((p > 0).any(axis=2).sum()) for p in pictures]
        return [np.array([n, p.shape[0] * p.shape[1] - n], float) if n else None for n, p in zip(lit, pictures)]
"""


@pytest.fixture
def model(tmp_path: Path):
    (tmp_path / "stub.py").write_text(STUB)

    def made(**options) -> dict:
        entry = {"name": "stub", "task": "image_embedding", "adapter": f"{tmp_path}/stub.py:Stub", "weights": {}}
        return {**entry, "batch": 2, "options": options}

    return made


def cut(picture: np.ndarray, boxes: np.ndarray | None, part: str) -> np.ndarray | None:
    """A part of a picture whose people are boxes."""
    return variant(picture, None if boxes is None else Outlines(boxes, ()).region(picture.shape[:2]), part)


def test_masks_are_the_pixels_that_boxes_touch():
    picture = np.full((6, 8, 3), 9, np.uint8)
    boxes = np.array([[1.2, 1, 3, 3.5], [-5, 5, 2, 90]])
    people = np.zeros((6, 8), bool)
    people[1:4, 1:3] = people[5:, :2] = True
    np.testing.assert_array_equal(cut(picture, boxes, "background_masked")[:, :, 1] > 0, people)
    np.testing.assert_array_equal(cut(picture, boxes, "people_masked")[:, :, 1] > 0, ~people)
    assert cut(picture, boxes, "image") is picture
    assert cut(picture, None, "image") is picture
    assert cut(picture, None, "people_masked") is None


def test_a_box_outside_of_the_picture_masks_nothing():
    picture = np.full((4, 4, 3), 9, np.uint8)
    assert (cut(picture, np.array([[-9.0, -9, -2, -2], [7, 1, 9, 2]]), "people_masked") == 9).all()


@pytest.fixture
def three(shard):
    """a: two people; b: one person has no box; c: the person fills the picture; d: nobody in it."""
    for name in "abcd":
        shard.picture(name, np.full((10, 20, 3), 200, np.uint8))
    shard.person("a", "x", person=(0, 0, 5, 10))
    shard.person("a", "y", person=(4, 0, 6, 10))
    shard.person("b", "x", person=(0, 0, 5, 10))
    shard.person("b", "y")
    shard.person("c", "x", person=(0, 0, 20, 10))
    return shard.inputs()


def test_each_part_of_each_picture_becomes_a_unit_vector(three, model, tmp_path):
    found, asked = masked.run(**three, model=model(), weights=tmp_path)
    told = found.rows.set_index(["image", "part"])["vector"]
    assert sorted(told.index) == [
        ("a", "background_masked"), ("a", "image"), ("a", "people_masked"), ("b", "image"),
        ("c", "background_masked"), ("c", "image"), ("d", "image"),
    ]  # fmt: skip
    half = np.sqrt(0.5)
    np.testing.assert_allclose(told["a", "image"], [1, 0])
    np.testing.assert_allclose(told["a", "people_masked"], [half, half], rtol=1e-6)
    np.testing.assert_allclose(told["c", "background_masked"], [1, 0])
    assert asked["image"].tolist() == list("abcd") and set(asked["subject"]) == {""}


def test_answers_that_miss_are_refused(three, model, tmp_path):
    with pytest.raises(AccordError, match="model stub: gave 0 answers for 2 pictures"):
        masked.run(**three, model=model(mode="short"), weights=tmp_path)


def test_the_demo_s_embedder_tells_the_parts_of_a_photograph_apart(adapter, photo):
    picture = photo("P001", "amateur_posture")
    box = np.array([[picture.shape[1] * 0.3, 40, picture.shape[1] * 0.7, 630]])
    vectors = adapter("efficientnet").embed([cut(picture, box, part) for part in masked.PARTS])
    unit = np.array(vectors) / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit.T
    assert (cosines[np.triu_indices(3, 1)] < 0.95).all()
