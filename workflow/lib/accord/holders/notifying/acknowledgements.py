"""Acknowledgements: a holder's signed word that all that was revoked is gone from their copy of a release."""

from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from accord.engine.provenance import sha256
from accord.release.erasing import orders
from accord.release.erasing.orders import Order
from accord.release.seal import leaves, revocations
from accord.release.seal.seal import ROOT
from accord.sealing import dsse, signing

KIND = "urn:accord:acknowledgement:v1"
TOLD = frozenset({"notice", "root", "receipts", "leaves", "leaves_sha256", "tool", "key"})
"""What an acknowledgement says; `leaves`: how many are erased; `key`: the holder's public key (PEM)."""


class Acknowledgement(NamedTuple):
    """What a holder says. `notice`: its id, "" where none was named; `key`: the public key that signed, as PEM."""

    notice: str
    root: str
    receipts: frozenset[str]
    leaves: int
    leaves_sha256: str
    key: str


def make(folder: Path, order: Order, key: Ed25519PrivateKey, notice: dict[str, Any] | None = None) -> bytes:
    """The signed acknowledgement of a folder in which an order was carried out. Equal folders give equal bytes."""
    digest = sha256(folder / leaves.NAME)
    texts = (folder / leaves.NAME).read_bytes().splitlines()
    told = {
        "notice": notice["notice"] if notice else "",
        "root": order.root,
        "receipts": sorted(revocations.receipt(envelope) for envelope in order.envelopes),
        "leaves": sum(leaf is not None and leaf.record is None for leaf in map(orders.leaf_of, texts)),
        "leaves_sha256": digest,
        "tool": f"accord {metadata.version('accord')}",
        "key": signing.public_text(key.public_key()).decode(),
    }
    return dsse.seal(_statement(told), key)


def read(envelope: bytes) -> Acknowledgement:
    """What an acknowledgement says, signed with the key that it names itself: whose that is, the caller must know.

    Raises ValueError where it is none.
    """
    envelope = envelope.strip()
    told = _told(dsse.content(envelope).get("predicate"))
    key = signing.read_public(told["key"].encode())
    if dsse.unseal(envelope, KIND, key) != _statement(told) or signing.public_text(key).decode() != told["key"]:
        raise ValueError("its statement is not that of an acknowledgement")
    named = (told["notice"], told["root"], frozenset(told["receipts"]), told["leaves"], told["leaves_sha256"])
    return Acknowledgement(*named, told["key"])


def _told(predicate: Any) -> dict[str, Any]:
    fits = isinstance(predicate, dict) and predicate.keys() == TOLD
    texts = fits and all(isinstance(predicate[name], str) for name in TOLD - {"receipts", "leaves"})
    if not texts or type(predicate["leaves"]) is not int or not isinstance(predicate["receipts"], list):
        raise ValueError("its statement is not that of an acknowledgement")
    if not all(isinstance(receipt, str) for receipt in predicate["receipts"]):
        raise ValueError("its statement is not that of an acknowledgement")
    return predicate


def _statement(told: dict[str, Any]) -> dict[str, Any]:
    about = {"leaves": {ROOT: told["root"]}, leaves.NAME: {"sha256": told["leaves_sha256"]}}
    return dsse.statement(KIND, about, told)


def digest(envelope: bytes) -> str:
    """The hash by which an acknowledgement is known, in the receipt log too."""
    return revocations.receipt(envelope.strip())
