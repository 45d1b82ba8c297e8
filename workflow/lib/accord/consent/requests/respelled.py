"""What was recorded under another spelling of a reference, recorded anew under the one that is read now.

Ids are made of references. Earlier versions made them of any spelling; of those that deliveries still use (Refused,
check `spelling`) the requests, codes and refusals go on to the id of the normal form: nobody who withdrew comes back.
"""

import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from accord.consent.ledger import ledger
from accord.consent.ledger.records import COMMAND, ConsentEvent, Proof, Suppression
from accord.consent.requests import suppression
from accord.engine.table import read
from accord.intake.delivered.spelled import SPELLING
from accord.intake.tables import Refused

Spelled = dict[str, str]
"""The id that a spelling had -> the id that it has."""


def spelled(refused: Iterable[Path]) -> Spelled:
    """What tables of what intake refused say of spellings."""
    tables = [read(path, Refused) for path in sorted(refused)]
    rows = [row for found in tables for row in found[found["check"] == SPELLING].itertuples()]
    return {row.reference: row.subject or row.image for row in rows}


def refusals(opened: sqlite3.Connection, vault: Path, now: Spelled) -> list[Suppression]:
    """What is to be appended so that whoever was erased under a former id stays refused under the new one."""
    return suppression.carried(vault, ledger.read(opened, Suppression), now)


def records(opened: sqlite3.Connection, now: Spelled) -> list[NamedTuple]:
    """The requests and codes of former ids, for the new ones; the ledger may hold some of them already."""
    events = [
        event._replace(subject=now.get(event.subject, event.subject), image=now.get(event.image, event.image))
        for event in ledger.read(opened, ConsentEvent)
        if event.source == COMMAND and (event.subject in now or event.image in now)
    ]
    return [
        *events,
        *(one._replace(subject=now[one.subject]) for one in ledger.read(opened, Proof) if one.subject in now),
    ]
