"""What the deliveries say of a person: their rows that name her, and her images whose delivery could not be read."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from accord.erase.access.results import SOMEBODY
from accord.erase.cases.person import NAMING, Person
from accord.erase.cases.places import Places
from accord.errors import all_problems
from accord.intake.delivered import delivery
from accord.intake.delivered.sheets import PICTURED
from accord.shards import opaque_id
from accord.text import references

TABLES = (*NAMING, "annotated.csv")
ANNOTATORS = ("annotator", "qa_annotator")
"""Columns that name other people: who annotated her."""
HINT = "give --config the settings of the run, which name its deliveries"


class Delivered(NamedTuple):
    """rows: as the vendor wrote them; named: deliveries of the settings; unread: images of hers in none of them."""

    rows: list[dict[str, str]]
    named: int
    unread: int

    def gap(self) -> str:
        """Why rows may be missing; "" where none are."""
        if not self.named:
            return "the settings name no delivery, so that no row of any is here"
        return "deliveries that show her are not named in the settings: their rows are missing" if self.unread else ""


def find(places: Places, her: Person) -> Delivered:
    """The rows that name her. Raises AccordError where a delivery can't be read."""
    with all_problems() as problems:
        told = [(root, delivery.describe(root, delivery.SCHEMA, problems)) for root in places.deliveries]
    described = [(root, about) for root, about in told if about]
    images = {image for root, about in described for image in _images(root, about)}
    rows = [row for root, about in described for row in _naming(root, about["vendor"], her.subject)]
    return Delivered(rows, len(described), len(her.images - images))


def _naming(root: Path, vendor: str, subject: str) -> Iterator[dict[str, str]]:
    """Two vendors may use the same reference for two people: vendor and reference together say whose a row is."""
    for sheet in TABLES:
        for row in _rows(root / sheet):
            if references.person(vendor, row.get("subject", "")) == subject:
                others = {name: SOMEBODY for name in ANNOTATORS if row.get(name)}
                yield {"table": sheet, **row, **others}


def _images(root: Path, about: dict[str, Any]) -> Iterator[str]:
    """The opaque ids of all images and videos of a delivery, also those whose own row doesn't name her."""
    for sheet in PICTURED:
        for row in _rows(root / sheet):
            for spelled in references.spellings(row.get("image", "")):
                yield opaque_id(about["vendor"], about["delivery"], spelled)


def _rows(path: Path) -> list[dict[str, str]]:
    if not path.is_file():
        return []
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file, restval=""))
