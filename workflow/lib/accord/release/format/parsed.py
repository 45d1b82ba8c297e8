"""Rows of FHIBE's table of whole images, as Accord's tables."""

from collections.abc import Callable
from typing import Any

from accord.errors import Collector
from accord.intake.reading.countries import normalise
from accord.release.format import fhibe, labels, literals
from accord.release.format.fhibe import ANNOTATED, BY_SUBJECT, CAMERA_NUMBERS, OF_THE_IMAGE, WHOLE_TABLE

TEXTS = ("manufacturer", "model", "location_region", "user_date_captured", "user_hour_captured")


class Row:
    """A row of the table; cells that can't be read are told to `problems` and come out empty."""

    def __init__(self, cells: dict[str, str], problems: Collector):
        self.cells, self.problems = cells, problems
        self.image, self.subject = cells["image_id"], cells["subject_id"]

    def get(self, column: str, parse: Callable[[str], Any], default: Any) -> Any:
        """The value of a cell."""
        try:
            return parse(self.cells.get(column) or "")
        except ValueError as error:
            hint = "is the archive complete and unchanged?"
            self.problems.add(f"{WHOLE_TABLE}, image {self.image}, column {column}", str(error), hint)
            return default

    def annotator(self, column: str) -> str:
        """Who annotated a column; "" where nobody is named."""
        named = self.get(fhibe.annotator(column), literals.labels, [])
        return named[0] if named else ""

    def is_primary(self) -> bool:
        """Whether the subject is the image's primary one, whose row speaks of the image."""
        return self.get("is_primary", literals.boolean, False)


def person(row: Row) -> tuple:
    """A row of People."""
    face, body = (row.get(column, literals.box, [None] * 4) for column in ("face_bbox", "person_bbox"))
    age = row.get("age", literals.integer, None)
    return (row.image, row.subject, row.is_primary(), age, *face, *body, row.annotator("face_bbox"))


def attributes(row: Row) -> list[tuple]:
    """Rows of Attributes: of the image (those of its primary subject's row alone), and of the subject."""
    of_image = OF_THE_IMAGE if row.is_primary() else ()
    return [
        (row.image, subject, column, labels.taken(column, value), row.annotator(column) if column in ANNOTATED else "")
        for subject, columns in (("", of_image), (row.subject, BY_SUBJECT))
        for column in columns
        for value in row.get(column, literals.labels, [])
    ]


def checked(row: Row) -> list[tuple]:
    """Rows of Checked: of the image (those of its primary subject's row alone), and of the subject."""
    of_image = fhibe.CHECKED_OF_THE_IMAGE if row.is_primary() else ()
    return [
        (row.image, subject, column, annotator)
        for subject, columns in (("", of_image), (row.subject, fhibe.CHECKED_OF_THE_SUBJECT))
        for column in columns
        for annotator in row.get(fhibe.checkers(column), literals.labels, [])
    ]


def keypoints(row: Row) -> list[tuple]:
    """Rows of Keypoints."""
    annotator = row.annotator("keypoints")
    return [(row.image, row.subject, *point, annotator) for point in row.get("keypoints", literals.keypoints, [])]


def segments(row: Row) -> list[tuple]:
    """Rows of Segments."""
    annotator = row.annotator("segments")
    return [(row.image, row.subject, *segment, annotator) for segment in row.get("segments", literals.segments, [])]


def public(row: Row) -> dict[str, Any]:
    """A row of PublicImages, from the row of the primary subject. Countries are normalised where they can be."""
    given = row.cells["location_country"]
    country = normalise(given)
    return {
        "image": row.image,
        "subject": row.subject,
        **{name: row.get(name, literals.real, None) for name in CAMERA_NUMBERS},
        **{name: row.cells[name] for name in TEXTS},
        "location_country": country.name if country else given,
        "location_country_m49": country.code if country else None,
    }
