"""What each annotator and reviewer drew or said, as one table: from a delivery, from reviews, from further passes."""

from collections.abc import Iterator

import pandas as pd

from accord.checks.tables.agreement import ANNOTATOR, REVIEWER, Marks
from accord.engine import table
from accord.imaging.boxes import corners
from accord.intake.tables import FACE
from accord.queues import AGREEMENT, UPHOLD
from accord.vocabularies import ATTRIBUTES

FACE_BOX, PERSON_BOX, PERSON_MASK, KEYPOINTS = DRAWN = ("face_box", "person_box", "person_mask", "keypoints")
VISIBLE, HIDDEN = "visible", "hidden"
SOURCES = ("people", "keypoints", "segments", "attributes")


def delivered(vendors: pd.Series, tables: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Marks of what a delivery says was annotated, of the images in `vendors` (image -> vendor).

    tables: `SOURCES`, as intake makes them. A person's box is the one around their segments, so of those alone.
    """
    here = {name: rows[rows["image"].isin(vendors.index)] for name, rows in tables.items()}
    rows = [*_faces(here["people"]), *_segments(here["segments"]), *_keypoints(here["keypoints"])]
    rows += _attributes(here["attributes"])
    made = [(image, subject, by, vendors[image], ANNOTATOR, *mark) for image, subject, by, *mark in rows if by]
    return table.rows(made, Marks)


def reviewed(drawn: pd.DataFrame, decisions: pd.DataFrame) -> pd.DataFrame:
    """Marks of what reviewers drew in the queue agreement: regions of the items `<kind>/<number of the drawing>`.

    drawn: image, subject of the sample. The number stands for the reviewer, whose name stays in the vault.
    """
    said = decisions[(decisions["queue"] == AGREEMENT) & (decisions["decision"] == UPHOLD)]
    said = said.merge(drawn[["image", "subject"]].drop_duplicates(), on="image")
    rows = []
    for row in said.itertuples():
        kind, _, turn = row.region.partition("/")
        part = 0 if kind in (FACE_BOX, PERSON_BOX) else row.number
        if row.number == part and len(row.polygon):
            rows.append((row.image, row.subject, f"reviewer {turn}", "", REVIEWER, kind, part, "", list(row.polygon)))
    return table.rows(rows, Marks)


def _faces(people: pd.DataFrame) -> Iterator[tuple]:
    for row in people.dropna(subset=FACE).itertuples():
        box = corners(row.face_x, row.face_y, row.face_width, row.face_height)
        yield row.image, row.subject, row.face_annotator, FACE_BOX, 0, "", box


def _segments(segments: pd.DataFrame) -> Iterator[tuple]:
    ordered = segments.sort_values(["image", "subject", "annotator", "segment", "num"])
    for (image, subject, by), own in ordered.groupby(["image", "subject", "annotator"], sort=True):
        for part, polygon in enumerate(own["polygon"]):
            yield image, subject, by, PERSON_MASK, part, "", list(polygon)


def _keypoints(keypoints: pd.DataFrame) -> Iterator[tuple]:
    for row in keypoints.itertuples():
        seen = VISIBLE if row.visible else HIDDEN
        yield row.image, row.subject, row.annotator, KEYPOINTS, row.keypoint, seen, [row.x, row.y]


def _attributes(attributes: pd.DataFrame) -> list[tuple]:
    known = attributes[attributes["attribute"].isin(ATTRIBUTES) & (attributes["annotator"] != "")]
    return [(row.image, row.subject, row.annotator, row.attribute, 0, row.value, []) for row in known.itertuples()]
