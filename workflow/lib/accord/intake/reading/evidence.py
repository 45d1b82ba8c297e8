"""Signed files as evidence: whether several people are said to have signed one, and on which days."""

import hashlib
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from accord.intake.delivered import files, sheets
from accord.intake.delivered.files import FileRefusedError
from accord.intake.delivered.row import Row
from accord.intake.reading import form_files
from accord.shards import opaque_id

LONGEST_TEXT = 1 << 16
"""Bytes of a form that is compared as a text: a PDF or a picture is compared by its bytes alone."""
SHARED = "the signed form is also given for somebody else"
DAYS = "the signed form is said to be signed on different days"


class Signature(NamedTuple):
    """A row of forms.csv as evidence: the sha256 of its file, whose it is (an opaque id), when it was signed, whether
    several people are declared to have signed it together, and a digest of what it says, "" of what is no text."""

    sha256: str
    subject: str
    signed_on: str
    joint: bool
    text: str = ""


def signature(root: Path, vendor: str, row: Row) -> Signature:
    """The signature that a row of forms.csv is, in the delivery in the folder `root`."""
    joint = sheets.boolean(row["joint"]) is True
    subject, text = opaque_id(vendor, row["subject"]), text_digest(root, row["file"])
    return Signature(row["sha256"].lower(), subject, row["signed_on"], joint, text)


def text_digest(root: Path, path: str) -> str:
    """A digest of what a text says, the same in any encoding, case and spacing; "" of any other file."""
    try:
        text = form_files.text(files.read(root, path, LONGEST_TEXT)) or ""
    except FileRefusedError:
        return ""
    words = unicodedata.normalize("NFKC", text).casefold().split()
    return hashlib.sha256(" ".join(words).encode()).hexdigest() if words else ""


def conflicts(signatures: Iterable[Signature]) -> dict[str, str]:
    """Sha256 -> why nobody can tell who signed that file, or when.

    A file, or a text, of several people counts where each of its rows declares it as joint; of one person it has one
    day.
    """
    alike: dict[tuple[str, str], set[Signature]] = defaultdict(set)
    for form in signatures:
        for key in (("sha256", form.sha256), ("text", form.text)):
            if form.sha256 and form.subject and key[1]:
                alike[key].add(form)
    reasons = {}
    for same in alike.values():
        if reason := _conflict(same):
            reasons |= {row.sha256: reason for row in same if reasons.get(row.sha256) != SHARED}
    return reasons


def _conflict(same: set[Signature]) -> str:
    people, days = {row.subject for row in same}, {(row.subject, row.signed_on) for row in same}
    if len(people) > 1 and not all(row.joint for row in same):
        return SHARED
    return DAYS if len(days) > len(people) else ""
