"""Order: what counts of requests by the order in which they were recorded. One rule for all who ask who may be shown.

A grant lets somebody in again where both its day and its recording come after those of the withdrawal. So a withdrawal
counts for all that it touches of the grants that were recorded before it, whatever their day; and a grant whose day was
to come when it was recorded counts never: what is recorded now refuses it (`wishes.faults`).
"""

from collections import defaultdict
from collections.abc import Collection, Iterable

from accord.consent.deciding import grants
from accord.consent.ledger.records import COMMAND, GRANTED, WITHDRAWN, ConsentEvent
from accord.text import days

Recorded = tuple[int, str, ConsentEvent]
"""Number of the entry, time of recording (ISO 8601, UTC), event."""


def heard(recorded: Iterable[Recorded]) -> list[Recorded]:
    """The events as they count, of those that are recorded, in their order.

    A withdrawal that touches grants of later days which were recorded before it comes again with the last of these.
    """
    found: list[Recorded] = []
    before: dict[tuple[str, str], list[ConsentEvent]] = defaultdict(list)
    for seq, at, event in recorded:
        if event.source == COMMAND and event.state == GRANTED:
            if event.event_on > days.latest(at):
                continue
            before[event.role, event.subject].append(event)
        found.append((seq, at, event))
        if event.source == COMMAND and event.state == WITHDRAWN and not event.expires_on:
            last = max((one.event_on for one in before[event.role, event.subject] if _touches(event, one)), default="")
            found += [(seq, at, event._replace(event_on=last))] if last > event.event_on else []
    return found


def news(
    recorded: Iterable[Recorded], said: Iterable[ConsentEvent], settled: Collection[int] = (), *, anew: bool = True
) -> list[ConsentEvent]:
    """The events that have to be recorded, in their order: new ones, and those that are repeated after a contrary one.

    A recorded event counts as repeated if a contrary request came since, in the ledger and not among what
    is said after it, or where it was settled as one for nobody (`settled`: numbers of such entries). `anew`: whether
    it was said now; a file that was read before says nothing anew.
    """
    said, found = list(said), []
    known: dict[tuple[str, str], list[Recorded]] = defaultdict(list)
    for entry in recorded:
        known[entry[2].role, entry[2].subject].append(entry)
    after = defaultdict(list)
    for event in said:
        after[event.role, event.subject].append(event)
    for event in said:
        mine, rest = known[event.role, event.subject], after[event.role, event.subject]
        rest.pop(0)
        if any(event == one for _, _, one in mine) and not (anew and _is_set_aside(event, mine, rest, settled)):
            continue
        mine.append((0, "", event))
        found.append(event)
    return found


def _is_set_aside(
    event: ConsentEvent, mine: list[Recorded], rest: list[ConsentEvent], settled: Collection[int]
) -> bool:
    """Whether an event that is recorded counts no longer as it was said; rest: what is said of the person after it."""
    last = max(place for place, (_, _, one) in enumerate(mine) if one == event)
    if mine[last][0] in settled:
        return True
    since = (one for _, _, one in mine[last + 1 :] if one.source == COMMAND)
    return any(_opposes(one, event) for one in since) and not any(_opposes(one, event) for one in rest)


def _opposes(one: ConsentEvent, other: ConsentEvent) -> bool:
    return one.state != other.state and _touches(one, other)


def _touches(one: ConsentEvent, other: ConsentEvent) -> bool:
    of_images = not one.image or not other.image or one.image == other.image
    pairs = ((one.scope, other.scope), (other.scope, one.scope))
    return of_images and any(grants.covers(*pair) for pair in pairs)
