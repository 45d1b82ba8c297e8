"""Regions that are proposed to be painted out: on rendered signs, and on a picture of the demo with two bystanders."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageFont

from accord.checks.looking import personal_data, texts
from accord.checks.personal import bystanders
from accord.checks.personal.bystanders import Known, strangers, tiles, unknown
from accord.checks.personal.panels import blocks, panels
from accord.checks.tables.findings import Texts
from accord.engine import table
from accord.imaging.masks import covered, rasterise
from accord.intake.tables import People, Regions, Segments
from accord.models.detectors import Found

DEMO = Path(__file__).parents[1] / "data/demo/delivery"
TWO_BYSTANDERS = "IMG_000062"
LIMITS = {"min_text_score": 0.5, "min_bystander": 0.04, "max_pixels": 10_000_000}
WALL = "#8d949b"
NONE = np.empty((0, 4))
SIGN = (120, 140, 400, 290)


def street(lines, paper="#f4f4ef", frame=None):
    """A wall with a sign on it, which holds the lines."""
    picture = Image.new("RGB", (640, 480), WALL)
    draw = ImageDraw.Draw(picture)
    left, top, right, bottom = SIGN
    draw.rectangle(SIGN, fill=frame or paper)
    draw.rectangle((left + 10, top + 10, right - 10, bottom - 10), fill=paper)
    for row, line in enumerate(lines):
        size = min(40, int(400 / max(len(line), 1)))
        draw.text((left + 24, top + 20 + 42 * row), line, fill="#101010", font=ImageFont.load_default(size=size))
    return np.asarray(picture)


@pytest.fixture
def proposed(shard, jpeg):
    """What is proposed in a picture without people, when annotators drew these regions."""

    def make(pixels, *regions):
        images, bundle = shard({"a": jpeg(pixels, 95)})
        read = texts.run(images, bundle, text_side=480, max_pixels=10_000_000)
        rows = [("a", f"r{i}", "other", list(polygon), "") for i, polygon in enumerate(regions)]
        empty = table.empty(People), table.empty(Segments)
        return personal_data.run(images, bundle, read, *empty, table.rows(rows, Regions), **LIMITS)

    return make


def corners(left, top, right, bottom):
    return [left, top, right, top, right, bottom, left, bottom]


@pytest.mark.parametrize(
    ("lines", "kind", "reason"),
    [
        (["AB-482-CD"], "license_plate", "looks like a number plate"),
        (["PASSPORT", "born 01.02.1990"], "card", "looks like a date of birth, an identity document"),
        (["4111 1111 1111 1111"], "card", "looks like a payment card number"),
        (["jo@example.org", "12 Mill Lane"], "other", "looks like an address, an e-mail address"),
        (["Tel. 030", "5550143"], "other", "looks like a phone number"),
    ],
)
def test_what_tells_of_a_person_is_proposed_and_never_repeated(proposed, lines, kind, reason):
    found = proposed(street(lines))
    assert found.proposals[["kind", "reason", "detector"]].values.tolist() == [[kind, reason, "text"]]
    assert found.findings[["check", "verdict"]].values.tolist() == [["personal_data", "review"]]
    ink = corners(SIGN[0] + 30, SIGN[1] + 30, SIGN[0] + 150, SIGN[1] + 40)
    assert covered(ink, found.proposals["polygon"]) > 0.95


def test_a_bright_thing_in_a_dark_frame_is_a_screen(proposed):
    found = proposed(street(["jo@example.org", "12 Mill Lane"], frame="#0d0f12"))
    assert found.proposals["kind"].tolist() == ["screen"]


def test_the_whole_sign_is_proposed(proposed):
    found = proposed(street(["PASSPORT", "born 01.02.1990", "UTO<<DOE<<JO<<<"]))
    assert covered(corners(*SIGN), found.proposals["polygon"]) > 0.75


@pytest.mark.parametrize("lines", [["OPEN 24 HOURS", "SALE"], []])
def test_what_tells_of_nobody_is_not(proposed, lines):
    found = proposed(street(lines))
    assert len(found.proposals) == 0
    assert found.findings["verdict"].tolist() == ["pass"]


def test_what_annotators_drew_is_not_asked_about(proposed):
    found = proposed(street(["AB-482-CD"]), corners(*SIGN))
    assert found.proposals["covered"].min() > 0.9
    assert found.findings["verdict"].tolist() == ["pass"]


def test_what_is_left_of_half_a_plate_is_asked_about(proposed):
    left, top, right, bottom = SIGN
    found = proposed(street(["AB-482-CD"]), corners(left, top, (left + right) / 2, bottom))
    assert 0.2 < found.proposals["covered"].min() < 0.9
    assert found.findings["verdict"].tolist() == ["review"]


def test_each_line_of_a_thing_must_be_covered(proposed):
    """The upper of two lines is declared: of all the letters, most."""
    sign = street(["Jo Doe, jo@example.org", "12 Mill Lane"])
    found = proposed(sign, corners(SIGN[0], SIGN[1], SIGN[2], SIGN[1] + 58))
    assert found.findings["verdict"].tolist() == ["review"]


def mask(pixels, *polygons):
    return rasterise(polygons, pixels.shape[:2])


@pytest.fixture(scope="module")
def demo():
    """A picture of the demo, its subjects' faces, their bodies, and the bystanders that annotators drew."""
    drawn = json.loads((DEMO / f"annotations/{TWO_BYSTANDERS}.json").read_text())
    pixels = np.asarray(Image.open(DEMO / f"images/{TWO_BYSTANDERS}.jpg").convert("RGB"))
    faces = np.array([person["face_bbox"] for person in drawn["people"]])
    persons = np.array([person["person_bbox"] for person in drawn["people"]])
    bystanders = [np.ravel(region["polygon"]).tolist() for region in drawn["regions"]]
    known = Known(*(np.hstack([b[:, :2], b[:, :2] + b[:, 2:]]) for b in (faces, persons)), mask(pixels))
    return pixels, known, bystanders


def test_bystanders_are_found_and_subjects_are_not(demo):
    pixels, known, bystanders = demo
    found = strangers(pixels, known, 0.04)
    assert len(found) == len(bystanders) == 2
    bodies = [corners(*stranger.body) for stranger in found]
    assert min(covered(bystander, bodies) for bystander in bystanders) > 0.9


def test_whoever_is_not_outlined_is_a_stranger(demo):
    pixels, _, _ = demo
    nobody = Known(NONE, NONE, mask(pixels))
    assert len(strangers(pixels, nobody, 0.04)) == 3


def test_bystanders_that_annotators_outlined_are_known(demo):
    pixels, known, bystanders = demo
    assert strangers(pixels, known._replace(regions=mask(pixels, *bystanders)), 0.04) == []


@pytest.fixture
def judged(shard, demo):
    """What is asked of the demo's picture when annotators drew its bystanders, and these segments of a subject."""
    images, bundle = shard({"a": (DEMO / f"images/{TWO_BYSTANDERS}.jpg").read_bytes()})
    regions = table.rows([("a", f"r{i}", "bystander", polygon, "") for i, polygon in enumerate(demo[2])], Regions)

    def run(*segments, face=(None,) * 4):
        rows = [("a", "s", 20, number + 1, polygon, "") for number, polygon in enumerate(segments)]
        people = table.rows([("a", "s", True, 30, *face, *(None,) * 4, "")], People)
        tables = table.empty(Texts), people, table.rows(rows, Segments), regions
        return personal_data.run(images, bundle, *tables, **LIMITS)

    return run


def test_what_a_segment_covers_of_a_region_is_known_to_nobody(judged, demo):
    """One sloppy segment over both bystanders; their regions are declared, and a face box of the subject lies there."""
    pixels, _, bystanders = demo
    height, width = pixels.shape[:2]
    own = {tuple(one.polygon) for one in judged().proposals.itertuples() if one.covered < 0.5}
    sloppy = judged(corners(0, 0, width, height))
    more = [one for one in sloppy.proposals.itertuples() if one.covered < 0.5 and tuple(one.polygon) not in own]
    assert len(more) >= 2 and sloppy.findings["verdict"].tolist() == ["review"]
    assert min(covered(bystander, [one.polygon for one in more]) for bystander in bystanders) > 0.9
    xs, ys = np.array(bystanders[0][::2]), np.array(bystanders[0][1::2])
    box = (xs.min(), ys.min(), np.ptp(xs), np.ptp(ys))
    boxed = judged(corners(0, 0, width, height), face=tuple(map(float, box)))
    assert len(boxed.proposals) == len(sloppy.proposals)


def test_a_segment_makes_nobody_known(shard, demo):
    """No region is declared; a segment of the subject lies over everybody. Both bystanders are asked about."""
    pixels, boxes, bystanders = demo
    images, bundle = shard({"a": (DEMO / f"images/{TWO_BYSTANDERS}.jpg").read_bytes()})
    own = [tuple(np.hstack([box[:2], box[2:] - box[:2]])) for (box,) in (boxes.faces, boxes.persons)]
    people = table.rows([("a", "s", True, 30, *own[0], *own[1], "")], People)
    height, width = pixels.shape[:2]
    sloppy = table.rows([("a", "s", 20, 1, corners(0, 0, width, height), "")], Segments)
    found = personal_data.run(images, bundle, table.empty(Texts), people, sloppy, table.empty(Regions), **LIMITS)
    assert found.findings["verdict"].tolist() == ["review"]
    assert len(found.proposals) == len(bystanders) and (found.proposals["covered"] == 0).all()


def test_small_faces_are_found_in_tiles(demo):
    """The picture in a corner of a much larger one: its faces are too small to be seen in the whole."""
    pixels, _, _ = demo
    wide = np.full((2400, 3200, 3), 150, np.uint8)
    wide[1700 : 1700 + pixels.shape[0], 40 : 40 + pixels.shape[1]] = pixels
    nobody = Known(NONE, NONE, mask(wide))
    faces = [stranger for stranger in strangers(wide, nobody, 0.015) if stranger.found.check == "face_yunet"]
    assert len(faces) == 3


def known(faces=(), persons=(), regions=None):
    hidden = np.zeros((400, 400), bool) if regions is None else regions
    return Known(*(np.reshape(np.array(boxes, float), (-1, 4)) for boxes in (faces, persons)), hidden)


def face(*box, check="face_yunet", score=0.9):
    return Found(check, score, tuple(map(float, box)))


def test_part_of_a_face_at_the_edge_of_a_tile_is_nobodys_face(monkeypatch):
    for name in ("faces_blazeface", "persons"):
        monkeypatch.setattr(bystanders, name, lambda picture: [])
    monkeypatch.setattr(bystanders, "faces_yunet", lambda part: [Found("face_yunet", 0.9, (0.0, 10.0, 30.0, 40.0))])
    picture, twice = np.zeros((200, 200, 3), np.uint8), bystanders.FACE_PIXELS / (2 * bystanders.YUNET_SIDE)
    seen = [found.box for found in bystanders._found(picture, twice)]
    assert len(list(tiles(picture, 2))) > len(seen) > 1
    # Where the picture itself ends nothing is cut.
    assert {left for left, *_ in seen} == {0.0}


def test_a_face_is_known_by_its_own_box_alone():
    own, drawn = face(15, 15, 55, 55), known([(10, 10, 60, 60)])
    assert unknown([own], drawn, (400, 400)) == []
    assert unknown([own], known([(0, 0, 390, 390)]), (400, 400)) == [own]
    beside = face(60, 60, 90, 90)
    assert unknown([own, beside], drawn, (400, 400)) == [beside]


def test_a_face_box_explains_one_face_however_many_see_it():
    """A box over two heads: the face that it fits best is known, seen by both detectors, the other is not."""
    best, again, other = face(10, 10, 60, 60), face(12, 12, 62, 62, check="face_blazeface"), face(64, 10, 104, 50)
    drawn = known([(10, 10, 104, 60)])
    assert unknown([other, best, again], drawn, (400, 400)) == [other]


def test_a_person_explains_one_body():
    own, other = (face(*box, check="person_blazepose") for box in ((100, 100, 160, 160), (170, 110, 220, 160)))
    drawn = known(persons=[(55, 55, 205, 235)])
    assert unknown([own], drawn, (400, 400)) == []
    assert unknown([own, other], drawn, (400, 400)) == [other]
    assert unknown([own], known(persons=[(0, 0, 400, 400)]), (400, 400)) == [own]


def test_a_region_explains_whom_it_covers_by_half():
    hidden = np.zeros((400, 400), bool)
    hidden[:40] = True
    half, less = face(10, 20, 50, 60), face(10, 25, 50, 65)
    assert unknown([half], known(regions=hidden), (400, 400)) == []
    assert unknown([less], known(regions=hidden), (400, 400)) == [less]


@given(st.integers(20, 300), st.integers(20, 300), st.floats(1.01, 6))
def test_tiles_show_every_small_face_whole(width, height, times):
    """Whatever is at most half as wide as a tile lies in one of them."""
    picture = np.zeros((height, width), np.uint8)
    seen = [(left, top, *part.shape[::-1]) for left, top, part in tiles(picture, times)][1:]
    face = max(1, int(np.ceil(max(width, height) / times)) // 2 - 1)
    for x in (0, max(0, (width - face) // 2), max(0, width - face)):
        for y in (0, max(0, (height - face) // 3), max(0, height - face)):
            assert any(
                left <= x and top <= y and min(x + face, width) <= left + w and min(y + face, height) <= top + h
                for left, top, w, h in seen
            )


def line(x, y, width=100, height=20):
    return np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], float)


def test_lines_near_each_other_stand_on_one_thing():
    assert blocks([line(0, 0), line(0, 30), line(0, 300), line(130, 0)]) == [(0, 1, 3), (2,)]
    assert blocks([line(0, 0), line(0, 30, height=100)]) == [(0,), (1,)]
    assert blocks([]) == []


def test_without_edges_the_lines_themselves_are_proposed():
    (panel,) = panels(np.full((200, 300, 3), 90, np.uint8), [line(100, 90)])
    assert covered(line(100, 90).ravel(), [panel.corners.ravel()]) == 1
    assert covered(panel.corners.ravel(), [line(80, 80, 140, 40).ravel()]) > 0.95
    assert not panel.shines
