import numpy as np
import pytest

from accord.privacy.fitting import seam


@pytest.fixture
def noise():
    """A grainy picture, and a hole in it."""
    pixels = np.random.default_rng(0).integers(100, 120, (80, 90, 3)).astype(np.uint8)
    hole = np.zeros((80, 90), bool)
    hole[20:60, 30:60] = True
    return pixels, hole, np.zeros_like(hole)


def test_what_goes_on_as_it_was_scores_one(noise):
    assert seam.score(*noise) == pytest.approx(1, abs=0.05)


def test_a_step_scores_by_its_height():
    pixels, hole = np.full((60, 60, 3), 100, np.uint8), np.zeros((60, 60), bool)
    hole[20:40, 20:40] = True
    pixels[hole] = 118
    # 18 levels across, none beside: (18 + 2) / (0 + 2)
    assert seam.score(pixels, hole, np.zeros_like(hole)) == pytest.approx(10)


def test_the_outline_of_a_subject_is_no_seam(noise):
    pixels, hole, _ = noise
    body = np.zeros_like(hole)
    body[10:70, 60:70] = True
    pixels[body] = 255
    assert seam.score(pixels, hole, body) == pytest.approx(1, abs=0.06)
    assert seam.score(pixels, hole, np.zeros_like(hole)) != pytest.approx(1, abs=0.06)


def test_a_worse_seam_scores_higher(noise):
    pixels, hole, nobody = noise
    scores = []
    for step in (0, 10, 40):
        changed = pixels.copy()
        changed[hole] += np.uint8(step)
        scores.append(seam.score(changed, hole, nobody))
    assert scores == sorted(scores) and scores[2] > 3


def test_a_hole_without_a_border_has_no_seam():
    pixels, everything = np.zeros((20, 20, 3), np.uint8), np.ones((20, 20), bool)
    assert seam.score(pixels, everything, ~everything) == 0
