"""The clock of a case: an erasure has to be done within 30 days after the withdrawal was recorded.

GDPR Art. 12(3): "without undue delay and in any event within one month of receipt of the request". The shortest month
but one has 30 days; the extension by two months that the article knows is not used.
"""

from datetime import datetime, timedelta
from typing import NamedTuple

from accord.erase.cases.case import CLOSED, FACTS, RECEIVED, Case

DAYS = 30


class Status(NamedTuple):
    """Where a case stands. Times are ISO 8601, UTC; `left`: days until it is due, begun ones counted."""

    case: str
    stage: str
    received: str
    due: str
    left: int
    overdue: bool


def due(received: str) -> str:
    """When a withdrawal that was recorded at a time must have been carried out."""
    return (datetime.fromisoformat(received) + timedelta(days=DAYS)).isoformat(timespec="seconds")


def is_overdue(received: str, now: str) -> bool:
    """Whether the time for what was recorded at a time is over at another."""
    return datetime.fromisoformat(now) > datetime.fromisoformat(due(received))


def status(case: Case, now: str) -> Status:
    """Where a case stands at a time. One that is closed is never overdue."""
    return _status(case.name, case.stage, case.read(FACTS)["received"], now)


def without_case(received: str, now: str) -> Status:
    """Where a withdrawal stands at a time for which no case is open yet: its clock runs all the same."""
    return _status("none yet", RECEIVED, received, now)


def _status(name: str, stage: str, received: str, now: str) -> Status:
    end = due(received)
    left = datetime.fromisoformat(end) - datetime.fromisoformat(now)
    return Status(name, stage, received, end, -(-left // timedelta(days=1)), stage != CLOSED and left < timedelta())


def text(found: list[Status]) -> str:
    """The cases as a table, and how many are overdue."""
    if not found:
        return "no cases: everyone who withdrew completely has been erased"
    lines = [f"{'case':16}  {'stage':9}  {'received':25}  {'due':25}  days left"]
    lines += [
        f"{s.case:16}  {s.stage:9}  {s.received:25}  {s.due:25}  {'-' if s.stage == CLOSED else s.left:>9}"
        + ("  OVERDUE" if s.overdue else "")
        for s in found
    ]
    waiting = sum(s.stage != CLOSED for s in found)
    return "\n".join([*lines, "", f"{waiting} open, {sum(s.overdue for s in found)} overdue"])
