from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.imaging.regions import Window
from accord.privacy.fitting import tiles


@given(
    shape=st.tuples(st.integers(5, 90), st.integers(5, 90)),
    box=st.tuples(*[st.floats(0, 1)] * 4),
    side=st.integers(4, 40),
)
def test_windows_cover_the_hole_in_the_picture_and_overlap(shape, box, side):
    hole = np.zeros(shape, bool)
    (top, bottom), (left, right) = sorted(box[:2]), sorted(box[2:])
    hole[int(top * shape[0]) : int(bottom * shape[0]) + 1, int(left * shape[1]) : int(right * shape[1]) + 1] = True
    covered = np.zeros(shape, int)
    places = tiles.windows(hole, side)
    for place in places:
        part = place.of(covered)
        part += 1
        assert part.shape == (min(side, shape[0]), min(side, shape[1]))
        assert 0 <= place.top < place.bottom <= shape[0] and 0 <= place.left < place.right <= shape[1]
    assert (covered[hole] > 0).all()
    tops = sorted({place.top for place in places})
    step = (1 - tiles.OVERLAP) * min(side, shape[0]) + 1
    assert all(after - before <= step for before, after in pairwise(tops))


def test_there_are_no_more_tiles_than_needed():
    hole = np.zeros((200, 200), bool)
    hole[10:110, 10:42] = True
    assert len(tiles.windows(hole, 40)) == 3
    assert len(tiles.windows(hole[:50, :50], 40)) == 1
    assert tiles.windows(np.zeros((9, 9), bool), 4) == []


def test_tiles_that_agree_are_what_they_agree_on():
    base = np.zeros((30, 30, 3), np.float32)
    hole = np.ones((30, 30), bool)
    truth = np.random.default_rng(0).uniform(0, 255, (30, 30, 3)).astype(np.float32)
    blended = tiles.blend(base, [(place, place.of(truth)) for place in tiles.windows(hole, 12)])
    assert np.allclose(blended, truth, atol=1e-3)


def test_between_two_tiles_one_fades_into_the_other():
    base = np.full((8, 12, 3), 7, np.float32)
    left, right = Window(0, 8, 0, 8), Window(0, 8, 4, 12)
    blended = tiles.blend(base, [(left, np.zeros((8, 8, 3))), (right, np.full((8, 8, 3), 100.0))])
    line = blended[4, :, 0]
    assert (line[:4] == 0).all() and (line[8:] == 100).all()
    # weights fall from 7/8 to 1/8 of the left tile, and rise likewise of the right one, over four pixels
    assert line[4:8] == pytest.approx([12.5, 37.5, 62.5, 87.5])
    assert (tiles.blend(base, []) == base).all()
