"""Private keys of the vault: whether a copy of one lies anywhere in the project, where others may find it."""

import base64
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from accord import signing
from accord.audit.checks import About, Check
from accord.audit.places import Places
from accord.errors import Problem
from accord.provenance import portable

KEYS = About("house")
HINT = "who has it can sign in your name: delete the copy, and make a new key if anybody could have read it"
LARGEST = 8 << 10
"""Bytes of a file that could be a copy: a key and its certificates take less."""

LEFT_OUT = frozenset({".git", ".venv", "node_modules"})


def checks(places: Places) -> list[Check]:
    """A failure for each file, in the project or its folders, that holds a private key of the vault a second time."""
    own = {path: _forms(path) for path in sorted((places.vault / signing.FOLDER).glob("*")) if path.is_file()}
    own = {path: forms for path, forms in own.items() if forms}
    if not own:
        return [KEYS.none("keys", "the vault has no private key")]
    problems = [
        Problem(portable(Path(path)), f"is a copy of the vault's private key {key.name}", HINT)
        for path in _small(places)
        for key, forms in own.items()
        if path != os.path.realpath(key) and _holds(Path(path), forms)
    ]
    return KEYS.held("keys", problems, f"no copy of {len(own)} private key(s) lies in the project")


def _forms(path: Path) -> tuple[bytes, ...]:
    """How the private key in a PEM file can be written: DER and, of Ed25519, its 32 bytes; raw, in base64, in hex."""
    try:
        key = serialization.load_pem_private_key(path.read_bytes(), None)
    except (OSError, ValueError, TypeError):
        return ()
    form = serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    raw = [key.private_bytes(*form)] + ([key.private_bytes_raw()] if isinstance(key, Ed25519PrivateKey) else [])
    return tuple(form for one in raw for form in (one, base64.b64encode(one).rstrip(b"="), one.hex().encode()))


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


def _holds(path: Path, forms: tuple[bytes, ...]) -> bool:
    try:
        data = path.read_bytes()
    except OSError:
        return False
    dense = b"".join(data.split())
    return any(form in data or form in dense for form in forms)
