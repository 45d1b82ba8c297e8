"""Files and pixels: what is found, on files made for it."""

import math

import numpy as np
import pytest
from PIL import Image

from accord.checks.files.devices import newest_year
from accord.checks.looking.decode import run
from accord.errors import AccordError

LIMITS = {
    "min_device_year": 2011, "min_megapixels": 0.25, "min_side": 300, "max_aspect": 2.0, "require_exif": True,
    "max_pixels": 10_000_000,
}  # fmt: skip
CHECKS = ["aspect", "decode", "device_year", "exif", "megapixels", "side"]


def verdicts(decoded, image="a"):
    rows = decoded.findings[decoded.findings["image"] == image]
    return dict(zip(rows["check"], rows["verdict"], strict=True))


def finding(decoded, check):
    return decoded.findings.set_index("check").loc[check]


def test_a_good_picture_passes_everything_and_is_fingerprinted(shard, photo, jpeg):
    decoded = run(*shard({"a": jpeg(photo(1, 640, 400))}), **LIMITS)
    assert verdicts(decoded) == dict.fromkeys(CHECKS, "pass")
    assert finding(decoded, "megapixels")["score"] == pytest.approx(0.256)
    assert finding(decoded, "aspect")["score"] == pytest.approx(1.6)
    assert decoded.fingerprints[["image", "subject", "width", "height"]].values.tolist() == [["a", "s1", 640, 400]]


def half(data):
    return data[: len(data) // 2]


def flipped(data):
    """Forty bytes of the compressed picture turned over, all else as it was."""
    damaged = bytearray(data)
    for place in np.random.default_rng(0).integers(len(data) // 3, len(data) - 10, 40):
        damaged[place] ^= 0xFF
    return bytes(damaged)


def cut_but_ended(data):
    """Cut in the middle, with the end marker put back: Pillow decodes it without a word."""
    return half(data) + b"\xff\xd9"


@pytest.mark.parametrize("harm", [half, flipped, cut_but_ended, lambda data: b"not an image", lambda data: b""])
def test_what_does_not_decode_has_this_finding_alone(shard, photo, jpeg, harm):
    decoded = run(*shard({"a": harm(jpeg(photo(2))) or b"\0", "b": jpeg(photo(3))}), **LIMITS)
    assert verdicts(decoded) == {"decode": "fail"}
    assert verdicts(decoded, "b") == dict.fromkeys(CHECKS, "pass")
    assert decoded.fingerprints["image"].tolist() == ["b"]


@pytest.mark.parametrize("mode", ["L", "CMYK", "progressive"])
def test_unusual_but_whole_jpegs_are_not_called_damaged(shard, photo, tmp_path, mode):
    path = tmp_path / "odd.jpg"
    image = Image.fromarray(photo(4))
    image.convert(mode if mode != "progressive" else "RGB").save(path, "JPEG", progressive=mode == "progressive")
    assert verdicts(run(*shard({"a": path.read_bytes()}), **LIMITS))["decode"] == "pass"


def test_a_bomb_is_not_decoded(shard, tmp_path):
    path = tmp_path / "bomb.png"
    Image.new("1", (6000, 6000)).save(path)
    decoded = run(*shard({"a": (path.read_bytes(), {"media": "image/png"})}), **LIMITS)
    assert verdicts(decoded) == {"decode": "fail"}
    assert finding(decoded, "decode")["reason"] == "the picture has more than 10000000 pixels"


@pytest.mark.parametrize(
    ("size", "failed"),
    [
        ((240, 240), {"side", "megapixels"}),
        ((480, 480), {"megapixels"}),
        ((1024, 448), {"aspect"}),
        ((448, 1024), {"aspect"}),
        ((1000, 500), set()),
        ((300, 900), {"aspect"}),
    ],
)
def test_sizes(shard, photo, jpeg, size, failed):
    found = verdicts(run(*shard({"a": jpeg(photo(5, *size))}), **LIMITS))
    assert {check for check, verdict in found.items() if verdict == "fail"} == failed


def test_size_is_that_of_the_upright_picture(shard, photo, jpeg):
    exif = Image.Exif()
    exif[0x0112] = 6
    upright = run(*shard({"a": jpeg(photo(6, 640, 400), exif=exif)}), **LIMITS).fingerprints
    assert upright[["width", "height"]].values.tolist() == [[400, 640]]


@pytest.mark.parametrize(("require", "verdict"), [(True, "fail"), (False, "info")])
def test_exif_is_wanted_or_only_told(shard, photo, jpeg, require, verdict):
    data = jpeg(photo(7)), {"has_exif": False, "captured_at": "", "model": ""}
    decoded = run(*shard({"a": data}), **{**LIMITS, "require_exif": require})
    assert verdicts(decoded)["exif"] == verdict
    assert verdicts(decoded)["device_year"] == "info"


@pytest.mark.parametrize(
    ("device", "year"),
    [
        (("Apple", "iPhone 3GS", "2024-01-01T00:00:00"), 2009),
        (("Canon", "Canon EOS 5D Mark II", "2024-01-01T00:00:00"), 2008),
        (("NIKON CORPORATION", "NIKON  d90", ""), 2008),
        (("Apple", "iPhone 12", "2024-01-01T00:00:00"), 2024),
        (("Canon", "Canon EOS 5D Mark IV", "2010-12-31T00:00:00"), 2010),
        (("Apple", "iPhone 12", ""), None),
        (("", "", ""), None),
        (("Canon", "Canon", ""), None),
    ],
)
def test_the_latest_year_of_release(device, year):
    assert newest_year(*device) == year


def test_an_old_device_fails(shard, photo, jpeg):
    old = {"manufacturer": "Apple", "model": "iPhone 3GS", "captured_at": "2024-01-01T00:00:00"}
    row = finding(run(*shard({"a": (jpeg(photo(8)), old)}), **LIMITS), "device_year")
    assert (row["verdict"], row["score"], row["threshold"]) == ("fail", 2009, 2011)
    assert row["reason"] == "2009 is the latest possible release year of the device, at least 2011 required"


def test_a_changed_bundle_stops_the_step(shard, photo, jpeg):
    images, path = shard({"a": jpeg(photo(9))})
    data = bytearray(path.read_bytes())
    data[2000] ^= 1
    path.write_bytes(data)
    with pytest.raises(AccordError, match="content does not match its sha256"):
        run(images, path, **LIMITS)


def test_an_empty_shard_has_empty_tables(shard):
    decoded = run(*shard({}), **LIMITS)
    assert (len(decoded.findings), len(decoded.fingerprints)) == (0, 0)


def test_scores_are_missing_only_where_there_is_nothing_to_measure(shard, photo, jpeg):
    rows = run(*shard({"a": jpeg(photo(1))}), **LIMITS).findings
    assert {row.check for row in rows.itertuples() if math.isnan(row.score)} == {"decode", "exif"}
