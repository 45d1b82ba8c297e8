"""The consent ledger: whether it is whole, by itself, by the heads noted beside it, and by those that were signed."""

from pathlib import Path
from typing import Any

from accord.audit.telling.checks import About, Check
from accord.consent.ledger import chain, heads, ledger
from accord.errors import AccordError, Problem

LEDGER = About("ledger")
ROLLED_BACK = "the ledger differs from the one that was signed: restore the vault from its newest backup"


def checks(vault: Path, entries: list[dict[str, Any]], noted: tuple[str, ...]) -> list[Check]:
    """The ledger against its chain, its heads, and the heads that the receipt log's entries carry under signature."""
    try:
        with ledger.reading(vault, verified=False) as opened:
            problems = ledger.problems(vault, opened)
            hashes = [hash_ for *_, hash_ in chain.entries(opened)]
    except AccordError as error:
        return LEDGER.held("chain", error.problems, "")
    told = LEDGER.held("chain", problems, f"{len(hashes)} entries, none changed; contains all noted heads")
    told += LEDGER.held("signed heads", _unsigned(hashes, entries), _count(entries))
    return told + [_noted(one, hashes) for one in noted if one in hashes]


def _unsigned(hashes: list[str], entries: list[dict[str, Any]]) -> list[Problem]:
    problems = []
    for number, entry in enumerate(entries, 1):
        head = entry.get("ledger")
        if head and not heads.holds(hashes, heads.Head(head["entries"], head["hash"], "")):
            what = f"the ledger lacks the head signed in receipt {number} ({head['entries']} entries)"
            problems.append(Problem(ledger.NAME, what, ROLLED_BACK))
    return problems


def _count(entries: list[dict[str, Any]]) -> str:
    return f"the ledger has all {sum('ledger' in entry for entry in entries)} heads signed in receipts"


def _noted(one: str, hashes: list[str]) -> Check:
    return LEDGER.passed("noted", f"the noted hash is entry {hashes.index(one) + 1} of the chain", one[:16])
