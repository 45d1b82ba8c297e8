"""Poses, masks and embeddings of people and pictures, by the models that packages ship, on photographs."""

import numpy as np
import pytest

from accord import vocabularies
from accord.models.adapters.blazepose import NAMES, refine

NUMBER = {vocabularies.text(label): number for number, label in enumerate(vocabularies.KEYPOINTS)}


def whole(picture: np.ndarray) -> np.ndarray:
    return np.array([0, 0, picture.shape[1], picture.shape[0]])


def test_blazepose_names_are_fhibe_s():
    assert sorted(NAMES) == sorted(NUMBER)
    assert NAMES[11] == "Left shoulder"  # as in MediaPipe's PoseLandmark
    assert vocabularies.KEYPOINTS[11] == "11. Right shoulder"


def test_a_frontal_person_has_their_right_on_the_left_of_the_picture(photo, adapter):
    picture = photo("P005", "amateur_posture")
    [found] = adapter("blazepose").estimate([picture], [whole(picture)])
    assert found.keypoints.tolist() == list(range(33))
    x = dict(zip(found.keypoints, found.points[:, 0], strict=True))
    y = dict(zip(found.keypoints, found.points[:, 1], strict=True))
    for part in ("eye", "shoulder", "elbow", "wrist", "hip", "knee", "ankle"):
        assert x[NUMBER[f"Right {part}"]] < x[NUMBER[f"Left {part}"]]
    order = ["Right eye", "Mouth right", "Right shoulder", "Right elbow", "Right hip", "Right knee", "Right ankle"]
    heights = [y[NUMBER[part]] for part in order]
    assert heights == sorted(heights)
    assert (found.scores > 0.5).all()


def other_side(text: str) -> str:
    if "eft" in text:
        return text.replace("Left", "Right").replace("left", "right")
    return text.replace("Right", "Left").replace("right", "left")


def test_a_mirrored_person_has_their_sides_swapped(photo, adapter):
    picture = photo("P005", "amateur_posture")
    mirrored = np.ascontiguousarray(picture[:, ::-1])
    plain, turned = adapter("blazepose").estimate([picture, mirrored], [whole(picture)] * 2)
    other = np.array([NUMBER[other_side(text)] for text in NUMBER])
    expected = turned.points[other] * (-1, 1) + (picture.shape[1], 0)
    assert np.abs(plain.points - expected).max() < 0.03 * picture.shape[0]


def test_keypoints_stay_on_the_person_in_a_larger_picture_and_under_a_turn(photo, adapter):
    picture = photo("P005", "amateur_posture")
    wide = np.pad(picture, ((100, 0), (250, 50), (0, 0)), mode="edge")
    lying = np.ascontiguousarray(np.rot90(picture))
    box = np.add(whole(picture), (250, 100, 250, 100))
    plain, moved, turned = adapter("blazepose").estimate([picture, wide, lying], [whole(picture), box, whole(lying)])
    limit = 0.03 * picture.shape[0]
    assert np.abs(moved.points - (250, 100) - plain.points).max() < limit
    # Anticlockwise: what was x from the right edge is now y from the top.
    back = np.stack([picture.shape[1] - turned.points[:, 1], turned.points[:, 0]], axis=1)
    assert np.abs(back - plain.points).max() < limit


def test_where_nobody_is_no_keypoint_is_predicted(adapter):
    empty = np.full((300, 300, 3), 128, np.uint8)
    boxes = [whole(empty), np.array([500.0, 500, 600, 600]), np.array([10.0, 10, 10, 10])]
    for found in adapter("blazepose").estimate([empty] * 3, boxes):
        assert len(found.keypoints) == len(found.points) == len(found.scores) == 0


def test_refinement_takes_the_centre_of_mass_where_the_heatmap_is_sure():
    heatmaps = np.zeros((64, 64, 3))
    heatmaps[20, 30, 0], heatmaps[22, 30, 0] = 0.9, 0.9
    heatmaps[20, 30, 1] = 0.4
    points = np.array([[30.5 / 64, 20.5 / 64], [30.5 / 64, 20.5 / 64], [1.2, 0.1]])
    expected = [[30 / 64, 21 / 64], points[1], points[2]]
    np.testing.assert_allclose(refine(points, heatmaps), expected)


@pytest.mark.parametrize("name", ["selfie_mask", "blazepeople_masks"])
def test_a_person_mask_covers_the_person_and_not_the_wall(name, photo, adapter, faces):
    picture = photo("P001", "studio_portrait")
    [[found]] = adapter(name).parse([picture])
    assert found.mask.shape == picture.shape[:2]
    x0, y0, x1, y1 = faces["P001", "studio_portrait"]
    quarter = (x1 - x0) // 4
    assert found.mask[y0:y1, x0 + quarter : x1 - quarter].all()
    assert found.mask[:300, :60].mean() < 0.02
    assert found.mask[:300, -60:].mean() < 0.02
    assert 0.5 < found.score <= 1


def test_two_people_are_two_boxes_and_two_masks(photo, adapter):
    pair = np.hstack([photo("P005", "studio_posture"), photo("P001", "studio_posture")])
    edge = photo("P005", "studio_posture").shape[1]
    [found] = adapter("blazepeople_boxes").detect([pair])
    [masks] = adapter("blazepeople_masks").parse([pair])
    assert len(found.boxes) == len(masks) == 2
    left, right = found.boxes[np.argsort(found.boxes[:, 0])]
    assert left[2] <= edge + 5
    assert right[0] >= edge - 5
    for x0, y0, x1, y1 in (left, right):
        assert 1.5 < (y1 - y0) / (x1 - x0) < 5
        assert y1 - y0 > 0.75 * pair.shape[0]


def test_photographs_of_one_kind_lie_closer_than_of_two_kinds(photo, adapter):
    kinds = [("P001", "studio_posture"), ("P005", "studio_posture"), ("P001", "amateur_posture")]
    vectors = np.array(adapter("efficientnet").embed([photo(*key) for key in kinds]))
    assert vectors.shape == (3, 1280)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2] + 0.1


def test_the_batch_does_not_change_an_embedding(photo, adapter):
    pictures = [photo("P001", "studio_posture"), photo("P005", "amateur_selfie")]
    together = adapter("efficientnet").embed(pictures)
    alone = [adapter("efficientnet").embed([picture])[0] for picture in pictures]
    np.testing.assert_allclose(together, alone, atol=1e-4)
