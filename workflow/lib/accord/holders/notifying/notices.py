"""Notices: what a publisher tells a holder, signed: which revocations to carry out, on which release, until when."""

from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from accord.errors import AccordError, Collector
from accord.release.erasing.orders import Order
from accord.release.seal import revocations
from accord.release.seal.seal import ROOT
from accord.sealing import dsse

KIND = "urn:accord:notice:v1"
TOLD = frozenset({"notice", "holder", "version", "root", "receipts", "revocations_sha256", "leaves", "sent", "due"})
"""What a notice says. `receipts`: those of all revocations in the list; `leaves`: how many leaves they name."""

HINT = "use notice.json and revocations.jsonl of the same notice, or ask the publisher to send it again"


def make(told: dict[str, Any], key: Ed25519PrivateKey) -> bytes:
    """The signed notice that says TOLD."""
    return dsse.seal(_statement(told), key)


def read(envelope: bytes, key: Ed25519PublicKey) -> dict[str, Any]:
    """What a notice says. Raises ValueError where the key has signed none there."""
    envelope = envelope.strip()
    content = dsse.unseal(envelope, KIND, key)
    told = content.get("predicate")
    if not isinstance(told, dict) or told.keys() != TOLD or content != _statement(told):
        raise ValueError("its statement is not that of a notice")
    return told


def held(envelope: bytes, name: str, order: Order) -> dict[str, Any]:
    """What a notice says. Raises AccordError where the list that was read doesn't belong to it."""
    problems = Collector()
    try:
        told = read(envelope, order.key)
    except ValueError as error:
        problems.add(name, str(error), HINT)
        raise AccordError(problems) from None
    if told["root"] != order.root:
        problems.add(name, "is about another release", HINT)
    elif lacking := set(told["receipts"]) - {revocations.receipt(line) for line in order.asked}:
        what = f"names {len(told['receipts'])} revocation(s), of which the list lacks {len(lacking)}: it was cut"
        problems.add(name, what, HINT)
    if problems:
        raise AccordError(problems)
    return told


def _statement(told: dict[str, Any]) -> dict[str, Any]:
    about = {"leaves": {ROOT: told["root"]}, revocations.NAME: {"sha256": told["revocations_sha256"]}}
    return dsse.statement(KIND, about, told)
