"""Requests for nobody: what was recorded for a person, or an image of theirs, that no delivery has brought.

Such a request is open: a mistyped reference means that a person who withdrew is published. It closes when a delivery
brings them, or when somebody looked into it and settles it. It counts all the same, also once it is settled.
"""

import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from accord.consent.ledger import ledger
from accord.consent.ledger.records import (
    ANNOTATOR,
    COMMAND,
    RIGHTSHOLDER,
    SUBJECT,
    ConsentEvent,
    Depicts,
    Party,
    Settled,
)
from accord.consent.requests.suppression import ERASED, Book
from accord.errors import AccordError, Collector

MISTYPED, NEVER_DELIVERED = HOW = ("mistyped", "never-delivered")
"""How a request can be settled: recorded anew under the right reference; or the person was never in a delivery."""


class Open(NamedTuple):
    """A request for nobody: the number of its entry, when it was recorded (ISO 8601, UTC), and what it says."""

    entry: int
    recorded_at: str
    event: ConsentEvent


class Known(NamedTuple):
    """Whom deliveries brought: (role, id) of people, (image, id) of whom images show, images; and who was erased."""

    people: frozenset[tuple[str, str]]
    shown: frozenset[tuple[str, str]]
    images: frozenset[str]
    book: Book

    def has(self, event: ConsentEvent) -> bool:
        """Whether a request is about somebody, and an image of theirs, who is known or was erased."""
        who = (event.role, event.subject)
        if who not in self.people:
            return any(standing.state == ERASED for standing in self.book.of(*who))
        if event.role == SUBJECT and event.image:
            return (event.image, event.subject) in self.shown
        return not event.image or event.image in self.images


def known(opened: sqlite3.Connection, vault: Path) -> Known:
    """Whom the ledger knows from deliveries."""
    shown = frozenset((one.image, one.subject) for one in ledger.read(opened, Depicts))
    people = {(_role(party.role), party.subject) for party in ledger.read(opened, Party)}
    people |= {(SUBJECT, subject) for _, subject in shown}
    return Known(frozenset(people), shown, frozenset(image for image, _ in shown), ledger.book(vault, opened))


def wishes(opened: sqlite3.Connection, vault: Path) -> list[Open]:
    """The open requests, oldest first."""
    found, settled = known(opened, vault), {one.entry for one in ledger.read(opened, Settled)}
    return [
        Open(entry, at, event)
        for entry, at, event in ledger.recorded(opened, ConsentEvent)
        if event.source == COMMAND and entry not in settled and not found.has(event)
    ]


def of_vault(vault: Path) -> list[Open]:
    """The open requests of a vault; none where it has no ledger."""
    if not ledger.exists(vault):
        return []
    with ledger.reading(vault, verified=False) as opened:
        return wishes(opened, vault)


def settle(vault: Path, entries: Iterable[int], how: str) -> int:
    """Record that open requests were settled; returns how many. Raises AccordError, with all problems, where an entry
    is no open request: nothing is recorded then."""
    problems, wanted = Collector(), sorted(set(entries))
    with ledger.writing(vault) as opened:
        waiting = {one.entry for one in wishes(opened, vault)}
        for entry in wanted:
            if entry not in waiting:
                hint = "`accord consent show` lists open requests with their entry numbers"
                problems.add(f"--event {entry}", "not an open request: nothing was settled", hint)
        if problems:
            raise AccordError(problems)
        return ledger.append(opened, [Settled(entry, how) for entry in wanted])


def text(found: list[Open]) -> str:
    """A text with a line for each open request, which names nobody."""
    if not found:
        return ""
    lines = [f"{len(found)} open request(s) that match nobody, or no image, in any delivery:"]
    lines += [f"  entry {one.entry}: {_what(one.event)}, recorded {one.recorded_at}" for one in found]
    return "\n".join([*lines, HINT])


HINT = (
    "  Was the reference mistyped? Record the correct one, then `accord consent settle --event N --as mistyped`;\n"
    "  if they were never delivered: --as never-delivered. Each takes effect once a delivery brings the person."
)


def _what(event: ConsentEvent) -> str:
    """What a request asks for, as far as it names nobody."""
    return f"{event.state} {event.scope} as {event.role}{', one image' if event.image else ''}"


def _role(role: str) -> str:
    return role if role in (ANNOTATOR, RIGHTSHOLDER) else SUBJECT
