"""The receipt log: signatures, inclusion of each entry, consistency with each earlier state, and what it speaks of."""

from pathlib import Path
from typing import Any, NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from accord.audit.telling.checks import About, Check
from accord.errors import AccordError, Problem
from accord.release.seal import log
from accord.sealing import merkle, signing

LOG = About("receipt log")
NO_KEY = "restore the vault from a backup; never make a new key in its place"
FORGED = "keep the vault as evidence, and restore it from its newest backup"


class Log(NamedTuple):
    """The entries of a vault's receipt log, oldest first (none where one is wrong), the key, and the checks of it."""

    entries: list[dict[str, Any]]
    key: Ed25519PublicKey | None
    checks: list[Check]


def read(vault: Path) -> Log:
    """The receipt log of a vault, checked. The signing key is only looked at, and never made."""
    if not (vault / signing.FOLDER / signing.NAME).is_file():
        return Log([], None, [LOG.failed("key", "the signing key is missing in the vault", "", NO_KEY)])
    try:
        key = signing.signing_key(vault).public_key()
        entries = log.entries(vault, key)
    except AccordError as error:
        return Log([], None, LOG.held("entries", error.problems, ""))
    except (KeyError, TypeError):
        return Log([], None, [LOG.failed("entries", "an entry is malformed", "", FORGED)])
    fine = f"{len(entries)} entries, all signed and in sequence; all inclusion and consistency proofs hold"
    return Log(entries, key, LOG.held("entries", _unproven(entries), fine))


def _unproven(entries: list[dict[str, Any]]) -> list[Problem]:
    """Entries whose inclusion in the whole, or whose state's consistency with it, can't be proven."""
    hashes = log.leaves(entries)
    roots = [bytes.fromhex(entry["root"]) for entry in entries]
    problems, size = [], len(hashes)
    for index, (leaf, root) in enumerate(zip(hashes, roots, strict=True)):
        included = merkle.includes(roots[-1], size, leaf, index, merkle.inclusion(hashes, index))
        path = merkle.consistency(hashes, index + 1)
        if not included or not merkle.consistent(index + 1, root, size, roots[-1], path):
            problems.append(Problem(f"receipt log, entry {index + 1}", "has no valid inclusion proof", FORGED))
    return problems


def against_history(entries: list[dict[str, Any]], history: list[dict[str, Any]]) -> list[Check]:
    """The log's entries of releases and the vault's history must tell of the same versions, in the same order."""
    logged = [(e["body"].get("version"), e["body"].get("root")) for e in entries if e["body"].get("kind") == "release"]
    known = [(entry.get("version"), entry.get("root")) for entry in history]
    problems = [
        *(
            Problem(f"version {v}", "is in the history, but not in the receipt log", FORGED)
            for v, r in known
            if (v, r) not in logged
        ),
        *(
            Problem(f"version {v}", "is in the receipt log, but not in the history", FORGED)
            for v, r in logged
            if (v, r) not in known
        ),
    ]
    if not problems and logged != known:
        problems = [Problem("history", "lists the versions in a different order than the receipt log", FORGED)]
    return LOG.held("versions", problems, f"{len(known)} version(s), as in the history")


def noted(one: str, entries: list[dict[str, Any]]) -> Check | None:
    """That a root that was noted earlier is one of this log's."""
    roots = [entry["root"] for entry in entries]
    return (
        LOG.passed("noted", f"the noted root is the root at entry {roots.index(one) + 1}", one[:16])
        if one in roots
        else None
    )
