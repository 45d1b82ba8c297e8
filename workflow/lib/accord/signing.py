"""The key that releases are signed with: Ed25519, made once, kept in the vault; its public half is in each release."""

import hashlib
import os
from contextlib import suppress
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from accord.errors import AccordError, Problem
from accord.files import keep_private

FOLDER, NAME = "keys", "release.pem"
HINT = "restore the vault from a backup; a release that was signed with another key is verified with that one"


def signing_key(vault: Path) -> Ed25519PrivateKey:
    """The vault's signing key, made where there is none. Raises AccordError where it can't be read."""
    path = vault / FOLDER / NAME
    if not path.exists():
        _make(path)
    try:
        key = serialization.load_pem_private_key(path.read_bytes(), None)
    except (ValueError, TypeError):
        key = None
    if not isinstance(key, Ed25519PrivateKey):
        raise AccordError(Problem(f"{FOLDER}/{NAME} in the vault", "is no Ed25519 key", HINT))
    return key


def public_text(key: Ed25519PublicKey) -> bytes:
    """A public key as PEM."""
    return key.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)


def read_public(data: bytes) -> Ed25519PublicKey:
    """The public key of a PEM. Raises ValueError where it is none."""
    try:
        key = serialization.load_pem_public_key(data)
    except Exception as error:
        raise ValueError(f"is no public key ({type(error).__name__})") from None
    if not isinstance(key, Ed25519PublicKey):
        raise ValueError("is no Ed25519 key")
    return key


def fingerprint(key: Ed25519PublicKey) -> str:
    """The SHA-256 of a public key (SubjectPublicKeyInfo, DER), as hexadecimal digits."""
    data = key.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    return hashlib.sha256(data).hexdigest()


def _make(path: Path) -> None:
    """Make the key under another name, then link it: whoever comes second finds the first one's key."""
    partial = path.with_name(f"{path.name}.partial-{os.getpid()}")
    unencrypted = serialization.NoEncryption()
    form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, unencrypted
    keep_private(partial, Ed25519PrivateKey.generate().private_bytes(*form))
    with suppress(FileExistsError):
        os.link(partial, path)
    partial.unlink()
