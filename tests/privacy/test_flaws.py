"""What gives a fill away, on small textures: a wall, noise, stripes, and a scene of both."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.imaging.regions import bounded
from accord.privacy.fitting import detail, flaws, outline, seam

SHAPE = (192, 176)


def wall():
    return np.full((*SHAPE, 3), 120.0)


def noise():
    return 120 + np.random.default_rng(3).normal(0, 9, (*SHAPE, 1)).repeat(3, 2)


def stripes():
    return (120 + 40 * np.sign(np.sin(np.arange(SHAPE[1]) / 3)))[None, :, None] + noise() - 120 + np.zeros((*SHAPE, 3))


def scene():
    """Stripes above, a floor that grows lighter below."""
    floor = 90 + np.linspace(0, 40, SHAPE[0])[:, None, None] + (noise() - 120) / 3
    return np.where(np.arange(SHAPE[0])[:, None, None] < 120, stripes(), floor)


SCENES = {made.__name__: made for made in (wall, noise, stripes, scene)}


@pytest.fixture
def body():
    """A head over a trunk."""
    import cv2

    mask = np.zeros(SHAPE, np.uint8)
    cv2.circle(mask, (88, 60), 16, 1, -1)
    cv2.ellipse(mask, (88, 115), (28, 42), 0, 0, 360, 1, -1)
    return mask > 0


@pytest.fixture
def hole(body):
    import cv2

    return cv2.dilate(body.astype(np.uint8), cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (9, 9))) > 0


def pixels(values):
    return np.clip(values + 0.5, 0, 255).astype(np.uint8)


def put(picture, mask, fill):
    return pixels(np.where(mask[..., None], fill, picture))


def blurred(values, sigma):
    import cv2

    return cv2.GaussianBlur(values, (0, 0), sigma)


def found(picture, hole, others=None):
    return flaws.of_fill(picture, hole, np.zeros_like(hole) if others is None else others)


@pytest.mark.parametrize("name", SCENES)
def test_nobody_is_asked_about_the_truth(name, hole):
    assert found(pixels(SCENES[name]()), hole).worst() <= 1


@pytest.mark.parametrize("name", ["noise", "stripes", "scene"])
def test_a_smear_and_a_slab_are_too_smooth(name, hole):
    picture = SCENES[name]()
    for fill in (blurred(picture, 4), picture[~hole].mean(0)):
        assert detail.score(put(picture, hole, fill), hole, np.zeros_like(hole)) > detail.UNSEEN


@pytest.mark.parametrize("name", ["wall", "noise", "scene"])
def test_garbage_is_too_busy(name, hole):
    fill = SCENES[name]() + np.random.default_rng(1).normal(0, 40, (*SHAPE, 3))
    assert detail.score(put(SCENES[name](), hole, fill), hole, np.zeros_like(hole)) > detail.UNSEEN


@pytest.mark.parametrize("name", SCENES)
@pytest.mark.parametrize("tone", [20, 235])
def test_a_ghost_keeps_the_outline_though_its_seam_asks_nobody(name, tone, hole, body):
    picture, soft = SCENES[name](), blurred(body.astype(float), 1.5)[..., None]
    ghost = put(picture, hole, picture * (1 - 0.3 * soft) + tone * 0.3 * soft)
    assert seam.score(ghost, hole, np.zeros_like(hole)) < 2.5
    assert outline.score(ghost, hole, np.zeros_like(hole)) > outline.UNSEEN


def test_more_blur_is_less_detail(hole):
    scores = [found(put(noise(), hole, blurred(noise(), sigma)), hole).detail for sigma in (0.4, 0.8, 1.6, 3.2)]
    assert scores == sorted(scores) and scores[0] < 1.5 < 4 < scores[-1]


def test_a_darker_ghost_has_more_of_an_outline(hole, body):
    shade = blurred(body.astype(float), 1.5)[..., None] * 100
    scores = [found(put(scene(), hole, scene() - much * shade), hole).outline for much in (0, 0.1, 0.2, 0.4)]
    assert scores == sorted(scores) and scores[0] < 0.5 < 3 < scores[-1]


@settings(max_examples=12, deadline=None)
@given(st.sampled_from(list(SCENES)), st.sampled_from([0, 1]), st.floats(0, 0.5), st.integers(0, 9))
def test_a_mirrored_picture_has_the_same_flaws(name, axis, much, seed):
    mask = np.zeros(SHAPE, bool)
    top, left = np.random.default_rng(seed).integers(20, 80, 2)
    mask[top : top + 70, left : left + 50] = True
    picture = put(SCENES[name](), mask, SCENES[name]() * (1 - much))
    mirrored = (np.ascontiguousarray(np.flip(one, axis)) for one in (picture, mask))
    assert found(*mirrored) == pytest.approx(found(picture, mask), rel=0.1, abs=0.1)


def test_a_subject_next_to_the_hole_counts_for_neither(hole):
    others = np.zeros_like(hole)
    others[:, 125:] = True
    picture = noise()
    picture[others] = np.random.default_rng(2).integers(0, 256, (int(others.sum()), 3))
    alone = found(pixels(noise()), hole, others)
    assert found(pixels(picture), hole, others) == pytest.approx(alone, rel=0.05, abs=0.05)
    assert found(pixels(picture), hole).detail > 1.3 * alone.detail


@pytest.mark.parametrize("of", [detail, outline])
def test_where_there_is_nothing_to_look_at_the_score_is_zero(of):
    picture = pixels(noise())
    nothing, everything, dot = np.zeros(SHAPE, bool), np.ones(SHAPE, bool), np.zeros(SHAPE, bool)
    dot[90, 90] = True
    assert [of.score(picture, hole, nothing) for hole in (nothing, dot)] == [0, 0]
    assert of.score(picture, everything, ~everything) == 0


def test_the_worst_flaw_is_the_one_that_exceeds_its_limit_most():
    assert flaws.Flaws(seam.UNSEEN, detail.UNSEEN, 3 * outline.UNSEEN).worst() == pytest.approx(3)
    assert flaws.Flaws(2 * seam.UNSEEN, detail.UNSEEN, 0).worst() == pytest.approx(2)
    assert flaws.NO_FLAWS.worst() == 0


def test_only_what_is_larger_is_scaled_down(hole):
    picture = pixels(scene())
    same, mask = bounded(192, picture, hole)
    assert same is picture and mask is hole
    small, mask = bounded(96, picture, hole)
    assert small.shape == (96, 88, 3) and mask.shape == (96, 88) and mask.dtype == bool
    assert mask.mean() == pytest.approx(hole.mean(), abs=0.01)
