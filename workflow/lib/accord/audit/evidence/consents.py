"""Consent of everyone in an image: at a time in the past, as the ledger knew it then, and now. Names nobody."""

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from accord.consent.deciding import grants
from accord.consent.deciding.grants import COPYRIGHT, NEEDED, Event
from accord.consent.ledger import ledger
from accord.consent.ledger.records import RIGHTSHOLDER, SUBJECT, WITHDRAWN, Depicts
from accord.consent.showing import show
from accord.consent.showing.show import LATEST

GIVEN, WITHDRAWN_, EXPIRED, NO_FORM = "granted", "withdrawn", "expired", "no form"
STATES = (GIVEN, WITHDRAWN_, EXPIRED, NO_FORM)
Everyone = dict[tuple[str, str], list[Event]]
"""(role, opaque id) -> events."""


class Moment(NamedTuple):
    """The day that is asked about, and the time up to which records count."""

    day: str
    known_at: str = LATEST


class Standing(NamedTuple):
    """How somebody stood: their state, and the day of the withdrawal or of the last day of consent ("" for none)."""

    state: str
    since: str = ""


class Consents:
    """What a ledger says of images: whom they depict, and how these stood at a moment."""

    def __init__(self, opened: sqlite3.Connection, vault: Path):
        self._opened, self._vault = opened, vault
        self._moments: dict[str, Everyone] = {}
        self._holders: dict[str, dict[str, set[str]]] = {}
        self._standings: dict[tuple, Standing] = {}
        self.depicted: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for image, subject, role in sorted(ledger.read(opened, Depicts)):
            self.depicted[image].append((subject, role))
        self.times = sorted((seq, at) for kind in ledger.TABLES for seq, at, _ in ledger.recorded(opened, kind))

    def known_at(self, entries: int) -> str:
        """The time at which the ledger had so many entries: that of the last of them which has a record."""
        return max((at for seq, at in self.times if seq <= entries), default="")

    def of_image(self, image: str, moment: Moment) -> list[tuple[str, Standing]]:
        """(role, standing) of everyone in an image, the primary subject first, and of the copyright."""
        people = sorted(self.depicted.get(image, []), key=lambda who: who[1])
        found = [(role, self._standing(subject, image, moment)) for subject, role in people]
        primary = next((subject for subject, role in people if role == "subject_primary"), "")
        return [*found, (COPYRIGHT, self._rights(primary, image, moment))] if found else []

    def ended(self, image: str, moment: Moment) -> Standing | None:
        """Why an image may not be shown at a moment; None where it may. Nobody known in it: no form."""
        people = self.of_image(image, moment)
        wrong = [standing for _, standing in people if standing.state != GIVEN]
        return (
            min(wrong, key=lambda one: (one.since == "", one.since)) if wrong else None if people else Standing(NO_FORM)
        )

    def _standing(self, subject: str, image: str, moment: Moment) -> Standing:
        events = self._everyone(moment.known_at).get((SUBJECT, subject), [])
        named = image if any(event.image == image for event in events) else ""
        key = (subject, named, moment)
        if key not in self._standings:
            self._standings[key] = _standing(events, named, NEEDED, moment.day)
        return self._standings[key]

    def _rights(self, primary: str, image: str, moment: Moment) -> Standing:
        """The best standing of a copyright form that covers the image: its own, or one for all of its subject's."""
        everyone, found = self._everyone(moment.known_at), [Standing(NO_FORM)]
        for holder in {primary, *self._holders[moment.known_at].get(image, ())}:
            events = everyone.get((RIGHTSHOLDER, holder), [])
            about = [e for e in events if e.state == WITHDRAWN or e.image == image or holder == primary]
            found.append(_standing(about, image, (COPYRIGHT,), moment.day))
        return min(found, key=lambda one: STATES.index(one.state))

    def _everyone(self, known_at: str) -> Everyone:
        if known_at not in self._moments:
            self._moments[known_at] = show.known_events(self._opened, self._vault, known_at)
            self._holders[known_at] = _holders(self._moments[known_at])
        return self._moments[known_at]


@contextmanager
def opened(vault: Path) -> Iterator[Consents]:
    """The ledger of a vault, to be asked; whether it is whole is another check. Raises AccordError without one."""
    with ledger.reading(vault, verified=False) as connection:
        yield Consents(connection, vault)


def _holders(everyone: Everyone) -> dict[str, set[str]]:
    """Image -> those whose copyright events name it."""
    found: dict[str, set[str]] = defaultdict(set)
    for (role, holder), events in everyone.items():
        for event in events if role == RIGHTSHOLDER else ():
            found[event.image].add(holder)
    return found


def _standing(events: Iterable[Event], image: str, scopes: tuple[str, ...], day: str) -> Standing:
    """Somebody's standing for all of some scopes on a day. A withdrawal counts from the moment it is recorded."""
    about = [e for e in events if e.image in ("", image)]
    if all(grants.granted(about, image, scope, day) for scope in scopes):
        return Standing(GIVEN)
    signed = grants.signed(about, image, day)
    touching = [e for e in about if any(grants.covers(e.scope, scope) for scope in scopes)]
    withdrawn = [e.event_on for e in touching if e.state == WITHDRAWN and not e.expires_on]
    if withdrawn:
        return Standing(WITHDRAWN_, max(withdrawn))
    last = [e.expires_on for e in touching if e.expires_on and e.expires_on < day]
    return Standing(EXPIRED, max(last)) if signed and last else Standing(NO_FORM)
