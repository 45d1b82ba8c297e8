"""Masks in CelebAMask-HQ's format."""

import numpy as np

from accord.release.format import parsing
from accord.vocabularies import FACE_PARTS, SEGMENTS

WHOLE = np.array([[0, 0], [16, 0], [16, 16], [0, 16]], float)


def block(x0: float, y0: float, x1: float, y1: float) -> np.ndarray:
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], float)


def names(labels: np.ndarray) -> set[str]:
    return {FACE_PARTS[label] for label in np.unique(labels)}


def test_what_lies_within_is_drawn_after_what_is_around_it():
    segments = [(9, block(4, 4, 8, 8)), (0, block(2, 2, 14, 14)), (6, WHOLE)]
    labels = parsing.labels(segments, 16)
    assert FACE_PARTS[labels[0, 0]] == "hair"
    assert FACE_PARTS[labels[3, 3]] == "skin"
    assert FACE_PARTS[labels[6, 6]] == "l_eye"


def test_left_stays_the_persons_own_left():
    sides = {SEGMENTS[n]: names(parsing.labels([(n, WHOLE)], 16)) for n in (7, 8, 9, 10)}
    assert sides == {
        "7. Left eyebrow": {"l_brow"},
        "8. Right eyebrow": {"r_brow"},
        "9. Left eye": {"l_eye"},
        "10. Right eye": {"r_eye"},
    }


def test_jewelry_is_an_earring_above_the_mouth_and_a_necklace_below():
    assert names(parsing.labels([(27, block(2, 5, 4, 7))], 16)) == {"background", "ear_r"}
    assert names(parsing.labels([(27, block(2, 13, 9, 15))], 16)) == {"background", "neck_l"}


def test_what_is_no_part_of_a_face_is_background():
    for segment in (2, 3, 4, 5, 15, 16, 18, 25, 26):
        assert names(parsing.labels([(segment, WHOLE)], 16)) == {"background"}


def test_every_label_but_ears_can_be_drawn():
    drawn = set().union(*(names(parsing.labels([(n, block(4, y, 8, y + 2))], 16)) for n in range(28) for y in (2, 13)))
    assert drawn == set(FACE_PARTS) - {"l_ear", "r_ear"}


def test_masks_are_those_labels_that_occur_and_all_combined():
    labels = parsing.labels([(0, block(2, 2, 6, 6)), (6, block(8, 8, 12, 12))], 16)
    masks = parsing.masks(labels)
    assert set(masks) == {"background", "skin", "hair", "combined"}
    np.testing.assert_array_equal(masks["combined"], labels)
    np.testing.assert_array_equal(masks["skin"], np.where(labels == FACE_PARTS.index("skin"), 255, 0))


def test_a_pixel_is_filled_whose_centre_lies_inside():
    labels = parsing.labels([(0, block(2, 2, 6, 6)), (6, block(8.2, 9.7, 12.3, 12.3))], 16)
    assert (labels[2:6, 2:6] == 1).all() and (labels == 1).sum() == 16
    assert (labels[10:12, 8:12] == 13).all() and (labels == 13).sum() == 8


def test_polygons_far_outside_do_no_harm():
    far = np.array([[-1e12, -1e12], [1e12, -1e12], [1e12, 1e12], [-1e12, 1e12]])
    assert names(parsing.labels([(0, far)], 16)) == {"skin"}
    assert names(parsing.labels([(0, far[:2])], 16)) == {"background"}
