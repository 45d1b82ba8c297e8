"""The leaves of a release: a salted commitment to each of its artefacts and claims.

A leaf's hash is SHA-256(0x00 || salt || canonical record). Without its salt it says nothing of what it commits to, so
that a leaf can be erased (content, salt and record go) while the signed tree of hashes stays whole.
"""

import hashlib
import hmac
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from accord.release.format import fhibe, videos
from accord.sealing import canonical, merkle

NAME = "leaves.jsonl"
ANNOTATORS = "data/annotator_metadata/annotators.csv"
TABLES = (fhibe.WHOLE_TABLE, fhibe.FACE_TABLE, ANNOTATORS, videos.TABLE)
"""Tables whose rows speak of people, each in a leaf of its own; the header counts as row 0."""

SALT_BYTES = 32
HEX = 64
"""Characters of a hash in hexadecimal."""
TOMBSTONE, LIVE = frozenset({"index", "leaf", "tombstone"}), frozenset({"index", "salt", "record"})

_TEXT = r'"([ !#-\[\]-~]*)"'
"""A string of printable ASCII without anything that JSON escapes."""
_NUMBER = r"(0|[1-9][0-9]{0,15})"
_USUAL = re.compile(
    rf'\{{"index":{_NUMBER},"record":(\{{"kind":{_TEXT}(?:,"of":{_TEXT})?,"path":{_TEXT}(?:,"row":{_NUMBER})?,'
    rf'"sha256":{_TEXT}\}}),"salt":"([0-9a-f]{{64}})"\}}'
)
"""The line of a live leaf as nearly all are: canonical as it stands, so that it need not be written again to see it."""

BEFORE, BEHIND = b'{"index":%d,"record":', b',"salt":"%s"}'
"""What stands before a live leaf's record in its line, and behind it."""


class Leaf(NamedTuple):
    """A leaf as it stands in a release: of one that was erased, `record` is None and `receipt` is set."""

    index: int
    hash: bytes
    record: dict[str, Any] | None
    receipt: str = ""

    @property
    def content(self) -> dict[str, Any]:
        """The record of a leaf that stands. Raises ValueError where it was erased."""
        if self.record is None:
            raise ValueError(f"leaf {self.index} was erased")
        return self.record


def salted(root: Path, entries: Iterable[dict], secret: bytes) -> list[bytes]:
    """A line for each leaf, sorted: its hash in hexadecimal, and what its line in the release has behind the index.

    `entries`: path and sha256 of each file. Salts are HMAC-SHA256 of the records under the version's secret: random,
    and the same when repeated.
    """
    found = []
    for record in records(root, entries):
        data = canonical.encode(record)
        salt = hmac.digest(secret, b"leaf\0" + data, "sha256")
        found.append(merkle.leaf_hash(salt + data).hex().encode() + data + BEHIND % salt.hex().encode() + b"\n")
    return sorted(found)


def lines(ordered: Iterable[bytes], tree: merkle.Growing) -> Iterator[bytes]:
    """The line of each leaf in the release, from sorted lines of `salted`; their hashes are added to the tree.

    The order of the tree, that of the hashes, tells nothing: what lies side by side in the release lies anywhere in it.
    """
    for index, line in enumerate(ordered):
        tree.add(bytes.fromhex(line[:HEX].decode()))
        yield BEFORE % index + line[HEX:]


def records(root: Path, entries: Iterable[dict]) -> Iterator[dict[str, Any]]:
    """What each leaf commits to: path, kind and sha256 of a file; of a table's row also its number, and of whom."""
    for entry in entries:
        path = entry["path"]
        if path not in TABLES:
            yield {"kind": kind(path), "path": path, "sha256": entry["sha256"]}
            continue
        for number, row in enumerate(rows(root / path)):
            told = {"path": path, "row": number, "sha256": hashlib.sha256(row).hexdigest()}
            yield told | ({"kind": "row", "of": row.split(b",", 1)[0].decode()} if number else {"kind": "header"})


def kind(path: str) -> str:
    """What a file is: image, crop, mask, annotation, video, or a document."""
    if videos.video_of(path):
        return "video"
    if path.startswith(f"{fhibe.MASKS}/"):
        return "mask"
    if not path.startswith((f"{fhibe.RAW}/", f"{fhibe.FULL}/")):
        return "document"
    if path.endswith(".json"):
        return "annotation"
    return "crop" if Path(path).name.startswith("faces_") else "image"


def rows(path: Path | str) -> Iterator[bytes]:
    """The rows of a CSV as bytes, each with its line's end; a quoted cell may hold more of these."""
    with Path(path).open("rb") as file:
        yield from whole_rows(file)


def whole_rows(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The rows of a CSV from its lines, as `rows` has them."""
    parts, quoted = [], False
    for line in lines:
        parts.append(line)
        quoted ^= line.count(b'"') % 2 == 1
        if not quoted:
            yield b"".join(parts)
            parts = []
    if parts:
        yield b"".join(parts)


def parse(line: bytes) -> Leaf:
    """The leaf of a line (without its end). Raises ValueError where it is none."""
    if len(line) <= canonical.LONGEST and line.isascii() and (usual := _USUAL.fullmatch(line.decode("ascii"))):
        return _of_usual(line, usual)
    told = canonical.decode(line)
    try:
        if told.keys() == TOMBSTONE:
            return Leaf(told["index"], _bytes(told["leaf"]), None, _bytes(told["tombstone"]).hex())
        if told.keys() == LIVE and isinstance(told["record"], dict):
            return Leaf(told["index"], merkle.leaf_hash(_bytes(told["salt"]) + _record(line, told)), told["record"])
    except (AttributeError, TypeError):
        pass
    raise ValueError("is not a valid leaf")


def _of_usual(line: bytes, told: re.Match[str]) -> Leaf:
    index, _, kind, of, path, row, digest, salt = told.groups()
    record: dict[str, Any] = {"kind": kind}
    if of is not None:
        record["of"] = of
    record["path"] = path
    if row is not None:
        record["row"] = int(row)
    record["sha256"] = digest
    start, end = told.span(2)
    return Leaf(int(index), merkle.leaf_hash(bytes.fromhex(salt) + line[start:end]), record)


def _record(line: bytes, told: dict[str, Any]) -> bytes:
    """The canonical record in the canonical line of a live leaf: its keys are sorted, and its salt has one length."""
    if type(told["index"]) is not int:
        return canonical.encode(told["record"])
    return line[len(BEFORE % told["index"]) : -len(BEHIND % told["salt"].encode())]


def tombstone(leaf: Leaf, receipt: str) -> bytes:
    """The line of a leaf that was erased: its place and hash, and the receipt that says so."""
    return canonical.encode({"index": leaf.index, "leaf": leaf.hash.hex(), "tombstone": receipt}) + b"\n"


def _bytes(text: str) -> bytes:
    """32 bytes from 64 lower-case hexadecimal digits, the one form that they have here."""
    data = bytes.fromhex(text)
    if len(data) != SALT_BYTES or data.hex() != text:
        raise ValueError("has an invalid salt or hash")
    return data
