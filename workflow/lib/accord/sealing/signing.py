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
        return read_private(path.read_bytes())
    except ValueError as error:
        raise AccordError(Problem(f"{FOLDER}/{NAME} in the vault", str(error), HINT)) from None


def private_text(key: Ed25519PrivateKey) -> bytes:
    """A private key as PEM, not encrypted."""
    form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    return key.private_bytes(*form)


def read_private(data: bytes) -> Ed25519PrivateKey:
    """The private key of a PEM without password. Raises ValueError where it is none."""
    try:
        key = serialization.load_pem_private_key(data, None)
    except (ValueError, TypeError):
        key = None
    if not isinstance(key, Ed25519PrivateKey):
        raise ValueError("is not a valid Ed25519 key without password (PEM)")
    return key


def public_text(key: Ed25519PublicKey) -> bytes:
    """A public key as PEM."""
    return key.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)


def read_public(data: bytes) -> Ed25519PublicKey:
    """The public key of a PEM. Raises ValueError where it is none."""
    try:
        key = serialization.load_pem_public_key(data)
    except Exception as error:
        raise ValueError(f"is not a valid public key ({type(error).__name__})") from None
    if not isinstance(key, Ed25519PublicKey):
        raise ValueError("is not a valid Ed25519 key")
    return key


def fingerprint(key: Ed25519PublicKey) -> str:
    """The SHA-256 of a public key (SubjectPublicKeyInfo, DER), as hexadecimal digits."""
    data = key.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    return hashlib.sha256(data).hexdigest()


def _make(path: Path) -> None:
    """Make the key under another name, then link it: whoever comes second finds the first one's key."""
    partial = path.with_name(f"{path.name}.partial-{os.getpid()}")
    keep_private(partial, private_text(Ed25519PrivateKey.generate()))
    with suppress(FileExistsError):
        os.link(partial, path)
    partial.unlink()
