"""The heads of the chain, noted outside the ledger's file: a ledger that was put back to an older state is noticed.

`<vault>/log/heads.jsonl` only grows. A head is noted as `intended` before its transaction is committed and as
`recorded` after; so a crash between the two is told apart from somebody who rolls the ledger back, or writes to it
without this program.
"""

import fcntl
import json
import os
from pathlib import Path
from typing import NamedTuple

from accord.errors import Problem

FILE = "log/heads.jsonl"
INTENDED, RECORDED = "intended", "recorded"
HINT = "keep both files as evidence and restore the vault from its newest backup"


class Head(NamedTuple):
    """The chain after some entry: how many entries it had, the hash of the last one, the Merkle root of all."""

    entries: int
    hash: str
    root: str


def note(vault: Path, state: str, head: Head) -> None:
    """Append a head, unless it is the last one recorded; it is on the disk then."""
    path = vault / FILE
    path.parent.mkdir(mode=0o700, exist_ok=True)
    with os.fdopen(os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600), "a+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        text = file.read()
        if text.endswith(_line(RECORDED, head)):
            return
        file.truncate(text.rfind("\n") + 1)
        file.write(_line(state, head))
        file.flush()
        os.fsync(file.fileno())


def noted(vault: Path) -> list[tuple[str, Head]] | None:
    """What was noted, oldest first: states and heads; None where there is no file. Raises ValueError if it is broken.

    A last line without its end was cut short by a crash, before anything was committed: it is left out.
    """
    path = vault / FILE
    if not path.is_file():
        return None
    lines = path.read_text().split("\n")[:-1]
    rows = [json.loads(line) for line in lines if line]
    return [(row["state"], Head(int(row["entries"]), row["hash"], row["root"])) for row in rows]


def check(vault: Path, hashes: list[str]) -> list[Problem]:
    """What speaks against a chain, given the hashes of its entries: heads that it lacks, entries never noted."""
    try:
        found = noted(vault)
    except (ValueError, KeyError, TypeError, AttributeError):
        return [Problem(FILE, "can't be read: it was changed", HINT)]
    if found is None:
        return [Problem(FILE, "is missing: a rollback of the ledger can't be ruled out", HINT)]
    recorded = [head for state, head in found if state == RECORDED]
    if lost := sum(not holds(hashes, head) for head in recorded):
        what = f"lacks {lost} of the {len(recorded)} heads that were noted: it is an old copy, or was rewritten"
        return [Problem("ledger.sqlite", what, HINT)]
    known = max((head.entries for _, head in found if holds(hashes, head)), default=0)
    if known < len(hashes):
        what = f"{len(hashes) - known} entries at the end were never noted: they were written past this program"
        return [Problem("ledger.sqlite", what, HINT)]
    return []


def _line(state: str, head: Head) -> str:
    return json.dumps({"state": state, **head._asdict()}) + "\n"


def holds(hashes: list[str], head: Head) -> bool:
    """Whether a chain, given the hashes of its entries, has a head."""
    return head.entries == 0 or (head.entries <= len(hashes) and hashes[head.entries - 1] == head.hash)
