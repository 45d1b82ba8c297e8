"""How references are spelled: which look like another one, and which were written otherwise than they are read."""

from collections.abc import Iterator

from accord.intake.delivered import shares
from accord.intake.delivered.delivery import Delivery
from accord.intake.delivered.refusals import Refusals
from accord.intake.delivered.shares import COLUMNS, IMAGE, Alike
from accord.shards import opaque_id

LOOKALIKE, SPELLING = "lookalike", "spelling"
ALIKE = "the reference differs from another one only in case or similar characters: is it the same person or image?"
RESPELLED = "the reference is not in its normal form (NFKC, no space around it), and is read in that form"


def tell(share: Delivery, alike: Alike, refused: Refusals) -> None:
    """Note references of a share that look like another, and those that were spelled otherwise; nothing is left out.

    Of the latter the row's `reference` is the id that the other spelling had, for what was recorded of it before.
    """
    for kind in COLUMNS:
        others = alike.get(shares.scope(kind, share.vendor, share.name), {})
        seen: set[str] = set()
        for row, column in _cells(share, kind):
            reference = row[column]
            if reference in others and reference not in seen:
                seen.add(reference)
                place = row.place(column, others[reference])
                refused.add("reference", LOOKALIKE, ALIKE, reference=reference, place=place,
                            **_ids(share, kind, reference))  # fmt: skip
    for (kind, written), (row, column) in sorted(_respelled(share).items()):
        former = "".join(_ids(share, kind, written).values())
        place = row.place(column, (row[column],), written)
        refused.add("reference", SPELLING, RESPELLED, reference=former, place=place, **_ids(share, kind, row[column]))


def _respelled(share: Delivery) -> dict[tuple[str, str], tuple]:
    """(kind, reference as it was written) -> where it stands first."""
    found: dict[tuple[str, str], tuple] = {}
    for kind in COLUMNS:
        for row, column in _cells(share, kind):
            if column in row.spelled:
                found.setdefault((kind, row.spelled[column]), (row, column))
    return found


def _cells(share: Delivery, kind: str) -> Iterator[tuple]:
    for name, column in COLUMNS[kind]:
        yield from ((row, column) for row in share.tables[name])


def _ids(share: Delivery, kind: str, reference: str) -> dict[str, str]:
    if kind == IMAGE:
        return {"image": opaque_id(share.vendor, share.name, reference)}
    return {"subject": opaque_id(share.vendor, reference)}
