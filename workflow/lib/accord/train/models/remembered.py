"""What a model learnt from, as the vault remembers it: enough to see that the pictures are others now, and no more.

A salted digest of the pictures' ids, which tells nothing of any of them; once they changed, not even that is kept.
"""

import hashlib
import json
import secrets
from collections.abc import Iterable
from pathlib import Path

from accord.errors import AccordError, Problem
from accord.files import keep_private

FOLDER = "trained"
CHANGED = "changed"
RETRAIN, REFUSE = "retrain", "refuse"


def require_unchanged(vault: Path, name: str, images: Iterable[str]) -> None:
    """Raise AccordError where a model was trained before, and may not learn from just the same pictures any more."""
    path = vault / FOLDER / f"{name}.json"
    if not path.is_file():
        return
    told = json.loads(path.read_text())
    if CHANGED not in told and told["digest"] == _digest(told["salt"], images):
        return
    keep_private(path, json.dumps({CHANGED: True}).encode())
    what = "was trained on pictures that aren't the same any more: somebody withdrew, terms changed, or others came"
    hint = (
        "set train.on_withdrawal to retrain, or take the model out of train.models; its file and its predictions "
        "are not valid"
    )
    raise AccordError(Problem(f"model {name}", what, hint))


def remember(vault: Path, name: str, images: Iterable[str]) -> None:
    """Keep what a model learnt from, with a new salt each time that it changes."""
    path = vault / FOLDER / f"{name}.json"
    told = json.loads(path.read_text()) if path.is_file() else {CHANGED: True}
    if CHANGED in told or told["digest"] != _digest(told["salt"], images):
        salt = secrets.token_hex(16)
        keep_private(path, json.dumps({"digest": _digest(salt, images), "salt": salt}, sort_keys=True).encode())


def _digest(salt: str, images: Iterable[str]) -> str:
    hashed = hashlib.blake2b(bytes.fromhex(salt), digest_size=16)
    for image in sorted(set(images)):
        hashed.update(image.encode() + b"\0")
    return hashed.hexdigest()
