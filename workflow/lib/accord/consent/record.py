"""Import of the watched folder's requests and of a shard's forms into the ledger, once each."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from accord.consent.ledger import ledger
from accord.consent.ledger.ledger import (
    ANNOTATOR,
    FORM,
    GRANTED,
    RIGHTSHOLDER,
    SUBJECT,
    ConsentEvent,
    Depicts,
    IprForm,
    Notice,
    Party,
)
from accord.consent.requests import imports, respelled, suppression
from accord.consent.requests.suppression import Book
from accord.engine import table
from accord.engine.parameter_types import Folder, Private
from accord.intake.tables import Annotators, Forms, People

KINDS = tuple(ledger.TABLES[kind] for kind in (Party, Notice, ConsentEvent, IprForm, Depicts))


def run(
    forms: list[Path], people: list[Path], annotators: list[Path], refused: list[Path], *, vault: Private,
    inbox: list[Folder], proof_required: bool,
) -> dict:  # fmt: skip
    """How many records of each kind tables of forms, people and annotators hold; all are in the ledger then.

    A crash leaves the ledger as it was, and what it holds already is not imported again. People who were erased are
    left out, and counted (`erased`); what was recorded of references that `refused` tells in another spelling goes on.
    inbox: the watched folder, or none; its requests are recorded too (`consent.receive` tells of bad ones).
    """
    for folder in inbox:
        imports.run(vault, imports.inbox(folder), proof_required=proof_required)
    found: dict[NamedTuple, None] = {}
    for path in sorted(forms):
        found |= dict.fromkeys(_of_forms(table.read(path, Forms)))
    for path in sorted(people):
        found |= dict.fromkeys(_of_people(table.read(path, People)))
    for path in sorted(annotators):
        found |= dict.fromkeys(Party(one, ANNOTATOR) for one in table.read(path, Annotators)["annotator"])
    now = respelled.spelled(refused)
    with ledger.writing(vault) as opened:
        ledger.append(opened, respelled.refusals(opened, vault, now))
        book = ledger.book(vault, opened)
        kept = [record for record in found if not is_erased(record, book)]
        again = [record for record in respelled.records(opened, now) if not is_erased(record, book)]
        ledger.append(opened, [*kept, *again])
    counts = Counter(ledger.TABLES[type(record)] for record in kept)
    erased = {record.subject for record in found.keys() - set(kept) if isinstance(record, Depicts)}
    return {name: counts[name] for name in KINDS} | {"erased": len(erased)}


def is_erased(record: Any, book: Book) -> bool:
    """Whether a record is of somebody who was erased and not let in again: the ledger does without it."""
    if isinstance(record, Notice):
        return False
    role = RIGHTSHOLDER if isinstance(record, IprForm) else getattr(record, "role", SUBJECT)
    role = role if role in (RIGHTSHOLDER, ANNOTATOR) else SUBJECT
    return suppression.is_erased(book.of(role, record.subject))


def event_of(row: Any) -> ConsentEvent | IprForm:
    """The record of a row of the table Forms."""
    if row.kind == "copyright":
        return IprForm(row.subject, row.image, row.signed_on, row.expires_on, row.form, row.evidence_sha256)
    return ConsentEvent(
        *(row.party, row.subject, row.image, row.scope, GRANTED, row.signed_on, row.expires_on),
        *(FORM, row.form, row.notice_sha256, row.evidence_sha256),
    )


def _of_forms(forms: Any) -> Iterator[NamedTuple]:
    for row in forms.itertuples():
        if row.notice_sha256:
            yield Notice(row.notice, row.notice_version, row.language, row.notice_sha256)
        yield Party(row.subject, row.party)
        yield event_of(row)


def _of_people(people: Any) -> Iterator[NamedTuple]:
    for row in people.itertuples():
        yield Depicts(row.image, row.subject, "subject_primary" if row.is_primary else "subject_secondary")
