"""Order: what counts of wishes by the order in which they were recorded. One rule for all who ask who may be shown.

A grant lets somebody in again where both its day and its recording come after those of the withdrawal. So a withdrawal
counts for all that it touches of the grants that were recorded before it, whatever their day; and a grant whose day was
to come when it was recorded counts never: what is recorded now refuses it (`wishes.faults`).
"""

from collections import defaultdict
from collections.abc import Iterable

from accord import days
from accord.consent import grants
from accord.consent.records import COMMAND, GRANTED, WITHDRAWN, ConsentEvent

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


def _touches(withdrawal: ConsentEvent, grant: ConsentEvent) -> bool:
    of_images = not withdrawal.image or not grant.image or withdrawal.image == grant.image
    pairs = ((withdrawal.scope, grant.scope), (grant.scope, withdrawal.scope))
    return of_images and any(grants.covers(*pair) for pair in pairs)
