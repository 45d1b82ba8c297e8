"""What is signed in a release's folder: the public key, the statement, the revocations; each problem is told."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from accord.errors import Collector
from accord.release.seal import revocations as revoked
from accord.release.seal import seal
from accord.sealing import canonical, signing

FORGED = "the release is damaged or was tampered with: download it again from its publisher"


def public_key(there: dict[str, str], key: Path | None, problems: Collector) -> Ed25519PublicKey | None:
    """The key that was given, which the release's own must equal; else the release's own."""
    given = _load(key, str(key), problems) if key else None
    if seal.PUBLIC_KEY not in there:
        problems.add(seal.PUBLIC_KEY, "is missing", FORGED)
        return given
    own = _load(Path(there[seal.PUBLIC_KEY]), seal.PUBLIC_KEY, problems)
    if own and signing.public_text(own) != Path(there[seal.PUBLIC_KEY]).read_bytes():
        problems.add(seal.PUBLIC_KEY, "contains more than the public key", FORGED)
    if given and own and signing.fingerprint(given) != signing.fingerprint(own):
        hint = "either --key belongs to another publisher, or somebody else signed this release"
        problems.add(seal.PUBLIC_KEY, "differs from the given key", hint)
    return given if key else own


def _load(path: Path, name: str, problems: Collector) -> Ed25519PublicKey | None:
    try:
        return signing.read_public(path.read_bytes())
    except (OSError, ValueError) as error:
        told = error if isinstance(error, ValueError) else "can't be read"
        problems.add(name, str(told), "give a public key as a PEM file: release.pub, from the publisher")
        return None


def statement(there: dict[str, str], key: Ed25519PublicKey, problems: Collector) -> dict[str, Any] | None:
    """What the signed statement of the release says."""
    if seal.ENVELOPE not in there:
        problems.add(seal.ENVELOPE, "is missing, so the publisher of the release is unknown", FORGED)
        return None
    try:
        return seal.read(Path(there[seal.ENVELOPE]).read_bytes(), key)
    except ValueError as error:
        problems.add(seal.ENVELOPE, str(error), FORGED)
        return None


def revocations(there: dict[str, str], key: Ed25519PublicKey, problems: Collector) -> Iterator[revoked.Revocation]:
    """The revocations that the key has signed."""
    number = 0
    for number, line in enumerate(lines(there, revoked.NAME, problems), 1):
        try:
            yield revoked.read(line, key)
        except ValueError as error:
            problems.add(f"{revoked.NAME}, line {number}", str(error), FORGED)
    if revoked.NAME in there and not number:
        problems.add(revoked.NAME, "is empty", FORGED)


def lines(there: dict[str, str], name: str, problems: Collector) -> Iterator[bytes]:
    """The lines of a file, without their ends, none longer than what is read at all."""
    if name not in there:
        return
    with Path(there[name]).open("rb") as file:
        while line := file.readline(canonical.LONGEST):
            if not line.endswith(b"\n"):
                problems.add(name, "is truncated, or has a line that is too long", FORGED)
            yield line.removesuffix(b"\n")
