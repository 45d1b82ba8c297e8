"""What the ledger says, for machines and as text: of everybody, of one person, and of what was in force on a day as
known at a time."""

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
OPEN = ": open, matches nobody in any delivery"
Person = tuple[str, str]
"""Role and opaque id."""


class Moment(NamedTuple):
    """A day that is asked about, and the time (ISO 8601 UTC) up to which records count."""

    as_of: str
    known_at: str = LATEST


def counts(opened: sqlite3.Connection, vault: Path) -> dict[str, int | str]:
    """How many records of each kind there are, how many withdrawals and open requests, and the head of the chain."""
    known = {name: len(ledger.read(opened, kind)) for kind, name in TABLES.items()}
    events = [e for e in ledger.read(opened, ConsentEvent) if e.state == WITHDRAWN]
    entries, head = chain.head(opened)
    open_wishes = len(unmatched.wishes(opened, vault))
    return {**known, "withdrawals": len(events), "open_wishes": open_wishes, "entries": entries, "head": head}


def totals(opened: sqlite3.Connection, vault: Path) -> str:
    """What `counts` says, and the open requests, as text."""
    lines = [f"{name:14} {count}" for name, count in counts(opened, vault).items()]
    return "\n".join([*lines, *filter(None, [unmatched.text(unmatched.wishes(opened, vault))])])


def history(opened: sqlite3.Connection, vault: Path, subject: str) -> dict:
    """All events of a person, each with the number of its entry; and whether the person was erased."""
    images = {d.image for d in ledger.read(opened, Depicts) if d.subject == subject}
    book = ledger.book(vault, opened)
    erased = [
        {"role": role, "since": s.event_on}
        for role in suppression.WHOLE
        for s in book.of(role, subject)
        if s.state == ERASED
    ]
    events = ledger.recorded(opened, ConsentEvent) + ledger.recorded(opened, IprForm)
    mine = sorted((event for event in events if event[2].subject == subject), key=itemgetter(0))
    waiting = {one.entry for one in unmatched.wishes(opened, vault)}
    told = [{**_event(*event), "open": event[0] in waiting} for event in mine]
    return {"person": subject, "images": len(images), "erased": erased, "events": told}


def person(opened: sqlite3.Connection, vault: Path, subject: str) -> str:
    """What `history` says, as text."""
    told = history(opened, vault, subject)
    lines = [f"person {subject}: in {told['images']} image(s)"]
    lines += [f"  erased, and refused since {one['since']} as {one['role']}" for one in told["erased"]]
    return "\n".join([*lines, *map(_line, told["events"])])


def scopes(opened: sqlite3.Connection, vault: Path, moment: Moment, subject: str | None) -> dict:
    """The scopes that were in force; of one person, or for everybody how many people grant what publication needs."""
    known = known_events(opened, vault, moment.known_at)
    at = {"as_of": moment.as_of, "known_at": None if moment.known_at == LATEST else moment.known_at}
    if subject is None:
        held = [_scopes(events, "", moment.as_of) for (role, _), events in known.items() if role == SUBJECT]
        count = sum(set(NEEDED) <= set(scopes) for scopes in held)
        return {**at, "people": len(held), "granted": count, "needed": list(NEEDED)}
    rows = []
    for role in (SUBJECT, RIGHTSHOLDER):
        events = known.get((role, subject), [])
        for image in sorted({event.image for event in events} | {""} if events else ()):
            rows.append({"image": image, "role": role, "scopes": _scopes(events, image, moment.as_of)})
    return {**at, "person": subject, "in_force": rows}


def in_force(opened: sqlite3.Connection, vault: Path, moment: Moment, subject: str | None) -> str:
    """What `scopes` says, as text."""
    told = scopes(opened, vault, moment, subject)
    when = f"on {told['as_of']}" + (f", as it was known at {told['known_at']}" if told["known_at"] else "")
    if subject is None:
        return f"{when}: {told['granted']} of {told['people']} people granted {' and '.join(told['needed'])}"
    lines = [
        f"  {one['image'] or 'all images'}, as {one['role']}: {' '.join(one['scopes']) or 'nothing'}"
        for one in told["in_force"]
    ]
    return "\n".join([f"person {subject} {when}", *lines])


def known_events(opened: sqlite3.Connection, vault: Path, known_at: str) -> dict[Person, list[Event]]:
    """The events of everybody by role and id, as the records up to a time have them; suppression included."""
    told = [one for one in ledger.recorded(opened, ConsentEvent) if one[1] <= known_at]
    events = [event for _, _, event in order.heard(told)]
    rights = [form for _, at, form in ledger.recorded(opened, IprForm) if at <= known_at]
    erased = [one for _, at, one in ledger.recorded(opened, Suppression) if at <= known_at]
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


def _event(seq: int, recorded_at: str, event: ConsentEvent | IprForm) -> dict[str, int | str]:
    told = {"entry": seq, "recorded_at": recorded_at, "on": event.event_on, "image": event.image}
    told["until"] = event.expires_on or ""
    if isinstance(event, IprForm):
        return {**told, "state": GRANTED, "scope": COPYRIGHT, "source": "form"}
    state = "ended" if event.state == WITHDRAWN and event.expires_on else event.state
    return {**told, "state": state, "scope": event.scope, "source": "command" if event.source == COMMAND else "form"}


def _line(event: dict) -> str:
    about = f"for {event['image'] or 'all images'}" + (f" until {event['until']}" if event["until"] else "")
    told = f"  {event['entry']}: {event['on']} {event['state']} {event['scope']} {about}"
    return f"{told} ({event['source']}, recorded {event['recorded_at']})" + OPEN * event["open"]
