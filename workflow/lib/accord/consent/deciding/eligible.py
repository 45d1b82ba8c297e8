"""Eligibility: whether an image may pass, from everyone whom it depicts and its copyright form. Pure functions."""

import math
from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from accord.consent.deciding import grants
from accord.consent.deciding.grants import COPYRIGHT, NEEDED, Event
from accord.consent.ledger.records import GRANTED
from accord.findings import FAIL, PASS

MISSING, EXPIRED, SCOPE, MINOR, NO_COPYRIGHT = CHECKS = (
    *("consent.form_missing", "consent.form_expired", "consent.scope", "consent.minor", "consent.copyright"),
)
REASONS = {
    MISSING: "somebody in the image has no signed consent form",
    EXPIRED: "the consent of somebody in the image has expired",
    SCOPE: "somebody in the image did not consent to collection and publication, or withdrew",
    MINOR: "somebody in the image is under age, was when they signed, or is of unknown age",
    NO_COPYRIGHT: "no valid copyright form covers the image",
}


class Depicted(NamedTuple):
    """Somebody in an image: their events, and their date of birth ("" where unknown)."""

    events: list[Event]
    birth_date: str


class Terms(NamedTuple):
    """The day that a release speaks of (ISO 8601), how many years old everyone must be, and the day on which consent
    must still hold ("": no later one)."""

    as_of: str
    min_age: int
    held_on: str = ""

    @property
    def last(self) -> str:
        """The day by which nothing that counts may have ended."""
        return max(self.as_of, self.held_on)


Finding = tuple[str, str, float, float, str, str]
"""image, check, score, threshold, verdict, reason."""


def judge(
    image: str, captured_on: str, people: Iterable[Depicted], unknown: int, rights: list[list[Event]], terms: Terms
) -> list[Finding]:
    """One finding per check for an image.

    captured_on: day by which age is told (`captured`), "" where unknown; unknown: how many are drawn in it who aren't
    known; rights: copyright events by rightsholder. Scores: how many people (of 0 allowed) miss what is checked; of
    minor, the youngest age in years, when the image was taken or a form was signed that no later one makes up for.
    """
    people = list(people)
    states = [_state(person, image, terms) for person in people]
    ages = [_age(person.birth_date, captured_on) for person in people]
    ages += [_age_at_signing(person, image, terms) for person in people]
    youngest = min(ages) if ages and not any(map(math.isnan, ages)) else math.nan
    counts = {MISSING: states.count(MISSING) + unknown, EXPIRED: states.count(EXPIRED), SCOPE: states.count(SCOPE)}
    valid = any(grants.granted(events, image, COPYRIGHT, terms.as_of, terms.held_on) for events in rights)
    return [
        *(_finding(image, check, count, 0, count == 0) for check, count in counts.items()),
        _finding(image, MINOR, youngest, terms.min_age, youngest >= terms.min_age),
        _finding(image, NO_COPYRIGHT, float(not valid), 0, valid),
    ]


def passes(findings: Iterable[Finding]) -> bool:
    """Whether no finding stops an image."""
    return all(verdict == PASS for *_, verdict, _ in findings)


def captured(user_date: str, exif_time: str, as_of: str) -> str:
    """The day by which age is told: the earlier one of what the subject and the camera say an image was taken on.

    "" where neither says a day, or it lies after the day that the release speaks of: the age can't be told then. A
    camera whose clock is ahead says nothing where the subject does.
    """
    camera = exif_time[:10]
    if (user_date or camera) > as_of:
        return ""
    return min(filter(None, (user_date, camera)), default="")


def of_age(person: Depicted, min_age: int) -> list[Event]:
    """Their events without what they granted when they were under age: that is no consent of theirs."""
    return [e for e in person.events if e.state != GRANTED or not _age(person.birth_date, e.event_on) < min_age]


def _age_at_signing(person: Depicted, image: str, terms: Terms) -> float:
    """How old they were, in years, at the last of the grants for an image, where these let them pass only because it
    doesn't matter how old they were; else infinite."""
    if _state(person, image, terms) == _state(person._replace(events=of_age(person, terms.min_age)), image, terms):
        return math.inf
    return max(_age(person.birth_date, e.event_on) for e in grants.signed(person.events, image, terms.as_of))


def _state(person: Depicted, image: str, terms: Terms) -> str:
    """The check that stops a person in an image, or `pass`."""
    signed = grants.signed(person.events, image, terms.as_of)
    if not signed:
        return MISSING
    last = terms.last
    if all(grants.has_expired(event, last) or grants.was_ended(event, person.events, last) for event in signed):
        return EXPIRED
    held = (grants.granted(person.events, image, scope, terms.as_of, terms.held_on) for scope in NEEDED)
    return PASS if all(held) else SCOPE


def _age(birth_date: str, captured_on: str) -> float:
    """Age in years on a day; NaN where one of the dates is unknown."""
    if not birth_date or not captured_on:
        return math.nan
    born, then = date.fromisoformat(birth_date), date.fromisoformat(captured_on)
    return float(then.year - born.year - ((then.month, then.day) < (born.month, born.day)))


def _finding(image: str, check: str, score: float, threshold: float, fine: bool) -> Finding:
    verdict, reason = (PASS, "") if fine else (FAIL, REASONS[check])
    return image, check, float(score), float(threshold), verdict, reason
