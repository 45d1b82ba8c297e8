"""What annotators drew: boxes, faces and keypoints, against hand-made cases and OpenCV's point-in-polygon test."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.checks.looking.annotations import run
from accord.checks.personal import overlaps
from accord.engine import table
from accord.imaging.masks import rasterise
from accord.imaging.polygons import distance_to_union
from accord.intake.tables import Keypoints, People, Regions, Segments

LIMITS = {"max_box_overhang": 0.01, "max_face_outside": 0.25, "max_keypoint_distance": 0.05}
SQUARE = [100.0, 100.0, 400.0, 100.0, 400.0, 400.0, 100.0, 400.0]
PERSON, FACE = (100.0, 100.0, 300.0, 300.0), (200.0, 110.0, 80.0, 100.0)


def person(person=PERSON, face=FACE, subject="s1", image="a"):
    face, person = face or (None,) * 4, person or (None,) * 4
    return (image, subject, subject == "s1", 30, *face, *person, "x")


def keypoint(x, y, number=0, visible=True, subject="s1"):
    return "a", subject, number, float(x), float(y), visible, "x"


def segment(polygon, number=20, subject="s1"):
    return "a", subject, number, 1, polygon, "x"


@pytest.fixture
def found(images):
    """check -> finding of one image of 600 x 500 px."""

    def look(people=(), keypoints=(), segments=(), regions=(), **image):
        tables = table.rows(people, People), table.rows(keypoints, Keypoints), table.rows(segments, Segments)
        drawn = table.rows(regions, Regions)
        look.judged = run(images({"image": "a", "width": 600, "height": 500, **image}), *tables, drawn, **LIMITS)
        return {row.check: row for row in look.judged.findings.itertuples()}

    return look


def test_good_annotations_pass(found):
    rows = found([person()], [keypoint(240, 150), keypoint(390, 390, 11)], [segment(SQUARE)])
    assert {check: row.verdict for check, row in rows.items()} == {
        "boxes_in_image": "pass", "face_in_person": "pass", "keypoints_in_mask": "pass", "region_overlap": "pass",
        "points_in_boxes": "pass", "coordinate_units": "pass", "people_located": "pass",
    }  # fmt: skip


def test_an_image_without_annotations_is_told_of(found):
    assert {check for check, row in found().items() if row.verdict != "info"} == {"region_overlap", "coordinate_units"}


BODY = [segment([250, 30, 350, 30, 350, 480, 250, 480]), segment([270, 40, 330, 40, 330, 120, 270, 120], 0)]
NOSE, KNEE = keypoint(300, 80), keypoint(310, 400, 25)
TALL, HEAD = (250.0, 30.0, 100.0, 450.0), (270.0, 40.0, 60.0, 80.0)


def scaled(box, *factors):
    return tuple(number * factor for number, factor in zip(box, factors, strict=True))


def swapped(box):
    return box[0], box[1], box[3], box[2]


@pytest.mark.parametrize(
    ("body", "face"),
    [
        (scaled(TALL, *[100 / 600, 100 / 500] * 2), scaled(HEAD, *[100 / 600, 100 / 500] * 2)),  # percent
        (scaled(TALL, *[0.5] * 4), scaled(HEAD, *[0.5] * 4)),  # of a copy of half the size
        (scaled(TALL, *[2.0] * 4), scaled(HEAD, *[2.0] * 4)),
        (swapped(TALL), HEAD),
        ((TALL[1], TALL[0], TALL[3], TALL[2]), (HEAD[1], HEAD[0], HEAD[3], HEAD[2])),  # y, x, height, width
        (TALL, (270.0, 220.0, 60.0, 80.0)),  # the face's box somewhere else on the body
        ((500 - 30 - 450, 250.0, 450.0, 100.0), (500 - 40 - 80, 270.0, 80.0, 60.0)),  # of the picture as stored
    ],
)
@pytest.mark.parametrize("segments", [BODY, []])
def test_boxes_of_another_unit_size_or_side_are_not_around_what_is_drawn_of_the_person(found, body, face, segments):
    assert found([person(TALL, HEAD)], [NOSE, KNEE], segments)["points_in_boxes"].verdict == "pass"
    row = found([person(body, face)], [NOSE, KNEE], segments)["points_in_boxes"]
    assert row.verdict == "fail" and row.score > 0.25


def test_the_distance_from_a_box_is_a_share_of_its_diagonal(found):
    row = found([person((100.0, 100.0, 300.0, 400.0), None)], [keypoint(460, 300)])["points_in_boxes"]
    assert row.score == pytest.approx(60 / 500) and row.verdict == "pass"


@pytest.mark.parametrize(
    ("drawn", "verdict"),
    [
        ({"people": [person(None, None)]}, "review"),
        ({"people": [person(), person(None, None, "s2")]}, "review"),
        ({"people": [person(None, None)], "keypoints": [keypoint(5, 5, visible=False)]}, "review"),
        ({"people": [person(None)]}, "pass"),
        ({"people": [person(face=None)]}, "pass"),
        ({"people": [person(None, None)], "segments": [segment(SQUARE)]}, "pass"),
        ({"people": [person(None, None)], "keypoints": [keypoint(5, 5)]}, "pass"),
    ],
)
def test_a_person_who_is_nowhere_waits_for_a_review(found, drawn, verdict):
    row = found(**drawn)["people_located"]
    assert row.verdict == verdict
    people = len(drawn["people"])
    assert verdict == "pass" or f"nothing shows where 1 of {people} people are" in row.reason


def test_hidden_keypoints_and_ears_may_lie_outside(found):
    ear, hidden = keypoint(400, 80, 7), keypoint(5, 5, 20, visible=False)
    assert found([person((250.0, 30.0, 150.0, 450.0), HEAD)], [ear, hidden])["points_in_boxes"].verdict == "pass"


PERCENT = "all {} lie within 100 px of the left upper corner of 600 x 500 px: are they percent?"


@pytest.mark.parametrize(
    ("drawn", "kinds"),
    [
        ({"people": [person((10.0, 20.0, 60.0, 75.0), (30.0, 30.0, 12.0, 20.0))]}, "boxes"),
        ({"people": [person(TALL)], "keypoints": [keypoint(50, 16), keypoint(51, 80, 25)]}, "keypoints"),
        ({"segments": [segment([42, 6, 58, 6, 58, 96, 42, 96])]}, "segments"),
    ],
)
def test_what_looks_like_percent_waits_for_a_review(found, drawn, kinds):
    row = found(**drawn)["coordinate_units"]
    assert (row.verdict, row.reason) == ("review", PERCENT.format(kinds))
    assert found(**drawn, width=390)["coordinate_units"].verdict == "pass"  # a small picture: it may well be so


@pytest.mark.parametrize(
    ("box", "score"),
    [
        ((-6.0, 0.0, 100.0, 100.0), 6 / 600),
        ((-7.0, 0.0, 100.0, 100.0), 7 / 600),
        ((510.0, 0.0, 240.0, 100.0), 150 / 600),
        ((0.0, 450.0, 10.0, 80.0), 30 / 600),
        ((0.0, 0.0, 600.0, 500.0), 0),
    ],
)
def test_boxes_may_hang_over_a_hundredth_of_the_longer_side(found, box, score):
    row = found([person(box, None)])["boxes_in_image"]
    assert row.score == pytest.approx(score)
    assert row.verdict == ("pass" if score <= 0.01 else "fail")


def test_the_sides_are_those_of_the_upright_picture(found):
    tall = person((0.0, 0.0, 500.0, 600.0), None)
    assert found([tall], orientation=6)["boxes_in_image"].verdict == "pass"
    assert found([tall], orientation=3)["boxes_in_image"].verdict == "fail"


@pytest.mark.parametrize("box", [(5.0, 5.0, 0.0, 10.0), (5.0, 5.0, -3.0, 10.0), (5.0, 5.0, np.inf, 10.0)])
def test_a_box_without_area_fails(found, box):
    row = found([person(box, None)])["boxes_in_image"]
    assert (row.verdict, row.reason) == ("fail", "a box is empty or not finite")


def test_the_worst_of_two_people_counts(found):
    rows = found([person(), person((0.0, 0.0, 700.0, 50.0), None, "s2")])
    assert rows["boxes_in_image"].score == pytest.approx(100 / 600)


@pytest.mark.parametrize(
    ("face", "outside"),
    [((80.0, 150.0, 80.0, 50.0), 0.25), ((60.0, 150.0, 80.0, 50.0), 0.5), ((0.0, 0.0, 50.0, 50.0), 1.0), (FACE, 0.0)],
)
def test_the_share_of_a_face_outside_its_person(found, face, outside):
    row = found([person(PERSON, face)])["face_in_person"]
    assert row.score == pytest.approx(outside)
    assert row.verdict == ("pass" if outside <= 0.25 else "fail")


def test_one_keypoint_far_off_among_many_is_found(found):
    good = [keypoint(150 + 5 * n, 200, n) for n in range(32)]
    row = found([person()], [*good, keypoint(500, 200, 32)], [segment(SQUARE)])["keypoints_in_mask"]
    assert row.verdict == "fail"
    assert row.score == pytest.approx(100 / np.hypot(300, 300))


@pytest.mark.parametrize("point", [keypoint(402, 250), keypoint(98, 98), keypoint(590, 20, visible=False)])
def test_an_unsteady_hand_and_hidden_keypoints_pass(found, point):
    assert found([person()], [keypoint(200, 200, 1), point], [segment(SQUARE)])["keypoints_in_mask"].verdict == "pass"


def test_a_gap_between_polygons_passes(found):
    left = [100.0, 100.0, 240.0, 100.0, 240.0, 400.0, 100.0, 400.0]
    right = [260.0, 100.0, 400.0, 100.0, 400.0, 400.0, 260.0, 400.0]
    rows = found([person()], [keypoint(250, 250)], [segment(left, 20), segment(right, 21)])
    assert (rows["keypoints_in_mask"].verdict, rows["keypoints_in_mask"].score) == (
        "pass",
        pytest.approx(10 / 424.264, 1e-4),
    )


def test_a_keypoint_on_somebody_else_fails(found):
    other = [450.0, 100.0, 590.0, 100.0, 590.0, 400.0, 450.0, 400.0]
    segments = [segment(SQUARE), segment(other, subject="s2")]
    people = [person(), person((450.0, 100.0, 140.0, 300.0), None, "s2")]
    row = found(people, [keypoint(520, 250)], segments)["keypoints_in_mask"]
    assert row.verdict == "fail"


@pytest.mark.parametrize("place", [np.inf, -np.inf])
def test_a_keypoint_without_a_place_fails(found, place):
    row = found([person()], [keypoint(place, 1)], [segment(SQUARE)])["keypoints_in_mask"]
    assert (row.verdict, row.reason) == ("fail", "a keypoint or segment has coordinates that are not finite")


points = st.tuples(st.integers(0, 60), st.integers(0, 60))


@settings(max_examples=150, deadline=None)
@given(polygon=st.lists(points, min_size=3, max_size=8, unique=True), asked=st.lists(points, min_size=1, max_size=5))
def test_distances_are_those_of_opencv(polygon, asked):
    # OpenCV fills by the even-odd rule, which is the same where nothing crosses: around a convex outline.
    shape = cv2.convexHull(np.array(polygon, np.int32))[:, 0].astype(float)
    asked = np.array(asked, float) + 0.25
    signed = [cv2.pointPolygonTest(shape.astype(np.float32), tuple(map(float, point)), True) for point in asked]
    reference = [max(0.0, -distance) for distance in signed]
    assert distance_to_union(asked, [shape]) == pytest.approx(reference, abs=1e-4)


def test_what_is_wound_twice_is_inside():
    pentagram = np.array([[50 + 50 * np.sin(turn), 50 - 50 * np.cos(turn)] for turn in np.arange(5) * 0.8 * np.pi])
    twice = np.array([[0, 0], [9, 0], [9, 9], [0, 9]] * 2, float)
    assert distance_to_union(np.array([[50.0, 50.0]]), [pentagram]) == [0]
    assert distance_to_union(np.array([[4.5, 4.5], [12, 4.5]]), [twice]) == pytest.approx([0, 3])


def test_the_nearest_of_several_polygons_counts():
    low, high = np.array([[0, 0], [1, 0], [1, 1]], float), np.array([[9, 9], [10, 9], [10, 10]], float)
    asked = np.array([[0.9, 0.5], [12, 10], [1, 3]], float)
    assert distance_to_union(asked, [low, high]) == pytest.approx([0, 2, 2])
    assert np.isinf(distance_to_union(asked, [])).all()


def test_lines_and_single_points_have_distances_too():
    assert distance_to_union(np.array([[3.0, 4.0]]), [np.zeros((1, 2))]) == pytest.approx([5])
    assert distance_to_union(np.array([[1.0, 2.0]]), [np.array([[0.0, 0.0], [4.0, 0.0]])]) == pytest.approx([2])


def region(polygon, kind="bystander", name="r1"):
    return "a", name, kind, [float(at) for at in polygon], "x"


def box(left, top, right, bottom):
    return [left, top, right, top, right, bottom, left, bottom]


TWICE = box(300, 100, 500, 400) * 2


@pytest.mark.parametrize(
    ("polygon", "share"), [(box(300, 100, 500, 400), 0.5), (box(150, 150, 250, 250), 1.0), (TWICE, 0.5)]
)
def test_segments_over_a_region_are_for_people_to_judge(found, polygon, share):
    row = found(segments=[segment(SQUARE)], regions=[region(polygon)])["region_overlap"]
    assert (row.verdict, row.score) == ("review", pytest.approx(share, abs=0.01))
    assert row.reason == f"subjects overlap 1 region(s), covering up to {row.score:.0%} of one"
    proposed = found.judged.proposals
    assert proposed[["region", "kind", "detector", "covered"]].values.tolist() == [
        ["r1", "bystander", "region_overlap", 0.0]
    ]
    assert list(proposed["polygon"][0]) == polygon


def test_the_face_of_somebody_without_segments_over_a_region_is_too(found):
    """A quarter of the region lies in the box of the face; none of another one, which only touches it."""
    row = found([person()], regions=[region(box(240, 160, 320, 260))])["region_overlap"]
    assert (row.verdict, row.score) == ("review", pytest.approx(0.25, abs=0.02))
    assert found([person()], regions=[region(box(279, 100, 320, 260))])["region_overlap"].verdict == "pass"
    unmeasured = person(face=(float("inf"), 0.0, 10.0, 10.0))
    assert found([unmeasured], regions=[region(box(240, 160, 320, 260))])["region_overlap"].verdict == "pass"


@pytest.mark.parametrize(
    ("polygon", "kind"),
    [
        (box(401, 100, 500, 400), "bystander"),
        (box(399, 100, 500, 400), "bystander"),
        (box(300, 100, 500, 400), "logo"),
    ],
)
def test_outlines_along_each_other_and_logos_on_clothes_are_not(found, polygon, kind):
    assert found(segments=[segment(SQUARE)], regions=[region(polygon, kind)])["region_overlap"].verdict == "pass"
    assert len(found.judged.proposals) == 0


def test_large_regions_are_looked_at_smaller(found, monkeypatch):
    polygon = box(300, 100, 500, 400)
    whole = found(segments=[segment(SQUARE)], regions=[region(polygon)])["region_overlap"]
    monkeypatch.setattr(overlaps, "LARGEST", 100)
    small = found(segments=[segment(SQUARE)], regions=[region(polygon)])["region_overlap"]
    assert (small.verdict, small.score) == ("review", pytest.approx(whole.score, abs=0.02))
    touching = found(segments=[segment(SQUARE)], regions=[region(box(399, 100, 500, 400))])["region_overlap"]
    assert touching.verdict == "pass"


def test_a_region_over_the_edge_or_off_the_picture_is_judged_by_what_is_in_it(found):
    over = found(segments=[segment(SQUARE)], regions=[region(box(-300, -300, 250, 250))])["region_overlap"]
    assert over.verdict == "review" and over.score == pytest.approx(150 * 150 / 250**2, abs=0.01)
    off = found(segments=[segment(SQUARE)], regions=[region(box(900, 900, 950, 950))])["region_overlap"]
    assert off.verdict == "pass"


def test_thin_stripes_over_a_region_are_for_people_too(found):
    stripes = [("a", "s1", 20, n + 1, box(300, 100 + 4 * n, 400, 102 + 4 * n), "x") for n in range(25)]
    row = found(segments=stripes, regions=[region(box(300, 100, 400, 200))])["region_overlap"]
    assert row.verdict == "review" and 0.7 < row.score < 0.8


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 60), st.integers(0, 60), st.integers(1, 60), st.integers(1, 60))
def test_how_deep_bodies_lie_over_a_region_is_measured_anywhere(left, top, width, height):
    """Against the whole masks, uncut: the depth is that of the place farthest inside both."""
    shape = (100, 120)
    one, other = rasterise([box(20, 20, 80, 70)], shape), rasterise([box(left, top, left + width, top + height)], shape)
    both = np.pad(one & other, 1).astype(np.uint8)
    deep = cv2.distanceTransform(both, cv2.DIST_L2, cv2.DIST_MASK_PRECISE).max()
    share = (one & other).sum() / one.sum()
    expected = share if deep > overlaps.LEAST_DEEP or share > overlaps.MOST else 0.0
    assert overlaps.hidden(one, other, overlaps.deepest(120)) == pytest.approx(expected)


def test_drawings_are_told_by_person_and_type_and_change_their_name_with_what_is_drawn(found):
    points = [keypoint(240, 150), keypoint(390, 390, 11), keypoint(300, 300, 12, visible=False)]
    found([person(), person(face=None, subject="s2")], points, [segment(SQUARE)])
    first = look = found.judged.annotated
    assert look[["subject", "kind"]].to_numpy().tolist() == [
        ["s1", "face_box"], ["s1", "keypoints"], ["s1", "landmarks"], ["s1", "person_box"], ["s1", "segments"],
        ["s2", "person_box"],
    ]  # fmt: skip
    assert look["region"].is_unique
    assert (look["region"].str.partition("/")[0] == look["kind"]).all()
    found(
        [person(), person(face=None, subject="s2")],
        [*points[:2], keypoint(301, 300, 12, visible=False)],
        [segment(SQUARE)],
    )
    moved = found.judged.annotated
    assert (moved["region"] != first["region"]).tolist() == [False, True, False, False, False, False]
    found([person(), person(face=None, subject="s2")], [*points[:2], keypoint(300, 300, 12)], [segment(SQUARE)])
    assert (found.judged.annotated["region"] != first["region"]).sum() == 1  # it is to be seen now
