"""Images of the reserve that were chosen to be released: a list in the vault. Read when the workflow is parsed."""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

from accord.files import keep_private

NAME = "admitted.json"


def read(vault: Path) -> frozenset[str]:
    """The internal ids of the images."""
    path = Path(vault) / NAME
    return frozenset(json.loads(path.read_text())) if path.exists() else frozenset()


def keep(vault: Path, images: Iterable[str]) -> None:
    """Replace the list, where it differs."""
    chosen = sorted(set(images))
    if chosen != sorted(read(vault)):
        keep_private(Path(vault) / NAME, json.dumps(chosen).encode())


def digest(vault: Path) -> str:
    """A digest of the list, so that a change of it chooses anew."""
    return hashlib.blake2b(json.dumps(sorted(read(vault))).encode(), digest_size=16).hexdigest()
