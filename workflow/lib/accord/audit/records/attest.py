"""Attestations: what all results were at a time, pinned by a signed entry of the receipt log.

The entry names the root of a tree of salted leaves, one for each file; the list of files, with salts and sha256, lies
in the vault. The log says nothing of the files by itself.
"""

import secrets
from pathlib import Path
from typing import Any

from accord.audit.records import stray_files
from accord.audit.records.receipts import Log
from accord.audit.targets.places import Places
from accord.audit.telling import reading
from accord.audit.telling.checks import About, Check
from accord.errors import Problem
from accord.files import keep_private
from accord.release.seal import log
from accord.sealing import canonical, merkle

ATTESTED = About("lineage")
KIND, FOLDER = "attestation", "attestations"
OUTDATING = frozenset({"release", "erasure"})
"""Kinds of entries of the receipt log after which results are other ones."""

CHANGED = "it was changed since; if by a run of the workflow, find out why and attest again"
FORGED = "the list in the vault was edited: keep it as evidence and restore the vault from its newest backup"


def attest(places: Places, known: Log | None = None) -> dict[str, Any]:
    """Pin what all results are now: an entry of the receipt log, and the list of files in the vault.

    What was attested of results elsewhere, those of another configuration, stays attested if the log is `known`.
    """
    last = -1 if known is None else _last(known)
    lasting = known is not None and last >= 0 and not _is_outdated(known, last)
    former = _lines(places, known.entries[last]["body"]) if known is not None and lasting else None
    others = [line for line in former or [] if not _is_here(line["path"], places)]
    outputs = stray_files.files(places.results)
    reading.ahead(outputs)
    lines = [
        {"path": path.as_posix(), "salt": secrets.token_hex(32), "sha256": reading.sha256(path)} for path in outputs
    ]
    lines = sorted([*others, *lines], key=lambda line: line["path"])
    body = {"kind": KIND, "root": _root(lines), "files": len(lines)}
    keep_private(_list(places.vault, body), b"".join(canonical.encode(line) + b"\n" for line in lines))
    return log.append(places.vault, body)


def is_due(places: Places, known: Log) -> bool:
    """Whether to attest after a run: something was published, or somebody erased, since the last attestation; or there
    are more outputs than were attested, and all that were are the same. Else people look first at what changed."""
    last = _last(known)
    attested = _attested(places, known.entries[last]["body"]) if last >= 0 else None
    if last < 0 or _is_outdated(known, last):
        elsewhere = any(not _is_here(path, places) for path in attested or ())
        return not elsewhere and any(entry["body"].get("kind") == "release" for entry in known.entries)
    if attested is None or attested.keys() >= {path.as_posix() for path in stray_files.files(places.results)}:
        return False
    gone, changed, _ = _differing(attested, places)
    return not gone and not changed


def checks(places: Places, known: Log) -> list[Check]:
    """Whether the results are those of the last attestation; one from before a version or an erasure is outdated."""
    last = _last(known)
    if last < 0:
        return [ATTESTED.none("attested", "results were never attested (accord audit --attest pins them)")]
    attested = _attested(places, known.entries[last]["body"])
    if attested is None:
        return [
            ATTESTED.failed(
                "attested", "the list of attested files is missing or differs from the signed one", "", FORGED
            )
        ]
    if _is_outdated(known, last):
        what = "a version was published, or somebody was erased, since the last attestation"
        return [ATTESTED.warned("attested", what, "", "attest again")]
    gone, changed, new = _differing(attested, places)
    problems = [
        *(Problem(path, "was attested, and is missing", CHANGED) for path in gone),
        *(Problem(path, "was not attested", CHANGED) for path in new),
        *(Problem(path, "differs from what was attested", CHANGED) for path in changed),
    ]
    return ATTESTED.held("attested", problems, f"{len(attested)} outputs are as attested")


def _last(known: Log) -> int:
    """The number of the last attestation among the entries; -1 where there is none."""
    return max((n for n, entry in enumerate(known.entries) if entry["body"].get("kind") == KIND), default=-1)


def _is_outdated(known: Log, last: int) -> bool:
    return any(entry["body"].get("kind") in OUTDATING for entry in known.entries[last + 1 :])


def _attested(places: Places, body: dict[str, Any]) -> dict[str, str] | None:
    """Path -> sha256 of what was attested; None where the list isn't the signed one."""
    lines = _lines(places, body)
    return None if lines is None else {line["path"]: line["sha256"] for line in lines}


def _is_here(path: str, places: Places) -> bool:
    """Whether a file lies under the results that are looked at; those of another configuration lie elsewhere."""
    return Path(path).is_relative_to(places.results)


def _lines(places: Places, body: dict[str, Any]) -> list[dict[str, str]] | None:
    try:
        lines = [canonical.decode(line) for line in _list(places.vault, body).read_bytes().splitlines()]
        whole = _root(lines) == body["root"]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return lines if whole else None


def _differing(attested: dict[str, str], places: Places) -> tuple[list[str], list[str], list[str]]:
    """What was attested under the results and is gone, what was and changed, and what is new."""
    attested = {path: digest for path, digest in attested.items() if _is_here(path, places)}
    there = {path.as_posix(): path for path in stray_files.files(places.results)}
    both = sorted(there.keys() & attested.keys())
    changed = [path for path in both if reading.sha256(there[path]) != attested[path]]
    return sorted(attested.keys() - there.keys()), changed, sorted(there.keys() - attested.keys())


def _list(vault: Path, body: dict[str, Any]) -> Path:
    return vault / FOLDER / f"{str(body['root'])[:16]}.jsonl"


def _root(lines: list[dict[str, str]]) -> str:
    leaves = []
    for line in lines:
        record = {"path": line["path"], "sha256": line["sha256"]}
        leaves.append(merkle.leaf_hash(bytes.fromhex(line["salt"]) + canonical.encode(record)))
    return merkle.root(leaves).hex()
