import numpy as np
import pytest

from accord.privacy.fitting import exemplar, texture


@pytest.fixture
def stripes():
    """Vertical stripes, 8 px wide, and a hole whose painted content is their blurred mean."""
    truth = np.where((np.arange(128) // 8 % 2)[None, :, None] == 1, 180, 100).astype(np.uint8)
    truth = np.broadcast_to(truth, (128, 128, 3)).copy()
    hole = np.zeros((128, 128), bool)
    hole[40:90, 48:80] = True
    return truth, hole


def test_a_blurred_painting_becomes_as_sharp_as_its_surroundings(stripes):
    truth, hole = stripes
    painted = truth.copy()
    painted[hole] = 140
    source = exemplar.complete(painted, hole)
    pieces = exemplar.enlarge(painted, source)
    assert np.abs(pieces[hole] - truth[hole]).mean() < 10  # 40 for the painting


def test_pieces_come_from_what_is_known_only(stripes):
    truth, hole = stripes
    source = exemplar.complete(truth, hole)
    wanted = source[hole]
    reach = exemplar.RADIUS
    for row in (-reach, 0, reach):
        for column in (-reach, 0, reach):
            y, x = np.clip(wanted + np.array([row, column]), 0, 127).T
            assert not hole[y, x].any()


def test_pixels_away_from_the_hole_are_their_own_source(stripes):
    truth, hole = stripes
    source = exemplar.complete(truth, hole)
    assert (source[:20] == np.indices((128, 128)).transpose(1, 2, 0)[:20]).all()


def test_where_nothing_is_known_there_are_no_pieces(stripes):
    painted, _ = stripes
    assert exemplar.complete(painted, np.ones((128, 128), bool)) is None
    crop, unknown = np.zeros((200, 150, 3), np.uint8), np.ones((200, 150), bool)
    fitted = texture.fit_with_pieces(painted, crop, unknown, np.ones((128, 128), bool))
    assert fitted.shape == crop.shape and fitted.mean() == pytest.approx(painted.mean(), abs=2)


def test_a_constant_offset_leaves_no_seam():
    crop = np.full((90, 80, 3), 120, np.uint8)
    unknown = np.zeros((90, 80), bool)
    unknown[30:60, 30:50] = True
    fitted = texture.seamless(np.full(crop.shape, 100, np.float32), crop, unknown)
    assert (fitted[~unknown] == 120).all()
    edge = fitted[30:60, 30]
    assert edge.min() > 105 and fitted[45, 40, 0] == pytest.approx(100, abs=1)


@pytest.mark.parametrize("shape", [(64, 50), (128, 128), (300, 260)])
def test_shrinking_hides_every_small_pixel_with_something_unknown_under_it(shape):
    pixels, unknown = np.zeros((*shape, 3), np.uint8), np.zeros(shape, bool)
    unknown[shape[0] // 2, shape[1] // 3] = True
    pixels[unknown] = 255
    small, hidden = texture.shrink(pixels, unknown, 128)
    assert small.shape == (128, 128, 3) and hidden.any()
    assert not small[~hidden].any()


@pytest.mark.parametrize("corner", [(0, 0), (9, 11), (14, 4)])
def test_a_pixel_is_the_weighted_mean_of_what_all_patches_over_it_say(corner):
    """Summed up pixel by pixel; patches reach over the edges of the picture."""
    rng = np.random.default_rng(1)
    image, hole = rng.random((20, 18, 3)).astype(np.float32), np.zeros((20, 18), bool)
    hole[corner[0] : corner[0] + 6, corner[1] : corner[1] + 7] = True
    source, weight = rng.integers(0, 18, (20, 18, 2)), rng.random((20, 18)).astype(np.float32) + 0.1
    expected, reach = image.astype(float), exemplar.RADIUS
    for y, x in np.argwhere(hole):
        over = [p for p in np.ndindex(20, 18) if max(abs(p[0] - y), abs(p[1] - x)) <= reach]
        said = [image[tuple(np.clip(source[p] + [y - p[0], x - p[1]], 0, [19, 17]))] for p in over]
        expected[y, x] = np.average(said, axis=0, weights=[weight[p] for p in over])
    assert exemplar.vote(image, hole, source, weight) == pytest.approx(expected, abs=1e-5)
