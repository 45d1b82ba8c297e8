"""Erasures: what the receipts of a release and the cases in the vault say of those who are gone."""

from datetime import date
from pathlib import Path
from typing import Any

from accord.audit.records.receipts import FORGED, Log
from accord.audit.targets.places import Places
from accord.audit.telling import reading
from accord.audit.telling.checks import About, Check
from accord.consent.requests import settings, unmatched, unread
from accord.erase.cases import receipt
from accord.erase.cases.case import CLOSED, ENVELOPE, FACTS, NOTIFIED, RECEIPT, Case
from accord.erase.cases.clock import DAYS
from accord.errors import AccordError, Problem
from accord.holders.register.overdue import overdue as late
from accord.release import list_sources
from accord.release.seal import revocations
from accord.release.seal.verification import Verdict
from accord.release.sources import withdrawn

ERASURES = About("erasures")
CASES, HOLDERS = "erasures", "holders"
REQUESTS = "open withdrawal requests"
DONE = frozenset({RECEIPT, NOTIFIED, CLOSED})
"""Stages of a case in which all is erased."""

UNLOGGED = "the erasure may still be running, or was signed without `accord erase`"


def checks(folder: Path, verdict: Verdict, log: Log, vault: Path) -> list[Check]:
    """What was erased of a release, and whether receipts of erasures name the revocations that it carries."""
    carried = {revocations.receipt(envelope) for envelope in revocations.envelopes(folder)}
    if not verdict.erased and not carried:
        return [ERASURES.none("revocations", "nothing was erased from this release")]
    named = {
        str(release.get("revocation"))
        for path in _receipts(vault).values()
        for release in _read(path, log).get("releases", [])
    }
    told = f"{verdict.erased} leaves were erased under {len(carried)} signed revocations"
    if left := len(carried - named):
        what = f"{told}; no erasure receipt names {left} of them"
        return [ERASURES.warned("revocations", what, folder.as_posix(), UNLOGGED)]
    return [ERASURES.passed("revocations", f"{told}, each named by an erasure receipt")]


def logged(vault: Path, log: Log) -> list[Check]:
    """The erasures that the receipt log tells of: each must have its signed receipt in the vault."""
    entries = [entry["body"] for entry in log.entries if entry["body"].get("kind") == "erasure"]
    found, problems = _receipts(vault), []
    for number, body in enumerate(entries, 1):
        path = found.get(str(body.get("case")))
        if path is None or reading.sha256(path) != body.get("receipt"):
            what = "its receipt is missing, or differs from the logged one"
            problems.append(Problem(f"erasure {number} of the log", what, FORGED))
        elif not _read(path, log):
            problems.append(Problem(f"erasure {number} of the log", "its receipt was not signed with this key", FORGED))
    if not entries:
        return [ERASURES.none("receipts", "the receipt log has no erasures")]
    return ERASURES.held("receipts", problems, f"{len(entries)} erasures in the log, each with its signed receipt")


def _receipts(vault: Path) -> dict[str, Path]:
    """Case -> the file of its receipt."""
    return {path.parent.name: path for path in sorted((vault / CASES).glob(f"*/{ENVELOPE}"))}


def _read(path: Path, log: Log) -> dict[str, Any]:
    """What a receipt says; nothing where the key has signed none there."""
    if log.key is None:
        return {}
    try:
        return receipt.check(path.read_bytes(), log.key)
    except (OSError, ValueError):
        return {}


def holders(vault: Path, today: str) -> list[Check]:
    """Holders of releases who are past the day by which they should have erased."""
    if not (vault / HOLDERS).is_dir():
        return [ERASURES.none("holders", "no holders of releases are registered")]
    count = len(late(vault, date.fromisoformat(today)))
    problems = [Problem("holders", f"{count} notices are overdue", "`accord holders overdue` lists them")][:count]
    return ERASURES.held("holders", problems, "no notice to a holder is overdue")


def overdue(vault: Path, today: str) -> list[Check]:
    """Cases that are open for longer than they may be."""
    if not (vault / CASES).is_dir():
        return [ERASURES.none("clock", "the vault has no erasure cases")]
    problems, count = [], 0
    for number, facts in enumerate(sorted((vault / CASES).glob(f"*/{FACTS}")), 1):
        received, done = _received(Case(facts.parent)), _steps(Case(facts.parent))
        count += 1
        if done & DONE:
            continue
        days = (date.fromisoformat(today) - received).days if received else None
        if days is None or days > DAYS:
            what = f"has been open for {days} days; the limit is {DAYS}"
            problems.append(Problem(f"erasure {number}", what, "run `accord erase run`"))
    return ERASURES.held("clock", problems, f"{count} case(s), none open for more than {DAYS} days")


def unanswered(vault: Path, today: str) -> list[Check]:
    """Wishes for somebody whom no delivery has brought, and that nobody settled."""
    found = unmatched.of_vault(vault)
    late = sum((date.fromisoformat(today) - date.fromisoformat(one.recorded_at[:10])).days > DAYS for one in found)
    if not found:
        return [ERASURES.passed(REQUESTS, "every request is about somebody in a delivery, or settled")]
    what = f"{len(found)} request(s) are about nobody in a delivery, {late} of them for over {DAYS} days"
    make = ERASURES.failed if late else ERASURES.warned
    return [make(REQUESTS, what, "", "`accord consent show` lists them; `accord consent settle` closes them")]


def unmatched_lines(results: Path) -> list[Check]:
    """Lines of an archive's list of who withdrew that name nobody in it; no check of other runs."""
    lines = list_sources.unmatched(results)
    if lines is None:
        return []
    if lines:
        return [ERASURES.warned(withdrawn.FILE, withdrawn.told(lines))]
    return [ERASURES.passed(withdrawn.FILE, "every line names a picture or somebody in the archive")]


def inbox(places: Places) -> list[Check]:
    """Wishes in the watched folder that can't be read: nobody obeys them."""
    given = settings.of(places.config or {}, places.vault)
    if not given.inbox:
        return []
    try:
        found = unread.refused(given.vault, given.inbox, proof_required=given.proof_required)
    except AccordError as error:
        found = error.problems
    return ERASURES.held("inbox", found, "all requests in the watched folder can be read")


def _received(case: Case) -> date | None:
    try:
        return date.fromisoformat(str(case.read(FACTS)["received"])[:10])
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _steps(case: Case) -> set[str]:
    try:
        return {line["step"] for line in case.journal()}
    except (OSError, ValueError, KeyError, TypeError):
        return set()
