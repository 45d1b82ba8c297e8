"""Signed files that the ledger has of somebody else: no evidence, whatever name they are delivered under now."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from accord.consent.ledger.records import FORM, SUBJECT, ConsentEvent, IprForm
from accord.consent.requests.suppression import EVIDENCE, RIGHTSHOLDER, Book

Record = ConsentEvent | IprForm
REASON = "; the signed file is recorded for somebody else, or for somebody who was erased"


def of_others(
    wanted: Collection[Record], known: Iterable[Record], book: Book, joint: Collection[str], former: Mapping[str, str]
) -> set[Record]:
    """The wanted records whose signed file the ledger has of another person, or had of one who was erased.

    known: all forms of the ledger; joint: sha256 of files that several people are declared to have signed; former: ids
    that people had when their references were read in another spelling -> the ids that they have.
    """
    owners: dict[str, set[str]] = defaultdict(set)
    for record in known:
        if getattr(record, "source", FORM) == FORM and record.evidence_sha256:
            owners[record.evidence_sha256].add(former.get(record.subject, record.subject))
    return {
        record
        for record in wanted
        if record.evidence_sha256
        and record.evidence_sha256 not in joint
        and (owners[record.evidence_sha256] - {record.subject} or _is_of_erased(record, book))
    }


def _is_of_erased(record: Record, book: Book) -> bool:
    """Whether the signed file was of somebody else, who was erased; the person's own standing tells of themselves."""
    role = RIGHTSHOLDER if isinstance(record, IprForm) else SUBJECT
    return bool(book.of(EVIDENCE, record.evidence_sha256)) and not book.of(role, record.subject)
