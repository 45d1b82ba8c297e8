"""An item of a delivery as bytes, and back: rows, files, or a piece of a large file."""

import json
from pathlib import Path
from typing import NamedTuple

from accord.errors import AccordError, Problem
from accord.intake.delivered import files
from accord.intake.delivered.files import MEBIBYTE

PIECE = 16 * MEBIBYTE
"""Of a larger file each object holds so many bytes, so that memory doesn't grow with files."""


class Piece(NamedTuple):
    """Bytes of a file that lie in an object of their own: its path, the number of the piece, of how many."""

    path: str
    number: int
    count: int


class Item(NamedTuple):
    """Rows (table -> their bytes, in order) and files (paths) of certain people (opaque ids; none: of everyone).

    large: those of the files that lie in pieces, which are items of their own, behind all others; of such an item,
    which piece it is.
    """

    people: frozenset[str]
    rows: dict[str, list[bytes]]
    files: list[str]
    large: dict[str, int] = {}  # noqa: RUF012
    piece: Piece | None = None


class Unpacked(NamedTuple):
    """What an item holds: rows, whole files (path -> content), how many pieces its large files have, and the piece that
    it is, with its bytes."""

    rows: dict[str, list[bytes]]
    files: dict[str, bytes]
    large: dict[str, int]
    piece: Piece | None = None
    data: bytes = b""


def pack(root: Path, item: Item) -> bytes:
    """An item as bytes: the length of a head, the head (JSON), the files one after the other, or the piece of one.

    Raises AccordError where a file can't be read, or changed meanwhile.
    """
    if item.piece is not None:
        return _packed({"piece": item.piece}, [_read(root, item.piece)])
    data = [files.read(root, path, PIECE) for path in item.files]
    rows = {name: [raw.decode() for raw in raws] for name, raws in sorted(item.rows.items())}
    sizes = [[path, len(content)] for path, content in zip(item.files, data, strict=True)]
    return _packed({"rows": rows, "files": sizes, **({"large": item.large} if item.large else {})}, data)


def unpack(payload: bytes) -> Unpacked:
    """What an item holds."""
    at = 8 + int.from_bytes(payload[:8], "big")
    head, found = json.loads(payload[8:at]), {}
    if "piece" in head:
        return Unpacked({}, {}, {}, Piece(*head["piece"]), payload[at:])
    for path, size in head["files"]:
        found[path], at = payload[at : at + size], at + size
    rows = {name: [raw.encode() for raw in raws] for name, raws in head["rows"].items()}
    return Unpacked(rows, found, head.get("large", {}))


def _packed(head: dict, data: list[bytes]) -> bytes:
    told = json.dumps(head, ensure_ascii=False).encode()
    return b"".join([len(told).to_bytes(8, "big"), told, *data])


def _read(root: Path, piece: Piece) -> bytes:
    """The bytes of a piece; the last one ends where the file does."""
    with files.opened(root, piece.path) as file:
        if -(-file.seek(0, 2) // PIECE) != piece.count:
            hint = "wait until the delivery is there as a whole, and run again"
            raise AccordError(Problem(f"{root.name}/{piece.path}", "changed while it was backed up", hint))
        file.seek(piece.number * PIECE)
        return file.read(PIECE)
