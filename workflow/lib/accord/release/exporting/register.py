"""The list of exported copies: in the publisher's vault, or beside a holder's copy of the release.

It names folders and days, and nobody. A copy is written down before its first picture is written, so that what an
interrupted export left is found, too.
"""

import json
from datetime import date
from pathlib import Path
from typing import NamedTuple

from accord.errors import AccordError, Problem
from accord.files import PARTIAL, PRIVATE_FILE, replace

NAME = "exports.jsonl"


class Copy(NamedTuple):
    """An exported copy: its format, the version it was made from, its folder, and the day."""

    format: str
    version: str
    folder: Path
    day: date


def place(release: Path, vault: Path | None) -> Path:
    """Where copies of a release are listed."""
    return (vault if vault and vault.is_dir() else release.resolve().parent) / NAME


def unfinished(folder: Path) -> Path:
    """Where a copy is written until it is whole."""
    return folder.with_name(f"{folder.name}{PARTIAL}")


def add(path: Path, copy: Copy) -> None:
    """Add a copy to a list; one of the same folder takes the place of what was there."""
    folder = copy.folder.resolve()
    kept = [one for one in read(path) if one.folder != folder]
    replace(path, b"".join(map(_line, [*kept, copy._replace(folder=folder)])), PRIVATE_FILE)


def read(path: Path) -> list[Copy]:
    """The copies of a list; none where there is no list. Raises AccordError where it is damaged."""
    try:
        told = [json.loads(line) for line in path.read_bytes().splitlines()]
        return [
            Copy(one["format"], one["version"], Path(one["folder"]), date.fromisoformat(one["day"])) for one in told
        ]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, KeyError, TypeError):
        hint = "restore it from a backup; without it, copies would stay unpruned"
        raise AccordError(Problem(str(path), "can't be read, or is not a list of exports", hint)) from None


def _line(copy: Copy) -> bytes:
    told = copy._asdict() | {"folder": str(copy.folder), "day": copy.day.isoformat()}
    return json.dumps(told, sort_keys=True).encode() + b"\n"
