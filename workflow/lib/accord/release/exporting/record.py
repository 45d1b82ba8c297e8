"""What an exported copy says of itself: format, release, and the signed leaves that each image in it came from.

It is the copy's last file to be written: a folder without it is no whole export. `accord prune` reads it, so that a
copy can be pruned without the release.
"""

import json
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from accord.errors import AccordError, Problem
from accord.files import PRIVATE_FILE, replace
from accord.release.format import fhibe
from accord.release.seal import leaves
from accord.release.seal.leaves import Leaf

NAME = "accord-export.json"
HINT = "it is the record of an export: export the release again"
HEX = 64


class Record(NamedTuple):
    """format: its name; version, root: of the release; images: image -> hashes (hex) of its leaves; pruned: receipts of
    the revocations that were carried out."""

    format: str
    version: str
    root: str
    images: dict[str, list[str]]
    pruned: list[str]


def read(folder: Path) -> Record:
    """The record in a folder. Raises AccordError where there is none, or it is damaged."""
    try:
        told = json.loads((folder / NAME).read_bytes())
        made = Record(**told)
    except (OSError, ValueError, TypeError, RecursionError):
        raise AccordError(Problem(f"{folder}/{NAME}", "can't be read", HINT)) from None
    if not _fine(made):
        raise AccordError(Problem(f"{folder}/{NAME}", "is not a valid record of an export", HINT))
    return made


def write(folder: Path, record: Record) -> None:
    """Write the record: whole or not at all."""
    replace(folder / NAME, json.dumps(record._asdict(), sort_keys=True).encode() + b"\n", PRIVATE_FILE)


def leaves_of(release: Path, images: frozenset[str]) -> dict[str, list[str]]:
    """Image -> the hashes of all standing leaves that speak of it: files and rows, its faces and masks too."""
    found: dict[str, list[str]] = {image: [] for image in sorted(images)}
    for line in (release / leaves.NAME).read_bytes().splitlines():
        leaf = leaves.parse(line)
        if leaf.record and (image := _image(leaf)) in found:
            found[image].append(leaf.hash.hex())
    return found


def _image(leaf: Leaf) -> str:
    """The image that a leaf speaks of; "" where it speaks of none. A face's id is `<image>_<subject>`."""
    if "of" in leaf.content:
        return leaf.content["of"].partition("_")[0]
    parts = PurePosixPath(leaf.content["path"]).parts
    of_picture = leaf.content["path"].startswith((f"{fhibe.RAW}/", f"{fhibe.FULL}/", f"{fhibe.MASKS}/"))
    return parts[-2].partition("_")[0] if of_picture and len(parts) > 1 else ""


def _fine(record: Record) -> bool:
    """Whether all is of its type, and no image's id could lead out of the folder."""
    texts: list[Any] = [record.format, record.version, record.root]
    if not isinstance(record.images, dict) or not isinstance(record.pruned, list):
        return False
    if not all(isinstance(one, str) for one in [*texts, *record.pruned]):
        return False
    return all(
        image
        and image == PurePosixPath(image).name
        and "\\" not in image
        and isinstance(known, list)
        and all(map(_is_hash, known))
        for image, known in record.images.items()
    )


def _is_hash(text: Any) -> bool:
    return isinstance(text, str) and len(text) == HEX
