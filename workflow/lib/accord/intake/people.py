"""The people in the images of a share: who they are, what was drawn of them, what they say of themselves."""

from typing import NamedTuple

from accord.intake import annotators, attributes
from accord.intake.annotations import NO_BOX, Annotation, Person
from accord.intake.delivery import Delivery
from accord.intake.records import Records
from accord.intake.refusals import Refusals
from accord.intake.sheets import Row
from accord.shards import opaque_id

TRUTHS = {"true": True, "false": False}


class Cast(NamedTuple):
    """The people of one image: subject reference -> row of people.csv (with country_of_residence), and the primary's
    reference, "" where there is none or more than one."""

    people: dict[str, Row]
    primary: str


class Told(NamedTuple):
    """Rows of the tables People, Attributes, Keypoints and Segments of one image."""

    people: list[tuple]
    attributes: list[tuple]
    keypoints: list[tuple]
    segments: list[tuple]


def casts(share: Delivery, refused: Refusals) -> dict[str, Cast]:
    """Image reference -> who is in it. People who are nobody's, or in no image, are refused."""
    lives = {row["subject"]: row["country_of_residence"] for row in share.tables["subjects.csv"]}
    images = {row["image"] for row in share.tables["images.csv"]}
    found: dict[str, dict[str, Row]] = {}
    for row in share.tables["people.csv"]:
        reason = _unknown(row, lives, images)
        if reason:
            image = opaque_id(share.vendor, share.name, row["image"])
            refused.add("person", "subject", reason, reference=row["image"], image=image,
                        subject=opaque_id(share.vendor, row["subject"]))  # fmt: skip
            continue
        lived = {**row, "country_of_residence": lives[row["subject"]]}
        found.setdefault(row["image"], {})[row["subject"]] = lived
    return {image: Cast(people, _primary(people)) for image, people in found.items()}


def check_primary(row: Row, cast: Cast, image: str, refused: Refusals) -> None:
    """Refuse an image whose subject isn't the one primary person in it."""
    if not row["subject"] or cast.primary != row["subject"]:
        reason = "the image's subject is not its one primary person in people.csv and subjects.csv"
        refused.add("image", "subject", reason, reference=row["image"], image=image, fatal=True)


def rows(
    share: Delivery, image: str, cast: Cast, annotation: Annotation | None, noted: attributes.Annotators,
    refused: Refusals,
) -> Told:  # fmt: skip
    """What is told of the people in an image. What was drawn of somebody who is not in its cast is refused."""
    told = Told([], [], [], [])
    drawn = {person.subject: person for person in annotation.people} if annotation else {}
    for reference, row in cast.people.items():
        subject = opaque_id(share.vendor, reference)
        person = drawn.get(reference) or _undrawn(reference)
        if annotation and reference not in drawn:
            refused.add("annotation", "annotation", "a person in the image is not annotated", reference=row["image"],
                        image=image, subject=subject)  # fmt: skip
        age = attributes.age(row, image, subject, refused)
        told.attributes.extend(attributes.of_person(row, image, (reference, subject), noted, refused))
        _draw(told, share, (image, subject), TRUTHS[row["is_primary"]], age, person)
    for reference in drawn.keys() - cast.people.keys():
        reason = "somebody is annotated who is not in people.csv and subjects.csv"
        refused.add("person", "subject", reason, reference=annotation.image, image=image,
                    subject=opaque_id(share.vendor, reference))  # fmt: skip
    return told


def add(told: Told, records: Records) -> None:
    """Add what is told of an image's people to the records."""
    records.people += told.people
    records.attributes += told.attributes
    records.keypoints += told.keypoints
    records.segments += told.segments


def _unknown(row: Row, lives: dict[str, str], images: set[str]) -> str:
    if row["image"] not in images:
        return "a person is in an image that is not in images.csv"
    if row["subject"] not in lives:
        return "a person is not in subjects.csv"
    return "" if row["is_primary"] in TRUTHS else "is_primary is neither true nor false"


def _primary(people: dict[str, Row]) -> str:
    primaries = [reference for reference, row in people.items() if row["is_primary"] == "true"]
    return primaries[0] if len(primaries) == 1 else ""


def _undrawn(reference: str) -> Person:
    return Person(reference, NO_BOX, NO_BOX, [], [], {})


def _draw(told: Told, share: Delivery, key: tuple[str, str], primary: bool, age: int | None, person: Person) -> None:
    by = {part: annotators.id_of(share, reference) for part, reference in person.annotators.items()}
    told.people.append((*key, primary, age, *person.face, *person.body, by.get("face_bbox", "")))
    told.keypoints.extend((*key, *point, by.get("keypoints", "")) for point in person.keypoints)
    told.segments.extend((*key, *segment, by.get("segments", "")) for segment in person.segments)
