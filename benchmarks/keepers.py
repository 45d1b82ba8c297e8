"""Ways to keep versions of files, and to erase a file of one: BagIt, OCFL, DVC, git-annex, and our releases.

For compared.py, which says what is asked of them.
"""

import hashlib
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from accord.release.erasing.prune import prune
from accord.release.format import fhibe
from accord.release.seal import leaves, seal
from accord.release.seal.revocations import revoke
from accord.release.seal.verification import verify
from accord.release.tree.tree import Tree
from accord.sealing import dsse, signing
from git_keepers import (
    VICTIM,
    drop_key,
    drop_object,
    make_annex,
    make_dvc,
    out,
    succeeds,
    tagged,
    valid_annex,
    valid_dvc,
)

Erasure = Callable[[Path, bytes], object]


class Keeper(NamedTuple):
    """A way to keep versions, and to erase a file of one.

    `make(folder, first, second)` makes two versions of two folders of files; `noted` is what others hold of the first
    one; `valid` asks the tool about it; `version` prints the tool's version; `erase`: how -> what does it, given the
    folder and the content of the file.
    """

    name: str
    version: tuple[str, ...]
    make: Callable[[Path, Path, Path], object]
    noted: Callable[[Path], str]
    valid: Callable[[Path], bool]
    erase: dict[str, Erasure]


def sha256(path: Path) -> str:
    """The sha256 of a file; "" where there is none."""
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def anew(make: Callable[[Path, Path, Path], object]) -> Erasure:
    """An erasure by making all versions anew, of what the second holds."""

    def erase(place: Path, _content: bytes) -> None:
        for path in place.rglob("*"):
            if not path.is_symlink():
                path.chmod(0o700)  # git-annex takes the right to write from its objects' folders
        shutil.rmtree(place)
        make(place, place.with_name("second"), place.with_name("second"))

    return erase


def make_bags(place: Path, first: Path, second: Path) -> None:
    for name, source in (("v1", first), ("v2", second)):
        shutil.copytree(source, place / name)
        out(place, "bagit.py", "--sha256", name)


def make_object(place: Path, first: Path, second: Path) -> None:
    place.mkdir()
    out(place, "ocfl-object.py", "create", "--objdir", "object", "--srcdir", str(first), "--id", "urn:x", *OCFL)
    out(place, "ocfl-object.py", "update", "--objdir", "object", "--srcdir", str(second), *OCFL)


def make_release(place: Path, first: Path, _second: Path) -> None:
    tree, vault = Tree(place / "release"), place.with_name("vault")
    for path in sorted((first / "pictures").iterdir()):
        tree.write(f"{fhibe.RAW}/someone/{path.stem}/{path.name}", path.read_bytes())
    seal.seal(tree, {"dataset": "compared", "version": "1.0.0"}, None, vault, vault / "releases" / "1.0.0")


def prune_release(place: Path, _content: bytes) -> None:
    release, key = place / "release", signing.signing_key(place.with_name("vault"))
    told = [leaves.parse(line) for line in (release / leaves.NAME).read_bytes().splitlines()]
    fallen = [leaf.hash for leaf in told if leaf.record and leaf.record["path"].endswith(VICTIM)]
    prune(release, revoke(verify(release).statement, fallen, key))


def valid_release(place: Path) -> bool:
    """Verified with the publisher's key, as it was signed."""
    key = place.with_name("vault") / "publisher.pub"
    key.write_bytes(signing.public_text(signing.signing_key(place.with_name("vault")).public_key()))
    return not verify(place / "release", key).problems


def signed_root(place: Path) -> str:
    key = signing.signing_key(place.with_name("vault")).public_key()
    return dsse.unseal((place / "release" / seal.ENVELOPE).read_bytes()[:-1], seal.KIND, key)["predicate"]["root"]


OCFL = ("--created", "2026-01-01T00:00:00Z", "--message", "m", "--name", "n", "--address", "urn:n")
KEEPERS = (
    Keeper(
        "BagIt",
        ("bagit.py", "--version"),
        make_bags,
        lambda place: sha256(place / "v1/tagmanifest-sha256.txt"),
        lambda place: succeeds(place, "bagit.py", "--validate", "v1"),
        {
            "delete the file": lambda place, _: (place / "v1/data/pictures" / VICTIM).unlink(),
            "recreate the version without the file": anew(make_bags),
        },
    ),
    Keeper(
        "OCFL (ocfl-py)",
        ("ocfl-object.py", "--version"),
        make_object,
        lambda place: sha256(place / "object/v1/inventory.json"),
        lambda place: succeeds(place, "ocfl-validate.py", "object"),
        {
            "delete the file": lambda place, _: (place / "object/v1/content/pictures" / VICTIM).unlink(),
            "recreate the version without the file": anew(make_object),
        },
    ),
    Keeper(
        "DVC",
        ("dvc", "--version"),
        make_dvc,
        tagged,
        valid_dvc,
        {
            "delete its object from the cache": drop_object,
            "`dvc gc --workspace`": lambda place, _: out(place, "dvc", "gc", "-q", "-f", "--workspace"),
            "recreate the version without the file": anew(make_dvc),
        },
    ),
    Keeper(
        "git-annex",
        ("git-annex", "version", "--raw"),
        make_annex,
        tagged,
        valid_annex,
        {"`git annex drop --force`": drop_key, "recreate the version without the file": anew(make_annex)},
    ),
    Keeper("Accord", (), make_release, signed_root, valid_release, {"`accord prune`": prune_release}),
)
