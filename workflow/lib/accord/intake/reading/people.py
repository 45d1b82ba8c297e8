"""The people in the images of a share: who they are, what was drawn of them, what they say of themselves."""

from collections.abc import Iterable
from typing import NamedTuple

from accord.intake.delivered import sheets
from accord.intake.delivered.delivery import Delivery
from accord.intake.delivered.place import Place
from accord.intake.delivered.records import Records
from accord.intake.delivered.refusals import Refusals
from accord.intake.delivered.row import Row
from accord.intake.reading import annotators, attributes
from accord.intake.reading.annotations import NO_BOX, Annotation, Person
from accord.shards import opaque_id


class Cast(NamedTuple):
    """The people of one image: subject reference -> row of people.csv (with country_of_residence), and the primary's
    reference, "" where there is none or more than one."""

    people: dict[str, Row]
    primary: str


class PersonRows(NamedTuple):
    """Rows of one image for the tables People, Attributes, Keypoints and Segments."""

    people: list[tuple]
    attributes: list[tuple]
    keypoints: list[tuple]
    segments: list[tuple]


def casts(share: Delivery, refused: Refusals) -> dict[str, Cast]:
    """Reference of an image or video -> who is in it. People who are nobody's, or in no image, are refused."""
    known = {row["subject"]: row for row in share.tables["subjects.csv"]}
    images = {row["image"] for name in sheets.PICTURED for row in share.tables[name]}
    found: dict[str, dict[str, Row]] = {}
    for row in share.tables["people.csv"]:
        reason, column, labels = _unknown(row, known, images)
        if reason:
            image = opaque_id(share.vendor, share.name, row["image"])
            refused.add("person", "subject", reason, reference=row["image"], image=image,
                        subject=opaque_id(share.vendor, row["subject"]),
                        place=row.place(column, labels))  # fmt: skip
            continue
        lived = row.joined(country_of_residence=known[row["subject"]])
        found.setdefault(row["image"], {})[row["subject"]] = lived
    return {image: Cast(people, _primary(people)) for image, people in found.items()}


def check_primary(row: Row, cast: Cast, image: str, refused: Refusals) -> None:
    """Refuse an image whose subject isn't the one primary person in it."""
    if not row["subject"] or cast.primary != row["subject"]:
        reason = "the image's subject is not its one primary person in people.csv and subjects.csv"
        place = row.place("subject", cast.people)
        refused.add("image", "subject", reason, reference=row["image"], image=image, fatal=True, place=place)


def rows(
    share: Delivery, image: str, cast: Cast, annotation: Annotation | None, noted: attributes.Annotators,
    refused: Refusals, file: str = "",
) -> PersonRows:  # fmt: skip
    """The rows of the people in an image. What was drawn of somebody who is not in its cast is refused.

    `file`: that of the annotation."""
    rows = PersonRows([], [], [], [])
    drawn = {person.subject: person for person in annotation.people} if annotation else {}
    for reference, row in cast.people.items():
        subject = opaque_id(share.vendor, reference)
        person = drawn.get(reference) or _undrawn(reference)
        if annotation and reference not in drawn:
            refused.add("annotation", "annotation", "a person in the image is not annotated", reference=row["image"],
                        image=image, subject=subject, place=row.place("subject", drawn))  # fmt: skip
        age = attributes.age(row, image, subject, refused)
        rows.attributes.extend(attributes.of_person(row, image, (reference, subject), noted, refused))
        _draw(rows, share, (image, subject), sheets.boolean(row["is_primary"]) is True, age, person)
    shown = annotation.image if annotation else ""
    for reference in drawn.keys() - cast.people.keys():
        reason = "a person is annotated who is not in people.csv and subjects.csv"
        refused.add("person", "subject", reason, reference=shown, image=image,
                    subject=opaque_id(share.vendor, reference),
                    place=Place(file, 0, "subject", reference, tuple(cast.people)))  # fmt: skip
    return rows


def add(rows: PersonRows, records: Records) -> None:
    """Add the rows of an image's people to the records."""
    records.people += rows.people
    records.attributes += rows.attributes
    records.keypoints += rows.keypoints
    records.segments += rows.segments


def _unknown(row: Row, known: dict[str, Row], images: set[str]) -> tuple[str, str, Iterable[str]]:
    """Why a person is nobody's, the column that says so, and what could stand there; "" where they are known."""
    if row["image"] not in images:
        return "a person is in an image that is not in images.csv or videos.csv", "image", images
    if row["subject"] not in known:
        return "a person is not in subjects.csv", "subject", known
    unclear = sheets.boolean(row["is_primary"]) is None
    return "is_primary is neither true nor false" if unclear else "", "is_primary", ("true", "false")


def _primary(people: dict[str, Row]) -> str:
    primaries = [reference for reference, row in people.items() if sheets.boolean(row["is_primary"])]
    return primaries[0] if len(primaries) == 1 else ""


def _undrawn(reference: str) -> Person:
    return Person(reference, NO_BOX, NO_BOX, [], [], {})


def _draw(
    rows: PersonRows, share: Delivery, key: tuple[str, str], primary: bool, age: int | None, person: Person
) -> None:
    by = {part: annotators.id_of(share, reference) for part, reference in person.annotators.items()}
    rows.people.append((*key, primary, age, *person.face, *person.body, by.get("face_bbox", "")))
    rows.keypoints.extend((*key, *point, by.get("keypoints", "")) for point in person.keypoints)
    rows.segments.extend((*key, *segment, by.get("segments", "")) for segment in person.segments)
