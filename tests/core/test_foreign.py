"""Files that are neither JPEG nor PNG are named by their format."""

import io

import pytest
from PIL import Image

from accord.errors import AccordError
from accord.imaging import decode
from accord.imaging.formats.foreign import name_format


def encoded(kind):
    buffer = io.BytesIO()
    Image.new("RGB", (8, 8)).save(buffer, kind)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("kind", "name"),
    [("GIF", "GIF"), ("BMP", "BMP"), ("TIFF", "TIFF, or a camera's raw format"), ("WEBP", "WebP"), ("AVIF", "AVIF"),
     ("JPEG2000", "JPEG 2000"), ("PDF", "PDF"), ("JPEG", ""), ("PNG", ""), ("PPM", "")],
)  # fmt: skip
def test_formats_that_pillow_writes(kind, name):
    assert name_format(encoded(kind)) == name


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"\0\0\0\x24ftypheic\0\0\0\0mif1heic", "HEIC, a phone's format"),
        (b"\0\0\0\x1cftypmif1\0\0\0\0mif1heic", "HEIC, a phone's format"),
        (b"\0\0\0\x1cftypavif\0\0\0\0avifmif1", "AVIF"),
        (b"\0\0\0\x18ftypcrx \0\0\0\x01crx isom", "CR3, a camera's raw format"),
        (b"\0\0\0\x20ftypisom\0\0\2\0isomiso2mp41", "a video"),
        (b"II*\0\x10\0\0\0CR\2\0", "a camera's raw format"),
        (b"\n<!DOCTYPE html><html>", "a web page"),
        (b"<?xml version='1.0'?>\n<svg>", "SVG"),
        (b"version https://git-lfs.github.com/spec/v1\n", "a pointer of Git LFS: `git lfs pull` gets the file"),
        (b"", "an empty file"),
        (b"no picture", ""),
        (b"\0\0\0", ""),
    ],
)
def test_first_bytes_of_other_formats(data, name):
    assert name_format(data) == name


def test_the_error_names_the_format_and_what_to_do():
    with pytest.raises(AccordError) as raised:
        decode.decode(b"\0\0\0\x24ftypheic\0\0\0\0mif1heic")
    [problem] = raised.value.problems
    assert (problem.what, problem.hint) == ("can't be decoded (HEIC, a phone's format)", "export it as JPEG or PNG")
