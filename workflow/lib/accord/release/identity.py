"""Ids of people and images in one release: random to anyone without its secret, the same whenever it is rebuilt."""

import hashlib
import hmac
import os
import secrets
import uuid
from pathlib import Path
from typing import NamedTuple

SECRET_BYTES = 32
PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700


class Ids(NamedTuple):
    """Makes a release's UUID4s from internal ids: HMAC-SHA256 under the release's secret."""

    secret: bytes

    def image(self, image: str) -> str:
        return self._uuid("image", image)

    def subject(self, subject: str) -> str:
        return self._uuid("subject", subject)

    def annotator(self, annotator: str) -> str:
        """The id of an annotator; "" where nobody annotated."""
        return self._uuid("annotator", annotator) if annotator else ""

    def _uuid(self, kind: str, name: str) -> str:
        digest = hmac.new(self.secret, f"{kind}\0{name}".encode(), hashlib.sha256).digest()
        return str(uuid.UUID(bytes=digest[:16], version=4))


def ids(folder: Path) -> Ids:
    """The ids of the release whose private folder this is; its secret is made on the first call, and kept."""
    path = folder / "secret"
    if not path.exists():
        make_private(folder)
        partial = folder / "secret.partial"
        write_private(partial, secrets.token_bytes(SECRET_BYTES))
        partial.replace(path)
    return Ids(path.read_bytes())


def make_private(folder: Path) -> None:
    """Make a folder, and those above it that are missing, which their owner alone can enter."""
    for missing in reversed([path for path in (folder, *folder.parents) if not path.exists()]):
        missing.mkdir(mode=PRIVATE_FOLDER)


def write_private(path: Path, data: bytes) -> None:
    """Write a file that its owner alone can read."""
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE), "wb") as file:
        file.write(data)
