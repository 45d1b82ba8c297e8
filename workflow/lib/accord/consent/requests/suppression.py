"""Suppression: whoever withdrew stays out, whatever a vendor delivers later, until a command lets them in again.

A person is refused by their withdrawals by command, and once these are erased, by a keyed digest of their role and id
(HMAC-SHA256; the key lies outside the ledger, so that the digest can't be matched by one who guesses references).
"""

import hashlib
import hmac
import secrets
from collections import defaultdict
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from accord.consent.deciding.grants import COPYRIGHT, EVERYTHING, NEEDED, Event, covers
from accord.consent.ledger.records import (
    ANNOTATOR,
    COMMAND,
    GRANTED,
    RIGHTSHOLDER,
    SUBJECT,
    WITHDRAWN,
    ConsentEvent,
    IprForm,
    Suppression,
)
from accord.errors import AccordError, Problem

KEY = "suppression.key"
DEMOGRAPHICS = "annotator_demographics"
WHOLE = {SUBJECT: EVERYTHING, ANNOTATOR: DEMOGRAPHICS, RIGHTSHOLDER: COPYRIGHT}
"""By role, the scope that stands for all that somebody can withdraw."""
EVIDENCE = "evidence"
"""The role of a signed file, by its sha256, on the list of erased people: it is nobody else's either."""
REFUSED, LIFTED, ERASED = "refused", "lifted", "erased"


class Standing(NamedTuple):
    """That a person is refused, let in again, or was erased: the scope that this concerns, and the day."""

    scope: str
    state: str
    event_on: str


class Book:
    """Everybody's standings: of the events that came by command, and of people who were erased."""

    def __init__(self, vault: Path, events: Iterable[ConsentEvent], erased: Iterable[Suppression]):
        self._named: dict[tuple[str, str], set[Standing]] = defaultdict(set)
        self._erased: dict[str, set[Standing]] = defaultdict(set)
        for event in events:
            if (standing := of_event(event)) is not None:
                self._named[event.role, event.subject].add(standing)
        for row in erased:
            self._erased[row.person].add(Standing(row.scope, ERASED, row.event_on))
        self._key = _key(vault) if self._erased else b""

    def of(self, role: str, subject: str) -> list[Standing]:
        """The standings of a person (an opaque id) in a role."""
        found = self._named.get((role, subject), set())
        return sorted(found | (self._erased.get(_digest(self._key, role, subject), set()) if self._erased else set()))


def of_event(event: ConsentEvent) -> Standing | None:
    """What an event by command says of a person as a whole; None where it concerns an image or an attribute."""
    if event.source != COMMAND or event.image or (event.state == WITHDRAWN and event.expires_on):
        return None
    if event.state == GRANTED:
        return Standing(event.scope, LIFTED, event.event_on)
    weighty = (EVERYTHING, *NEEDED) if event.role == SUBJECT else (WHOLE[event.role],)
    return Standing(event.scope, REFUSED, event.event_on) if event.scope in weighty else None


def is_erased(standings: Iterable[Standing]) -> bool:
    """Whether a person was erased and not let in again since."""
    return any(s.state == ERASED and not is_lifted(s, s.scope, standings) for s in standings)


def is_lifted(refusal: Standing, scope: str, standings: Iterable[Standing]) -> bool:
    """Whether a grant by command of a later day lets the person in again for a scope that was refused."""
    return any(s.state == LIFTED and s.event_on > refusal.event_on and covers(s.scope, scope) for s in standings)


def admitted(forms: Iterable[Event], standings: list[Standing]) -> list[Event]:
    """The grants of somebody's forms, as far as they may count, and the withdrawals that erased events left behind.

    A form that was signed after a withdrawal counts as if it had been signed on that day, and is so withdrawn with all
    the others, unless an event by command let the person in again for its scope on a later day.
    """
    refusals = [s for s in standings if s.state in (REFUSED, ERASED)]
    left = [Event("", s.scope, WITHDRAWN, s.event_on) for s in refusals if s.state == ERASED]
    return [_aged(form, refusals, standings) for form in forms] + left


def of_erased(
    vault: Path, subject: str, gone: list, files: Iterable[str] = (), *, new: bool
) -> list[Suppression]:  # fmt: skip
    """What stays of a person whose records are erased: one digest for each role that these name, and for each file that
    they alone signed (`files`: sha256).

    new: whether nobody is on the list yet, so that a key may be made.
    """
    standings = [of_event(record) for record in gone if isinstance(record, ConsentEvent)]
    days = [standing.event_on for standing in standings if standing is not None and standing.state == REFUSED]
    day = max(days, default=datetime.now(UTC).date().isoformat())
    key, roles = _key(vault, make=new), sorted({_role(record) for record in gone})
    named = [(role, subject, WHOLE[role]) for role in roles]
    named += [(EVIDENCE, sha256, EVERYTHING) for sha256 in sorted(files)]
    return [Suppression(_digest(key, role, name), scope, day) for role, name, scope in named]


def carried(vault: Path, listed: list[Suppression], now: dict[str, str]) -> list[Suppression]:
    """What the list says of former ids, for the ids that these people have now."""
    if not listed:
        return []
    key, by = _key(vault), {one.person: one for one in listed}
    pairs = [(_digest(key, role, former), _digest(key, role, new)) for role in WHOLE for former, new in now.items()]
    return [by[former]._replace(person=new) for former, new in pairs if former in by]


def _aged(form: Event, refusals: list[Standing], standings: list[Standing]) -> Event:
    for refusal in refusals:
        touched = covers(refusal.scope, form.scope) or covers(form.scope, refusal.scope)
        if touched and form.event_on > refusal.event_on and not is_lifted(refusal, form.scope, standings):
            form = form._replace(event_on=refusal.event_on)
    return form


def _role(record: Any) -> str:
    if isinstance(record, IprForm):
        return RIGHTSHOLDER
    role = getattr(record, "role", SUBJECT)
    return role if role in WHOLE else SUBJECT


def _key(vault: Path, *, make: bool = False) -> bytes:
    path = vault / KEY
    if make and not path.is_file():
        path.touch(mode=0o600)
        path.write_bytes(secrets.token_bytes(32))
    if not path.is_file():
        hint = "restore the vault from a backup: without it, people who were erased can't be told from others"
        raise AccordError(Problem(KEY, "the key of the suppression list is missing in the vault", hint))
    return path.read_bytes()


def _digest(key: bytes, role: str, subject: str) -> str:
    return hmac.new(key, f"{role}\0{subject}".encode(), hashlib.sha256).hexdigest()
