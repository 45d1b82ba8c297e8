"""Face pictures against independent references."""

import numpy as np
import pytest
from PIL import Image
from scipy import ndimage

from accord.release.format.geometry import Size, ffhq_rectangle
from accord.release.making import faces


def noise(height: int, width: int, grain: int = 4) -> np.ndarray:
    """(height, width, 3) uint8: random, `grain` px coarse, far enough from 0 and 255 that nothing is clipped."""
    coarse = np.random.default_rng(7).integers(60, 196, (height // grain + 2, width // grain + 2, 3), np.uint8)
    fine = Image.fromarray(coarse).resize((width, height), Image.Resampling.BICUBIC)
    return np.asarray(fine)


def square(centre, half: float, turn: float) -> np.ndarray:
    x = half * np.array([np.cos(turn), np.sin(turn)])
    y = np.array([-x[1], x[0]])
    return np.stack([centre - x - y, centre - x + y, centre + x + y, centre + x - y])


def lanczos(length: int, size: int) -> np.ndarray:
    """(size, length) weights of a reduction with Lanczos-3, in double precision."""
    scale = length / size
    away = (np.arange(length) + 0.5 - (np.arange(size)[:, None] + 0.5) * scale) / scale
    weights = np.where(np.abs(away) < 3, np.sinc(away) * np.sinc(away / 3), 0)
    return weights / weights.sum(axis=1, keepdims=True)


def by_definition(pixels: np.ndarray, corners: np.ndarray, side: int, warped: int) -> np.ndarray:
    """Bilinear at `warped` px and Lanczos to `side` px, in double precision and without any rounding between."""
    steps = (np.arange(warped) + 0.5) / warped
    right, down = corners[3] - corners[0], corners[1] - corners[0]
    where = corners[0] + steps[None, :, None] * right + steps[:, None, None] * down - 0.5
    grid = [where[:, :, 1], where[:, :, 0]]
    weights = lanczos(warped, side)
    channels = [ndimage.map_coordinates(pixels[:, :, c].astype(float), grid, order=1, mode="nearest") for c in range(3)]
    return np.clip(np.stack([weights @ channel @ weights.T for channel in channels], axis=2), 0, 255)


@pytest.mark.parametrize("turn", [0.0, 0.4, -1.2])
def test_an_inner_face_is_warped_as_defined(turn):
    pixels, corners = noise(300, 260), square(np.array([131.3, 148.8]), 60, turn)
    found = faces.aligned(pixels, corners, 64, 512).astype(float)
    apart = found - by_definition(pixels, corners, 64, 512)
    assert np.abs(apart).max() < 1.5
    assert abs(apart.mean()) < 0.05


def test_at_full_size_it_equals_pillow_but_for_pillows_truncation():
    pixels, corners = noise(1000, 900), square(np.array([450.0, 480.0]), 300, 0.2)
    found = faces.aligned(pixels, corners, 512, 4096).astype(int)
    image = Image.fromarray(pixels).transform(
        (4096, 4096), Image.Transform.QUAD, corners.ravel(), Image.Resampling.BILINEAR
    )
    apart = found - np.asarray(image.resize((512, 512), Image.Resampling.LANCZOS)).astype(int)
    assert np.abs(apart).max() <= 2
    assert 0.4 < apart.mean() < 0.6  # Pillow drops the fraction of each of the 4096 x 4096 pixels


def test_a_large_face_is_shrunk_first():
    pixels, corners = noise(700, 700, grain=40), square(np.array([350.0, 350.0]), 250, 0.1)
    found = faces.aligned(pixels, corners, 64, 256)  # 500 px / 64 px * 0.5 = 3.9: shrunk by 3
    small = np.asarray(Image.fromarray(pixels).resize((233, 233), Image.Resampling.LANCZOS))
    assert np.abs(found - by_definition(small, corners / 3, 64, 256)).max() < 1.5


def test_beyond_the_picture_an_aligned_face_has_the_mean_along_each_axis():
    pixels, corners = noise(120, 120, grain=12), square(np.array([30.0, 40.0]), 50, 0.3)
    found = faces.aligned(pixels, corners, 64, 256)
    np.testing.assert_allclose(found, by_definition(*mean_padding(pixels, corners), 64, 256), atol=2)


def mean_padding(pixels: np.ndarray, corners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The padding, line by line, for a square that reaches over the left and the upper edge."""
    border = round(np.hypot(*(corners[3] - corners[0])) * 0.1)
    low = np.floor(corners.min(axis=0)).astype(int) - border
    right, lower = np.ceil(corners.max(axis=0)).astype(int) + border
    seen = pixels[:lower, :right].astype(float)
    columns = np.rint(seen.mean(axis=0))
    tall = np.concatenate([np.stack([columns] * -low[1]), seen])
    rows = np.rint(tall.mean(axis=1))
    return np.concatenate([np.stack([rows] * -low[0], axis=1), tall], axis=1), corners - low


def test_nobody_is_mirrored_into_the_padding_of_an_aligned_face():
    pixels = np.full((100, 100, 3), 90, np.uint8)
    pixels[30:60, 4:14] = (250, 10, 10)  # somebody near the left edge
    found = faces.aligned(pixels, square(np.array([10.0, 50.0]), 40, 0.0), 80, 320).astype(int)
    beyond = found[:, :27]  # x from -30 to -3: outside the picture
    assert np.ptp(beyond, axis=1).max() <= 1, "each row of the padding has one colour"
    assert np.abs(beyond[:15] - 90).max() <= 1
    shown = found[30:40, 36:42].mean(axis=(0, 1))
    assert shown[0] - 90 > 3 * (beyond[30:40, :, 0].mean() - 90), "of who is seen no more than a share of the mean"


def test_the_padding_of_a_crop_is_the_mean_of_each_axis_by_hand():
    pixels = np.array([[[10], [20]], [[30], [60]]], np.uint8).repeat(3, axis=2)
    found = faces.crop(pixels, (-1, -1, 2, 2))[:, :, 0]
    # Columns first: means 20 and 40; then rows: (20+40)/2, (10+20)/2, (30+60)/2.
    np.testing.assert_array_equal(found, [[30, 20, 40], [15, 10, 20], [45, 30, 60]])


def test_a_crop_within_the_picture_is_its_pixels():
    pixels = noise(50, 60)
    np.testing.assert_array_equal(faces.crop(pixels, (10, 20, 30, 45)), pixels[20:45, 10:30])


def test_an_upside_down_face_is_upright_when_aligned():
    pixels = np.zeros((200, 200, 3), np.uint8)
    pixels[120:140, 90:110] = (255, 0, 0)  # what lies towards the eyes of a face that hangs head down
    corners = ffhq_rectangle((110, 120), (90, 120), (108, 90), (92, 90))
    found = faces.aligned(pixels, corners, 32, 128)
    assert found[:16, :, 0].mean() > 4 * max(found[16:, :, 0].mean(), 0.1)


def test_downsampling_is_lanczos():
    pixels = noise(90, 60)
    rows, columns = lanczos(90, 30), lanczos(60, 20)
    expected = np.clip(np.stack([rows @ pixels[:, :, c] @ columns.T for c in range(3)], axis=2), 0, 255)
    assert np.abs(faces.smaller(pixels, Size(20, 30)) - expected).max() < 1.5
