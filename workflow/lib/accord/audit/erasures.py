"""Erasures: what the receipts of a release and the cases in the vault say of those who are gone."""

import json
from datetime import date
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from accord.audit import reading
from accord.audit.checks import About, Check
from accord.audit.receipts import FORGED, Log
from accord.errors import Problem
from accord.release import revocations
from accord.release.verify import Verdict

ERASURES = About("erasures")
CASES, RECEIPT, HOLDERS = "erasures", "receipt.dsse.json", "holders"
DONE = frozenset({"receipt", "notified", "closed"})
"""Stages of a case in which all is erased."""

UNLOGGED = "is the erasure still under way, or was it signed past `accord erase`?"
LIMIT = 30


def checks(folder: Path, verdict: Verdict, log: Log, vault: Path) -> list[Check]:
    """What was erased of a release, and whether receipts of erasures name the revocations that it carries."""
    carried = {revocations.receipt(envelope) for envelope in revocations.envelopes(folder)}
    if not verdict.erased and not carried:
        return [ERASURES.none("revocations", "nothing was erased of it")]
    named = {
        str(release.get("revocation"))
        for path in _receipts(vault).values()
        for release in _read(path, log).get("releases", [])
    }
    told = f"{verdict.erased} leaves fell under {len(carried)} signed revocations"
    if left := len(carried - named):
        what = f"{told}; {left} of them are named by no receipt of an erasure"
        return [ERASURES.warned("revocations", what, folder.as_posix(), UNLOGGED)]
    return [ERASURES.passed("revocations", f"{told}, each named by the receipt of an erasure")]


def logged(vault: Path, log: Log) -> list[Check]:
    """The erasures that the receipt log tells of: each must have its signed receipt in the vault."""
    entries = [entry["body"] for entry in log.entries if entry["body"].get("kind") == "erasure"]
    found, problems = _receipts(vault), []
    for number, body in enumerate(entries, 1):
        path = found.get(str(body.get("case")))
        if path is None or reading.sha256(path) != body.get("receipt"):
            what = "its receipt is missing, or not the one that was logged"
            problems.append(Problem(f"erasure {number} of the log", what, FORGED))
        elif _is_there("accord.erase.receipt") and not _read(path, log):
            problems.append(Problem(f"erasure {number} of the log", "its receipt was not signed with this key", FORGED))
    if not entries:
        return [ERASURES.none("receipts", "no erasure is in the receipt log")]
    return ERASURES.held("receipts", problems, f"{len(entries)} erasures are in the log, each with its signed receipt")


def _receipts(vault: Path) -> dict[str, Path]:
    """Case -> the file of its receipt."""
    return {path.parent.name: path for path in sorted((vault / CASES).glob(f"*/{RECEIPT}"))}


def _read(path: Path, log: Log) -> dict[str, Any]:
    """What a receipt says; nothing where the key has signed none there."""
    if log.key is None or not _is_there("accord.erase.receipt"):
        return {}
    from accord.erase import receipt

    try:
        return receipt.check(path.read_bytes(), log.key)
    except (OSError, ValueError):
        return {}


def holders(vault: Path, today: str) -> list[Check]:
    """Holders of releases who are past the day by which they should have erased."""
    if not (vault / HOLDERS).is_dir() or not _is_there("accord.holders.overdue"):
        return [ERASURES.none("holders", "nobody is known to hold a release")]
    from accord.holders.overdue import overdue as late

    count = len(late(vault, date.fromisoformat(today)))
    problems = [Problem("holders", f"{count} notices are past their day", "accord holders overdue lists them")][:count]
    return ERASURES.held("holders", problems, "no notice to a holder is past its day")


def _is_there(module: str) -> bool:
    return find_spec(module.rpartition(".")[0]) is not None and find_spec(module) is not None


def overdue(vault: Path, today: str) -> list[Check]:
    """Cases that are open for longer than they may be."""
    if not (vault / CASES).is_dir():
        return [ERASURES.none("clock", "no case of an erasure is in the vault")]
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
