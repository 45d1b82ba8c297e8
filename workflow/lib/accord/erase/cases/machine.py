"""The machine: opens cases, and carries each on from where it stands. It can be stopped anywhere and run again.

received and frozen -> planned -> executed -> rebuilt -> scanned -> receipt -> notified -> closed. Frozen: from its
recording on, a withdrawal lets nothing of the person pass in any run; the ledger sees to that, whatever the case does.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from accord.consent.ledger import ledger
from accord.consent.requests import imports, unmatched
from accord.erase.cases import case as cases
from accord.erase.cases import officer, receipt, standing
from accord.erase.cases.case import (
    CLOSED,
    EXECUTED,
    FACTS,
    NOTIFIED,
    PERSON,
    PLANNED,
    REBUILT,
    RECEIPT,
    RECEIVED,
    SCANNED,
    Case,
)
from accord.erase.cases.places import Places
from accord.erase.executing import execute, rebuild, sweep
from accord.erase.executing.effects import Effects
from accord.erase.planning import plan
from accord.errors import AccordError

LIFTED, UNKNOWN = "let in again", "nobody known"


class Stop(NamedTuple):
    """A case that can't go on: the stage that it reached, and why."""

    case: str
    stage: str
    why: str


class Options(NamedTuple):
    """How a run goes: the words of the command that rebuilds (None: don't), what else the scan looks at, and how many
    traces, all that it finds, a person has judged to be somebody else's."""

    rebuild: list[str] | None = None
    also: tuple[Path, ...] = ()
    judged: int = 0


class News(NamedTuple):
    """What the cases don't know yet. opened: subject -> when the withdrawal was recorded, of all without a case;
    ended: cases of which nothing was touched, and why they need no erasure: let in again, or of nobody known."""

    opened: dict[str, str]
    ended: dict[Case, str]


def has_wishes(places: Places) -> bool:
    """Whether somebody can have withdrawn: there is a ledger, or a file in the inbox. Raises AccordError where the
    inbox that is configured does not exist."""
    return bool(places.inbox and imports.inbox(places.inbox)) or ledger.exists(places.vault)


def open_new(places: Places, effects: Effects) -> None:
    """Open a case for everybody who withdrew as a whole and has none, also by a wish that lies in the inbox.

    The case of somebody who was let in again before anything of theirs was touched is closed, and so is one that was
    opened for a reference that nobody has: its wish stays open (`accord.consent.requests.unmatched`).
    """
    if places.inbox:
        imports.run(places.vault, imports.inbox(places.inbox), proof_required=places.proof_required)
    found = news(places)
    for case, why in found.ended.items():
        case.note(why, effects.now())
        _close(case, effects)
    for subject, received in found.opened.items():
        cases.begin(places.cases, effects.name(), subject, received, effects.now())


def news(places: Places) -> News:
    """What `open_new` has to do, as far as the ledger tells; changes nothing."""
    if not ledger.exists(places.vault):
        return News({}, {})
    with ledger.reading(places.vault) as opened:
        refused = standing.refused(places.vault, opened)
        nobody = {one.event.subject for one in unmatched.wishes(opened, places.vault)}
    have = {case.read(PERSON).get("subject"): case for case in cases.every(places.cases)}
    ended = {
        case: UNKNOWN if subject in nobody else LIFTED
        for subject, case in have.items()
        if subject and subject not in refused and not case.has(plan.STARTED)
    }
    return News({subject: at for subject, at in refused.items() if subject not in have}, ended)


def planned(chosen: Iterable[Case], places: Places, effects: Effects) -> Iterator[Case]:
    """The cases, each with a plan: made anew where nothing was touched yet."""
    for case in chosen:
        if not case.has(plan.STARTED) and not case.has(CLOSED):
            plan.make(case, places, effects)
        yield case


def carry_on(chosen: list[Case], places: Places, effects: Effects, options: Options) -> list[Stop]:
    """Carry cases on as far as they go; returns those that stopped.

    All that are executed are rebuilt in one run, and looked for in one scan; only where something is left, each alone.
    A case that stops doesn't stop the others. Raises AccordError where the workflow itself fails.
    """
    chosen, stops = [case for case in chosen if not case.has(CLOSED)], []
    fresh = [case for case in chosen if not case.has(plan.STARTED)]
    waiting = [c for c in cases.every(places.cases) if not c.has(CLOSED) and not c.has(plan.STARTED)] if fresh else []
    stops += _each(waiting, RECEIVED, lambda case: execute.prepare(case, places, effects), done=plan.STARTED)
    chosen = [case for case in chosen if case.name not in {stop.case for stop in stops}]
    stops += _each(chosen, PLANNED, lambda case: execute.execute(case, places, effects), done=EXECUTED)
    if options.rebuild is not None and any(case.stage == EXECUTED for case in chosen):
        rebuild.start(options.rebuild, places)
    stops += _each(chosen, EXECUTED, lambda case: rebuild.settle(case, places, effects), done=REBUILT)
    ready = [case for case in chosen if case.stage == REBUILT]
    if len(ready) > 1 and not options.judged:
        sweep.together(ready, places, effects, options.also)
    stops += _each(chosen, REBUILT, lambda case: _sweep(case, places, effects, options), done=SCANNED)
    stops += _each(chosen, SCANNED, lambda case: receipt.issue(case, places, effects), done=RECEIPT)
    stops += _each(chosen, RECEIPT, lambda case: _notify(case, places, effects), done=NOTIFIED)
    stops += _each(chosen, NOTIFIED, lambda case: _close(case, effects), done=CLOSED)
    return stops


def _each(chosen: list[Case], after: str, do: Callable[[Case], None], *, done: str) -> list[Stop]:
    """Do something with each case that reached the stage `after`, and not `done`; what keeps one from it is told."""
    stops = []
    for case in chosen:
        if case.has(after) and not case.has(done):
            try:
                do(case)
            except AccordError as error:
                stops.append(Stop(case.name, case.stage, str(error)))
    return stops


def _sweep(case: Case, places: Places, effects: Effects, options: Options) -> None:
    told = sweep.sweep(case, places, effects, options.also, options.judged)
    if len(told.findings) not in (0, options.judged):
        hint = "delete what is left (see docs/erasure.md), then run `accord erase run` again"
        raise AccordError(
            f"the scan found {len(told.findings)} kind(s) of traces:\n{sweep.text(told)}\n    hint: {hint}"
        )


def _notify(case: Case, places: Places, effects: Effects) -> None:
    """A notice for everybody who holds a version of which something fell."""
    notices = 0
    for release in case.read(FACTS)["releases"]:
        version = release["version"]
        envelope = execute.envelope_of(case, version).read_bytes()
        notices += effects.announce(places.vault, places.releases / version, version, envelope)
    officer.write(case, places, notices)
    case.learn(notices=notices)
    case.note(NOTIFIED, effects.now())


def _close(case: Case, effects: Effects) -> None:
    """What says whom the case was about goes; counts, times, commitments and signatures stay."""
    case.shred()
    case.note(CLOSED, effects.now())
