"""MediaPipe's networks say what MediaPipe itself says: its answers to upright and lying photographs are kept beside
this file (its package can't be imported where its weights are: it wants another protobuf)."""

import json
from pathlib import Path

import numpy as np
import pytest

from accord.models.adapters.blazepose import NAMES
from accord.models.adapters.declaring.keypoint_names import fhibe_numbers

TOLD = json.loads(Path(__file__).with_suffix("").with_name("mediapipe.json").read_text())["pictures"]


@pytest.fixture(params=TOLD)
def asked(request, photo) -> tuple[np.ndarray, dict]:
    """A picture, and what MediaPipe says of it."""
    person, name, how = request.param.split("/")
    picture = photo(person, name)
    if how == "wide":
        picture = np.pad(picture, ((0, 0), (300, 150), (0, 0)), mode="edge")
    return np.ascontiguousarray(picture), TOLD[request.param]


def test_a_face_s_box_and_score(asked, adapter):
    picture, told = asked
    [found] = adapter("blazeface").detect([picture])
    np.testing.assert_allclose(found.boxes, [told["face"][:4]], atol=0.01)
    np.testing.assert_allclose(found.scores, told["face"][4:], atol=1e-4)


def test_keypoints_and_how_visible_they_are(asked, adapter):
    picture, told = asked
    height, width = picture.shape[:2]
    [pose] = adapter("blazepose").estimate([picture], [np.array([0, 0, width, height], dtype=float)])
    theirs = np.array(told["pose"])[np.argsort(fhibe_numbers(NAMES))]
    assert np.hypot(*(pose.points - theirs[:, :2]).T).max() < 0.25
    np.testing.assert_allclose(pose.scores, theirs[:, 2], atol=2e-3)


@pytest.mark.parametrize(("name", "what"), [("selfie_mask", "selfie"), ("blazepeople_masks", "body")])
def test_masks(asked, adapter, name, what):
    picture, told = asked
    [[mask, *_]] = adapter(name).parse([picture])
    cells = [np.array_split(row, 8, axis=1) for row in np.array_split(mask.mask.astype(float), 8, axis=0)]
    shares = [[cell.mean() for cell in row] for row in cells]
    np.testing.assert_allclose(shares, told[what], atol=2e-3)


def test_a_face_s_mesh(adapter, heads):
    """Of aligned faces. MediaPipe looks once around a box, then around the points; from its third look on, its points
    move by up to 2.8 px of 512 from look to look."""
    told = json.loads(Path(__file__).with_suffix("").with_name("mediapipe.json").read_text())["meshes"]
    for key, theirs in told.items():
        person, number = key.split("/")
        points = adapter("facemesh").mesh(heads[person][int(number)])
        assert np.hypot(*(points[:: len(points) // len(theirs)][: len(theirs)] - theirs).T).max() < 6
