"""Sweep: the scan for what is left of people, after their erasure; a case goes on only where nothing is."""

from pathlib import Path
from typing import Any, NamedTuple

from accord.consent.ledger import ledger
from accord.erase.cases import person
from accord.erase.cases.case import CLOSED, DOSSIER, PERSON, SCANNED, Case, every
from accord.erase.cases.places import Places
from accord.erase.dossiers import traces
from accord.erase.executing.effects import Effects
from accord.scan import dossier, findings
from accord.scan.dossier import Dossier
from accord.scan.inspection import Inspector
from accord.scan.progress import Progress, on_stderr
from accord.scan.walk import walk


class Swept(NamedTuple):
    """What a scan told: rows of findings as `accord scan` shows them; gaps: place, inside, reason; figures."""

    findings: list[dict[str, Any]]
    gaps: list[tuple[str, str, str]]
    figures: dict[str, int]


def together(cases: list[Case], places: Places, effects: Effects, also: tuple[Path, ...] = ()) -> None:
    """Look once for the people of all cases: where nothing is found, all are scanned; else none is."""
    told = _look(_all(cases), cases, places, also)
    for case in cases if not told.findings else []:
        _note(case, told, effects)


def sweep(case: Case, places: Places, effects: Effects, also: tuple[Path, ...] = (), judged: int = 0) -> Swept:
    """Look for the person of one case; where nothing is found, the case is scanned.

    `judged`: of so many traces, all that there are, a person has said that they are somebody else's; the receipt has
    that number.
    """
    told = _look(_all([case]), [case], places, also)
    if len(told.findings) in (0, judged):
        _note(case, told, effects)
    return told


def text(told: Swept) -> str:
    """What is left, a line for each; the places are masked as `accord scan` does."""
    lines = [f"  {row['place']} {row['inside']}: {row['kind']} ({row['how']}), {row['count']}" for row in told.findings]
    return "\n".join(lines)


def _look(known: Dossier, cases: list[Case], places: Places, also: tuple[Path, ...]) -> Swept:
    """Look everywhere. The folders of open cases are passed over: they hold what their persons are looked for by, and
    are shredded when they close. What the ledger learnt since is erased first: a wish that was recorded meanwhile."""
    for who in (person.of(case.read(PERSON)) for case in cases):
        if ledger.exists(places.vault):
            ledger.erase(places.vault, who.subject, who.images)
    passed_over = [case.folder for case in every(places.cases) if not case.has(CLOSED)]
    left_out = frozenset(path.resolve() for folder in passed_over for path in folder.rglob("*") if path.is_file())
    progress = Progress(on_stderr("erase"))
    inspector = Inspector(known, looking=progress.thing)
    files = walk(_folders(places, also), inspector, left_out, progress)
    return Swept(
        findings.rows(inspector.findings, inspector.searcher),
        sorted({_gap(gap, inspector) for gap in inspector.gaps}),
        {"files": files, "bytes": inspector.bytes, "open_cases": len(passed_over)},
    )


def _all(cases: list[Case]) -> Dossier:
    return traces.joined([dossier.load(case.folder / DOSSIER) for case in cases])


def _note(case: Case, told: Swept, effects: Effects) -> None:
    counts = dossier.load(case.folder / DOSSIER).counts()
    scan = {**told.figures, "findings": len(told.findings), "gaps": told.gaps, "looked_for": counts}
    case.learn(scan=scan, scanned=effects.now())
    case.note(SCANNED, effects.now())


def _folders(places: Places, also: tuple[Path, ...]) -> list[Path]:
    named = [places.results, places.releases, places.vault, places.logs, places.snakemake, *places.deliveries]
    named += [places.inbox] if places.inbox else []
    return [folder for folder in dict.fromkeys((*named, *also)) if folder.exists()]


def _gap(gap: findings.Gap, inspector: Inspector) -> tuple[str, str, str]:
    path, inside = (findings.masked(t, inspector.searcher) for t in (gap.place.path, " > ".join(gap.place.inside)))
    return path, inside, gap.reason
