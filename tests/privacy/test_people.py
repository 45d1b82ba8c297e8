"""People who stay are protected by boxes as by segments: from being painted over, and from being copied into a hole."""

import io

import numpy as np
import pandas as pd
import pytest
from painting_cases import person_row, run_paint
from PIL import Image

from accord.engine.table import rows
from accord.imaging import bundle
from accord.imaging.boxes import corners
from accord.imaging.masks import rasterise
from accord.imaging.regions import region_mask
from accord.intake.tables import People, Segments
from accord.privacy.painting import painters
from accord.privacy.proof import skin, subjects
from accord.privacy.protecting import people as annotated
from accord.privacy.protecting import sources
from accord.privacy.protecting.people import Person

FACE, BODY = [90, 40, 50, 60], [60, 20, 120, 180]
INSIDE = [150, 90, 170, 90, 170, 130, 150, 130]
"""A region within the box of the body, beside that of the face."""


@pytest.fixture
def paint(tmp_path, tiny_embedded, unproven, monkeypatch):
    monkeypatch.setattr(painters, "load", lambda *_: tiny_embedded)

    def run(delivery):
        painted = run_paint(delivery, tmp_path / "out.tar")
        data = bundle.read(tmp_path / "out.tar", next(painted.painted.itertuples()))
        return painted, np.asarray(Image.open(io.BytesIO(data)))

    return run


def striped(picture):
    """Whoever stands in BODY wears red and black stripes; nothing else of the picture is red."""
    left, top, width, height = BODY
    picture[top : top + height, left : left + width] = 0
    picture[top : top + height : 4, left : left + width, 0] = 255
    return picture


@pytest.mark.parametrize("boxes", [(FACE, BODY), (None, BODY)])
def test_no_piece_comes_from_the_box_of_somebody_without_segments(shard, paint, picture, boxes):
    striped(picture)
    delivery = shard([("bystander", INSIDE)], media="PNG", people=[boxes])
    painted, pixels = paint(delivery)
    assert painted.edits["method"].item() == "diffusion"
    inner = rasterise([[154, 94, 166, 94, 166, 126, 154, 126]], pixels.shape[:2])
    red = pixels[inner].astype(int)
    assert (red[:, 0] - red[:, 1]).max() < 100


def test_pieces_come_from_there_where_nobody_is_annotated(shard, paint, picture):
    """The test above can fail."""
    striped(picture)
    _, pixels = paint(shard([("bystander", INSIDE)], media="PNG"))
    red = pixels[rasterise([INSIDE], pixels.shape[:2])].astype(int)
    assert (red[:, 0] - red[:, 1]).max() > 200


def test_all_that_anybody_may_be_in_is_barred(picture):
    nothing = np.zeros(picture.shape[:2], bool)
    segment = [10, 10, 30, 10, 30, 30, 10, 30]
    both = sources.barred(picture, [Person([segment], [corners(*FACE)], [corners(*BODY)])], nothing)
    assert (both == rasterise([segment, corners(*FACE), corners(*BODY)], both.shape)).all()
    face_alone = sources.barred(picture, [Person([], [corners(100, 20, 10, 12)], [])], nothing)
    # A body is 2.2 widths of its face to each side of the middle, from 0.6 heights above to 8.8 below.
    assert (face_alone == rasterise([corners(83, 12.8, 44, 124.8)], nothing.shape)).all()


@pytest.mark.parametrize(
    "box", [(-1e12, -1e12, 2e12, 2e12), (1e9, 1e9, 10, 10), (-50, -50, 20, 20), (0, 0, 1e-9, 1e-9)]
)
def test_boxes_of_any_size_and_place_are_barred_and_painted_around(shard, paint, box):
    painted, _ = paint(shard([("bystander", INSIDE)], media="PNG", people=[(box, box)]))
    assert painted.edits["painted"].item() > 0


def test_whoever_is_detected_is_barred_too(bystander):
    nothing = np.zeros(bystander.pixels.shape[:2], bool)
    barred = sources.barred(bystander.pixels, [], nothing)
    assert barred[bystander.mask].mean() > 0.8
    assert not sources.barred(bystander.pixels, [], bystander.mask).any()


@pytest.mark.parametrize(
    ("region", "boxes"),
    [
        ([141, 50, 170, 50, 170, 90, 141, 90], (FACE, None)),
        ([182, 50, 210, 50, 210, 90, 182, 90], (FACE, BODY)),
        ([182, 50, 210, 50, 210, 90, 182, 90], (None, BODY)),
    ],
)
def test_the_margin_of_a_region_stays_out_of_the_boxes_of_people(shard, paint, picture, region, boxes):
    delivery = shard([("bystander", region)], media="PNG", people=[boxes])
    _, pixels = paint(delivery)
    box = rasterise([corners(*one) for one in boxes if one], pixels.shape[:2])
    assert (region_mask(region, pixels.shape[:2]) & box).any()
    assert (pixels[box] == picture[box]).all()


def test_a_region_in_the_box_of_a_body_is_painted_all_the_same(shard, paint, picture):
    _, pixels = paint(shard([("bystander", INSIDE)], media="PNG", people=[(FACE, BODY)], over="asked"))
    inside = rasterise([INSIDE], pixels.shape[:2])
    assert (pixels != picture).any(axis=2)[inside].mean() > 0.9


def test_a_proposed_region_leaves_the_face_of_a_subject(shard, paint, picture):
    whole = corners(*BODY)
    _, pixels = paint(shard([("bystander", whole)], media="PNG", people=[(FACE, BODY)], over="asked"))
    face = rasterise([corners(*FACE)], pixels.shape[:2])
    assert (pixels[face] == picture[face]).all()
    assert (pixels != picture).any(axis=2)[rasterise([whole], face.shape) & ~face].mean() > 0.9


@pytest.mark.parametrize(
    "boxes",
    [
        ([0.53, 0.29, 0.23, 0.35], [0.18, 0.24, 0.7, 0.76]),
        ([118, 40, 50, 60], [100, 30, 86, 236]),
        ([0, 40, 20, 30], [0, 30, 40, 230]),
    ],
    ids=["in shares", "over the region", "of another place"],
)
def test_no_policy_lets_the_subject_pass_who_is_painted_as_a_bystander(
    shard, tmp_path, tiny_embedded, bystander, monkeypatch, boxes
):
    """The only person in the picture is annotated as its subject, somewhere, and as a bystander."""
    monkeypatch.setattr(painters, "load", lambda *_: tiny_embedded)
    buffer = io.BytesIO()
    Image.fromarray(bystander.pixels).save(buffer, "PNG")
    whole = [100, 30, 185, 30, 185, 265, 100, 265]
    delivery = shard([("bystander", whole)], media="PNG", data=buffer.getvalue(), people=[boxes])
    painted = run_paint(delivery, tmp_path / "out.tar", review="escalated", policies={"inpainting": "pass"})
    settled = painted.settled.set_index("check").loc["subject_in_region"]
    assert settled["verdict"] == "review"
    [item] = painted.review_items.itertuples()
    assert settled["reason"].removesuffix(": awaits a reviewer") in item.reason


def people(*drawn):
    return rows([person_row("a", subject, *boxes) for subject, boxes in drawn], People)


def test_people_are_those_with_boxes_and_those_with_segments():
    segment = {"image": "a", "subject": "s2", "segment": 0, "num": 1, "polygon": [0.0, 0, 9, 0, 9, 9], "annotator": "x"}
    found = annotated.by_image(people(("s1", (FACE, BODY)), ("s3", (None, [1, 2, 0, 5]))), rows([segment], Segments))
    assert found == {"a": [Person([], [corners(*FACE)], [corners(*BODY)]),
                           Person([[0, 0, 9, 0, 9, 9]], [], []), Person([], [], [])]}  # fmt: skip


@pytest.mark.parametrize(
    ("segments", "outlined"),
    [
        ([], False),
        ([corners(60, 20, 120, 180)], True),
        ([corners(60, 20, 120, 91)], True),
        ([corners(60, 20, 120, 89)], False),
        ([corners(60, 20, 20, 180), corners(160, 20, 20, 180)], True),
    ],
)
def test_segments_outline_a_body_where_they_reach_through_half_of_its_box(segments, outlined):
    assert Person(segments, [], [corners(*BODY)]).is_outlined() == outlined


def mask(*box, shape=(200, 240)):
    return rasterise([corners(*box)], shape)


@pytest.mark.parametrize(
    ("person", "hole", "share"),
    [
        (Person([], [corners(*FACE)], [corners(*BODY)]), (90, 40, 50, 30), 0.5),
        (Person([], [], [corners(*BODY)]), (60, 20, 120, 135), 0.75),
        (Person([corners(60, 20, 120, 180)], [], [corners(*BODY)]), (60, 20, 60, 180), 0.5),
        (Person([corners(60, 20, 10, 10)], [], [corners(*BODY)]), (60, 20, 10, 10), 0.0),
        (Person([], [], []), (0, 0, 240, 200), 0.0),
        (Person([], [corners(0.5, 0.3, 0.2, 0.2)], []), (0, 0, 240, 200), 0.0),
    ],
)
def test_how_much_of_somebody_who_stays_is_painted(person, hole, share):
    assert subjects.covered([person], mask(*hole)) == pytest.approx(share, abs=0.03)


def test_the_only_person_who_is_found_is_the_subject_wherever_boxes_are(bystander):
    somebody = Person([], [corners(0.5, 0.3, 0.2, 0.3)], [])
    assert subjects.are_lost(bystander.pixels, [somebody], bystander.mask)
    assert not subjects.are_lost(bystander.pixels, [], bystander.mask)
    assert not subjects.are_lost(bystander.pixels, [somebody], np.zeros_like(bystander.mask))
    empty = np.full_like(bystander.pixels, 128)
    assert not subjects.are_lost(empty, [somebody], bystander.mask)
    two = np.hstack([bystander.pixels, bystander.pixels])
    one_of_two = np.hstack([bystander.mask, np.zeros_like(bystander.mask)])
    assert not subjects.are_lost(two, [somebody], one_of_two)
    assert subjects.are_lost(two, [somebody, somebody], one_of_two)


def noise(seed):
    return np.random.default_rng(seed).integers(0, 255, (200, 240, 3), dtype=np.uint8)


@pytest.mark.parametrize(("light", "copied"), [(0, True), (25, True), (None, False)])
def test_a_piece_of_somebody_is_found_in_a_fill_in_any_light(light, copied):
    before, after, hole = noise(1), noise(1), mask(10, 60, 40, 80)
    after[60:141, 10:51] = noise(2)[60:141, 10:51]
    if light is not None:
        after[70:110, 12:46] = (before[50:90, 80:114] * 0.8 + light).astype(np.uint8)
    score = subjects.copied(before, after, [Person([], [], [corners(*BODY)])], hole)
    assert (score >= subjects.ALIKE) == copied
    assert subjects.copied(before, after, [], hole) == 0


SKIN, WALL = (198, 134, 104), (120, 124, 130)
DARK_SKIN = (84, 52, 40)


@pytest.mark.parametrize("tone", [SKIN, DARK_SKIN])
@pytest.mark.parametrize(("height", "share"), [(0, 0.0), (20, 0.25), (40, 0.5)])
def test_skin_in_a_fill_has_the_colour_of_the_faces_of_the_picture(tone, height, share):
    rng = np.random.default_rng(0)
    before = np.full((200, 240, 3), WALL, np.uint8)
    before[40:100, 90:140] = tone
    before = (before + rng.normal(0, 2, before.shape)).clip(0, 255).astype(np.uint8)
    after, hole = before.copy(), mask(150, 90, 39, 79)
    after[90 : 90 + height, 150:190] = before[50 : 50 + height, 95:135]
    faces = [(90, 40, 140, 100)]
    assert skin.patch(before, after, hole, faces, mask(*FACE)) == pytest.approx(share * 3200 / 3000, abs=0.05)
    assert skin.patch(before, after, hole, [], mask(*FACE)) == 0


def test_what_is_beside_the_hole_is_no_skin():
    before = np.full((200, 240, 3), SKIN, np.uint8)
    assert skin.patch(before, before, mask(150, 90, 39, 79), [(90, 40, 140, 100)], mask(*FACE)) == 0


def test_of_a_table_without_people_nobody_is_there():
    assert annotated.by_image(rows([], People), rows([], Segments)) == {}
    assert isinstance(people(), pd.DataFrame)
