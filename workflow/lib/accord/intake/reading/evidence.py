"""Signed files as evidence: whether one can be what somebody signed, and whether several people are said to have."""

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from accord.intake.delivered import sheets
from accord.intake.delivered.row import Row
from accord.shards import opaque_id

LEAST_TEXT, LEAST_LETTERS, LEAST_BYTES = 12, 5, 100
"""Letters of a text, and how many different ones: a name and a day have as many; bytes of any other file (the smallest
PDF that readers open has 67 bytes, and no page in it)."""
WHOLE = {
    b"%PDF-": (b"obj", b"%%EOF"),
    b"\xff\xd8\xff": (b"\xff\xda", b"\xff\xd9"),
    b"\x89PNG\r\n\x1a\n": (b"IDAT", b"IEND"),
}
"""How PDF, JPEG and PNG begin, and what a whole one has."""
STARTS = (*WHOLE, b"II*\0", b"MM\0*", b"GIF8")
"""The same with TIFF and GIF."""
BOXED = ((8, b"WEBP"), (4, b"ftyphe"), (4, b"ftypmif1"), (4, b"ftypavif"))
"""Where other pictures say what they are: WebP, HEIC, AVIF."""
PLAIN_CONTROLS = frozenset(b"\t\n\f\r\x1b")
SHORT = "the signed form is too short to say what was signed, and by whom"
BROKEN = "the signed form is a damaged PDF or picture"
SHARED = "the signed form is also given for somebody else"
DAYS = "the signed form is said to be signed on different days"


class Signature(NamedTuple):
    """A row of forms.csv as evidence: the sha256 of its file, whose it is (an opaque id), when it was signed, and
    whether several people are declared to have signed it together."""

    sha256: str
    subject: str
    signed_on: str
    joint: bool


def signature(vendor: str, row: Row) -> Signature:
    """The signature that a row of forms.csv is."""
    return Signature(
        row["sha256"].lower(), opaque_id(vendor, row["subject"]), row["signed_on"], sheets.boolean(row["joint"]) is True
    )


def conflicts(signatures: Iterable[Signature]) -> dict[str, str]:
    """Sha256 -> why nobody can tell who signed that file, or when.

    A file of several people counts where each of its rows declares it as joint; of one person it has one day.
    """
    signed: dict[str, set[Signature]] = defaultdict(set)
    for form in signatures:
        if form.sha256 and form.subject:
            signed[form.sha256].add(form)
    reasons = {}
    for sha256, same in signed.items():
        people, days = {row.subject for row in same}, {(row.subject, row.signed_on) for row in same}
        if len(people) > 1 and not all(row.joint for row in same):
            reasons[sha256] = SHARED
        elif len(days) > len(people):
            reasons[sha256] = DAYS
    return reasons


def fault(data: bytes) -> str:
    """Why a file can't be what somebody signed; "" where it could be."""
    if (text := _text(data)) is not None:
        letters = "".join(text.split())
        return SHORT if len(text.strip()) < LEAST_TEXT or len(set(letters)) < LEAST_LETTERS else ""
    if len(data) < LEAST_BYTES:
        return SHORT
    needed = next((parts for start, parts in WHOLE.items() if data.startswith(start)), ())
    return "" if all(part in data for part in needed) else BROKEN


def is_known(data: bytes) -> bool:
    """Whether a file is of a kind that its bytes show: a PDF, a picture or text. Others are for a person to look at."""
    boxed = any(data.startswith(name, at) for at, name in BOXED)
    return data.startswith(STARTS) or boxed or _text(data) is not None


def _text(data: bytes) -> str | None:
    """What a text file says; None of what is no text."""
    for start, encoding in ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"", "utf-8-sig"), (b"", "cp1252")):
        if data.startswith(start) and not data.startswith(STARTS):
            try:
                text = data.decode(encoding)
            except UnicodeDecodeError:
                continue
            controls = any(ord(sign) < 32 and ord(sign) not in PLAIN_CONTROLS for sign in text)
            return None if controls else text
    return None
