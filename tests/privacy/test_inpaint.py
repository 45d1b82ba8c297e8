import io

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from painting_cases import run_paint
from PIL import Image

from accord.engine.table import check
from accord.imaging import bundle
from accord.imaging.decode import decode
from accord.imaging.masks import rasterise
from accord.imaging.regions import region_mask
from accord.models.detectors import Found
from accord.privacy.fitting.flaws import Flaws
from accord.privacy.painting import candidates, inpaint, painters
from accord.privacy.painting.request import Request
from accord.privacy.proof.metadata import violations
from accord.privacy.tables import Conversions, Edits, Pictures

PLATE = [60, 70, 110, 70, 110, 100, 60, 100]
NEIGHBOUR = [100, 60, 150, 60, 150, 180, 100, 180]
IMAGE = "0123456789abcdef"
FACE = [90, 60, 130, 60, 130, 110, 90, 110]


@pytest.fixture
def paint(tmp_path, tiny_embedded, unproven, monkeypatch):
    monkeypatch.setattr(painters, "load", lambda *_: tiny_embedded)

    def run(delivery, name="out.tar", **settings):
        painted = run_paint(delivery, tmp_path / name, **{"attempts": 2, **settings})
        check(painted.painted, Pictures, "painted")
        check(painted.edits, Edits, "edits")
        check(painted.conversions, Conversions, "conversions")
        data = bundle.read(tmp_path / name, next(painted.painted.itertuples()))
        return painted, np.asarray(Image.open(io.BytesIO(data))), data

    return run


def original(delivery):
    return decode(bundle.read(delivery["bundle"], next(delivery["images"].itertuples())))


def test_not_one_bit_changes_outside_the_regions(shard, paint):
    delivery = shard(regions=[("license_plate", PLATE), ("bystander", NEIGHBOUR)])
    _, pixels, _ = paint(delivery)
    before = original(delivery)
    hole = region_mask(PLATE, pixels.shape[:2]) | region_mask(NEIGHBOUR, pixels.shape[:2])
    assert (pixels[~hole] == before[~hole]).all()
    assert (pixels[hole] != before[hole]).any(1).mean() > 0.9


@pytest.mark.parametrize("regions", [[], [("license_plate", PLATE)]])
def test_nothing_that_alpha_hides_and_no_second_picture_is_written(shard, paint, picture, regions):
    clear, several = io.BytesIO(), io.BytesIO()
    hidden = np.full((*picture.shape[:2], 1), 255, np.uint8)
    hidden[150:] = 0
    Image.fromarray(np.concatenate([picture, hidden], -1)).save(clear, "PNG")
    painted, pixels, _ = paint(shard(regions, media="PNG", data=clear.getvalue()))
    assert pixels.shape[2] == 3
    assert (pixels[150:] == 255).all()
    assert painted.conversions.values.tolist() == [[IMAGE, "alpha_over_white"]]
    second = Image.fromarray(picture[::-1].copy())
    Image.fromarray(picture).save(several, "MPO", save_all=True, append_images=[second], quality=95)
    painted, pixels, data = paint(shard(regions, data=several.getvalue()), name="again.tar")
    assert np.abs(pixels[150:].astype(int) - picture[150:]).mean() < 5
    assert painted.conversions.values.tolist() == [[IMAGE, "first_of_several"]]
    assert violations(data) == []


def test_a_subject_whom_people_keep_is_not_painted(shard, paint):
    delivery = shard(regions=[("bystander", NEIGHBOUR)], segments=[FACE], over="kept")
    painted, pixels, _ = paint(delivery)
    subject = rasterise([FACE], pixels.shape[:2])
    hole = region_mask(NEIGHBOUR, pixels.shape[:2])
    assert (pixels[subject] == original(delivery)[subject]).all()
    assert painted.edits["painted"].item() == (hole & ~subject).sum()


def test_segments_take_nothing_from_a_region_unless_people_say_so(shard, paint):
    """A sloppy segment over a bystander, or a screen: all of the region is painted, and of the segment no more."""
    delivery = shard(regions=[("bystander", NEIGHBOUR)], segments=[[0, 0, 240, 0, 240, 200, 0, 200]])
    painted, pixels, _ = paint(delivery)
    inside = rasterise([NEIGHBOUR], pixels.shape[:2])
    changed = (pixels != original(delivery)).any(axis=2)
    assert changed[inside].mean() > 0.9 and not changed[~inside].any()
    assert painted.edits["painted"].item() == inside.sum()


def test_a_region_that_is_wound_twice_is_painted(shard, paint):
    _, pixels, _ = paint(delivery := shard(regions=[("bystander", NEIGHBOUR * 2)]))
    inside = rasterise([NEIGHBOUR], pixels.shape[:2])
    assert (pixels != original(delivery)).any(axis=2)[inside].mean() > 0.9


def test_a_subject_does_not_bleed_into_what_is_painted(shard, paint, picture):
    picture[60:111, 90:131] = (255, 0, 0)
    delivery = shard(
        regions=[("bystander", NEIGHBOUR)], segments=[[86, 56, 134, 56, 134, 115, 86, 115]], media="PNG", over="kept"
    )
    _, pixels, _ = paint(delivery, attempts=0)
    hole = region_mask(NEIGHBOUR, pixels.shape[:2])
    hole[50:121, 80:141] = False
    red = pixels[hole].astype(int)
    assert (red[:, 0] - red[:, 1]).max() < 40


def test_the_same_input_gives_the_same_bytes(shard, paint):
    delivery = shard(regions=[("screen", PLATE)])
    assert paint(delivery, "one.tar")[2] == paint(delivery, "two.tar")[2]


def test_another_image_has_another_seed_and_guidance(shard, paint):
    delivery = shard(regions=[("screen", PLATE), ("screen", NEIGHBOUR)])
    edits = paint(delivery)[0].edits
    assert edits["seed"].nunique() == edits["guidance"].nunique() == 2
    assert edits["guidance"].between(12, 16).all()


def test_what_was_done_is_told(shard, paint, tiny_embedded):
    edit = paint(shard(regions=[("license_plate", PLATE)], scene="4. Outdoor: Transportation"))[0].edits.iloc[0]
    assert edit["method"] == "diffusion" and edit["attempts"] == 1
    assert edit["kind"] == "license_plate" and list(edit["polygon"]) == PLATE
    assert edit["prompt"].startswith("plain surface of a car, empty street")
    assert edit["model_sha256"] == tiny_embedded.sha256


def test_an_image_without_regions_is_only_rebuilt(shard, paint):
    delivery = shard()
    painted, pixels, data = paint(delivery)
    assert (pixels == original(delivery)).all()
    assert len(painted.edits) == 0
    assert violations(data) == [] and b"the name of a person" not in data


@pytest.mark.parametrize("orientation", [3, 6, 8])
def test_pictures_are_upright(shard, paint, picture, orientation):
    delivery = shard(orientation=orientation, media="PNG")
    painted, pixels, _ = paint(delivery)
    turns = {3: 2, 6: 3, 8: 1}[orientation]
    assert (pixels == np.rot90(picture, turns)).all()
    row = painted.painted.iloc[0]
    assert (row["height"], row["width"]) == pixels.shape[:2]
    assert row["source_sha256"] == delivery["images"].iloc[0]["sha256"]


def test_a_region_with_somebody_left_is_painted_again_then_plainly(shard, paint, monkeypatch):
    seen = []

    def always(pixels, painted, subjects):
        seen.append(pixels[painted].copy())
        return [Found("face_yunet", 0.9, (0, 0, 1, 1))]

    monkeypatch.setattr(candidates.detectors, "left_over", always)
    edit = paint(shard(regions=[("bystander", NEIGHBOUR)]), attempts=3)[0].edits.iloc[0]
    assert (edit["method"], edit["attempts"]) == ("membrane", 3)
    assert len(seen) == 3 and not (seen[0] == seen[1]).all() and not (seen[1] == seen[2]).all()


def test_the_second_attempt_can_do(shard, paint, monkeypatch):
    answers = iter([[Found("face_yunet", 0.9, (0, 0, 1, 1))], []])
    monkeypatch.setattr(candidates.detectors, "left_over", lambda *_: next(answers))
    edit = paint(shard(regions=[("bystander", NEIGHBOUR)]))[0].edits.iloc[0]
    assert (edit["method"], edit["attempts"]) == ("diffusion", 2)


def test_a_region_that_is_all_subject_or_outside_is_told(shard, paint):
    everything = [0, 0, 240, 0, 240, 200, 0, 200]
    delivery = shard(
        regions=[("bystander", FACE), ("logo", [900, 900, 950, 900, 950, 950])], segments=[everything], over="kept"
    )
    painted, pixels, _ = paint(delivery)
    assert (pixels == original(delivery)).all()
    assert painted.edits["method"].tolist() == ["nothing to paint"] * 2
    assert painted.edits["painted"].tolist() == [0, 0]


def test_regions_of_other_images_are_left_alone(shard, paint):
    delivery = shard(regions=[("bystander", NEIGHBOUR)])
    delivery["regions"]["image"] = "another"
    painted, pixels, _ = paint(delivery)
    assert len(painted.edits) == 0 and (pixels == original(delivery)).all()


def test_a_region_may_fill_the_image(shard, paint):
    everything = [0, 0, 240, 0, 240, 200, 0, 200]
    painted, pixels, _ = paint(shard(regions=[("other", everything)]))
    assert painted.edits["painted"].item() == pixels.shape[0] * pixels.shape[1]


SEVERAL = [("license_plate", PLATE), ("bystander", NEIGHBOUR), ("screen", [150, 20, 200, 20, 200, 50, 150, 50])]


def test_the_best_of_several_candidates_is_kept(shard, paint, monkeypatch):
    scores = iter([0.9, 0.0, 0.0, 0.7])
    monkeypatch.setattr(candidates.flaws, "of_fill", lambda *_: Flaws(next(seams), 1.0, 0.0))
    monkeypatch.setattr(candidates.detectors, "left_over", lambda *_: found(next(scores)))
    seams = iter([1.0, 3.0, 2.0, 0.5])

    def found(score):
        return [Found("face_yunet", score, (0, 0, 1, 1))] if score else []

    edit = paint(shard(regions=[("bystander", NEIGHBOUR)]), candidates=4)[0].edits.iloc[0]
    assert (edit["candidates"], edit["chosen"], edit["seam"], edit["attempts"]) == (4, 2, 2.0, 1)


def test_no_more_candidates_are_tried_than_needed(shard, paint, monkeypatch):
    seams = iter([2.0, 1.05])
    monkeypatch.setattr(candidates.flaws, "of_fill", lambda *_: Flaws(next(seams), 1.0, 0.0))
    edit = paint(shard(regions=[("screen", PLATE)]), candidates=4)[0].edits.iloc[0]
    assert (edit["candidates"], edit["chosen"], edit["attempts"]) == (2, 1, 1)


def test_equal_candidates_are_ranked_by_their_number():
    ranked = [candidates.Candidate(0.0, Flaws(1.0, 1.0, 0.0), number, None) for number in (3, 1, 2)]
    assert candidates.best(ranked).number == 1


def test_candidates_are_ranked_by_detectors_then_by_what_gives_them_away_most():
    somebody, ghost, smear, seam, clean = (
        (0.7, Flaws(1.0, 1.0, 0.0)),
        (0.0, Flaws(1.0, 1.0, 9.0)),
        (0.0, Flaws(1.0, 6.0, 0.0)),
        (0.0, Flaws(1.5, 1.0, 0.0)),
        (0.0, Flaws(1.15, 1.5, 0.5)),
    )
    tried = [
        candidates.Candidate(*one, number, None) for number, one in enumerate((somebody, ghost, smear, seam, clean))
    ]
    ranked = []
    while tried:
        ranked.append(candidates.best(tried).number)
        tried = [one for one in tried if one.number != ranked[-1]]
    assert ranked == [4, 3, 2, 1, 0]


@pytest.mark.parametrize("flaws", [Flaws(1.0, 3.0, 0.0), Flaws(1.0, 1.0, 2.0)])
def test_a_fill_that_is_told_by_its_detail_or_outline_is_tried_again(shard, paint, monkeypatch, flaws):
    of_fills = iter([flaws, Flaws(1.0, 1.0, 0.0)])
    monkeypatch.setattr(candidates.flaws, "of_fill", lambda *_: next(of_fills))
    edit = paint(shard(regions=[("screen", PLATE)]), candidates=4)[0].edits.iloc[0]
    assert (edit["candidates"], edit["chosen"]) == (2, 1)
    assert tuple(edit[["seam", "detail", "outline"]]) == (1.0, 1.0, 0.0)


@pytest.mark.parametrize("kept", [0, 1])
def test_what_is_kept_is_the_candidate_that_is_told(shard, paint, monkeypatch, kept):
    delivery, seen = shard(regions=[("screen", PLATE)]), []

    def seams(pixels, hole, ignored):
        seen.append(pixels[hole].copy())
        return Flaws(2.0 + abs(len(seen) - 1 - kept), 1.0, 0.0)

    monkeypatch.setattr(candidates.flaws, "of_fill", seams)
    painted, pixels, _ = paint(delivery, candidates=2)
    assert painted.edits["chosen"].item() == kept
    assert (pixels[region_mask(PLATE, pixels.shape[:2])] == seen[kept]).all()
    assert (seen[0] != seen[1]).any()


def test_a_membrane_says_that_all_candidates_failed(shard, paint, monkeypatch):
    monkeypatch.setattr(candidates.detectors, "left_over", lambda *_: [Found("face_yunet", 0.9, (0, 0, 1, 1))])
    edit = paint(shard(regions=[("screen", PLATE)]), attempts=2, candidates=2)[0].edits.iloc[0]
    assert (edit["method"], edit["candidates"], edit["chosen"]) == ("membrane", 4, candidates.NONE)


def test_images_painted_side_by_side_are_those_painted_alone(shard, tiny_embedded, picture):
    words = inpaint.Prompts.read(shard()["prompts"])
    chosen = inpaint.Settings(words, (12.0, 16.0), 2, attempts=1, candidates=1, batch=2, painter=lambda: tiny_embedded)
    regions = list(shard(regions=SEVERAL)["regions"].itertuples())

    def scenes():
        for number in (2, 1):
            pixels = np.roll(picture, 7 * number, 1)
            yield inpaint.Scene.of(pixels, inpaint.Wanted(regions[:number], [], "indoor"))

    together, alone = list(scenes()), list(scenes())
    edits = list(inpaint.paint_out(together, chosen))
    one_by_one = [edit for scene in alone for edit in inpaint.paint_out([scene], chosen)]
    assert all((a.pixels == b.pixels).all() for a, b in zip(together, alone, strict=True))
    assert len(edits) == 3
    for flaw in Flaws._fields:
        assert sorted(e[flaw] for e in edits) == sorted(e[flaw] for e in one_by_one)


corners = st.lists(st.tuples(st.integers(-20, 200), st.integers(-20, 220)), min_size=3, max_size=6)


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(region=corners, subject=corners, attempts=st.integers(0, 1), each=st.integers(1, 2))
def test_no_bit_outside_the_mask_changes(tiny_embedded, picture, region, subject, attempts, each):
    pixels = picture.copy()
    shape = picture.shape[:2]
    hole = region_mask(np.ravel(region), shape)
    body = rasterise([np.ravel(subject)], shape)
    task = candidates.Task(
        candidates.View(pixels, hole & ~body, hole | body, hole | body, body), lambda n: Request("room", "", 13.0, n, 1)
    )
    if task.view.hole.any():
        candidates.paint([task], tiny_embedded, attempts, each)
    assert (pixels[~hole | body] == picture[~hole | body]).all()
