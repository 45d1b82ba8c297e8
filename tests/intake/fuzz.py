"""Every parser that reads a delivery, with texts of the kind that it takes: what fuzzing begins with."""

import io
from collections.abc import Callable
from typing import NamedTuple

import yaml
from hypothesis import strategies as st
from PIL import Image

from accord.consent.requests import wishes
from accord.engine import yaml_text
from accord.errors import Collector
from accord.intake.delivered import files, parsing, plain, sheets
from accord.intake.delivered.files import FileRefusedError
from accord.intake.reading import annotations, annotators, attributes, countries, exif, forms, images, pictures
from accord.intake.reading.annotations import AnnotationError
from accord.intake.redacting import verbatim
from accord.shards import opaque_id
from accord.text import references, unicode
from accord.vocabularies import ATTRIBUTES

MOST_PIXELS = 1 << 20


class Parser(NamedTuple):
    """A parser of bytes, what it may raise, and texts of its kind."""

    call: Callable[[bytes], object]
    raises: tuple[type[Exception], ...]
    seeds: tuple[bytes, ...]


def table(name: str) -> Callable[[bytes], None]:
    """Read a table; the bytes of a sound one are those of its rows again, and problems are few."""

    def call(data: bytes) -> None:
        problems = Collector()
        rows = parsing.parse(name, data, problems)
        assert len(problems) <= parsing.MOST_PROBLEMS + len(sheets.SHEETS[name].required) + 2
        if not problems:
            found = verbatim.records(name, data)
            assert b"".join(record.raw for record in found) == data
            assert [record.row for record in found if record.row] == rows

    return call


def cell(data: bytes) -> None:
    """Read a cell as whatever a cell can hold."""
    text = data.decode(errors="replace")[: parsing.LONGEST_CELL]
    for attribute in ATTRIBUTES.values():
        attributes.judge(attribute, text)
    countries.normalise(text)
    forms.is_date(text)
    images.is_hour(text)
    assert len(plain.plain(text, 64)) <= 64


def annotation(data: bytes) -> None:
    """Read an annotation; whatever it names can be made an id."""
    found = annotations.parse(data, "I")
    for name in (*(person.subject for person in found.people), *(region.region for region in found.regions)):
        opaque_id(name)
    for name in annotators.named(found):
        opaque_id(name)


def reference(data: bytes) -> None:
    """Read a reference from the command line, where any bytes can come, and from a file."""
    for errors in ("surrogateescape", "replace"):
        text = data.decode(errors=errors)
        references.skeleton(references.normal(text))
        if not unicode.fault(text):
            references.person("vendor", text)


def picture(kind: str) -> bytes:
    made, block = io.BytesIO(), Image.Exif()
    block[0x0110], block[0x0112] = "Camera", 6
    block.get_ifd(0x8825).update({1: "N", 2: (1.0, 2.0, 3.0)})
    Image.new("RGB", (8, 8), (90, 120, 60)).save(made, kind, exif=block)
    return made.getvalue()


def of_columns(name: str) -> bytes:
    columns = sheets.SHEETS[name].required
    row = ",".join(f'"{column} ""1"""' for column in columns)
    return f"{','.join(columns)}\r\n{row}\n\n{row.replace('1', '2')}".encode()


DESCRIPTION = b"""format: accord-delivery/1
vendor: acme # ours
delivery: "2026-03"
notices:
  - {id: notice-1, version: '1', language: en, sha256: aa}
tables: {images.csv: aa}
"""
ANNOTATION = (
    b'{"image": "I", "people": [{"subject": "S", "face_bbox": [1, 2, 3, 4], "keypoints": {"0. Nose": [4, 2.5, 1]},'
    b'"segments": [{"class_name": "0. Face skin", "num": 1, "polygon": [{"x": 1, "y": 5}, {"x": 2, "y": 5},'
    b'{"x": 6, "y": 9}]}]}], "regions": [{"region": "r", "kind": "screen", "polygon": [[1, 2], [9, 2], [9, 4]]}]}'
)
SURROGATES = tuple(
    ANNOTATION.replace(old, new, 1)
    for old, new in (
        (b'"S"', b'"\\ud800"'),
        (b'"r"', b'"r\\udfff"'),
        (b"[1, 2, 3, 4]", b'[1, 2, 3, 4], "annotators": {"face_bbox": "\\ud800"}'),
        (b'"screen"', b'"screen", "annotator": "\\ud800a"'),
        (b'"I"', b'"I", "\\ud800": 1'),
    )
)
WISHES = b"action,vendor,subject,on\nwithdraw,acme,S1,2026-01-02\n"
PICTURES = (picture("JPEG"), picture("PNG"))
BLOCK = Image.open(io.BytesIO(PICTURES[0])).info["exif"]
PARSERS = {
    "description": Parser(
        lambda data: yaml_text.strings(data.decode()),
        (yaml.YAMLError, ValueError),
        (DESCRIPTION, b"a: &b [*b]\n<<: *b"),
    ),
    "new digests": Parser(
        lambda data: verbatim.described(data, {"images.csv": b"x"}),
        (yaml.YAMLError, ValueError, KeyError, TypeError),
        (DESCRIPTION,),
    ),
    **{name: Parser(table(name), (), (of_columns(name),)) for name in sheets.SHEETS},
    "cell": Parser(cell, (), (b"0. She/her/hers|2. They", b"Hanoi, Vietnam|Kenyan", b"2026-03-01", b"14:05", b"=1+1")),
    "annotation": Parser(annotation, (AnnotationError,), (ANNOTATION, *SURROGATES)),
    "picture": Parser(lambda data: pictures.header(data, "x.jpg", MOST_PIXELS), (FileRefusedError,), PICTURES),
    "exif": Parser(exif.parse, (), (BLOCK, BLOCK[6:])),
    "path": Parser(lambda data: files.parts(data.decode(errors="replace")), (FileRefusedError,), (b"images/a.jpg",)),
    "wishes": Parser(lambda data: wishes.parse(data, "inbox"), (), (WISHES,)),
    "reference": Parser(reference, (), (b"ann", "Ân".encode(), b"S\xff\xed\xa0\x80")),
}
WORDS = (
    *(b"\n", b"\r", b'"', b"'", b",", b"|", b"\0", b"\xff", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"..", b"/", b"\\"),
    *(b"[", b"{", b"}", b"]", b"&a ", b"*a", b"<<: ", b"!!x ", b"%TAG ! x", b"---\n", b"? ", b"- ", b"|\n", b"1:" * 9),
    *(
        b"null",
        b"NaN",
        b"1e999",
        b"-0",
        b"9" * 5_000,
        b"\\ud800",
        b"\\udfff\\ud800",
        "\u0344\u0316".encode(),
        "\u0f73".encode(),
        b"\xff\xd8\xff\xe1",
        b"\xff\xfe",
        b"IHDR",
        b"\xff" * 4,
    ),
)


@st.composite
def mixed(draw, seeds: tuple[bytes, ...]) -> bytes:
    """A text of the kind, of which parts are gone, come again many times, or are anything else."""
    data = draw(st.sampled_from(seeds))
    for _ in range(draw(st.integers(0, 8))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.integers(0, 20)))
        new = draw(st.one_of(st.sampled_from(WORDS), st.binary(max_size=8), st.just(b""), st.just(data[start:end] * 2)))
        data = data[:start] + new * draw(st.sampled_from((1, 1, 1, 2, 40, 4_000))) + data[end:]
        data = data[: 1 << 17]
    return data
