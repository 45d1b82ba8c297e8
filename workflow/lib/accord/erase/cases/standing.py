"""Standing: who withdrew as a whole, and must therefore be erased."""

import sqlite3
from pathlib import Path

from accord.consent.ledger import ledger
from accord.consent.ledger.records import COMMAND, SUBJECT
from accord.consent.requests import suppression, unmatched
from accord.consent.requests.suppression import REFUSED


def refused(vault: Path, opened: sqlite3.Connection) -> dict[str, str]:
    """Subject (an opaque id) -> when their withdrawal was recorded: of all who withdrew everything, `collect` or
    `publish_image`, and were not let in again since. The time is that of the first withdrawal that still counts.

    Whom no delivery has brought is not in it, but told by `unmatched.wishes`: a mistyped reference is nobody's erasure.
    Subjects alone, primary and secondary: annotators lose their demographics and rightsholders their forms' effect in
    the next run, without a case. Whoever was erased is not in it, unless a new withdrawal was recorded since.
    """
    known, found = unmatched.known(opened, vault), {}
    for _, at, event in ledger.heard(opened):
        standing = suppression.of_event(event) if (event.role, event.source) == (SUBJECT, COMMAND) else None
        if standing is None or standing.state != REFUSED or not known.has(event):
            continue
        if not suppression.is_lifted(standing, standing.scope, known.book.of(SUBJECT, event.subject)):
            found.setdefault(event.subject, at)
    return found
