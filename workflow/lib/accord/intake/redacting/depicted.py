"""Whom each image and video of a delivery shows, as far as anything in it says so: tables and annotation files."""

import json
from pathlib import Path

from accord.intake.delivered import files
from accord.intake.delivered.files import FileRefusedError
from accord.intake.delivered.row import Row
from accord.intake.reading.images import MAX_ANNOTATION
from accord.text import unicode
from accord.text.references import normal


def depicted(root: Path, images: list[Row], people: list[Row]) -> dict[str, set[str]]:
    """Image reference -> the references of everyone in it, by its own row, people.csv or its annotation file.

    images: rows of images.csv and videos.csv."""
    shown = {row["image"]: {row["subject"]} if row["subject"] else set() for row in images}
    for row in people:
        if row["image"] in shown:
            shown[row["image"]].add(row["subject"])
    for row in images:
        shown[row["image"]] |= drawn(root, row["annotations"])
    return shown


def drawn(root: Path, path: str) -> set[str]:
    """Whoever an annotation file names as a `subject`, wherever, and however often the key is given.

    Nobody where the file is missing or no JSON: intake doesn't take it either.
    """
    named: list[object] = []

    def collect(pairs: list[tuple[str, object]]) -> None:
        named.extend(value for key, value in pairs if key == "subject")

    try:
        json.loads(files.read(root, path, MAX_ANNOTATION), object_pairs_hook=collect)
    except (FileRefusedError, ValueError, RecursionError):
        return set()
    read = (reference for reference in named if isinstance(reference, str) and not unicode.fault(reference))
    return {normal(reference) for reference in read} - {""}
