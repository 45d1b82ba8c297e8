"""Faces cut out of small videos, which the tests write of a photograph's face."""

import hashlib
from pathlib import Path

import cv2
import numpy as np
import pytest
import yaml

from accord.engine.parameter_types import Former
from accord.engine.table import rows
from accord.evaluate import video_faces
from accord.imaging import bundle, decode, face_crops
from accord.imaging.face_crops import Face
from accord.models.protocols import Boxes
from accord.release.video_tables import Videos
from video_cases import entry, write_annotations, write_video

ROOT = Path(__file__).parents[2]
YUNET = yaml.safe_load((ROOT / "config/models.yaml").read_text())["yunet"]
DETECTOR = {"name": "yunet", "task": YUNET["task"], "adapter": "opencv:YuNet", "batch": 8, "options": {}}
EMPTY = np.full((120, 160, 3), 90, np.uint8)


@pytest.fixture(scope="module")
def face():
    """A photograph of a face, (160, 160, 3)."""
    whole = decode.decode((ROOT / "tests/data/photographs/astronaut.jpg").read_bytes())
    return cv2.resize(
        whole[0:360, 50:410] if whole.shape[0] >= 360 else whole, (160, 160), interpolation=cv2.INTER_AREA
    )


def cut(root, tmp_path, given, **how):
    """(crops, Frames) of an archive with these videos: name -> subject."""
    told = [(name, subject, 9, "bright", not name.endswith("rest.mp4")) for name, subject in given.items()]
    write_annotations(root, {"0001": entry(given)})
    crops = tmp_path / "crops.tar"
    detector = DETECTOR | {"weights": YUNET["weights"]}
    made = video_faces.run(
        rows(told, Videos),
        archive=root,
        detector=detector,
        weights=tmp_path,
        crops=crops,
        former=Former(),
        **{"times": 4, **how},
    )
    return crops, made.frames.rows


def test_each_frame_is_a_row_with_its_face_or_without(face, tmp_path):
    write_video(
        tmp_path / "CC/a.mp4",
        [np.pad(face, ((0, 0), (40, 40), (0, 0)))] * 10 + [np.zeros((160, 240, 3), np.uint8)] * 10,
    )
    crops, found = cut(tmp_path / "CC", tmp_path, {"a.mp4": "0001"})
    assert found["index"].tolist() == [0, 1, 2, 3] and found["seconds"].tolist() == pytest.approx(
        [0.25, 0.75, 1.25, 1.75]
    )
    assert found["found"].tolist() == [True, True, False, False]
    assert found["note"].tolist() == ["", "", *["no face was found"] * 2]
    assert (
        found.loc[2:, ["x", "score", "side", "offset"]].isna().all(axis=None) and (found.loc[2:, "member"] == "").all()
    )
    for row in found[:2].itertuples():
        picture = decode.decode(bundle.read(crops, row))
        assert picture.shape == (row.side, row.side, 3) and row.side == round(1.3 * max(row.width, row.height))
        # the middle of the crop is the middle of the face in the frame
        x, y = row.x + row.width / 2 - 40, row.y + row.height / 2
        wanted = cv2.getRectSubPix(face, (9, 9), (x - 0.5, y - 0.5))
        there = picture[row.side // 2 - 4 : row.side // 2 + 5, row.side // 2 - 4 : row.side // 2 + 5]
        assert np.abs(there.astype(int) - wanted).mean() < 15


def test_a_turned_video_and_a_variable_rate_give_the_same_face(face, tmp_path):
    lying = np.rot90(face, -1)
    write_video(tmp_path / "CC/a.mp4", [lying, np.zeros_like(lying), lying, lying], [0, 1, 2, 19], turned=90)
    _, found = cut(tmp_path / "CC", tmp_path, {"a.mp4": "0001"})
    assert found["found"].tolist() == [True] * 4  # the black frame is shown from 0.1 to 0.2 s alone
    write_video(tmp_path / "CC/b.mp4", [face] * 4)
    _, upright = cut(tmp_path / "CC", tmp_path, {"b.mp4": "0001"})
    sides = ["x", "y", "width", "height"]
    assert found.loc[0, sides].to_numpy(float) == pytest.approx(upright.loc[0, sides].to_numpy(float), abs=4)


def test_a_video_that_can_t_be_read_is_one_row_and_leaves_no_crop(face, tmp_path):
    whole = write_video(tmp_path / "CC/b.mp4", [face] * 60)
    (tmp_path / "CC/a.mp4").write_bytes(whole.read_bytes()[: int(0.6 * whole.stat().st_size)])
    (tmp_path / "CC/c.mp4").write_bytes(b"#EXTM3U\n/etc/passwd\n")
    crops, found = cut(tmp_path / "CC", tmp_path, dict.fromkeys(("a.mp4", "b.mp4", "c.mp4", "gone.mp4"), "0001"))
    bad = found[found["image"] != "b.mp4"].set_index("image")
    assert list(bad.index) == ["a.mp4", "c.mp4", "gone.mp4"] and not bad["found"].any() and (bad["index"] == 0).all()
    assert "truncated" in bad.loc["a.mp4", "note"] and "can't be decoded" in bad.loc["c.mp4", "note"]
    assert bad.loc["gone.mp4", "note"] == "is missing, or outside the archive"
    assert (found["image"] == "b.mp4").sum() == 4
    for row in found[found["found"]].itertuples():
        assert hashlib.sha256(bundle.read(crops, row)).hexdigest() == row.sha256
    assert "/etc" not in " ".join(found["note"]) and "CC" not in " ".join(found["note"])


def test_only_the_mini_set_is_cut_unless_all_are_wanted(face, tmp_path):
    for name in ("a.mp4", "rest.mp4"):
        write_video(tmp_path / "CC" / name, [face] * 2)
    given = {"a.mp4": "0001", "rest.mp4": "0001"}
    assert set(cut(tmp_path / "CC", tmp_path, given)[1]["image"]) == {"a.mp4"}
    assert set(cut(tmp_path / "CC", tmp_path, given, mini=False)[1]["image"]) == set(given)


def test_no_videos_give_empty_tables_and_the_same_bytes_come_twice(face, tmp_path):
    crops, found = cut(tmp_path / "CC", tmp_path, {})
    assert len(found) == 0 and crops.exists()
    write_video(tmp_path / "CC/a.mp4", [face] * 2)
    made = [cut(tmp_path / "CC", tmp_path, {"a.mp4": "0001"})[0].read_bytes() for _ in range(2)]
    assert made[0] == made[1]


class Finds:
    """A detector that finds what it is told to."""

    def __init__(self, boxes, scores):
        self.found = Boxes(np.array(boxes, float).reshape(-1, 4), np.array(scores), ["face"] * len(boxes))

    def detect(self, pictures):
        return [self.found for _ in pictures]


@pytest.mark.parametrize(("boxes", "scores", "wanted"), [
    ([[0, 0, 5, 5], [10, 10, 20, 21]], [0.9, 0.6], Face(10, 10, 10, 11, 0.6)),
    ([[0, 0, 5, 5], [10, 0, 15, 5]], [0.6, 0.9], Face(10, 0, 5, 5, 0.9)),
    ([[0, 0, 0, 5], [5, 5, 2, 2], [np.nan, 0, 5, 5]], [0.6, 0.9, 0.9], None),
    ([], [], None),
])  # fmt: skip
def test_the_largest_face_is_taken(boxes, scores, wanted):
    assert face_crops.largest(Finds(boxes, scores), EMPTY) == wanted


@pytest.mark.parametrize("side", [256, 64, 16])
def test_a_crop_is_square_and_its_middle_the_face_s(side):
    # red rises with x, green with y: a pixel tells where it was
    pixels = np.zeros((200, 300, 3), np.uint8)
    pixels[..., 0], pixels[..., 1] = np.arange(300) * 255 / 300, np.arange(200)[:, None]
    found = face_crops.crop(pixels, Face(100, 50, 60, 80, 1), 1.5, side)
    made = min(side, 120)
    assert found.pixels.shape == (made, made, 3) and found.scale == made / 120
    middle = found.pixels[made // 2 - 1 : made // 2 + 1, made // 2 - 1 : made // 2 + 1].mean((0, 1))
    assert middle[:2] == pytest.approx([130 * 255 / 300, 90], abs=1.5)
    corner = found.pixels[0, 0, :2].astype(int)
    assert corner == pytest.approx([70 * 255 / 300, 30], abs=0.8 * 120 / made + 1.5)


def test_a_face_at_the_border_is_filled_up_with_the_border():
    pixels = np.full((50, 50, 3), 30, np.uint8)
    pixels[:, :25] = 200
    found = face_crops.crop(pixels, Face(-5, 10, 20, 20, 1), 2, 256)
    assert found.pixels.shape == (40, 40, 3) and (found.pixels[:, :15] == 200).all()


def test_of_whoever_is_taken_out_no_crop_and_no_row_is_left(face, tmp_path):
    for name, shade in (("a.mp4", face), ("b.mp4", face[:, ::-1])):
        write_video(tmp_path / "CC" / name, [shade] * 2)
    crops, whole = cut(tmp_path / "CC", tmp_path, {"a.mp4": "0001", "b.mp4": "0002"})
    gone = [bundle.read(crops, row) for row in whole[(whole["subject"] == "0002") & whole["found"]].itertuples()]
    assert gone
    (tmp_path / "CC/b.mp4").unlink()
    crops, rest = cut(tmp_path / "CC", tmp_path, {"a.mp4": "0001"})
    assert set(rest["subject"]) == {"0001"} and not any(data in crops.read_bytes() for data in gone)
