"""The receipt of an erasure: what was erased and when, signed, naming nobody; anybody with the public key can check it.

A DSSE envelope around an in-toto statement, whose subject is the set of the ledger's entries that were erased. A person
who kept the receipt of their withdrawal finds its commitment among them. The receipt log has an entry for it.
"""

import hashlib
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from accord.engine import source
from accord.erase.cases import clock
from accord.erase.cases.case import ENVELOPE, FACTS, RECEIPT, Case
from accord.erase.cases.places import Places
from accord.erase.executing.effects import Effects
from accord.files import keep_private
from accord.release.seal import log
from accord.sealing import canonical, dsse, signing

KIND = "urn:accord:erasure:v1"
ENTRIES = "entries"
TOLD = frozenset({
    "case", "received", "due", "executed", "scanned", "entries", "releases", "without_copy", "images", "replacements",
    "results", "pruned", "deliveries", "scan", "code",
})  # fmt: skip
"""What a receipt says."""

ADDED = frozenset({"pruned"})
"""What receipts of earlier versions don't say."""


def issue(case: Case, places: Places, effects: Effects) -> None:
    """Sign the receipt and append it to the receipt log; done again, it is the same receipt."""
    path = case.folder / ENVELOPE
    if not path.is_file():
        keep_private(path, dsse.seal(_statement(_told(case)), signing.signing_key(places.vault)))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    log.append(places.vault, {"kind": "erasure", "case": case.name, "receipt": digest})
    case.learn(receipt=digest)
    case.note(RECEIPT, effects.now())


def check(envelope: bytes, key: Ed25519PublicKey) -> dict[str, Any]:
    """What a receipt says. Raises ValueError where it is none, or the key has not signed it."""
    content = dsse.unseal(envelope, KIND, key)
    told = content.get("predicate")
    if not isinstance(told, dict) or told.keys() | ADDED != TOLD or content != _statement(told):
        raise ValueError("its statement is not about an erasure")
    return told


def text(told: dict[str, Any]) -> str:
    """A receipt in words."""
    versions = [
        f"  release {r['version']}: {r['leaves']} leaves erased, revocation {r['revocation']}" for r in told["releases"]
    ]
    scan = told["scan"]
    left = f"{scan['findings']} traces, judged to belong to somebody else" if scan["findings"] else "nothing found"
    return "\n".join([
        f"erasure {told['case']}",
        f"  received {told['received']}, due {told['due']}, executed {told['executed']}",
        f"  {told['images']} images, {told['replacements']} replaced; {told['results']} result files deleted, "
        f"{told.get('pruned', 0)} rewritten without them",
        f"  {len(told['entries'])} consent ledger entries erased",
        *versions,
        *(f"  release {version}: the publisher had no copy" for version in told["without_copy"]),
        f"  scanned {told['scanned']}: {scan['files']} files, {scan['bytes']} bytes, {left}, {len(scan['gaps'])} gaps",
    ])  # fmt: skip


def _told(case: Case) -> dict[str, Any]:
    facts = case.read(FACTS)
    known = {name: facts[name] for name in TOLD - {"due", "code"} if name in facts or name not in ADDED}
    return {**known, "due": clock.due(facts["received"]), "code": source.digest("erase.command")}


def _statement(told: dict[str, Any]) -> dict[str, Any]:
    erased = hashlib.sha256(canonical.encode(told["entries"])).hexdigest()
    return dsse.statement(KIND, {ENTRIES: {"sha256": erased}}, told)
