"""Annotators: who annotated what, and what they disclosed of themselves."""

from collections.abc import Iterable
from typing import NamedTuple

from accord.intake.delivered import sheets
from accord.intake.delivered.delivery import Delivery
from accord.intake.delivered.place import Place
from accord.intake.delivered.refusals import Refusals
from accord.intake.delivered.row import Row
from accord.intake.reading.annotations import Annotation
from accord.intake.reading.attributes import judge
from accord.shards import opaque_id
from accord.vocabularies import AGE_GROUPS, ATTRIBUTES, PERSON, Attribute

ROLES = ("annotator", "qa")
DISCLOSED = {
    "pronoun": ATTRIBUTES["pronoun"],
    "age_group": Attribute("age_group", AGE_GROUPS),
    "ancestry": ATTRIBUTES["ancestry"],
    "nationality": ATTRIBUTES["nationality"],
}


class Notes(NamedTuple):
    """Who annotated attributes: (image, subject, attribute) -> id; who checked them: image -> (subject, attribute, id);
    and the references of all who did."""

    by_attribute: dict[tuple[str, str, str], str]
    checked: dict[str, list[tuple[str, str, str]]]
    people: frozenset[str]


def id_of(share: Delivery, reference: str) -> str:
    """The id of an annotator; "" for none."""
    return opaque_id(share.vendor, reference) if reference else ""


def notes(share: Delivery) -> Notes:
    """What annotated.csv says."""
    rows = share.tables["annotated.csv"]
    by = {(r["image"], r["subject"], r["attribute"]): id_of(share, r["annotator"] or r["qa_annotator"]) for r in rows}
    checked: dict[str, list[tuple[str, str, str]]] = {}
    for row in rows:
        if row["qa_annotator"] and row["attribute"] in ATTRIBUTES:
            by_whom = row["subject"], row["attribute"], id_of(share, row["qa_annotator"])
            checked.setdefault(row["image"], []).append(by_whom)
    everyone = frozenset(name for row in rows for name in (row["annotator"], row["qa_annotator"]) if name)
    return Notes(by, checked, everyone)


def checked(
    share: Delivery, image: str, of_image: Iterable[tuple[str, str, str]], people: Iterable[str]
) -> list[tuple]:
    """Rows of the table Checked for an image: what was checked of it and of its people (the vendor's references)."""
    known = set(people)
    rows = (
        (image, opaque_id(share.vendor, subject) if subject else "", attribute, by)
        for subject, attribute, by in of_image
        if (subject in known if ATTRIBUTES[attribute].of == PERSON else not subject)
    )
    return list(dict.fromkeys(rows))


def named(annotation: Annotation) -> set[str]:
    """The references of all who drew something in an image."""
    people = {name for person in annotation.people for name in person.annotators.values()}
    return people | {region.annotator for region in annotation.regions if region.annotator}


def rows(share: Delivery, references: Iterable[str], refused: Refusals) -> list[tuple]:
    """Rows of the table Annotators for those who are named. Who withdrew the use of their demographics has none."""
    known = {row["annotator"]: row for row in share.tables["annotators.csv"]}
    found = []
    for reference in sorted(references):
        row = known.get(reference)
        if row is None or row["role"] not in ROLES or sheets.boolean(row["consents"]) is None:
            reason = "an annotator is not in annotators.csv, or their role or consent can't be read"
            refused.add("annotator", "vocabulary", reason, reference=reference, place=_place(row, reference, known))
            continue
        consents = sheets.boolean(row["consents"]) is True
        told = [_disclosed(row, name, refused) if consents else "" for name in DISCLOSED]
        found.append((id_of(share, reference), share.vendor, row["role"], *told, consents))
    return found


def _place(row: Row | None, reference: str, known: Iterable[str]) -> Place:
    if row is None:
        return Place("annotators.csv", 0, "annotator", reference, tuple(known))
    return row.place("role", ROLES) if row["role"] not in ROLES else row.place("consents", ("true", "false"))


def merge(rows: list[tuple]) -> list[tuple]:
    """One row per annotator, of several deliveries' rows: one in which they withdrew, if there is any, or the last."""
    return list({row[0]: row for row in sorted(rows, key=lambda row: not row[-1])}.values())


def _disclosed(row: Row, name: str, refused: Refusals) -> str:
    if not row[name]:
        return ""
    kept, reasons = judge(DISCLOSED[name], row[name])
    for check, reason, value in reasons:
        place = row.place(name, DISCLOSED[name].labels, value)
        refused.add("annotator", check, reason, reference=row["annotator"], place=place)
    return sheets.SEPARATOR.join(kept)
