"""Attestations: what all results were at a time, pinned by a signed entry of the receipt log.

The entry names the root of a tree of salted leaves, one for each file; the list of files, with salts and sha256, lies
in the vault. The log says nothing of the files by itself.
"""

import secrets
from pathlib import Path
from typing import Any

from accord import canonical, merkle
from accord.audit import house, reading
from accord.audit.checks import About, Check
from accord.audit.places import Places
from accord.audit.receipts import Log
from accord.errors import Problem
from accord.files import keep_private
from accord.release import log

ATTESTED = About("lineage")
KIND, FOLDER = "attestation", "attestations"
CHANGED = "it was exchanged since; if you ran the workflow since, look at why it changed and attest anew"
FORGED = "the list in the vault was edited: keep it as evidence and restore the vault from its newest backup"


def attest(places: Places) -> dict[str, Any]:
    """Pin what all results are now: an entry of the receipt log, and the list of files in the vault."""
    outputs = house.files(places.results)
    reading.ahead(outputs)
    lines = [
        {"path": path.as_posix(), "salt": secrets.token_hex(32), "sha256": reading.sha256(path)} for path in outputs
    ]
    body = {"kind": KIND, "root": _root(lines), "files": len(lines)}
    keep_private(_list(places.vault, body), b"".join(canonical.encode(line) + b"\n" for line in lines))
    return log.append(places.vault, body)


def checks(places: Places, known: Log) -> list[Check]:
    """Whether the results are those of the last attestation; one from before the last version is outdated."""
    numbers = [number for number, entry in enumerate(known.entries) if entry["body"].get("kind") == KIND]
    if not numbers:
        return [ATTESTED.none("attested", "results were never attested (accord audit --attest pins them)")]
    body = known.entries[numbers[-1]]["body"]
    try:
        lines = [canonical.decode(line) for line in _list(places.vault, body).read_bytes().splitlines()]
        whole = _root(lines) == body["root"]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        whole = False
    if not whole:
        return [ATTESTED.failed("attested", "the list of attested files is missing or not the signed one", "", FORGED)]
    if any(entry["body"].get("kind") == "release" for entry in known.entries[numbers[-1] :]):
        return [ATTESTED.warned("attested", "a version was published since the last attestation", "", "attest anew")]
    return _compared({line["path"]: line["sha256"] for line in lines}, places)


def _compared(attested: dict[str, str], places: Places) -> list[Check]:
    there = {path.as_posix(): path for path in house.files(places.results)}
    problems = [
        *(Problem(path, "was attested, and is not there", CHANGED) for path in sorted(attested.keys() - there.keys())),
        *(Problem(path, "is there, and was not attested", CHANGED) for path in sorted(there.keys() - attested.keys())),
        *(
            Problem(path, "is not what was attested", CHANGED)
            for path in sorted(there.keys() & attested.keys())
            if reading.sha256(there[path]) != attested[path]
        ),
    ]
    return ATTESTED.held("attested", problems, f"{len(attested)} outputs are those that were attested")


def _list(vault: Path, body: dict[str, Any]) -> Path:
    return vault / FOLDER / f"{str(body['root'])[:16]}.jsonl"


def _root(lines: list[dict[str, str]]) -> str:
    leaves = []
    for line in lines:
        record = {"path": line["path"], "sha256": line["sha256"]}
        leaves.append(merkle.leaf_hash(bytes.fromhex(line["salt"]) + canonical.encode(record)))
    return merkle.root(leaves).hex()
