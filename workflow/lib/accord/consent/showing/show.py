"""What the ledger says, as text: of everybody, of one person, and of what was in force on a day as known at a time."""

import sqlite3
from collections import defaultdict
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from accord.consent.deciding import grants
from accord.consent.deciding.grants import COPYRIGHT, NEEDED, Event
from accord.consent.ledger import chain, ledger
from accord.consent.ledger.records import (
    ANNOTATOR,
    COMMAND,
    FORM,
    GRANTED,
    RIGHTSHOLDER,
    SUBJECT,
    TABLES,
    WITHDRAWN,
    ConsentEvent,
    Depicts,
    IprForm,
    Suppression,
)
from accord.consent.requests import order, suppression, unmatched
from accord.consent.requests.suppression import ERASED

LATEST = "9999"
"""A time that all records come before."""
OPEN = ": open, no delivery has brought whom it names"
Person = tuple[str, str]
"""Role and opaque id."""


class Moment(NamedTuple):
    """A day that is asked about, and the time (ISO 8601 UTC) up to which records count."""

    as_of: str
    known_at: str = LATEST


def totals(opened: sqlite3.Connection, vault: Path) -> str:
    """How many records of each kind there are, how many withdrawals, the head of the chain, and the open wishes."""
    counts = {name: len(ledger.read(opened, kind)) for kind, name in TABLES.items()}
    events = [e for e in ledger.read(opened, ConsentEvent) if e.state == WITHDRAWN]
    entries, head = chain.head(opened)
    waiting = unmatched.wishes(opened, vault)
    told = {**counts, "withdrawals": len(events), "open_wishes": len(waiting), "entries": entries, "head": head}
    lines = [f"{name:14} {count}" for name, count in told.items()]
    return "\n".join([*lines, *filter(None, [unmatched.text(waiting)])])


def person(opened: sqlite3.Connection, vault: Path, subject: str) -> str:
    """All events of a person, each with the number of its entry; and whether the person was erased."""
    images = {d.image for d in ledger.read(opened, Depicts) if d.subject == subject}
    book = ledger.book(vault, opened)
    lines = [f"person {subject}: in {len(images)} image(s)"]
    for role in suppression.WHOLE:
        lines += [
            f"  erased, and refused since {s.event_on} as {role}" for s in book.of(role, subject) if s.state == ERASED
        ]
    events = ledger.recorded(opened, ConsentEvent) + ledger.recorded(opened, IprForm)
    mine = sorted((event for event in events if event[2].subject == subject), key=itemgetter(0))
    waiting = {one.entry for one in unmatched.wishes(opened, vault)}
    return "\n".join([*lines, *(_line(*event) + (OPEN if event[0] in waiting else "") for event in mine)])


def in_force(opened: sqlite3.Connection, vault: Path, moment: Moment, subject: str | None) -> str:
    """The scopes that were in force; of one person, or for everybody how many people grant what publication needs."""
    known = known_events(opened, vault, moment.known_at)
    until = "" if moment.known_at == LATEST else f", as it was known at {moment.known_at}"
    if subject is None:
        held = [_scopes(events, "", moment.as_of) for (role, _), events in known.items() if role == SUBJECT]
        count = sum(set(NEEDED) <= set(scopes) for scopes in held)
        return f"on {moment.as_of}{until}: {count} of {len(held)} people granted {' and '.join(NEEDED)}"
    lines = [f"person {subject} on {moment.as_of}{until}"]
    for role in (SUBJECT, RIGHTSHOLDER):
        events = known.get((role, subject), [])
        for image in sorted({"", *(event.image for event in events)}):
            scopes = " ".join(_scopes(events, image, moment.as_of)) or "nothing"
            lines += [f"  {image or 'all images'}, as {role}: {scopes}"] if events else []
    return "\n".join(lines)


def known_events(opened: sqlite3.Connection, vault: Path, known_at: str) -> dict[Person, list[Event]]:
    """The events of everybody by role and id, as the records up to a time have them; suppression included."""
    told, rights, erased = (
        [one for one in ledger.recorded(opened, kind) if one[1] <= known_at]
        for kind in (ConsentEvent, IprForm, Suppression)
    )
    events, rights, erased = ([record for _, _, record in kind] for kind in (order.heard(told), rights, erased))
    book = suppression.Book(vault, events, erased)
    forms, said = defaultdict(list), defaultdict(list)
    for e in events:
        role = e.role if e.role in (ANNOTATOR, RIGHTSHOLDER) else SUBJECT
        told = Event(e.image, e.scope, e.state, e.event_on, e.expires_on)
        (forms if e.source == FORM else said)[role, e.subject].append(told)
    for form in rights:
        told = Event(form.image, COPYRIGHT, GRANTED, form.event_on, form.expires_on)
        forms[RIGHTSHOLDER, form.subject].append(told)
    people = sorted({*forms, *said})
    return {who: [*suppression.admitted(forms[who], book.of(*who)), *said[who]] for who in people}


def _scopes(events: list[Event], image: str, day: str) -> list[str]:
    return [s for s in (*grants.SCOPES, COPYRIGHT) if grants.in_force(events, image, s, day)]


def _line(seq: int, recorded_at: str, event: ConsentEvent | IprForm) -> str:
    about = f"for {event.image or 'all images'}"
    until = f" until {event.expires_on}" if event.expires_on else ""
    if isinstance(event, IprForm):
        return f"  {seq}: {event.event_on} {GRANTED} {COPYRIGHT} {about}{until} (form, recorded {recorded_at})"
    state = "ended" if event.state == WITHDRAWN and until else event.state
    source = "command" if event.source == COMMAND else "form"
    return f"  {seq}: {event.event_on} {state} {event.scope} {about}{until} ({source}, recorded {recorded_at})"
