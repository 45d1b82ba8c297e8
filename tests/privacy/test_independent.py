"""Another reader finds what ours refuses: each kind of metadata planted, and none left in what is rebuilt."""

import io
import json
import shutil

import numpy as np
import pytest
from PIL import Image, ImageCms, PngImagePlugin

from accord.errors import AccordError
from accord.imaging.decode import decode, encode_png
from accord.privacy import command
from accord.privacy.proof import independent, metadata

needs_exiftool = pytest.mark.skipif(not independent.is_there(), reason="libimage-exiftool-perl is not installed")
XMP = b"""<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" dc:source="home"/></rdf:RDF></x:xmpmeta>"""


def jpeg(**options) -> bytes:
    data = io.BytesIO()
    Image.fromarray(np.full((24, 32, 3), 90, np.uint8)).save(data, "JPEG", **options)
    return data.getvalue()


def exif() -> bytes:
    tags = Image.Exif()
    tags[0x010F] = "Maker"
    tags.get_ifd(0x8825)[1] = "N"
    return tags.tobytes()


def iptc() -> bytes:
    """An Adobe segment with the IPTC field By-line."""
    field = b"\x1c\x02\x50" + (4).to_bytes(2, "big") + b"Anna"
    body = b"Photoshop 3.0\x008BIM\x04\x04\x00\x00" + len(field).to_bytes(4, "big") + field + b"\0" * (len(field) % 2)
    plain = jpeg()
    return plain[:2] + b"\xff\xed" + (len(body) + 2).to_bytes(2, "big") + body + plain[2:]


def png_text() -> bytes:
    data, told = io.BytesIO(), PngImagePlugin.PngInfo()
    told.add_text("Author", "Anna")
    Image.fromarray(np.zeros((8, 8, 3), np.uint8)).save(data, "PNG", pnginfo=told)
    return data.getvalue()


PLANTED = {
    "exif.jpg": jpeg(exif=exif()),
    "xmp.jpg": jpeg(xmp=XMP),
    "comment.jpg": jpeg(comment=b"at home"),
    "iptc.jpg": iptc(),
    "icc.jpg": jpeg(icc_profile=ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()),
    "text.png": png_text(),
    "trailer.png": encode_png(np.zeros((8, 8, 3), np.uint8)) + b"secret trailer of some length",
}


@pytest.fixture
def planted(tmp_path):
    for name, data in PLANTED.items():
        (tmp_path / name).write_bytes(data)
    return tmp_path


@needs_exiftool
def test_both_readers_find_everything_that_is_planted(planted):
    found = independent.unexpected(sorted(planted.iterdir()))
    assert {file.name for file in found} == set(PLANTED)
    assert all(metadata.violations(data) for data in PLANTED.values())
    told = {file.name: tags for file, tags in found.items()}
    assert "IFD0:Make" in told["exif.jpg"] and "IPTC:By-line" in told["iptc.jpg"] and "PNG:Author" in told["text.png"]


@needs_exiftool
def test_both_readers_find_nothing_in_what_is_rebuilt(planted, tmp_path, capsys):
    rebuilt = tmp_path / "rebuilt"
    rebuilt.mkdir()
    for name, data in PLANTED.items():
        (rebuilt / f"{name}.png").write_bytes(encode_png(decode(data)))
    (rebuilt / "plain.jpg").write_bytes(jpeg())
    assert independent.unexpected(rebuilt.iterdir()) == {}
    assert command.main(["metadata", str(rebuilt)]) == 0
    assert "8 pictures contain only pixels, confirmed by two readers" in capsys.readouterr().out
    assert command.main(["metadata", str(rebuilt), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["pictures"] == 8


@needs_exiftool
def test_the_command_names_files_and_tags_but_no_values(planted):
    with pytest.raises(AccordError) as error:
        command.main(["metadata", str(planted)])
    told = str(error.value)
    assert "exif.jpg: ExifTool finds" in told and "IFD0:Make" in told
    assert "Anna" not in told and "Maker" not in told


@needs_exiftool
def test_what_is_no_image_is_said(tmp_path):
    with pytest.raises(AccordError, match=r"nothing.png: can't be read by ExifTool"):
        independent.unexpected([tmp_path / "nothing.png"])


def test_without_the_tool_the_hint_says_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(AccordError, match="ExifTool: is not installed") as error:
        independent.unexpected([tmp_path / "a.png"])
    assert "libimage-exiftool-perl" in str(error.value)


def test_a_folder_without_pictures_is_said(tmp_path):
    with pytest.raises(AccordError, match="no pictures found"):
        command.main(["metadata", str(tmp_path)])
