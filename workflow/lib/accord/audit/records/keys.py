"""Private keys of the vault: whether a copy of one lies anywhere in the project, where others may find it."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from cryptography.hazmat.primitives import serialization

from accord.audit.records import key_forms
from accord.audit.records.key_forms import Secret
from accord.audit.targets.places import Places
from accord.audit.telling import reading
from accord.audit.telling.checks import About, Check
from accord.engine.provenance import portable
from accord.errors import Problem
from accord.sealing import signing

KEYS = About("house")
HINT = "whoever has it can sign in your name: delete the copy, and create a new key if anyone could have read it"
LARGEST = 8 << 10
"""Bytes of a file that could be a copy: a key and its certificates take less."""

LEFT_OUT = frozenset({".git", ".venv", "node_modules"})
_copies: dict[tuple, list[Path]] = {}


def checks(places: Places) -> list[Check]:
    """A failure for each file, in the project or its folders, that holds a private key of the vault a second time."""
    own = {path: _secrets(path) for path in sorted((places.vault / signing.FOLDER).glob("*")) if path.is_file()}
    own = {path: secrets for path, secrets in own.items() if secrets}
    if not own:
        return [KEYS.none("keys", "the vault has no private key")]
    problems = [
        Problem(portable(Path(path)), f"is a copy of the vault's private key {key.name}", HINT)
        for path in _small(places)
        for key in _held(Path(path), own)
        if path != os.path.realpath(key)
    ]
    return KEYS.held("keys", problems, f"the project contains no copies of the {len(own)} private key(s)")


def _secrets(path: Path) -> tuple[Secret, ...]:
    """What a copy of the private key in a PEM file holds; nothing where there is none."""
    try:
        return key_forms.secrets(serialization.load_pem_private_key(path.read_bytes(), None))
    except (OSError, ValueError, TypeError):
        return ()


def _small(places: Places) -> Iterator[str]:
    """The real path of every small file under the working folder and the project's folders, once; links aren't
    followed."""
    seen: set[str] = set()
    for root in (Path(), places.vault, places.results, places.releases):
        for above, folders, names in os.walk(os.path.realpath(root)):
            folders[:] = sorted(set(folders) - LEFT_OUT)
            for path in (os.path.join(above, name) for name in sorted(names)):  # noqa: PTH118
                facts = os.lstat(path)
                if path not in seen and stat.S_ISREG(facts.st_mode) and facts.st_size <= LARGEST:
                    seen.add(path)
                    yield path


def _held(path: Path, own: dict[Path, tuple[Secret, ...]]) -> list[Path]:
    """The keys of which a file holds a copy; remembered as long as it and they are the same."""
    try:
        known = (*reading.key(path), *own.items())
        return reading.once(_copies, known, lambda: key_forms.held(path.read_bytes(), own))
    except OSError:
        return []
