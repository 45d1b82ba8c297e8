"""Notices whose day has passed without an acknowledgement. They name nobody: ids alone."""

from datetime import date
from pathlib import Path

from accord.holders.register import store


def overdue(vault: Path, on: date) -> list[dict]:
    """The notices that were due before a day and are open: notice, holder, version, made, sent, due, days (over)."""
    with store.reading(vault) as opened:
        found = [notice for notice in store.open_notices(opened) if date.fromisoformat(notice.due) < on]
    return [
        {
            "notice": notice.id,
            "holder": notice.holder,
            "version": notice.version,
            "made": notice.made,
            "sent": notice.sent,
            "due": notice.due,
            "days": (on - date.fromisoformat(notice.due)).days,
        }
        for notice in found
    ]
