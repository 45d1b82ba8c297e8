"""Fingerprints against the libraries and formulas that define them."""

import hashlib

import imagehash
import numpy as np
import pytest
from PIL import Image

from accord.checks.files.encoding import encoding_quality
from accord.imaging.fingerprint import MIRROR, fingerprint, pdq, thumbnail
from accord.imaging.hamming import distances, transposed, words


def bits_between(one, other):
    return int(distances(words([fingerprint(one).pdq]), words([fingerprint(other).pdq]))[0])


def test_pixels_are_those_of_the_picture(photo):
    pixels = photo(1)
    made = fingerprint(pixels)
    assert made.pixels == hashlib.sha256(pixels.tobytes()).hexdigest()
    assert (made.width, made.height) == (640, 480)


def test_a_view_has_the_pixels_of_its_copy(photo):
    turned = np.rot90(photo(1))
    assert fingerprint(turned) == fingerprint(turned.copy())


def test_phash_is_that_of_imagehash(photo):
    pixels = photo(2, 300, 200)
    assert fingerprint(pixels).phash == str(imagehash.phash(Image.fromarray(pixels)))


def test_pdq_hex_starts_with_the_first_bit(photo):
    pdqhash = pytest.importorskip("pdqhash")
    bits, quality = pdqhash.compute(photo(3, 200, 200))
    assert pdq(photo(3, 200, 200)) == (f"{int(''.join(map(str, bits)), 2):064x}", quality)


def test_sharpness_and_brightness_of_a_checkerboard():
    board = (np.indices((64, 64)).sum(axis=0) % 2 * 200).astype(np.uint8)
    made = fingerprint(np.repeat(board[:, :, None], 3, axis=2))
    # Every pixel has four neighbours of the other colour (mirrored at the edges): the Laplacian is +-800 everywhere.
    assert made.sharpness == pytest.approx(800**2)
    assert made.brightness == pytest.approx(100)


def test_blur_lowers_sharpness(photo):
    pixels = photo(4)
    small = Image.fromarray(pixels).resize((160, 120))
    assert fingerprint(np.asarray(small.resize((640, 480)))).sharpness < fingerprint(pixels).sharpness


@pytest.mark.parametrize(
    ("size", "small"), [((1024, 512), (512, 256)), ((500, 200), (500, 200)), ((2000, 1), (512, 1))]
)
def test_thumbnails_fit(size, small):
    width, height = size
    assert thumbnail(np.zeros((height, width, 3), np.uint8)).shape == (small[1], small[0], 3)


@pytest.mark.parametrize("shape", [(1, 1), (1, 600), (600, 1), (5, 5)])
def test_tiny_and_flat_pictures_have_fingerprints_without_quality(shape):
    assert fingerprint(np.full((*shape, 3), 7, np.uint8)).pdq_quality == 0


def test_copies_are_near_and_other_pictures_far(photo, jpeg):
    from accord.imaging.decode import decode

    pixels = photo(5)
    image = Image.fromarray(pixels)
    for copy in (
        decode(jpeg(pixels, 40)),
        np.asarray(image.resize((480, 360))),
        np.asarray(image.crop((4, 4, 636, 476))),
    ):
        assert bits_between(pixels, copy) <= 31
    assert bits_between(pixels, photo(6)) > 80


@pytest.mark.parametrize("seed", range(8))
def test_a_mirrored_picture_has_nearly_the_mirrored_hash(photo, seed):
    pixels = photo(seed)
    hashes = words([fingerprint(pixels).pdq, fingerprint(pixels[:, ::-1]).pdq])
    assert distances(hashes[0], hashes[1], MIRROR) <= 31
    assert distances(hashes[0], hashes[1]) > 31


def test_the_turned_hashes_are_those_of_turned_pixels(photo):
    pixels = photo(7, 200, 300)
    made = fingerprint(pixels)
    forms = [pixels[:, ::-1], pixels[::-1], np.rot90(pixels, 2)]
    assert made.turned == "".join(fingerprint(form.copy()).pdq for form in forms)
    lying = fingerprint(pixels.transpose(1, 0, 2)).pdq
    assert distances(transposed(words([made.pdq])), words([lying])).max() <= 2


@pytest.mark.parametrize("quality", [25, 40, 50, 75, 92, 100])
def test_the_quality_of_a_jpeg_is_that_at_which_it_was_made(photo, jpeg, quality):
    assert encoding_quality(jpeg(photo(8, 64, 64), quality)) == pytest.approx(quality, abs=2)


def test_a_png_has_lost_nothing(photo):
    from accord.imaging.decode import encode_png

    assert encoding_quality(encode_png(photo(8, 64, 64))) == 100
