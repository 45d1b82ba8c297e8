"""Decoding is bounded, upright, and gives the pixels that viewers show."""

import io
import struct
import zlib

import numpy as np
import pytest
from icc import SRGB, of_greys, of_inks, of_matrix, p3_to_srgb
from PIL import Image, ImageOps

from accord.errors import AccordError
from accord.imaging.decode import decode, encode_png, parts, read, reduced
from accord.imaging.formats import colour

COLOURS = np.stack(np.meshgrid(*[np.arange(0, 256, 17, dtype=np.uint8)] * 3, indexing="ij"), -1).reshape(64, 64, 3)


def encoded(pixels, kind="JPEG", **options):
    buffer = io.BytesIO()
    picture = pixels if isinstance(pixels, Image.Image) else Image.fromarray(pixels)
    picture.save(buffer, kind, **options)
    return buffer.getvalue()


def with_chunk(data, name, content):
    """A PNG with a chunk more, before its data."""
    chunk = struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
    return data.replace(data[data.index(b"IDAT") - 4 :], chunk + data[data.index(b"IDAT") - 4 :])


def random(*shape, seed=0):
    return np.random.default_rng(seed).integers(0, 256, shape, dtype=np.uint8)


def test_orientation_is_applied():
    exif = Image.Exif()
    exif[0x0112] = 6
    wide = np.zeros((8, 16, 3), np.uint8)
    assert decode(encoded(wide, exif=exif)).shape == (16, 8, 3)


def test_png_round_trip_without_metadata():
    pixels = np.arange(48, dtype=np.uint8).reshape(4, 4, 3)
    data = encode_png(pixels)
    assert (decode(data) == pixels).all()
    assert [data[12:16]] == [b"IHDR"]
    assert Image.open(io.BytesIO(data)).info == {}


def smooth(height, width):
    return np.add.outer(np.arange(height), np.arange(width)).astype(np.uint8)


@pytest.mark.parametrize(
    "pixels",
    [
        random(1, 1, 3),
        random(64, 48, 3)[:, ::-1],
        random(40, 30, 3)[:, :, 1],
        np.dstack([smooth(70, 90)] * 3),
        smooth(65, 33),
    ],
    ids=["a pixel", "turned noise", "a channel", "smooth colours", "smooth grey"],
)
def test_a_png_holds_the_pixels_in_one_chunk_the_same_each_time(pixels):
    data = encode_png(pixels)
    with Image.open(io.BytesIO(data)) as image:
        assert np.array_equal(np.asarray(image), pixels)
    assert (data.count(b"IHDR"), data.count(b"IDAT"), data[-8:-4]) == (1, 1, b"IEND")
    assert parts(data).bare == data == encode_png(pixels.copy())


def test_noise_and_what_repeats_are_each_written_the_smaller_way():
    repeated, noise = np.tile(random(1, 64, 3), (64, 8, 1)), np.random.default_rng(0).normal(128, 6, (256, 256, 3))
    for pixels in (repeated, noise.astype(np.uint8)):
        assert len(encode_png(pixels)) <= len(encoded(pixels, "PNG", compress_level=3))


def test_bombs_and_broken_files_are_refused():
    data = encoded(np.zeros((64, 64, 3), np.uint8))
    with pytest.raises(AccordError, match="has more than 100 pixels"):
        decode(data, max_pixels=100)
    for broken in (data[: len(data) // 2], b"", b"GIF89a", b"not an image"):
        with pytest.raises(AccordError, match="can't be decoded"):
            decode(broken)
    with pytest.raises(AccordError, match="can't be decoded"):
        decode(encoded(np.zeros((4, 4, 3), np.uint8), "GIF"))


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
@pytest.mark.parametrize("lies", range(1, 9))
def test_pictures_are_turned_as_pillow_turns_them(kind, lies):
    exif = Image.Exif()
    exif[0x0112] = lies
    data = encoded(random(24, 40, 3), kind, exif=exif)
    with Image.open(io.BytesIO(data)) as image:
        expected = np.asarray(ImageOps.exif_transpose(image).convert("RGB"))
    assert (decode(data) == expected).all()
    assert (reduced(data, 100) == expected).all()


@pytest.mark.parametrize("how", [{}, {"progressive": True}, {"subsampling": 0}, {"quality": 30}])
def test_ordinary_jpegs_have_pillows_pixels(how):
    data = encoded(random(61, 83, 3), **how)
    with Image.open(io.BytesIO(data)) as image:
        assert (decode(data) == np.asarray(image)).all()
    assert read(data).conversions == ()


def with_alpha(mode):
    """A picture of colours, the left half of which is hidden, with 128 of 255 of the colour in the row at the top."""
    alpha = np.full((64, 64), 255, np.uint8)
    alpha[:, :32], alpha[0] = 0, 128
    picture = Image.fromarray(COLOURS).convert("L" if mode == "LA" else "RGB")
    picture.putalpha(Image.fromarray(alpha))
    return picture


@pytest.mark.parametrize("mode", ["LA", "RGBA"])
def test_what_alpha_hides_is_white(mode):
    picture = with_alpha(mode)
    got = read(encoded(picture, "PNG"))
    assert got.conversions == (colour.ALPHA,)
    assert (got.pixels[1:, :32] == 255).all()
    assert (got.pixels[1:, 32:] == np.asarray(picture.convert("RGB"))[1:, 32:]).all()
    half = np.asarray(picture.convert("RGB"), float)[0] * 128 / 255 + 255 * 127 / 255
    assert np.abs(got.pixels[0] - half).max() <= 0.5
    assert (reduced(encoded(picture, "PNG"), 100) == got.pixels).all()


def test_what_a_palette_or_one_colour_hides_is_white():
    indexed = Image.fromarray(np.arange(256, dtype=np.uint8).reshape(16, 16), "P")
    indexed.putpalette(random(768).tobytes())
    plain = np.asarray(indexed.convert("RGB"))
    got = read(encoded(indexed, "PNG", transparency=bytes([0] * 8 + [255] * 248)))
    assert (got.pixels[0, :8] == 255).all()
    assert (got.pixels.reshape(-1, 3)[8:] == plain.reshape(-1, 3)[8:]).all()
    assert got.conversions == (colour.ALPHA,)
    got = read(encoded(np.arange(256, dtype=np.uint8).reshape(16, 16), "PNG", transparency=7))
    assert (got.pixels[0, 7] == 255).all()
    assert (got.pixels[0, 6] == 6).all()
    key = (17, 34, 51)
    got = read(encoded(COLOURS, "PNG", transparency=key))
    is_key = (key == COLOURS).all(-1)
    assert is_key.sum() == 1
    assert (got.pixels[is_key] == 255).all()
    assert (got.pixels[~is_key] == COLOURS[~is_key]).all()


def test_alpha_that_hides_nothing_changes_nothing():
    picture = Image.fromarray(COLOURS).convert("RGBA")
    got = read(encoded(picture, "PNG"))
    assert got.conversions == ()
    assert (got.pixels == COLOURS).all()


def test_sixteen_bits_are_scaled_to_eight():
    deep = np.linspace(0, 65535, 64 * 64).reshape(64, 64).astype(np.uint16)
    got = read(encoded(Image.fromarray(deep), "PNG"))
    assert got.conversions == (colour.DEPTH,)
    assert np.abs(got.pixels[..., 0] - deep / 257).max() <= 0.5


@pytest.mark.parametrize("colorants", [{}, {"colorants": SRGB}])
def test_profiles_are_converted_to_srgb(colorants):
    profile = of_matrix(**colorants)
    expected = COLOURS.astype(int) if colorants else p3_to_srgb(COLOURS)
    got = read(encoded(COLOURS, "PNG", icc_profile=profile))
    assert np.abs(got.pixels - expected).max() <= 1
    assert got.conversions == (() if colorants else (colour.PROFILE,))
    assert np.abs(COLOURS - p3_to_srgb(COLOURS)).max() > 50  # so that the test would see a profile dropped


def test_a_profile_of_a_jpeg_is_heeded_wherever_it_is_decoded():
    skin = np.full((64, 64, 3), (198, 140, 110), np.uint8)
    data = encoded(skin, quality=100, subsampling=0, icc_profile=of_matrix())
    without = decode(encoded(skin, quality=100, subsampling=0))
    for got in (decode(data), reduced(data, 64), reduced(data, 16)):
        assert np.abs(got.astype(int) - p3_to_srgb(without[0, 0])).max() <= 1


def test_profiles_come_before_alpha():
    picture = with_alpha("RGBA")
    got = read(encoded(picture, "PNG", icc_profile=of_matrix()))
    assert got.conversions == (colour.PROFILE, colour.ALPHA)
    assert (got.pixels[1:, :32] == 255).all()
    assert np.abs(got.pixels[1:, 32:] - p3_to_srgb(COLOURS)[1:, 32:]).max() <= 1


def test_profiles_of_greys_and_inks_are_converted():
    greys = np.arange(256, dtype=np.uint8).reshape(16, 16)
    got = read(encoded(greys, "PNG", icc_profile=of_greys(1.8)))
    assert got.conversions == (colour.PROFILE,)
    assert 140 < got.pixels[7, 15, 0] < 150  # 127 at gamma 1.8: 0.285 of the light, 0.57 of the scale of sRGB
    inks = Image.new("CMYK", (16, 16), (255, 255, 0, 0))
    assert read(encoded(inks)).conversions == (colour.CMYK,)
    got = read(encoded(inks, quality=100, icc_profile=of_inks()))
    assert got.conversions == (colour.PROFILE,)
    assert got.pixels.min() > 250


@pytest.mark.parametrize("data", [
    encoded(COLOURS, icc_profile=b"broken"),
    encoded(COLOURS, icc_profile=of_matrix()[:300]),
    encoded(COLOURS, icc_profile=bytes(5 << 20)),
    encoded(COLOURS, icc_profile=of_greys()),
    encoded(COLOURS, icc_profile=of_inks()),
    encoded(COLOURS, "PNG", icc_profile=b"broken"),
    with_chunk(encoded(COLOURS, "PNG"), b"iCCP", b"name\0\0no deflated data"),
], ids=["broken", "cut", "huge", "greys", "inks", "broken PNG", "undeflated"])  # fmt: skip
def test_profiles_that_cannot_be_used_are_refused(data):
    with pytest.raises(AccordError, match="has a colour profile"):
        decode(data)


@pytest.mark.parametrize(("chunk", "content"), [
    (b"gAMA", struct.pack(">I", 100_000)),
    (b"cHRM", struct.pack(">8I", 31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000)),
    (b"cICP", bytes((12, 13, 0, 1))),
])  # fmt: skip
def test_colours_told_in_other_ways_are_refused(chunk, content):
    with pytest.raises(AccordError, match="has colours that a"):
        decode(with_chunk(encoded(COLOURS, "PNG"), chunk, content))
    spared = with_chunk(encoded(COLOURS, "PNG"), b"sRGB", b"\0")
    if chunk != b"cICP":
        assert (decode(with_chunk(spared, chunk, content)) == COLOURS).all()


def test_a_transparent_colour_that_cannot_be_told_is_refused():
    deep = encoded(Image.fromarray(np.zeros((8, 8), np.uint16)), "PNG")
    with pytest.raises(AccordError, match="has a transparent colour of 16 bits"):
        decode(with_chunk(deep, b"tRNS", b"\0\7"))


def test_of_several_pictures_the_first_is_seen():
    first, second = random(48, 64, 3, seed=1), random(48, 64, 3, seed=2)
    both = encoded(first, "MPO", save_all=True, append_images=[Image.fromarray(second)])
    gain = encoded(first) + bytes(12) + encoded(second)
    assert Image.open(io.BytesIO(both)).n_frames == 2
    for data in (both, gain):
        got = read(data)
        assert got.conversions == ("first_of_several",)
        assert (got.pixels == decode(encoded(first))).all()
        assert encoded(second)[-500:] not in parts(data).bare


def test_animations_are_refused():
    frames = [Image.fromarray(random(16, 16, 3, seed=n)) for n in range(2)]
    data = encoded(frames[0], "PNG", save_all=True, append_images=frames[1:])
    with pytest.raises(AccordError, match="is an animation"):
        decode(data)
