"""Variants of a picture differ from it where its people are, or all but these, and nowhere else."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.ndimage import gaussian_filter

from accord.engine.parameter_types import Former
from accord.engine.table import rows
from accord.evaluate import masked, small
from accord.evaluate.asking import variants
from accord.evaluate.asking.variants import Outlines, variant
from accord.evaluate.tables.parts import PARTS, VARIANTS
from accord.release.tables import People, Segments

STUB = """
import numpy as np

class Stub:
    def __init__(self, weights):
        pass

    def embed(self, pictures):
        return [np.array([(p > 0).any(axis=2).sum(), 1.0]) for p in pictures]

    def embed_texts(self, texts):
        return [np.array([len(text), 1.0]) for text in texts]

    def seen(self, height, width):
        return 0, 0, width / 2, height
"""


@st.composite
def peopled(draw):
    """A picture of noise and a region of it."""
    height, width = draw(st.tuples(st.integers(1, 30), st.integers(1, 30)))
    rng = np.random.default_rng(draw(st.integers(0, 99)))
    return rng.integers(1, 256, (height, width, 3), dtype=np.uint8), rng.random((height, width)) < draw(st.floats(0, 1))


@settings(max_examples=40, deadline=None)
@given(peopled())
def test_variants_differ_only_in_their_region(made):
    picture, people = made
    found = {part: variant(picture, people, part) for part in VARIANTS}
    assert all(one.shape == picture.shape and one.dtype == np.uint8 for one in found.values())
    assert found["image"] is picture
    for part, changed in {"people_masked": people, "people_blurred": people, "background_masked": ~people}.items():
        np.testing.assert_array_equal(found[part][~changed], picture[~changed])
    assert (found["people_masked"][people] == 0).all() and (found["background_masked"][~people] == 0).all()


@pytest.mark.parametrize("size", [(150, 2048), (300, 97), (64, 64)])
def test_people_are_blurred_by_a_gaussian_of_100_px_at_2048(size):
    rng = np.random.default_rng(1)
    coarse = rng.integers(0, 256, (6, 8, 3)).astype(np.uint8)
    picture = np.kron(coarse, np.ones((size[0] // 6 + 1, size[1] // 8 + 1, 1), np.uint8))[: size[0], : size[1]]
    people = np.zeros(size, bool)
    people[size[0] // 4 :, size[1] // 3 :] = True
    found = variant(picture, people, "people_blurred")
    sigma = 100 * max(size) / 2048
    expected = gaussian_filter(picture.astype(float), (sigma, sigma, 0), mode="reflect", truncate=6)
    assert np.abs(found.astype(float) - expected)[people].max() < 1.5


def of(*people: tuple) -> object:
    """A table People: (image, subject, box or None)."""
    sides = ("x", "y", "width", "height")
    same = {"is_primary": True, "age": 30, "face_annotator": ""} | {f"face_{side}": None for side in sides}
    made = []
    for image, subject, box in people:
        boxed = {f"person_{s}": v for s, v in zip(sides, box or (None,) * 4, strict=True)}
        made.append({"image": image, "subject": subject, **same, **boxed})
    return rows(made, People)


def test_a_region_is_the_union_of_segments_and_of_boxes_where_there_are_none():
    people = of(
        ("a", "x", (0, 0, 9, 9)), ("a", "y", (5, 5, 2, 3)), ("b", "x", None), ("c", "x", None), ("c", "y", (1, 1, 1, 1))
    )
    drawn = {("a", "x", 1): [1, 1, 3, 1, 3, 3, 1, 3], ("a", "x", 2): [3, 3, 4, 3, 4, 4, 3, 4]}
    drawn |= {("b", "x", 1): [2, 2, 3, 2, 3, 3, 2, 3]}
    segments = rows(((*key[:2], 20, key[2], polygon, "") for key, polygon in drawn.items()), Segments)
    known = variants.outlines(people, segments)
    assert sorted(known) == ["a", "b"]
    expected = np.zeros((10, 10), bool)
    expected[1:4, 1:4] = expected[3:5, 3:5] = expected[5:8, 5:7] = True
    np.testing.assert_array_equal(known["a"].region((10, 10)), expected)
    assert known["b"].region((10, 10)).sum() == 4
    boxes = variants.outlines(people)
    assert sorted(boxes) == ["a"] and boxes["a"].polygons == ()
    assert boxes["a"].region((10, 10)).sum() == 81


def test_the_share_that_a_model_is_shown():
    people = np.zeros((10, 20), bool)
    people[2:6, 0:10] = True
    assert variants.share_seen(people, (0, 0, 20, 10)) == 1
    assert variants.share_seen(people, (5, 0, 15, 10)) == 0.5
    assert variants.share_seen(people, (5, 4, 25, 90)) == 0.25
    assert variants.share_seen(people, (12, 0, 20, 10)) == 0
    for nothing in ((None, (0, 0, 1, 1)), (people, None), (~people & people, (0, 0, 9, 9))):
        assert np.isnan(variants.share_seen(*nothing))


def test_no_outline_is_an_empty_region():
    assert not Outlines(np.empty((0, 4)), ()).region((3, 4)).any()


@pytest.fixture
def model(tmp_path: Path) -> dict:
    (tmp_path / "stub.py").write_text(STUB)
    entry = {"name": "stub", "task": "image_text", "adapter": f"{tmp_path}/stub.py:Stub", "weights": {}}
    return {**entry, "batch": 2, "options": {}}


@pytest.fixture
def two(shard):
    """a: a person on the left, outlined smaller than their box; b: somebody of whom nothing is annotated."""
    for image in "ab":
        shard.picture(image, np.full((10, 20, 3), 200, np.uint8))
    shard.person("a", "x", person=(0, 0, 10, 10))
    shard.person("b", "y")
    shard.segment("a", "x", 8, 0, 11, 0, 11, 9, 8, 9)
    return shard


def test_a_model_of_texts_is_shown_four_variants_of_outlined_people(two, model, tmp_path):
    found, asked = masked.run(**two.inputs(), segments=two.segments(), model=model, weights=tmp_path)
    told = found.rows.set_index(["image", "part"])
    assert sorted(told.index) == [*(("a", part) for part in sorted(VARIANTS)), ("b", "image")]
    assert (told.loc["a", "seen"] == 0.5).all() and np.isnan(told.loc[("b", "image"), "seen"])
    lit = {part: round(vector[0] / vector[1]) for (image, part), vector in told["vector"].items() if image == "a"}
    assert lit == {"image": 200, "people_blurred": 200, "people_masked": 160, "background_masked": 40}
    assert asked["image"].tolist() == ["a", "b"]


def test_boxes_are_taken_where_no_segments_are_given_and_by_embedders_always(two, model, tmp_path):
    inputs = two.inputs()
    boxed = masked.run(**inputs, model=model, weights=tmp_path).predictions.rows.set_index("part")["vector"]
    assert round(boxed["background_masked"][0] / boxed["background_masked"][1]) == 100
    other = {**model, "task": "image_embedding"}
    found = masked.run(**inputs, segments=two.segments(), model=other, weights=tmp_path).predictions.rows
    assert set(found["part"]) == set(PARTS) and "seen" not in found
    assert round(np.divide(*found.set_index("part")["vector"]["background_masked"])) == 100


def test_among_small_models_an_answer_depends_on_the_outlines_of_its_picture(two, model, tmp_path):
    def made() -> tuple:
        files = small.run(**inputs, segments=two.segments(), permits=[], former=Former(), entries={"stub": model},
                          faces=two.faces(), weights=tmp_path, side=16, factor=2)  # fmt: skip
        return files["stub.parquet"].rows

    inputs = two.inputs()
    before = made()
    two.segment("a", "x", 0, 0, 4, 0, 4, 4, 0, 4)
    after = made()
    assert {image for image in "ab" if before.digests[image] != after.digests[image]} == {"a"}
    assert before.rows["vector"].map(tuple).tolist() != after.rows["vector"].map(tuple).tolist()
