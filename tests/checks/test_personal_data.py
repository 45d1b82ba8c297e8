"""Regions that are proposed to be painted out: on rendered signs, and on a picture of the demo with two bystanders."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageFont

from accord import table
from accord.checks import personal_data, texts
from accord.checks.bystanders import Known, is_known, strangers, tiles
from accord.checks.panels import blocks, panels
from accord.checks.proposals import covered
from accord.checks.tables import Texts
from accord.intake.tables import People, Regions, Segments
from accord.masks import rasterise
from accord.privacy.detectors import Found

DEMO = Path(__file__).parents[1] / "data/demo/delivery"
TWO_BYSTANDERS = "IMG_000062"
LIMITS = {"min_text_score": 0.5, "min_bystander": 0.04, "max_pixels": 10_000_000}
WALL = "#8d949b"
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
        (["AB-482-CD"], "license_plate", "reads like a number plate"),
        (["PASSPORT", "born 01.02.1990"], "card", "reads like a date of birth, an identity document"),
        (["4111 1111 1111 1111"], "card", "reads like the number of a payment card"),
        (["jo@example.org", "12 Mill Lane"], "other", "reads like an address, an e-mail address"),
        (["Tel. 030", "5550143"], "other", "reads like a phone number"),
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


@pytest.fixture(scope="module")
def demo():
    """A picture of the demo, its subjects' faces, their bodies, and the bystanders that annotators drew."""
    drawn = json.loads((DEMO / f"annotations/{TWO_BYSTANDERS}.json").read_text())
    pixels = np.asarray(Image.open(DEMO / f"images/{TWO_BYSTANDERS}.jpg").convert("RGB"))
    faces = np.array([person["face_bbox"] for person in drawn["people"]])
    boxes = [corners(x, y, x + w, y + h) for x, y, w, h in (person["person_bbox"] for person in drawn["people"])]
    bystanders = [np.ravel(region["polygon"]).tolist() for region in drawn["regions"]]
    known = Known(np.hstack([faces[:, :2], faces[:, :2] + faces[:, 2:]]), rasterise(boxes, pixels.shape[:2]))
    return pixels, known, bystanders


def test_bystanders_are_found_and_subjects_are_not(demo):
    pixels, known, bystanders = demo
    found = strangers(pixels, known, 0.04)
    assert len(found) == len(bystanders) == 2
    bodies = [corners(*stranger.body) for stranger in found]
    assert min(covered(bystander, bodies) for bystander in bystanders) > 0.9


def test_whoever_is_not_outlined_is_a_stranger(demo):
    pixels, _, _ = demo
    nobody = Known(np.empty((0, 4)), np.zeros(pixels.shape[:2], bool))
    assert len(strangers(pixels, nobody, 0.04)) == 3


def test_bystanders_that_annotators_outlined_are_known(demo):
    pixels, known, bystanders = demo
    assert strangers(pixels, Known(known.faces, known.mask | rasterise(bystanders, pixels.shape[:2])), 0.04) == []


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


def test_small_faces_are_found_in_tiles(demo):
    """The picture in a corner of a much larger one: its faces are too small to be seen in the whole."""
    pixels, _, _ = demo
    wide = np.full((2400, 3200, 3), 150, np.uint8)
    wide[1700 : 1700 + pixels.shape[0], 40 : 40 + pixels.shape[1]] = pixels
    nobody = Known(np.empty((0, 4)), np.zeros(wide.shape[:2], bool))
    faces = [stranger for stranger in strangers(wide, nobody, 0.015) if stranger.found.check == "face_yunet"]
    assert len(faces) == 3


def test_a_box_in_the_face_that_was_drawn_is_known():
    known = Known(np.array([[10.0, 10, 60, 60]]), np.zeros((100, 100), bool))
    assert is_known(Found("face_yunet", 0.9, (15, 15, 55, 55)), known)
    assert not is_known(Found("face_yunet", 0.9, (60, 60, 90, 90)), known)
    assert not is_known(Found("person_blazepose", 0.9, (15, 15, 55, 55)), known)


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
