"""Units of annotation files, against boxes computed by hand; and what can't lie in the picture that it was drawn on."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.intake.reading import geometry
from accord.intake.reading.annotations import AnnotationError, parse

SIDES = (800, 400)
FACE, BODY = [200, 100, 80, 40], [160, 80, 320, 300]
SQUARE = [[100, 100], [140, 100], [140, 140], [100, 140]]


def annotation(*, face=None, body=None, keypoints=None, segments=(), regions=(), **more):
    drawn = [{"class_name": "0. Face skin", "num": n, "polygon": polygon} for n, polygon in enumerate(segments, 1)]
    person = {"subject": "s", "face_bbox": face, "person_bbox": body, "keypoints": keypoints or {}, "segments": drawn}
    hidden = [{"region": f"r{n}", "kind": "bystander", "polygon": polygon} for n, polygon in enumerate(regions)]
    document = {"image": "a", "people": [person], "regions": hidden, **more}
    return parse(json.dumps(document).encode(), "a")


def faults(**drawn):
    return geometry.faults(geometry.in_pixels(annotation(**drawn), *SIDES), *SIDES)


@pytest.mark.parametrize(
    ("face", "written"),
    [
        ([0.25, 0.25, 0.1, 0.1], {"units": "shares"}),
        ([25, 25, 10, 10], {"units": "percent"}),
        ([200, 100, 280, 140], {"boxes": "xyxy"}),
        ([0.25, 0.25, 0.35, 0.35], {"units": "shares", "boxes": "xyxy"}),
        ([200, 100, 80, 40], {"units": "px", "boxes": "xywh"}),
        ([200, 100, 80, 40], {}),
    ],
)
def test_declared_units_are_converted(face, written):
    placed = geometry.in_pixels(annotation(face=face, **written), *SIDES)
    assert placed.people[0].face == pytest.approx(FACE)
    assert all(map(math.isnan, placed.people[0].body))
    assert geometry.faults(placed, *SIDES) == []


def test_everything_in_a_file_has_the_unit_it_declares():
    shares = {"keypoints": {"0. Nose": [0.5, 0.5, 1]}, "segments": [[[0.1, 0.1], [0.2, 0.1], [0.2, 0.2]]],
              "regions": [[[0.5, 0.5], [0.6, 0.5], [0.6, 0.6]]]}  # fmt: skip
    placed = geometry.in_pixels(annotation(units="shares", **shares), *SIDES)
    assert placed.people[0].keypoints == [(0, 400, 200, True)]
    assert placed.people[0].segments[0][2] == pytest.approx([80, 40, 160, 40, 160, 80])
    assert placed.regions[0].polygon == pytest.approx([400, 200, 480, 200, 480, 240])


@pytest.mark.parametrize(("key", "value"), [("units", "pixels"), ("units", None), ("boxes", "cxcywh"), ("boxes", 3)])
def test_a_unit_that_nobody_knows_is_an_error(key, value):
    with pytest.raises(AnnotationError, match=f"`{key}` is none of"):
        annotation(**{key: value})


@pytest.mark.parametrize(
    ("drawn", "reason"),
    [
        ({"face": [0.3, 0.1, 0.2, 0.2]}, f"a face_bbox has all its points within one pixel: {geometry.FIX}"),
        ({"body": [0.0, 0.0, 1.0, 1.003]}, f"a person_bbox has all its points within one pixel: {geometry.FIX}"),
        ({"face": [200, 100, 0.5, 0.5]}, "a face_bbox has all its points within one pixel"),
        ({"keypoints": {"0. Nose": [0.5, 0.4, 1], "1. Right eye inner": [0.4, 0.3, 1]}},
         f"keypoints of a person have all their points within one pixel: {geometry.FIX}"),
        ({"segments": [[[0.1, 0.1], [0.2, 0.1], [0.2, 0.2]]]},
         f"segments of a person have all their points within one pixel: {geometry.FIX}"),
        ({"body": [900, 10, 50, 50]}, "a person_bbox lies off the image: coordinates are px of the upright image"),
        ({"face": [-90, 10, 50, 50]}, "a face_bbox lies off the image: coordinates are px of the upright image"),
        ({"face": [200, 100, 80, 40], "boxes": "xyxy"}, "a face_bbox ends before it starts"),
        ({"regions": [[[10, 10], [12, 10], [11, 12]]]},
         "region 1 of 1 is at most 2 px wide and high: draw the outline of what must be hidden"),
        ({"regions": [[SQUARE[n] for n in (0, 1, 3, 2)]]},
         "region 1 of 1 has an outline that crosses itself: list its corners in their order"),
    ],
)  # fmt: skip
def test_what_can_be_nothing_in_the_picture_is_a_fault(drawn, reason):
    assert faults(**drawn) == [reason]


def test_boxes_over_the_edge_hidden_keypoints_and_single_ones_are_for_the_checks_of_a_run():
    away = {"0. Nose": [5, 3, 1], "1. Right eye inner": [0.2, 0.1, 0]}
    assert faults(face=[-30, 100, 80, 40], body=[700, 300, 200, 200], keypoints=away) == []


def test_an_outline_around_a_hole_or_with_small_loops_is_sound():
    outer, inner = [[100, 100], [300, 100], [300, 300], [100, 300]], [[150, 150], [150, 250], [250, 250], [250, 150]]
    looped = [[100, 100], [200, 100], [204, 96], [204, 104], [200, 100], [300, 100], [300, 300], [100, 300]]
    for outline in ([*outer, outer[0], *inner, inner[0], outer[0]], looped):
        assert faults(regions=[outline]) == []
        assert geometry.remarks(annotation(regions=[outline])) == []


@given(x=st.floats(0, 300), y=st.floats(0, 300), side=st.floats(3, 100), turns=st.integers(2, 5))
def test_an_outline_drawn_several_times_is_remarked_wherever_it_lies(x, y, side, turns):
    square = [[x, y], [x + side, y], [x + side, y + side], [x, y + side]]
    assert geometry.remarks(annotation(regions=[square])) == []
    assert geometry.remarks(annotation(regions=[square * turns])) == [
        "region 1 of 1 has an outline that is drawn twice"
    ]
