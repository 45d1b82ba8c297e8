"""The folder of a release: written under another name, renamed when whole, read-only, listed in its manifest."""

import hashlib
import json
import shutil
from collections.abc import Iterable
from pathlib import Path

from accord.engine.provenance import sha256
from accord.errors import AccordError, Problem
from accord.files import READ_ONLY
from accord.imaging.bundle import Window
from accord.release.format import videos
from accord.release.tree.previous import Previous

MANIFEST = "manifest.jsonl"
PARTIAL = ".partial-"
_LINE, BETWEEN = json.JSONEncoder(sort_keys=True), "}, {"
"""How an entry of the manifest is written, and what stands between two in a list of them."""
MEDIA = {
    "": "text/plain",
    ".smk": "text/plain",
    ".png": "image/png",
    ".json": "application/json",
    ".jsonl": "application/jsonl",
    ".csv": "text/csv",
    ".md": "text/markdown",
    ".txt": "text/plain",
    ".mp4": videos.MEDIA,
}
PIECE = 1 << 20
"""Bytes of a large file that are held at a time."""


class Tree:
    """Writes the files of a release into a folder and remembers them; pictures and videos of the version before are
    linked."""

    def __init__(self, root: Path, previous: Previous | None = None):
        self.root, self._previous = root, previous
        self.entries: list[dict] = []

    def write(self, path: str, chunks: bytes | Iterable[bytes]) -> str:
        """Write a file, given whole or in pieces; returns its path."""
        return self._listed(path, *self._put(path, chunks))

    def copy(self, path: str, file: Window, digest: str) -> str:
        """Write a file of that sha256 which is too large to be held, piece by piece; returns its path.

        Raises AccordError where it has another.
        """
        target = self._place(path)
        if self._previous is not None and self._previous.link(bytes.fromhex(digest), None, target):
            return self._listed(path, digest, target.stat().st_size)
        with file.open() as opened:
            found, size = self._put(path, iter(lambda: opened.read(PIECE), b""))
        if found != digest:
            hint = "a bundle was changed after it was written: delete it and run again"
            raise AccordError(Problem(path, "content does not match its sha256", hint))
        return self._listed(path, found, size)

    def _listed(self, path: str, digest: str, size: int) -> str:
        self.entries.append({"path": path, "size": size, "sha256": digest, "media": MEDIA[Path(path).suffix]})
        return path

    def beside(self, path: str, chunks: bytes | Iterable[bytes]) -> str:
        """Write a file that the manifest doesn't list, since it seals the manifest; returns its sha256."""
        return self._put(path, chunks)[0]

    def close(self) -> str:
        """Write the manifest; returns its sha256."""
        return self.beside(MANIFEST, manifest(self.entries))

    def _place(self, path: str) -> Path:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        return target

    def _put(self, path: str, chunks: bytes | Iterable[bytes]) -> tuple[str, int]:
        target = self._place(path)
        if isinstance(chunks, bytes):
            return self._put_whole(target, chunks)
        hashed, size = hashlib.sha256(), 0
        with target.open("xb") as file:
            for chunk in chunks:
                file.write(chunk)
                hashed.update(chunk)
                size += len(chunk)
        target.chmod(READ_ONLY)
        return hashed.hexdigest(), size

    def _put_whole(self, target: Path, data: bytes) -> tuple[str, int]:
        digest = hashlib.sha256(data)
        if self._previous is None or not self._previous.link(digest.digest(), data, target):
            with target.open("xb") as file:
                file.write(data)
            target.chmod(READ_ONLY)
        return digest.hexdigest(), len(data)


def manifest(entries: Iterable[dict]) -> bytes:
    """The manifest of files, sorted by path: path, size, sha256, media of each."""
    ordered = sorted(entries, key=lambda e: e["path"])
    text = _LINE.encode(ordered)[1:-1]
    if ordered and text.count(BETWEEN) == len(ordered) - 1:  # all at once takes a fifth of the time of each alone
        return (text.replace(BETWEEN, "}\n{") + "\n").encode()
    return "".join(f"{_LINE.encode(entry)}\n" for entry in ordered).encode()


def fresh(releases: Path, version: str, previous: str = "") -> Tree:
    """A tree for a version in a folder of its own; what earlier, interrupted attempts left is removed.

    `previous`: the version whose pictures are linked where they are the same; "" for none.
    """
    releases.mkdir(parents=True, exist_ok=True)
    for left in releases.glob(f"{PARTIAL}*"):
        shutil.rmtree(left)
    root = releases / f"{PARTIAL}{version}"
    root.mkdir()
    return Tree(root, Previous(releases / previous / MANIFEST) if previous else None)


def settle(tree: Tree, folder: Path) -> None:
    """Give a whole tree its name; a damaged folder of that name goes."""
    if folder.exists():
        folder.rename(folder.with_name(f"{PARTIAL}damaged-{folder.name}"))
    tree.root.rename(folder)
    shutil.rmtree(folder.with_name(f"{PARTIAL}damaged-{folder.name}"), ignore_errors=True)


def intact(folder: Path, recorded: dict[str, str]) -> bool:
    """Whether a release's folder holds exactly what its manifest lists and what was recorded: path -> sha256."""
    if not all((folder / path).is_file() and sha256(folder / path) == digest for path, digest in recorded.items()):
        return False
    entries = [json.loads(line) for line in (folder / MANIFEST).read_text().splitlines()]
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}
    if there != {*recorded, *(entry["path"] for entry in entries)}:
        return False
    return all(sha256(folder / entry["path"]) == entry["sha256"] for entry in entries)


def must_equal(found: dict[str, str], recorded: dict[str, str], version: str) -> None:
    """Raises AccordError where a restored version is not the one that was published."""
    if found != recorded:
        hint = "it was made with other software: restore it from a backup, or with the code and packages of that time"
        raise AccordError(Problem(f"release {version}", "can't be restored byte for byte", hint))
