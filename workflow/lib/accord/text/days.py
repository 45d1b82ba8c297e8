"""Days of the calendar (ISO 8601) as people write them, who may be in any time zone."""

from datetime import UTC, date, datetime, timedelta

EAST = timedelta(hours=14)
"""No clock is further ahead of UTC than those of the Line Islands."""


def after(day: str) -> str:
    """The day after a day."""
    return (date.fromisoformat(day) + timedelta(days=1)).isoformat()


def today() -> str:
    """The day that it is where this machine is."""
    return date.today().isoformat()


def latest(at: str = "") -> str:
    """The day that it is where days begin first, now or at a time (ISO 8601 with its zone): later ones are to come."""
    then = datetime.fromisoformat(at) if at else datetime.now(UTC)
    return (then.astimezone(UTC) + EAST).date().isoformat()
