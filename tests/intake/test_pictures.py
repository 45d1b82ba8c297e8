"""Headers and EXIF of untrusted pictures."""

import io
import math
import struct
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from accord.intake.delivered.files import FileRefusedError
from accord.intake.delivered.plain import plain
from accord.intake.reading import exif, pictures


def encoded(kind: str, exif_block=None, size=(40, 30), **options) -> bytes:
    buffer = io.BytesIO()
    options |= {"exif": exif_block} if exif_block is not None else {}
    Image.new("RGB", size, (1, 2, 3)).save(buffer, kind, **options)
    return buffer.getvalue()


def camera() -> Image.Exif:
    made = Image.Exif()
    made[exif.MAKE], made[exif.MODEL], made[exif.SOFTWARE] = "Acme", "P1\0", "v2"
    made[exif.ORIENTATION] = 6
    photo = made.get_ifd(exif.EXIF_IFD)
    photo[exif.DATE_TIME_ORIGINAL] = "2024:05:06 07:08:09"
    photo[exif.APERTURE], photo[exif.FOCAL_LENGTH], photo[exif.ISO] = 2.0, 4.25, 125
    photo[exif.EXPOSURE_TIME] = 1 / 128
    gps = made.get_ifd(exif.GPS_IFD)
    gps[1], gps[2], gps[3], gps[4] = "S", (1.0, 30.0, 0.0), "E", (36.0, 0.0, 36.0)
    return made


def png_claiming(width: int, height: int) -> bytes:
    """A PNG of a few bytes whose header claims a size."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")


def refusal(data, name="a.jpg", most=10_000):
    with pytest.raises(FileRefusedError) as caught:
        pictures.header(data, name, most)
    return caught.value.check, str(caught.value)


@pytest.mark.parametrize(("kind", "name", "media"), [("JPEG", "a.JPEG", "image/jpeg"), ("PNG", "a.png", "image/png")])
def test_header_tells_format_size_and_camera(kind, name, media):
    head = pictures.header(encoded(kind, camera()), name, 1200)
    assert (head.media, head.width, head.height) == (media, 40, 30)
    told = head.exif
    assert (told.manufacturer, told.model, told.software, told.orientation) == ("Acme", "P1", "v2", 6)
    assert told.captured_at == "2024-05-06T07:08:09"
    assert told.aperture_value == pytest.approx(2.0)
    assert told.shutter_speed_value == pytest.approx(7.0)  # 1/128 s
    assert told.focal_length == pytest.approx(4.25)
    assert told.iso_speed_ratings == 125
    assert (told.gps_latitude, told.gps_longitude) == (pytest.approx(-1.5), pytest.approx(36.01))


def test_apex_aperture_is_worked_out_from_the_f_number():
    made = Image.Exif()
    made.get_ifd(exif.EXIF_IFD)[exif.F_NUMBER] = 4.0
    assert exif.parse(made.tobytes()).aperture_value == pytest.approx(4.0)  # 2 log2 4


def test_a_picture_without_exif_says_so():
    told = pictures.header(encoded("JPEG"), "a.jpg", 1200).exif
    assert not told.has_exif
    assert told.orientation == 1
    assert math.isnan(told.focal_length)


def test_extension_must_fit_the_content():
    assert refusal(encoded("PNG")) == ("extension", "the file's extension is not one of image/png")
    assert refusal(encoded("JPEG"), "a.png")[0] == "extension"


@pytest.mark.parametrize("data", [b"", b"GIF89a" + bytes(40), b"\xff\xd8\xff", b"%PDF-1.4", encoded("GIF")])
def test_other_formats_and_rubbish_are_refused(data):
    check, reason = refusal(data)
    assert check == "header"
    assert reason.startswith("not a readable JPEG or PNG")


def test_a_phone_s_format_is_named():
    assert refusal(b"\0\0\0\x24ftypheic\0\0\0\0mif1heic", "a.heic") == (
        "header",
        "not a readable JPEG or PNG (HEIC, a phone's format)",
    )


@pytest.mark.parametrize("side", [101, 10_000, 60_000, 2**31 - 1])
def test_a_bomb_is_refused_by_its_header(side):
    check, reason = refusal(png_claiming(side, side), "a.png")
    assert check == "pixels"
    assert reason == "the header says more than 10000 pixels"


@pytest.mark.parametrize(("data", "name", "reason"), [
    (b"\xff\xd8" + b"\xff\xfe\0\2" * 2000 + encoded("JPEG")[2:], "a.jpg", "the file has more than 1000 segments"),
    (encoded("JPEG")[:-2] + b"\xff\xda\0\x08\1\1\0\1\1\0" * 80 + b"\xff\xd9", "a.jpg",
     "the file has more than 64 scans"),
    (encoded("JPEG", icc_profile=b"broken"), "a.jpg", "the file has a colour profile that can't be read"),
    (encoded("PNG", save_all=True, append_images=[Image.new("RGB", (40, 30))]), "a.png", "the file is an animation"),
], ids=["segments", "scans", "profile", "animation"])  # fmt: skip
def test_what_no_viewer_shows_alike_or_no_camera_writes_is_refused(data, name, reason):
    assert refusal(data, name) == ("parts", reason)


def test_of_several_pictures_the_first_is_taken():
    several = encoded("MPO", camera(), save_all=True, append_images=[Image.new("RGB", (40, 30))])
    assert Image.open(io.BytesIO(several)).n_frames == 2
    head = pictures.header(several, "a.jpg", 1200)
    assert (head.media, head.width, head.exif.manufacturer) == ("image/jpeg", 40, "Acme")


def test_pixels_are_never_decoded():
    whole = encoded("JPEG", size=(640, 480))
    assert pictures.header(whole[:700], "a.jpg", 640 * 480).width == 640


@given(st.binary(max_size=300))
def test_malformed_exif_never_raises(block):
    assert isinstance(exif.parse(b"Exif\0\0" + block), exif.Exif)


@given(st.integers(0, 400), st.binary(min_size=1, max_size=8))
def test_damaged_exif_gives_values_in_range(place, bytes_):
    block = bytearray(camera().tobytes())
    block[place : place + len(bytes_)] = bytes_
    told = exif.parse(bytes(block))
    assert 1 <= told.orientation <= 8
    assert math.isnan(told.gps_latitude) or -90 <= told.gps_latitude <= 90
    assert math.isnan(told.gps_longitude) or -180 <= told.gps_longitude <= 180
    assert len(told.manufacturer) <= 64
    assert told.manufacturer.isprintable()


def test_exif_with_impossible_values_leaves_them_out():
    made = Image.Exif()
    made[exif.ORIENTATION], made[exif.MAKE] = 77, "x" * 500
    photo = made.get_ifd(exif.EXIF_IFD)
    photo[exif.DATE_TIME_ORIGINAL], photo[exif.FOCAL_LENGTH] = "yesterday", -3.0
    told = exif.parse(made.tobytes())
    assert (told.orientation, told.captured_at, len(told.manufacturer)) == (1, "", 64)
    assert math.isnan(told.focal_length)


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("Canon", "Canon"), ("=cmd|'/C calc'!A0", "cmd|'/C calc'!A0"), (" +-@=1", "1"), ("\u202egnp", "gnp"),
        ("a\tb\x00", "ab"), ("=", ""), ("\ud800x", "x"), ("São Paulo", "São Paulo"), ("x" * 99, "x" * 64),
    ],
)  # fmt: skip
def test_free_text_is_no_formula_and_all_visible(given, shown):
    assert plain(given, 64) == shown


@pytest.mark.parametrize("name", ["a.mp4", "a.jpg"])
def test_a_video_is_no_picture_whatever_its_name(name):
    film = b"\0\0\0\x20ftypisom\0\0\2\0isomiso2mp41\0\0\0\x08free"
    check, what = refusal(film, name)
    assert (check, what.partition(" (")[0]) == ("header", "not a readable JPEG or PNG")
