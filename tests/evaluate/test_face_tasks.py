"""Body parts, face labels and restored faces, with stub models: who is asked, what becomes of answers."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from pycocotools import mask as coco

from accord.engine.table import rows
from accord.errors import AccordError
from accord.evaluate import detect, embed, label, parts, restore
from accord.evaluate.asking import likeness
from accord.release.tables import Faces

STUBS = """
import numpy as np
from accord.models.protocols import Boxes

class Stub:
    def __init__(self, weights, mode=""):
        self.mode = mode

    def parts(self, pictures, boxes):
        if self.mode:
            return [{self.mode: 0.5} for _ in boxes]
        return [{"Hand": float(box[0]) / 100, "Face": float(p.mean()) / 255} for p, box in zip(pictures, boxes)]

    def label(self, pictures):
        if self.mode == "large":
            return [np.zeros((9, 9), np.uint8) for _ in pictures]
        if self.mode == "odd":
            return [np.full(p.shape[:2], 19, np.uint8) for p in pictures]
        return [np.where(p[:, :, 0] > 100, 1, np.where(p[:, :, 1] > 200, 13, 0)).astype(np.uint8) for p in pictures]

    def restore(self, pictures):
        if self.mode == "flat":
            return [p[:, :, 0] for p in pictures]
        if self.mode == "wide":
            return [np.concatenate([p, p], axis=1) for p in pictures]
        return [np.full_like(p, p.shape[0]) for p in pictures] if self.mode == "size" else list(pictures)

    def distance(self, pictures, others):
        return [float(abs(a.astype(float).mean() - b.mean())) for a, b in zip(pictures, others)]

    def embed(self, pictures):
        return [None if p.mean() < 10 else np.array([1.0, p.mean() > 100]) for p in pictures]

    def detect(self, pictures):
        return [Boxes(np.array([[2.0, 4, 6, 8]]), np.ones(1), ["face"]) for _ in pictures]
"""


@pytest.fixture
def model(tmp_path: Path):
    (tmp_path / "stubs.py").write_text(STUBS)

    def made(task: str, mode: str = "", **entry) -> dict:
        told = {"name": "stub", "task": task, "adapter": f"{tmp_path}/stubs.py:Stub", "weights": {}, "batch": 2}
        return {**told, "options": {"mode": mode}, **entry}

    return made


def grey(level: int, side: int = 32) -> np.ndarray:
    return np.full((side, side, 3), level, np.uint8)


def keys(table: pd.DataFrame) -> list[tuple[str, str]]:
    return list(zip(table["image"], table["subject"], strict=True))


@pytest.fixture
def people(shard):
    shard.picture("b", grey(204))
    shard.picture("a", grey(51))
    shard.person("b", "y", person=(70, 6, 10, 20))
    shard.person("b", "x", person=(20, 0, 4, 8))
    shard.person("a", "x", person=(10, 1, 2, 2))
    shard.person("a", "z")
    return shard.inputs()


def test_parts_belong_to_the_box_and_the_picture_that_were_asked(people, model, tmp_path):
    found, asked = parts.run(**people, model=model("body_parts_detection"), weights=tmp_path)
    assert found[["image", "subject", "part", "score"]].to_numpy().tolist() == [
        ["a", "x", "Face", 0.2],
        ["a", "x", "Hand", 0.1],
        ["b", "x", "Face", 0.8],
        ["b", "x", "Hand", 0.2],
        ["b", "y", "Face", 0.8],
        ["b", "y", "Hand", 0.7],
    ]
    assert keys(asked) == [("a", "x"), ("b", "x"), ("b", "y")]


def test_a_part_that_fhibe_does_not_know_is_refused(people, model, tmp_path):
    with pytest.raises(AccordError, match=r"model stub: returned 0\.5 for the part 'Tail'"):
        parts.run(**people, model=model("body_parts_detection", "Tail"), weights=tmp_path)


@pytest.fixture
def aligned(shard):
    """Three aligned faces: a/x of all colours, b/x grey, b/y almost black."""
    shard.picture("a", np.random.default_rng(3).integers(0, 256, (32, 32, 3), np.uint8), "face_aligned", "x")
    shard.picture("b", grey(50), "face_aligned", "x")
    shard.picture("b", grey(5), "face_aligned", "y")
    shard.picture("b", grey(200))
    inputs = shard.inputs()
    return {"derivatives": inputs["derivatives"], "files": inputs["files"]}


@pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")  # of pycocotools 2.0.11
def test_labels_decode_to_what_the_model_said(aligned, model, tmp_path):
    found, asked = label.run(**aligned, model=model("face_parsing"), weights=tmp_path)
    picture = np.random.default_rng(3).integers(0, 256, (32, 32, 3), np.uint8)
    said = np.where(picture[:, :, 0] > 100, 1, np.where(picture[:, :, 1] > 200, 13, 0))
    assert found[["image", "subject", "label"]].to_numpy().tolist() == [["a", "x", 1], ["a", "x", 13]]
    for row in found.itertuples():
        decoded = coco.decode({"size": [row.height, row.width], "counts": row.counts.encode()})
        np.testing.assert_array_equal(decoded.astype(bool), said == row.label)
    assert keys(asked) == [("a", "x"), ("b", "x"), ("b", "y")]


@pytest.mark.parametrize(("mode", "message"), [("large", r"a map of uint8 \(9, 9\) for a face"), ("odd", "label 19")])
def test_labels_that_can_t_be_right_are_refused(aligned, model, tmp_path, mode, message):
    with pytest.raises(AccordError, match=message):
        label.run(**aligned, model=model("face_parsing", mode), weights=tmp_path)


def measured(found: pd.DataFrame, image: str, subject: str) -> dict:
    some = found[(found["image"] == image) & (found["subject"] == subject)]
    return dict(zip(some["measure"], some["value"], strict=True))


def test_a_face_that_comes_back_as_it_was_is_as_like_as_can_be(aligned, model, tmp_path):
    stub = model("perceptual_distance")
    measures = {"side": 16, "factor": 4, "lpips": stub, "embedder": stub}
    found, asked = restore.run(**aligned, model=model("face_encoding"), weights=tmp_path, **measures)
    assert measured(found, "a", "x") == pytest.approx({"lpips": 0, "psnr": 80, "cosine": 1})
    assert np.isnan(measured(found, "b", "y")["cosine"])
    assert found["note"].loc[found["note"] != ""].tolist() == ["no face was found in the original"]
    assert keys(asked) == [("a", "x"), ("b", "x"), ("b", "y")]


def test_faces_are_reduced_for_super_resolution_alone(aligned, model, tmp_path):
    measures = {"side": 16, "factor": 4, "lpips": model("perceptual_distance"), "embedder": None}
    # The stub answers with the side of what it was given as the grey level of all pixels.
    for task, side in (("face_super_resolution", 8), ("face_encoding", 32)):
        found, _ = restore.run(**aligned, model=model(task, "size"), weights=tmp_path, **measures)
        assert measured(found, "b", "x")["lpips"] == 50 - side


def test_what_can_not_be_had_is_told_and_the_rest_is_measured(aligned, model, tmp_path):
    found, _ = restore.run(**aligned, model=model("face_encoding"), weights=tmp_path, side=16, factor=4)
    told = found[(found["image"] == "b") & (found["subject"] == "x")].set_index("measure")
    assert told["value"].isna().to_dict() == {"lpips": True, "psnr": False, "cosine": True}
    assert told.loc["lpips", "note"].startswith("no model of perceptual distance is available")
    assert told.loc["cosine", "note"].startswith("no model of face embeddings is available")


@pytest.mark.parametrize("mode", ["flat", "wide"])
def test_what_is_no_picture_of_the_face_is_refused(aligned, model, tmp_path, mode):
    with pytest.raises(AccordError, match=r"answers with uint8 \(32, .*\) for a face of \(32, 32\)"):
        restore.run(**aligned, model=model("face_encoding", mode), weights=tmp_path, side=16, factor=4)


def test_no_restored_face_is_written(aligned, model, tmp_path):
    before = sorted(tmp_path.iterdir())
    restore.run(**aligned, model=model("face_encoding"), weights=tmp_path, side=16, factor=4)
    assert sorted(set(tmp_path.iterdir()) - {tmp_path / "__pycache__"}) == before


def test_reducing_takes_the_mean_of_each_block():
    picture = np.random.default_rng(1).integers(0, 256, (12, 8, 3), np.uint8)
    means = picture.reshape(3, 4, 2, 4, 3).mean(axis=(1, 3))
    np.testing.assert_allclose(restore.reduced(picture, 4), means, atol=0.51)


def test_psnr_is_that_of_the_squared_error():
    first = np.random.default_rng(1).integers(0, 250, (20, 20, 3), np.uint8)
    assert likeness.psnr(first, first + 5) == pytest.approx(20 * np.log10(255 / 5), abs=1e-3)
    assert likeness.psnr(first, first) == pytest.approx(80)


def test_cosines_are_never_negative_and_an_unrecognisable_face_has_none():
    assert likeness.cosine(np.array([3.0, 4]), np.array([4.0, 3])) == pytest.approx(24 / 25)
    assert likeness.cosine(np.array([1.0, 0]), np.array([-1.0, 0])) == 0
    assert likeness.cosine(np.array([1.0, 0]), None) == 0


def test_boxes_in_crops_are_told_in_px_of_the_whole_picture(shard, model, tmp_path):
    """The crop shows x 10 to 30 and y 20 to 60 of the picture at half its size."""
    shard.picture("a", grey(50, 100))
    shard.picture("a", np.zeros((20, 10, 3), np.uint8), "face_crop", "x")
    shard.person("a", "x", face=(10, 20, 10, 20))
    shard.person("a", "y", face=(50, 50, 10, 20))
    frame = np.array([0.5, 0, -5, 0, 0.5, -10, 0, 0, 1])
    faces = rows([("a", "x", "face_crop", frame)], Faces)
    told = model("face_localization", reads="crop")
    found, asked = detect.run(**shard.inputs(), faces=faces, model=told, weights=tmp_path)
    assert found[["image", "x0", "y0", "x1", "y1"]].to_numpy().tolist() == [["a", 14, 28, 22, 36]]
    assert keys(asked) == [("a", "x")]


def test_an_embedder_can_read_crops(shard, model, tmp_path):
    shard.picture("a", grey(50), "face_aligned", "x")
    shard.picture("a", grey(200, 20), "face_crop", "x")
    shard.person("a", "x")
    inputs = shard.inputs()
    told = model("face_verification", reads="crop")
    found, _ = embed.run(inputs["derivatives"], [], inputs["files"], model=told, weights=tmp_path)
    np.testing.assert_allclose(found["vector"][0], [0.5**0.5, 0.5**0.5], rtol=1e-6)
