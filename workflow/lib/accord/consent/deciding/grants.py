"""What the ledger's events grant: pure functions over the events of one person.

A scope is granted for an image on a day where some form or event grants it, is signed by that day and not expired, and
no withdrawal was recorded of that day of signing or later. A withdrawal counts from the moment it is recorded,
whatever day the release speaks of: nothing that is known to be withdrawn may be published. One that has a last day
(consent that was ended, not withdrawn) counts once that day is over.
"""

from collections.abc import Iterable
from typing import NamedTuple

from accord.consent.ledger.records import GRANTED, WITHDRAWN
from accord.text import days
from accord.vocabularies import AGGREGATE_ATTRIBUTES, PUBLIC_ATTRIBUTES

COLLECT, PUBLISH_IMAGE, BIOMETRIC, COPYRIGHT = "collect", "publish_image", "biometric", "copyright"
TRAIN, EXTERNAL = "train", "external"
EVERYTHING = "*"
NAMED = (TRAIN, EXTERNAL)
"""Scopes that are granted by their names alone: whoever grants everything agrees to the dataset, not to these. A
withdrawal of everything withdraws them too."""
NEEDED = (COLLECT, PUBLISH_IMAGE)
"""Scopes without which an image can't be published."""

SCOPES = (
    *(COLLECT, PUBLISH_IMAGE, BIOMETRIC, TRAIN, EXTERNAL),
    *(f"publish_attr:{name}" for name in PUBLIC_ATTRIBUTES),
    *(f"aggregate_attr:{name}" for name in (*PUBLIC_ATTRIBUTES, *AGGREGATE_ATTRIBUTES)),
)
"""All scopes of a person; `publish_attr:*` and `aggregate_attr:*` stand for those that begin so."""


class Event(NamedTuple):
    """A scope granted or withdrawn on a day (ISO 8601), for one image or ("") all; `expires_on`: last day, or "".

    The last day of a withdrawal is the last one on which what it ends still holds.
    """

    image: str
    scope: str
    state: str
    event_on: str
    expires_on: str = ""


def covers(pattern: str, scope: str) -> bool:
    """Whether a scope as it is written in a form or withdrawal includes a single scope."""
    return pattern in (scope, EVERYTHING) or (pattern.endswith(":*") and scope.startswith(pattern[:-1]))


def granted(events: Iterable[Event], image: str, scope: str, as_of: str, held_on: str = "") -> bool:
    """Whether the events grant a scope for an image on a day, and do so still on another (`held_on`), if that is later.

    What was signed after `as_of` does not count; what has ended by either day neither.
    """
    about, last = [e for e in events if e.image in ("", image) and covers(e.scope, scope)], max(as_of, held_on)
    withdrawn_on = max((event.event_on for event in about if _is_withdrawn(event, last)), default="")
    return any(
        event.state == GRANTED and withdrawn_on < event.event_on <= as_of and not has_expired(event, last)
        for event in about
        if event.scope == scope or scope not in NAMED
    )


def held_on(ends: Iterable[str], as_of: str, today: str) -> str:
    """The day on which consent must hold for a run of today: `as_of`, or the day after the last of `ends` that is over.

    It changes on the day on which a consent ends, and not else: until then a run comes out as it did before.
    """
    over = [end for end in ends if as_of <= end < today]
    return days.after(max(over)) if over else as_of


def in_force(events: Iterable[Event], image: str, scope: str, day: str) -> bool:
    """Whether a scope was granted on a day as far as the events go, whatever was withdrawn on a later one."""
    return granted([e for e in events if e.state == GRANTED or e.event_on <= day], image, scope, day)


def has_expired(event: Event, as_of: str) -> bool:
    """Whether a grant is past its last day."""
    return event.expires_on != "" and event.expires_on < as_of


def was_ended(event: Event, events: Iterable[Event], as_of: str) -> bool:
    """Whether a grant is past the last day that a later event set for it."""
    return any(
        e.expires_on != "" and _is_withdrawn(e, as_of) and e.event_on >= event.event_on
        and e.image in ("", event.image) and covers(e.scope, event.scope)
        for e in events
    )  # fmt: skip


def signed(events: Iterable[Event], image: str, as_of: str) -> list[Event]:
    """The grants for an image, of any scope, that were signed by a day."""
    return [e for e in events if e.state == GRANTED and e.image in ("", image) and e.event_on <= as_of]


def _is_withdrawn(event: Event, as_of: str) -> bool:
    return event.state == WITHDRAWN and (event.expires_on == "" or has_expired(event, as_of))
