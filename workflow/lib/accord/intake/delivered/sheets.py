"""The CSV tables of a delivery: their columns, and what their cells can hold."""

from typing import NamedTuple

from accord.vocabularies import ATTRIBUTES, IMAGE, PERSON

SEPARATOR = "|"


class Sheet(NamedTuple):
    """The columns of a table. `key`: together unique; `required`: the header must have them; `optional`: it may."""

    key: tuple[str, ...]
    required: tuple[str, ...]
    optional: tuple[str, ...] = ()


_OF_IMAGES = tuple(a.name for a in ATTRIBUTES.values() if a.of == IMAGE)
_OF_PEOPLE = tuple(a.name for a in ATTRIBUTES.values() if a.of == PERSON and a.name != "country_of_residence")

SHEETS: dict[str, Sheet] = {
    "images.csv": Sheet(
        ("image",),
        ("image", "file", "sha256", "annotations", "annotations_sha256", "subject", "user_date_captured"),
        ("location_country", "location_region", "user_hour_captured", *_OF_IMAGES),
    ),
    "people.csv": Sheet(("image", "subject"), ("image", "subject", "is_primary"), _OF_PEOPLE),
    "annotated.csv": Sheet(
        ("image", "subject", "attribute"), ("image", "subject", "attribute", "annotator"), ("qa_annotator",)
    ),
    "subjects.csv": Sheet(("subject",), ("subject", "birth_date"), ("country_of_residence",)),
    "annotators.csv": Sheet(
        ("annotator",), ("annotator", "role", "consents"), ("pronoun", "age_group", "ancestry", "nationality")
    ),
    "forms.csv": Sheet(
        ("form",),
        ("form", "kind", "party", "subject", "image", "scopes", "signed_on", "expires_on", "notice", "file", "sha256"),
        ("language", "joint"),
    ),
    "videos.csv": Sheet(
        ("image",),
        ("image", "file", "sha256", "annotations", "annotations_sha256", "subject", "user_date_captured"),
    ),
}
OPTIONAL = frozenset({"videos.csv"})
"""Tables that a delivery has only if its description lists them."""
PICTURED = ("images.csv", "videos.csv")
"""Tables of what shows people. Images and videos share one space of references (`image`)."""
BLANK_KEYS = {("annotated.csv", "subject")}
"""Key columns that may be empty: an attribute of the image as a whole."""

NAMING = frozenset({"image", "subject", "form", "annotator", "qa_annotator", "notice"})
"""Columns that hold references."""
BOOLEANS = {"true": True, "1": True, "false": False, "0": False}
"""Truth values without case: a spreadsheet writes TRUE."""


def values(cell: str) -> list[str]:
    """The values of a cell that holds a list, without empty ones and repetitions, in the order given."""
    return list(dict.fromkeys(part.strip() for part in cell.split(SEPARATOR) if part.strip()))


def boolean(cell: str) -> bool | None:
    """The truth value of a cell; None where it is none."""
    return BOOLEANS.get(cell.casefold())
