"""Import of the forms of all shards into the ledger, once each."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from accord import table
from accord.consent import ledger
from accord.consent.ledger import FORM, GRANTED, ConsentEvent, Depicts, IprForm, Notice, Party
from accord.intake.tables import Forms, People
from accord.kinds import Private


def run(forms: list[Path], people: list[Path], *, vault: Private) -> dict:
    """How many records of each kind the shards' tables of forms and people hold; all of them are in the ledger then.

    One transaction: a crash leaves the ledger as it was, and what it holds already is not imported again.
    """
    records: dict[NamedTuple, None] = {}
    for path in sorted(forms):
        records |= dict.fromkeys(_of_forms(table.read(path, Forms)))
    for path in sorted(people):
        records |= dict.fromkeys(_of_people(table.read(path, People)))
    with ledger.writing(vault) as opened:
        ledger.append(opened, records)
    counts = Counter(ledger.TABLES[type(record)] for record in records)
    return {name: counts[name] for name in ledger.TABLES.values()}


def event_of(row) -> ConsentEvent | IprForm:
    """The record of a row of the table Forms."""
    if row.kind == "copyright":
        return IprForm(row.subject, row.image, row.signed_on, row.expires_on, row.form, row.evidence_sha256)
    return ConsentEvent(
        *(row.party, row.subject, row.image, row.scope, GRANTED, row.signed_on, row.expires_on),
        *(FORM, row.form, row.notice_sha256, row.evidence_sha256),
    )


def _of_forms(forms) -> Iterator[NamedTuple]:
    for row in forms.itertuples():
        if row.notice_sha256:
            yield Notice(row.notice, row.notice_version, row.language, row.notice_sha256)
        yield Party(row.subject, row.party)
        yield event_of(row)


def _of_people(people) -> Iterator[NamedTuple]:
    for row in people.itertuples():
        yield Depicts(row.image, row.subject, "subject_primary" if row.is_primary else "subject_secondary")
