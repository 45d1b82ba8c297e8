"""Face pictures against independent references."""

import numpy as np
import pytest
from PIL import Image
from scipy import ndimage

from accord.release import faces
from accord.release.geometry import Size, ffhq_rectangle


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


def test_beyond_the_picture_it_is_reflected_blurred_and_faded_to_the_median():
    pixels, corners = noise(120, 120, grain=12), square(np.array([20.0, 60.0]), 50, 0.0)
    found = faces.aligned(pixels, corners, 64, 256)
    np.testing.assert_allclose(found, by_definition(*ffhq_padding(pixels, corners), 64, 256), atol=2)


def ffhq_padding(pixels: np.ndarray, corners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The recipe's padding, pixel by pixel, for a square that reaches over the left edge alone."""
    side = np.hypot(*(corners[3] - corners[0]))
    border, pad = round(side * 0.1), max(round(side * 0.3), int(-corners[:, 0].min()) + round(side * 0.1))
    low = np.maximum(np.floor(corners.min(axis=0)).astype(int) - border, 0)
    high = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + border, 120)
    inside = pixels[low[1] : high[1], low[0] : high[0]].astype(float)
    other = round(side * 0.3)
    padded = np.pad(inside, ((other, other), (pad, other), (0, 0)), mode="reflect")
    height, width = padded.shape[:2]
    depth = np.empty((height, width, 1))
    for y in range(height):
        for x in range(width):
            across = 1 - min(x / pad, (width - 1 - x) / other)
            depth[y, x] = max(across, 1 - min(y / other, (height - 1 - y) / other))
    blurred = ndimage.gaussian_filter(padded, [side * 0.02, side * 0.02, 0])
    padded += (blurred - padded) * np.clip(depth * 3 + 1, 0, 1)
    padded += (np.median(padded, axis=(0, 1)) - padded) * np.clip(depth, 0, 1)
    return np.clip(np.rint(padded), 0, 255), corners - low + [pad, other]


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
