"""The folder of a release: written under another name, renamed when whole, read-only, listed in its manifest."""

import hashlib
import heapq
import json
import os
import shutil
import stat
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from accord.engine.provenance import sha256
from accord.errors import AccordError, Problem
from accord.files import READ_ONLY
from accord.imaging.bundle import Window
from accord.release.format import videos
from accord.release.tree import pieces
from accord.release.tree.previous import Previous

MANIFEST = "manifest.jsonl"
PARTIAL = ".partial-"
_LINE, BETWEEN = json.JSONEncoder(sort_keys=True), "}, {"
"""How an entry of the manifest is written, and what stands between two in a list of them."""
SHARED = frozenset({".png", ".mp4"})
"""The suffixes of what is worth linking: all else has new ids in each version."""
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
    """Writes files of a release into a folder and remembers them; pictures and videos of the version before are
    linked.

    `published`: the folder of the same version, if it was published: what lies there as it should isn't written again.
    What an earlier, interrupted attempt wrote is replaced.
    """

    def __init__(self, root: Path, previous: Previous | None = None, published: Path | None = None):
        self.root, self._previous = root, previous
        self._published = Previous(published) if published else None
        self.entries: list[dict] = []
        self._written: set[str] = set()

    def write(self, path: str, chunks: bytes | Iterable[bytes]) -> str:
        """Write a file, given whole or in pieces; returns its path."""
        return self._listed(path, *self._put(path, chunks))

    def copy(self, path: str, file: Window, digest: str) -> str:
        """Write a file of that sha256 which is too large to be held, piece by piece; returns its path.

        Raises AccordError where it has another.
        """
        target = self._place(path)
        if not self._is_there(path, digest, target):
            with file.open() as opened:
                found, _ = _stream(target, iter(lambda: opened.read(PIECE), b""))
            if found != digest:
                hint = "a bundle was changed after it was written: delete it and run again"
                raise AccordError(Problem(path, "content does not match its sha256", hint))
        return self._listed(path, digest, file.size)

    def _listed(self, path: str, digest: str, size: int) -> str:
        self.entries.append({"path": path, "size": size, "sha256": digest, "media": MEDIA[Path(path).suffix]})
        return path

    def beside(self, path: str, chunks: bytes | Iterable[bytes]) -> str:
        """Write a file that the manifest doesn't list, since it seals the manifest; returns its sha256."""
        return self._put(path, chunks)[0]

    def close(self, packed: Sequence[Path] = ()) -> str:
        """Write the manifest of what this tree has written and of what bundles of `pieces` list; returns its sha256."""
        own = manifest(self.entries).splitlines(keepends=True)
        others = pieces.merged(packed, pieces.MANIFEST, _path)
        return self.beside(MANIFEST, heapq.merge(own, others, key=_path))

    def _place(self, path: str) -> Path:
        """Where a file is written to, which was not written before; what lies there goes."""
        if path in self._written:
            raise FileExistsError(f"{path} was written before")
        self._written.add(path)
        target = self.root / path
        target.unlink(missing_ok=True)
        return target

    def _put(self, path: str, chunks: bytes | Iterable[bytes]) -> tuple[str, int]:
        target = self._place(path)
        if not isinstance(chunks, bytes):
            return _stream(target, chunks)
        if self._is_there(path, chunks, target):
            return hashlib.sha256(chunks).hexdigest(), len(chunks)
        return _stream(target, [chunks])

    def _is_there(self, path: str, content: bytes | str, target: Path) -> bool:
        """Whether a file needn't be written: the published version has it, or it is linked now. `content` as
        `Previous` has it."""
        if self._published and self._published.has(path, content):
            return True
        if not self._previous or target.suffix not in SHARED:
            return False
        target.parent.mkdir(parents=True, exist_ok=True)
        return self._previous.link(path, content, target)


def _stream(target: Path, chunks: Iterable[bytes]) -> tuple[str, int]:
    """Write a file in pieces; returns its sha256 and size."""
    target.parent.mkdir(parents=True, exist_ok=True)
    hashed, size = hashlib.sha256(), 0
    with target.open("xb") as file:
        for chunk in chunks:
            file.write(chunk)
            hashed.update(chunk)
            size += len(chunk)
    target.chmod(READ_ONLY)
    return hashed.hexdigest(), size


def _path(line: bytes) -> str:
    """The path in a line of the manifest."""
    return json.loads(line)["path"]


def manifest(entries: Iterable[dict]) -> bytes:
    """The manifest of files, sorted by path: path, size, sha256, media of each."""
    ordered = sorted(entries, key=lambda e: e["path"])
    text = _LINE.encode(ordered)[1:-1]
    if ordered and text.count(BETWEEN) == len(ordered) - 1:  # all at once takes a fifth of the time of each alone
        return (text.replace(BETWEEN, "}\n{") + "\n").encode()
    return "".join(f"{_LINE.encode(entry)}\n" for entry in ordered).encode()


def unfinished(releases: Path, version: str, fingerprint: str = "") -> Path:
    """The folder in which a version of that content is written."""
    return releases / f"{PARTIAL}{version}-{fingerprint[:16]}"


def begin(folder: Path) -> None:
    """Make an unfinished version's folder, and remove those that other, interrupted attempts left."""
    folder.mkdir(parents=True, exist_ok=True)
    for left in folder.parent.glob(f"{PARTIAL}*"):
        if left != folder:
            shutil.rmtree(left)


def settle(tree: Tree, folder: Path) -> None:
    """Give a whole tree its name; a damaged folder of that name goes."""
    damaged = folder.with_name(f"{PARTIAL}damaged-{folder.name}")
    if folder.exists():
        folder.rename(damaged)
    tree.root.rename(folder)
    shutil.rmtree(damaged, ignore_errors=True)


def restore(tree: Tree, folder: Path, sealed: dict[str, str]) -> None:
    """Put what a tree holds into the folder of its version, if anything there isn't as it should be.

    The tree has each file that is missing or damaged there, and all that no shard writes. `sealed`: path -> sha256 of
    the files that the manifest doesn't list. Raises AccordError where a file is in neither.
    """
    own = {entry["path"]: entry["sha256"] for entry in tree.entries} | sealed
    same = all((folder / path).is_file() and sha256(folder / path) == digest for path, digest in own.items())
    if same and _count(tree.root) == len(own) and is_complete(folder, tree.root / MANIFEST, sealed):
        shutil.rmtree(tree.root)
        return
    for path, _ in listed(tree.root / MANIFEST):
        if not (tree.root / path).exists() and (folder / path).is_file():
            (tree.root / path).parent.mkdir(parents=True, exist_ok=True)
            _copy(folder / path, tree.root / path)
    must_be_complete(tree.root, sealed)
    settle(tree, folder)


def _copy(there: Path, here: Path) -> None:
    """The same file under another name."""
    try:
        os.link(there, here, follow_symlinks=False)
    except OSError:  # the file system has no links
        shutil.copy(there, here)


def must_be_complete(folder: Path, sealed: Iterable[str]) -> None:
    """Raises AccordError where an unfinished version has not exactly the files that its manifest lists."""
    if not is_complete(folder, folder / MANIFEST, sealed):
        hint = f"delete {folder} and run `snakemake --forcerun release_pack` (with the flags of `make run`)"
        raise AccordError(Problem(folder.name, "lacks files of the release, or has others", hint))


def is_whole(folder: Path, sealed: dict[str, str]) -> bool:
    """Whether a folder holds a version byte for byte. `sealed`: path -> sha256 of what holds it together."""
    if any(not (folder / path).is_file() or sha256(folder / path) != digest for path, digest in sealed.items()):
        return False
    listing = folder / MANIFEST
    if not is_complete(folder, listing, sealed):
        return False
    with listing.open("rb") as lines:
        return all(sha256(folder / entry["path"]) == entry["sha256"] for entry in map(json.loads, lines))


def is_complete(folder: Path, listing: Path, sealed: Iterable[str]) -> bool:
    """Whether a folder has the files of a manifest, each of its size, those of the seal, and no others."""
    wanted = 0
    for wanted, (path, size) in enumerate(listed(listing), 1):  # noqa: B007
        try:
            status = os.lstat(folder / path)
        except OSError:
            return False
        if not stat.S_ISREG(status.st_mode) or status.st_size != size:
            return False
    seals = list(sealed)
    return all((folder / name).is_file() for name in seals) and _count(folder) == wanted + len(seals)


def listed(listing: Path) -> Iterator[tuple[str, int]]:
    """Path and size of each file that a manifest lists."""
    with listing.open("rb") as lines:
        for line in lines:
            entry = json.loads(line)
            yield entry["path"], entry["size"]


def _count(folder: Path) -> int:
    """How many things that are no folders lie below a folder."""
    return sum(len(names) for _, _, names in os.walk(folder))


def must_equal(found: dict[str, str], recorded: dict[str, str], version: str) -> None:
    """Raises AccordError where a restored version is not the one that was published."""
    if found != recorded:
        hint = "it was made with other software: restore it from a backup, or with the code and packages of that time"
        raise AccordError(Problem(f"release {version}", "can't be restored byte for byte", hint))
