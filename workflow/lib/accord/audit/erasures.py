"""Erasures: what the receipts of a release and the cases in the vault say of those who are gone."""

import json
from datetime import date
from pathlib import Path
from typing import Any

from accord.audit.checks import About, Check
from accord.audit.receipts import Log
from accord.errors import Problem
from accord.release import revocations
from accord.release.verify import Verdict

ERASURES = About("erasures")
CASES, RECEIPT = "erasures", "receipt.dsse.json"
DONE = frozenset({"receipt", "notified", "closed"})
"""Stages of a case in which all is erased."""

UNLOGGED = "a revocation without a receipt in the log: was it signed past `accord erase`?"
LIMIT = 30


def checks(folder: Path, verdict: Verdict, log: Log) -> list[Check]:
    """What was erased of a release, and what the receipt log says of erasures."""
    carried = len(revocations.envelopes(folder))
    logged = [entry["body"] for entry in log.entries if entry["body"].get("kind") == "erasure"]
    if not verdict.erased and not carried and not logged:
        return [ERASURES.none("receipts", "nothing was erased of it")]
    told = (
        f"{verdict.erased} leaves are erased under {carried} signed revocations; {len(logged)} erasures are in the log"
    )
    if carried and not logged:
        return [ERASURES.warned("receipts", told, folder.as_posix(), UNLOGGED)]
    return [ERASURES.passed("receipts", told)]


def envelopes(vault: Path, log: Log) -> list[Check]:
    """The signed receipts of cases, held against the vault's key."""
    from accord.erase import receipt

    problems, found = [], sorted((vault / CASES).glob(f"*/{RECEIPT}"))
    for number, path in enumerate(found, 1):
        try:
            receipt.check(path.read_bytes(), log.key)
        except ValueError as error:
            problems.append(Problem(f"receipt of erasure {number}", str(error), "keep it as evidence"))
    return ERASURES.held("envelopes", problems, f"{len(found)} receipts of erasures are signed with the vault's key")


def overdue(vault: Path, today: str) -> list[Check]:
    """Cases that are open for longer than they may be."""
    problems, count = [], 0
    for number, facts in enumerate(sorted((vault / CASES).glob("*/case.json")), 1):
        received, done = _received(facts), _steps(facts.parent)
        count += 1
        if done & DONE:
            continue
        days = (date.fromisoformat(today) - date.fromisoformat(received[:10])).days if received else None
        if days is None or days > LIMIT:
            problems.append(
                Problem(f"erasure {number}", f"is open since {days} days, {LIMIT} are allowed", "accord erase run")
            )
    return ERASURES.held("clock", problems, f"{count} case(s), none open for more than {LIMIT} days")


def _received(facts: Path) -> str:
    try:
        told: dict[str, Any] = json.loads(facts.read_text())
    except (OSError, ValueError):
        return ""
    return next((str(told[name]) for name in ("received", "received_at", "opened") if told.get(name)), "")


def _steps(folder: Path) -> set[str]:
    try:
        return {json.loads(line)["step"] for line in (folder / "journal.jsonl").read_text().split("\n")[:-1]}
    except (OSError, ValueError, KeyError, TypeError):
        return set()
