"""The receipt log: an append-only list of what was published and erased, each entry signed with the tree of all so far.

An entry's statement: `size` of the log with it, `root` of the tree (RFC 9162) whose leaves are the entries' bodies,
`previous` root, and the `body`. Who noted one entry can ask for a proof that a later log only added to it. Beside them,
where the vault has a consent ledger, `ledger`: how many entries its chain had, and the hash of the last one; so what is
signed also says what the ledger was, and what was known of consent, at that time.
"""

from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from accord.consent.ledger import chain, ledger
from accord.errors import AccordError, Problem
from accord.files import keep_private
from accord.release.seal.seal import ROOT
from accord.sealing import canonical, dsse, merkle, signing

PLACE = Path("log") / "receipts.jsonl"
KIND = "urn:accord:log:v1"
HINT = "keep the file as evidence and restore the vault from a backup"


def append(vault: Path, body: dict[str, Any]) -> dict[str, Any]:
    """Add an entry, if the log hasn't one of that body; returns the entry. Raises AccordError where it was changed."""
    key = signing.signing_key(vault)
    known = entries(vault, key.public_key())
    for entry in known:
        if entry["body"] == body:
            return entry
    hashes = leaves([*known, {"body": body}])
    before = known[-1]["root"] if known else None
    root = merkle.root(hashes).hex()
    entry = {"size": len(hashes), "root": root, "previous": before, "body": body, **_ledger(vault)}
    line = dsse.seal(dsse.statement(KIND, {"log": {ROOT: root}}, entry), key)
    keep_private(vault / PLACE, b"".join(each + b"\n" for each in [*_lines(vault), line]))
    return entry


def entries(vault: Path, key: Ed25519PublicKey) -> list[dict[str, Any]]:
    """All entries, oldest first. Raises AccordError with all that is wrong: what was changed, taken out, or put in."""
    found, problems = [], []
    for number, line in enumerate(_lines(vault), 1):
        try:
            found.append(dsse.unseal(line, KIND, key)["predicate"])
        except ValueError as error:
            problems.append(Problem(f"receipt log, entry {number}", str(error), HINT))
    if not problems:
        problems = [
            Problem(f"receipt log, entry {number}", "does not follow from the previous ones", HINT)
            for number, entry in enumerate(found, 1)
            if not _follows(entry, found[: number - 1])
        ]
    if problems:
        raise AccordError(problems)
    return found


def refuse_rollback(vault: Path, history: list[dict[str, Any]]) -> None:
    """Raises AccordError where the log has a version that the vault's history lacks: it is an old copy, and the next
    version would take the number of one that is published."""
    if not (vault / PLACE).exists():
        return
    known = {(entry["version"], entry["root"]) for entry in history}
    bodies = [entry["body"] for entry in entries(vault, signing.signing_key(vault).public_key())]
    logged = [(body["version"], body["root"]) for body in bodies if body.get("kind") == "release"]
    if lost := [version for version, root in logged if (version, root) not in known]:
        what = f"lacks {', '.join(lost)}, which the receipt log has: it was put back to an older state"
        raise AccordError(Problem("releases.jsonl", what, HINT))


def leaves(known: list[dict[str, Any]]) -> list[bytes]:
    """The leaves' hashes of the log's tree, for proofs of inclusion and consistency."""
    return [merkle.leaf_hash(canonical.encode(entry["body"])) for entry in known]


def _ledger(vault: Path) -> dict[str, Any]:
    """The head of the vault's consent ledger, if it has one."""
    if not ledger.exists(vault):
        return {}
    with ledger.reading(vault, verified=False) as opened:
        count, digest = chain.head(opened)
    return {"ledger": {"entries": count, "hash": digest}}


def _follows(entry: dict[str, Any], before: list[dict[str, Any]]) -> bool:
    root = merkle.root(leaves([*before, entry])).hex()
    previous = before[-1]["root"] if before else None
    return (entry["size"], entry["root"], entry["previous"]) == (len(before) + 1, root, previous)


def _lines(vault: Path) -> list[bytes]:
    path = vault / PLACE
    return path.read_bytes().splitlines() if path.exists() else []
