import numpy as np
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.privacy.fitting.membrane import membrane
from accord.privacy.painting.painters import membrane_fill


def hole(height, width, top, bottom, left, right):
    known = torch.ones(1, 1, height, width, dtype=torch.bool)
    known[..., top:bottom, left:right] = False
    return known


def test_a_plane_is_its_own_continuation():
    rows, columns = torch.meshgrid(torch.arange(48.0), torch.arange(40.0), indexing="ij")
    plane = (0.02 * rows - 0.03 * columns)[None, None]
    filled = membrane(plane, hole(48, 40, 12, 30, 10, 26), sweeps=200)
    assert torch.allclose(filled, plane, atol=0.01)


@settings(max_examples=20, deadline=None)
@given(st.integers(3, 40), st.integers(3, 40), st.integers(0, 2**31))
def test_known_pixels_stay_and_the_rest_lies_between_them(height, width, seed):
    rng = torch.Generator().manual_seed(seed)
    image = torch.rand(1, 3, height, width, generator=rng)
    known = torch.rand(1, 1, height, width, generator=rng) < 0.4
    known[..., 0, 0] = True
    filled = membrane(image, known)
    given_pixels = known.expand_as(image)
    assert torch.equal(filled[given_pixels], image[given_pixels])
    for channel in range(3):
        values = image[:, channel][known[:, 0]]
        assert filled[:, channel].min() >= values.min() - 1e-5
        assert filled[:, channel].max() <= values.max() + 1e-5


def test_nothing_known_gives_zero():
    assert torch.equal(
        membrane(torch.ones(1, 1, 9, 7), torch.zeros(1, 1, 9, 7, dtype=torch.bool)), torch.zeros(1, 1, 9, 7)
    )


def test_the_last_resort_forgets_what_was_there():
    crop = np.full((60, 50, 3), 90, np.uint8)
    crop[20:40, 15:35] = (255, 0, 0)
    unknown = np.zeros((60, 50), bool)
    unknown[20:40, 15:35] = True
    assert (membrane_fill(crop, unknown) == 90).all()
