"""Signed files that the ledger has of somebody else: no evidence, whatever name they are delivered under now."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from accord.consent.ledger.records import FORM, SUBJECT, ConsentEvent, IprForm
from accord.consent.requests.suppression import EVIDENCE, RIGHTSHOLDER, Book

Record = ConsentEvent | IprForm
REASON = "; the signed file is recorded for somebody else, or for somebody who was erased"


def disputed(
    forms: Collection[Record],
    ledger: Iterable[Record],
    book: Book,
    joint: Collection[str],
    current_ids: Mapping[str, str],
) -> set[Record]:
    """The forms whose signed file the ledger has of another person, or had of one who was erased.

    ledger: all its records of forms; joint: sha256 of files that several people are declared to have signed;
    current_ids: ids that people had when their references were read in another spelling -> the ids that they have.
    """
    owners: dict[str, set[str]] = defaultdict(set)
    for record in ledger:
        if getattr(record, "source", FORM) == FORM and record.evidence_sha256:
            owners[record.evidence_sha256].add(current_ids.get(record.subject, record.subject))
    return {
        record
        for record in forms
        if record.evidence_sha256
        and record.evidence_sha256 not in joint
        and (owners[record.evidence_sha256] - {record.subject} or _is_of_erased(record, book))
    }


def _is_of_erased(record: Record, book: Book) -> bool:
    """Whether the signed file was of somebody else, who was erased; the person's own standing tells of themselves."""
    role = RIGHTSHOLDER if isinstance(record, IprForm) else SUBJECT
    return bool(book.of(EVIDENCE, record.evidence_sha256)) and not book.of(role, record.subject)
