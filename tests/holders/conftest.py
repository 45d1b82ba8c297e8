"""A publisher with small signed releases, as `release.publish` leaves them: folders, a vault, a history."""

import hashlib
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from accord.release.format import fhibe
from accord.release.seal import leaves, revocations, seal, versions
from accord.release.seal.verification import verify
from accord.release.tree.tree import Tree
from accord.sealing import signing

IMAGES = tuple(hashlib.sha256(b"image %d" % n).hexdigest()[:12] for n in range(6))
TABLES = (fhibe.WHOLE_TABLE, fhibe.FACE_TABLE)


class Publisher:
    """Publishes versions into a folder."""

    def __init__(self, root: Path):
        self.releases, self.vault = root / "releases", root / "vault"

    def publish(self, version: str = "1.0.0", images: tuple[str, ...] = IMAGES) -> Path:
        """A version: of each image a picture, a mask that is the same in all, an annotation, a row in two tables."""
        tree = Tree(self.releases / version)
        for image in images:
            where = f"{fhibe.RAW}/subject-{image}/{image}"
            tree.write(f"{where}/main_{image}.png", f"picture of {image} in {version}".encode() * 20)
            tree.write(f"{where}/main_{image}.json", f'{{"image": "{image}"}}\n'.encode())
            tree.write(f"{fhibe.MASKS}/{image}/hair.png", b"a mask without hair")
        for table in TABLES:
            rows = [f'{image},"said of\n{image}, {version}",{n}\n' for n, image in enumerate(images)]
            tree.write(table, "".join(["image_id,said,number\n", *rows]).encode())
        tree.write("terms.txt", b"be kind\n")
        private = versions.private(self.vault, version)
        sealed = seal.seal(tree, {"dataset": "tiny", "version": version}, None, self.vault, private)
        versions.record(self.vault, {"version": version, **sealed._asdict()}, {})
        return tree.root

    def revoke(self, *images: str, version: str = "1.0.0", of: Path | None = None) -> bytes:
        """The revocation of all that speaks of images, as read from a copy (default: the published folder)."""
        folder = of or self.releases / version
        lines = (folder / leaves.NAME).read_bytes().splitlines()
        fallen = [leaves.parse(line).hash for line in lines if any(image.encode() in line for image in images)]
        return revocations.revoke(verify(folder).statement, fallen, self.key)

    @property
    def key(self):
        return signing.signing_key(self.vault)

    def public(self, path: Path) -> Path:
        """The public key, written to a file."""
        path.write_bytes(signing.public_text(self.key.public_key()))
        return path


def copy_of(folder: Path, to: Path) -> Path:
    """A copy that may be written to."""
    shutil.copytree(folder, to)
    for path in to.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    return to


def bytes_in(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def killed(call: Callable, after: float) -> bool:
    """Run something in a child that is killed after some seconds; whether it was still running then."""
    child = os.fork()
    if not child:
        try:
            call()
        finally:
            os._exit(0)
    time.sleep(after)
    os.kill(child, signal.SIGKILL)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


@pytest.fixture
def publisher(tmp_path) -> Publisher:
    made = Publisher(tmp_path / "publisher")
    made.publish()
    return made


@pytest.fixture
def copy(publisher, tmp_path) -> Path:
    """A holder's copy of the first version."""
    return copy_of(publisher.releases / "1.0.0", tmp_path / "copy")


@pytest.fixture(scope="session")
def small():
    """All of the above, by name."""
    return sys.modules[__name__]
