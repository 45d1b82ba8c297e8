"""Versions of a release: what was published so far, what the next one is called, what changed."""

import json
from pathlib import Path
from typing import NamedTuple

from accord.errors import AccordError, Problem
from accord.files import keep_private
from accord.release.making.content import Digests

FIRST = "1.0.0"
HISTORY = "releases.jsonl"
INDEX = "images.json"
FORGOTTEN = "forgotten-"


class Changes(NamedTuple):
    """How many images and videos were removed, added, or had only what is said of them changed, against the previous
    version."""

    previous: str
    removed: int
    added: int
    changed: int


def history(vault: Path) -> list[dict]:
    """What was published so far, oldest first."""
    path = vault / HISTORY
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def latest(vault: Path) -> str:
    """The latest version; "" where none was published."""
    return next((entry["version"] for entry in reversed(history(vault))), "")


def entry(vault: Path, version: str) -> dict:
    """What the history says of a version; empty where it was never published."""
    return next((one for one in history(vault) if one["version"] == version), {})


def record(vault: Path, entry: dict, images: dict[str, Digests]) -> None:
    """Add a version to the history, and keep which images it holds: whole or not at all."""
    folder = private(vault, entry["version"])
    lines = [json.dumps(known, sort_keys=True) for known in [*history(vault), entry]]
    keep_private(folder / INDEX, json.dumps(images, sort_keys=True).encode())
    keep_private(vault / HISTORY, "".join(f"{line}\n" for line in lines).encode())


def private(vault: Path, version: str) -> Path:
    """The folder in the vault that holds a version's secret and index."""
    return vault / "releases" / version


def kept(vault: Path) -> list[str]:
    """All versions that have a folder in the vault, those that were begun and never published too."""
    return sorted(folder.name for folder in (vault / "releases").glob("*") if folder.is_dir())


def sealed(vault: Path, version: str) -> dict[str, str] | None:
    """Version and root of what was published; None where it was not, or wasn't signed."""
    root = entry(vault, version).get("root")
    return {"version": version, "root": root} if root else None


def changes(vault: Path, previous: str, images: dict[str, Digests]) -> Changes:
    """What changed since a version ("" for none). An image whose picture changed is removed and added."""
    before = index(vault, previous) if previous else {}
    same = {i for i in before.keys() & images.keys() if before[i].pictures == images[i].pictures}
    changed = sum(before[image].all != images[image].all for image in same)
    return Changes(previous, len(before) - len(same), len(images) - len(same), changed)


def following(changes: Changes) -> str:
    """The next version: major where images were removed, minor where some were only added, patch otherwise."""
    if not changes.previous:
        return FIRST
    major, minor, patch = (int(part) for part in changes.previous.split("."))
    if changes.removed:
        return f"{major + 1}.0.0"
    return f"{major}.{minor + 1}.0" if changes.added else f"{major}.{minor}.{patch + 1}"


def index(vault: Path, version: str) -> dict[str, Digests]:
    """Which images a version holds: internal id -> digests. Raises AccordError where the vault doesn't know it."""
    path = private(vault, version) / INDEX
    if not path.is_file():
        raise AccordError(Problem(f"version {version}", "is not in the vault", "give the vault that published it"))
    known = json.loads(path.read_text())
    return {image: Digests(*digests) for image, digests in known.items()}


def forget(vault: Path, version: str, images: frozenset[str]) -> int:
    """Take images out of a version's index; returns how many it held.

    A number stays in the place of each, without digests, so that the next version still counts it as removed.
    """
    known = index(vault, version) if (private(vault, version) / INDEX).is_file() else {}
    gone = known.keys() & images
    if gone:
        first = sum(image.startswith(FORGOTTEN) for image in known)
        left = {image: digests for image, digests in known.items() if image not in gone}
        left |= {f"{FORGOTTEN}{number}": Digests("", "") for number in range(first, first + len(gone))}
        keep_private(private(vault, version) / INDEX, json.dumps(left, sort_keys=True).encode())
    return len(gone)
