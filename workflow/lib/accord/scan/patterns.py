"""Patterns: the byte strings that a text or a digest becomes in files."""

import base64
import json
import unicodedata
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import quote, quote_plus

from accord.scan.dossier import FILE, PERCEPTUAL, PIXELS, REFERENCE, RELEASED, Dossier, Value

PICTURE, EMBEDDING = "picture", "embedding"
TEXT, BASE64, HEX, RAW = "text", "base64", "hex", "raw bytes"
WIDE = ("utf-16-le", "utf-16-be", "utf-32-le")
MIN_REFERENCE, MIN_NUMBER, MIN_ENCODED = 5, 8, 8
VECTOR_START = 8
"""So many numbers of an embedding make its pattern."""


class Pattern(NamedTuple):
    """A byte string that stands for the person.

    `how`: its encoding; `caseless`: ASCII letters of either case; `whole`: the text that must stand in it with no
    letter or digit beside it (IMG_1 is not IMG_12), b"" where anything may.
    """

    data: bytes
    kind: str
    how: str
    caseless: bool = False
    whole: bytes = b""


def patterns(dossier: Dossier) -> list[Pattern]:
    """The patterns of a dossier, each byte string once."""
    made = [p for value in sorted(dossier.values) if searchable(value) for p in of_value(value)]
    made += [p for rows in dossier.vectors.values() for row in rows for p in _of_vector(row)]
    return list({pattern.data: pattern for pattern in reversed(made)}.values())


def searchable(value: Value) -> bool:
    """Whether a text means anything: five characters, or eight where all are digits.

    Of a perceptual hash about half of the bits are set by its construction, unless the picture is flat, and the hash
    that of any flat picture.
    """
    if value.kind == PERCEPTUAL:
        return 0.25 <= int(value.text, 16).bit_count() / (4 * len(value.text)) <= 0.75
    if value.kind != REFERENCE:
        return True
    return len(value.text) >= (MIN_NUMBER if value.text.isdigit() else MIN_REFERENCE)


def of_value(value: Value) -> Iterator[Pattern]:
    """The patterns of one text: as it is, in other alphabets, and, of hexadecimal digits, the bytes that they mean."""
    spellings = _spellings(value)
    for text in sorted(spellings):
        whole = text if value.kind == REFERENCE else b""
        yield Pattern(text, value.kind, TEXT, True, whole)
        for codec in WIDE:
            yield Pattern(text.decode().encode(codec), value.kind, codec, True, whole)
        for data in _base64(text):
            yield Pattern(data, value.kind, BASE64, False, whole)
        if len(text) * 2 >= MIN_ENCODED:
            yield Pattern(text.hex().encode(), value.kind, HEX, True, whole)
    digits = value.text.replace("-", "")
    if value.kind != REFERENCE and len(digits) >= 2 * MIN_ENCODED:
        raw = bytes.fromhex(digits)
        yield Pattern(raw, value.kind, RAW)
        if value.kind in (FILE, PIXELS):
            yield from (Pattern(data, value.kind, BASE64) for data in _base64(raw))


def _spellings(value: Value) -> set[bytes]:
    """A text as UTF-8 in both Unicode forms, percent-encoded, and with JSON's escapes; an UUID also without dashes."""
    texts = {unicodedata.normalize(form, value.text) for form in ("NFC", "NFD")} | {value.text}
    if value.kind == RELEASED:
        texts.add(value.text.replace("-", ""))
    made = {text.encode() for text in texts}
    made |= {spell(text).encode() for text in texts for spell in (lambda t: quote(t, safe=""), quote, quote_plus)}
    return made | {json.dumps(text)[1:-1].encode() for text in texts}


def _base64(data: bytes) -> set[bytes]:
    """What data become inside a longer base64 text, in both alphabets: for each of three alignments, the characters
    that depend on nothing beside them."""
    found = set()
    for shift in range(3):
        coded = base64.b64encode(bytes(shift) + data)
        first, last = -(-shift * 8 // 6), (shift + len(data)) * 8 // 6
        found |= {coded[first:last], coded[first:last].translate(bytes.maketrans(b"+/", b"-_"))}
    return {text for text in found if len(text) >= MIN_ENCODED}


def _of_vector(row: Any) -> Iterator[Pattern]:
    """The first numbers of an embedding as they lie in memory, in weights, in a pickle that is never opened."""
    for dtype in ("<f4", "<f8"):
        data = row[:VECTOR_START].astype(dtype).tobytes()
        if any(data):
            yield Pattern(data, EMBEDDING, RAW)
