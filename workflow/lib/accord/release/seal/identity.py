"""Ids of people and images in one release: random to anyone without its secret, the same whenever it is rebuilt."""

import hashlib
import hmac
import secrets
import uuid
from pathlib import Path
from typing import NamedTuple

from accord.files import keep_private

SECRET_BYTES = 32


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


def known(folder: Path) -> Ids | None:
    """The ids of the release whose private folder this is; None where it has no secret."""
    path = folder / "secret"
    return Ids(path.read_bytes()) if path.is_file() else None


def ids(folder: Path) -> Ids:
    """The ids of the release whose private folder this is; its secret is made on the first call, and kept."""
    path = folder / "secret"
    if not path.exists():
        keep_private(path, secrets.token_bytes(SECRET_BYTES))
    return Ids(path.read_bytes())
