"""The seal of a release: its leaves, the signed statement of their root, and the public key."""

import heapq
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from accord.release.seal import identity, leaves
from accord.release.tree import pieces
from accord.release.tree.tree import MANIFEST, Tree
from accord.sealing import dsse, merkle, signing

ENVELOPE, PUBLIC_KEY, TERMS = "release.dsse.json", "release.pub", "terms.txt"
KIND = "urn:accord:release:v1"
ROOT = "rfc9162-sha256"
"""Name of the digest that is the root of a tree of leaves."""

TOLD = frozenset({"dataset", "version", "root", "leaves", "previous", "terms_sha256", "manifest_sha256"})
"""What the statement of a release says."""


class Seal(NamedTuple):
    """What was sealed. `sealed`: name -> sha256 of the files of the seal; `key`: fingerprint of the public key."""

    manifest_sha256: str
    root: str
    leaves: int
    key: str
    sealed: dict[str, str]


def seal(
    tree: Tree,
    facts: dict[str, Any],
    previous: dict[str, str] | None,
    vault: Path,
    private: Path,
    packed: Sequence[Path] = (),
) -> Seal:
    """Close a tree: write its manifest, its leaves, the signed statement and the public key.

    `facts`: dataset and version. `previous`: version and root of the release before. `private`: the folder in the vault
    that holds the version's secret. `packed`: bundles of `pieces` that list the files which others wrote into the tree.
    """
    key = signing.signing_key(vault)
    manifest, secret = tree.close(packed), identity.ids(private).secret
    own, grown = leaves.salted(tree.root, tree.entries, secret), merkle.Growing()
    ordered = heapq.merge(own, pieces.merged(packed, pieces.LEAVES))
    sealed = {leaves.NAME: tree.beside(leaves.NAME, leaves.lines(ordered, grown))}
    root = grown.root().hex()
    terms = next((entry["sha256"] for entry in tree.entries if entry["path"] == TERMS), None)
    told = facts | {"root": root, "leaves": grown.size, "previous": previous, "terms_sha256": terms}
    told |= {"manifest_sha256": manifest}
    sealed[ENVELOPE] = tree.beside(ENVELOPE, dsse.seal(_statement(told), key) + b"\n")
    sealed[PUBLIC_KEY] = tree.beside(PUBLIC_KEY, signing.public_text(key.public_key()))
    return Seal(manifest, root, grown.size, signing.fingerprint(key.public_key()), sealed)


def read(envelope: bytes, key: Ed25519PublicKey) -> dict[str, Any]:
    """What the statement of a release says, from the bytes of its envelope. Raises ValueError where it is none."""
    if not envelope.endswith(b"\n"):
        raise ValueError("is truncated: its last line has no line end")
    content = dsse.unseal(envelope[:-1], KIND, key)
    told = content.get("predicate")
    if not isinstance(told, dict) or told.keys() != TOLD or content != _statement(told):
        raise ValueError("its statement is not about a release")
    return told


def _statement(told: dict[str, Any]) -> dict[str, Any]:
    about = {"leaves": {ROOT: told["root"]}, MANIFEST: {"sha256": told["manifest_sha256"]}}
    return dsse.statement(KIND, about, told)
