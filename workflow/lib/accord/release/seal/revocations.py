"""Revocations: signed receipts that say which leaves of a release were erased. They name hashes and nothing else."""

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from accord.errors import Collector
from accord.release.seal.seal import ROOT
from accord.sealing import dsse

NAME = "revocations.jsonl"
KIND = "urn:accord:revocation:v1"
HINT = "revocations come from the publisher of this release: get the list from them again"
MARK = b"\xef\xbb\xbf"
"""What some editors put before a text."""


class Revocation(NamedTuple):
    """A receipt (SHA-256 of its envelope), the root of the release that it speaks of, and the leaves that fall."""

    receipt: str
    root: str
    leaves: frozenset[str]


def revoke(release: dict[str, Any], fallen: Iterable[bytes], key: Ed25519PrivateKey) -> bytes:
    """The signed envelope that revokes leaves of a release, given what the release's own statement says."""
    told = {"version": release["version"], "root": release["root"], "leaves": sorted(leaf.hex() for leaf in fallen)}
    return dsse.seal(dsse.statement(KIND, {"leaves": {ROOT: release["root"]}}, told), key)


def read(envelope: bytes, key: Ed25519PublicKey) -> Revocation:
    """The revocation in an envelope. Raises ValueError where the key has signed none there."""
    statement = dsse.unseal(envelope, KIND, key)
    try:
        told = statement["predicate"]
        return Revocation(receipt(envelope), told["root"], frozenset(told["leaves"]))
    except (KeyError, TypeError):
        raise ValueError("its statement is not about a revocation") from None


def receipt(envelope: bytes) -> str:
    """The receipt of a revocation, that a tombstone carries."""
    return hashlib.sha256(envelope).hexdigest()


def envelopes(folder: Path) -> list[bytes]:
    """The envelopes of all revocations that a release's folder holds, in the order in which they were carried out."""
    path = folder / NAME
    return path.read_bytes().splitlines() if path.is_file() else []


def listed(
    data: bytes, name: str, key: Ed25519PublicKey, root: str, problems: Collector
) -> Iterator[tuple[bytes, Revocation]]:
    """Each envelope of a list with its revocation, once, in the list's order.

    Lines may have any system's ends, may be empty or repeated. A line that is no revocation of the release with that
    root, signed with the key, is a problem.
    """
    lines, seen = data.removeprefix(MARK).splitlines(), set()
    for number, line in enumerate(lines, 1):
        if not line.strip() or line in seen:
            continue
        seen.add(line)
        where = f"{name}, line {number}" if len(lines) > 1 else name
        try:
            found = read(line, key)
        except ValueError as error:
            problems.add(where, str(error), HINT)
            continue
        if found.root != root:
            problems.add(where, "belongs to another release", HINT)
        else:
            yield line, found
