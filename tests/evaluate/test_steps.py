"""The predict steps, with stub models: who is asked, what becomes of answers, what is refused."""

from pathlib import Path

import numpy as np
import pytest
from pycocotools import mask as coco

from accord.consent.tables import Permits
from accord.engine import table
from accord.errors import AccordError
from accord.evaluate import detect, embed, parse, pose

STUBS = """
import numpy as np
from accord.models.protocols import Boxes, Mask, Pose

class Stub:
    def __init__(self, weights, mode=""):
        self.mode, self.sizes = mode, []

    def detect(self, pictures):
        if self.mode == "short":
            return []
        if self.mode == "nan":
            return [Boxes(np.full((1, 4), np.nan), np.ones(1), ["face"]) for _ in pictures]
        # One box per grey level over 100: the size of the batch is written into the score.
        return [
            Boxes(np.array([[0.0, 0, w, h], [1, 2, 3, 4]]), np.array([len(pictures) / 10, 0.9]), ["face"] * 2)
            if p.mean() > 100 else Boxes(np.zeros((0, 4)), np.zeros(0), [])
            for p in pictures for h, w in [p.shape[:2]]
        ]

    def estimate(self, pictures, boxes):
        # The box's corner as nose, and the picture's grey level as the right ankle's score.
        return [
            Pose(np.array([27, 0]), np.array([box[2:], box[:2]]), np.array([p.mean() / 255, 1.0]))
            for p, box in zip(pictures, boxes)
        ]

    def parse(self, pictures):
        if self.mode == "small":
            return [[Mask(np.ones((2, 2), bool), 1.0, "person")] for _ in pictures]
        return [[Mask(p[:, :, 0] > 100, 0.5, "person"), Mask(p[:, :, 1] > 300, 0.7, "person")] for p in pictures]

    def embed(self, pictures):
        return [None if p.mean() < 10 else np.array([3.0, 4 * (p.mean() > 100)]) for p in pictures]
"""


@pytest.fixture
def model(tmp_path: Path):
    (tmp_path / "stubs.py").write_text(STUBS)

    def made(task: str, **options) -> dict:
        entry = {"name": "stub", "task": task, "adapter": f"{tmp_path}/stubs.py:Stub", "weights": {}, "batch": 2}
        return {**entry, "options": options}

    return made


def grey(level: int, height: int = 30, width: int = 40) -> np.ndarray:
    return np.full((height, width, 3), level, np.uint8)


@pytest.fixture
def three(shard):
    """Three pictures: b bright with two people, a dark with one whose face isn't annotated, c without boxes."""
    shard.picture("b", grey(200))
    shard.picture("a", grey(20, 50, 60))
    shard.picture("c", grey(210, 20, 20))
    shard.person("b", "y", face=(1, 2, 3, 4), person=(5.5, 6, 10, 20))
    shard.person("b", "x", face=(1, 2, 3, 4), person=(0, 0, 4, 8))
    shard.person("a", "x", person=(1, 1, 2, 2))
    shard.person("c", "z")
    shard.person("elsewhere", "z", face=(1, 2, 3, 4), person=(1, 2, 3, 4))
    return shard.inputs()


def pairs(asked) -> list[tuple[str, str]]:
    return list(zip(asked["image"], asked["subject"], strict=True))


def test_detections_of_all_pictures_and_the_people_asked_about(three, model, tmp_path):
    found, asked = detect.run(**three, model=model("face_localization"), weights=tmp_path)
    columns = ["image", "x0", "y0", "x1", "y1", "score"]
    # Batches of two: the small c and b are looked at together, a alone. Best first.
    assert found[columns].to_numpy().tolist() == [
        ["b", 1, 2, 3, 4, 0.9],
        ["b", 0, 0, 40, 30, 0.2],
        ["c", 1, 2, 3, 4, 0.9],
        ["c", 0, 0, 20, 20, 0.2],
    ]
    assert pairs(asked) == [("b", "x"), ("b", "y")]
    assert set(asked["task"]) == {"face_localization"}


def test_people_are_asked_about_where_their_box_is_annotated(three, model, tmp_path):
    asked = detect.run(**three, model=model("person_localization"), weights=tmp_path).asked
    assert pairs(asked) == [("a", "x"), ("b", "x"), ("b", "y")]


def test_poses_belong_to_the_box_and_the_picture_that_were_asked(three, model, tmp_path):
    found, asked = pose.run(**three, model=model("keypoint_estimation"), weights=tmp_path)
    assert found[["image", "subject", "keypoint", "x", "y"]].to_numpy().tolist() == [
        ["a", "x", 0, 1, 1],
        ["a", "x", 27, 3, 3],
        ["b", "x", 0, 0, 0],
        ["b", "x", 27, 4, 8],
        ["b", "y", 0, 5.5, 6],
        ["b", "y", 27, 15.5, 26],
    ]
    ankles = found.loc[found["keypoint"] == 27, "score"]
    np.testing.assert_allclose(ankles, np.array([20, 200, 200]) / 255)
    assert pairs(asked) == [("a", "x"), ("b", "x"), ("b", "y")]


@pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")  # of pycocotools 2.0.11
def test_masks_decode_to_what_the_model_said_and_empty_ones_are_left_out(shard, model, tmp_path):
    picture = np.random.default_rng(3).integers(0, 256, (37, 53, 3), np.uint8)
    shard.picture("a", picture)
    shard.picture("b", grey(0))
    shard.person("a", "x", person=(0, 0, 5, 5))
    found, asked = parse.run(**shard.inputs(), model=model("person_parsing"), weights=tmp_path)
    assert found["image"].tolist() == ["a"]
    row = found.iloc[0]
    decoded = coco.decode({"size": [int(row["height"]), int(row["width"])], "counts": row["counts"].encode()})
    np.testing.assert_array_equal(decoded.astype(bool), picture[:, :, 0] > 100)
    assert pairs(asked) == [("a", "x")]


def test_aligned_faces_become_unit_vectors_and_a_refusal_no_row(shard, model, tmp_path):
    shard.picture("a", grey(200), "face_aligned", "x")
    shard.picture("b", grey(50), "face_aligned", "x")
    shard.picture("b", grey(5), "face_aligned", "y")
    shard.picture("b", grey(200))
    shard.person("a", "x")
    inputs = shard.inputs()
    told = model("face_verification")
    found, asked = embed.run(inputs["derivatives"], [], inputs["files"], model=told, weights=tmp_path)
    assert pairs(found) == [("a", "x"), ("b", "x")]
    np.testing.assert_allclose(np.stack(found["vector"]), [[0.6, 0.8], [1, 0]], rtol=1e-6)
    assert pairs(asked) == [("a", "x"), ("b", "x"), ("b", "y")]


def test_only_faces_of_people_who_consent_to_biometrics_are_embedded(shard, model, tmp_path):
    for image, subject in (("a", "x"), ("b", "x"), ("b", "y"), ("c", "z")):
        shard.picture(image, grey(200), "face_aligned", subject)
    inputs, told = shard.inputs(), model("face_verification")
    granted = [("a", "x", "biometric"), ("b", "x", "publish_image"), ("b", "y", "biometric"), ("b", "y", "collect")]
    permits = tmp_path / "permits.parquet"
    table.write(table.rows(granted, Permits), Permits, permits)
    found, asked = embed.run(inputs["derivatives"], [permits], inputs["files"], model=told, weights=tmp_path)
    assert pairs(found) == pairs(asked) == [("a", "x"), ("b", "y")]


def test_a_shard_without_pictures_gives_empty_tables(shard, model, tmp_path):
    inputs = shard.inputs()
    for step, task in [(detect, "face_localization"), (pose, "keypoint_estimation"), (parse, "person_parsing")]:
        found, asked = step.run(**inputs, model=model(task), weights=tmp_path)
        assert len(found) == len(asked) == 0
    told = model("face_verification")
    found, asked = embed.run(inputs["derivatives"], [], inputs["files"], model=told, weights=tmp_path)
    assert len(found) == len(asked) == 0


@pytest.mark.parametrize(
    ("step", "task", "mode", "message"),
    [
        (detect, "face_localization", "short", "model stub: gave 0 answers for 2 pictures"),
        (detect, "face_localization", "nan", "model stub: returned numbers that are not finite"),
        (parse, "person_parsing", "small", r"mask of \(2, 2\) for a picture of \(20, 20\)"),
    ],
)
def test_answers_that_can_t_be_right_are_refused(three, model, tmp_path, step, task, mode, message):
    with pytest.raises(AccordError, match=message):
        step.run(**three, model=model(task, mode=mode), weights=tmp_path)
