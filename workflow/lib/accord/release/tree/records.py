"""Annotations as FHIBE writes them: one record for an image, one for each subject in it."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from accord.release.format import fhibe, labels
from accord.release.format.fhibe import ANNOTATED, BY_SUBJECT, CAMERA, CAMERA_NUMBERS, LISTS, OF_THE_IMAGE, PLACE
from accord.release.format.geometry import DECIMALS, bounding_box, moved
from accord.release.format.scaled import FACE, PERSON
from accord.release.seal.identity import Ids
from accord.vocabularies import KEYPOINTS, SEGMENTS


class Image(NamedTuple):
    """All rows on one image: named tuples, by table."""

    image: str
    tables: dict[str, list]

    def of(self, name: str, subject: str) -> list:
        """The rows of one subject; of the image itself where it is ""."""
        return [row for row in self.tables[name] if row.subject == subject]


def by_image(tables: dict[str, pd.DataFrame]) -> Iterator[Image]:
    """The rows of each image of a shard, sorted by image."""
    found: dict[str, dict[str, list]] = {}
    for name, rows in tables.items():
        for row in rows.itertuples(index=False):
            found.setdefault(row.image, {name: [] for name in tables})[name].append(row)
    return (Image(image, found[image]) for image in sorted(found))


def of_image(rows: Image, ids: Ids) -> dict[str, Any]:
    """What is said of the image: camera, place and time, scene; with the camera distance of its primary subject."""
    public = rows.tables["public"][0]
    camera = {
        name: _number(getattr(public, name)) if name in CAMERA_NUMBERS else getattr(public, name) for name in CAMERA
    }
    place = {name: getattr(public, name) for name in PLACE}
    said = _attributes(rows, "", OF_THE_IMAGE, ids) | _checkers(rows, "", ids)
    distance = _attributes(rows, public.subject, ("camera_distance",), ids)
    return {"image_id": ids.image(rows.image), **camera, **place, **distance, **said}


def of_subject(rows: Image, subject: str, ids: Ids, homography: np.ndarray | None = None) -> dict[str, Any]:
    """What is said of a subject, in px of the downsampled picture or of the one that a homography leads to."""
    person = rows.of("people", subject)[0]
    keypoints, segments = rows.of("keypoints", subject), rows.of("segments", subject)
    return {
        "subject_id": ids.subject(subject),
        "is_primary": bool(person.is_primary),
        "consent": True,
        "age": None if pd.isna(person.age) else int(person.age),
        **_attributes(rows, subject, BY_SUBJECT, ids),
        **_checkers(rows, subject, ids),
        "keypoints": _keypoints(keypoints, homography),
        "segments": _segments(segments, homography),
        "face_bbox": _box(person, FACE, homography),
        "person_bbox": _box(person, PERSON, homography),
        fhibe.annotator("keypoints"): ids.annotator(_annotator(keypoints)),
        fhibe.annotator("segments"): ids.annotator(_annotator(segments)),
        fhibe.FACE_ANNOTATOR: ids.annotator(person.face_annotator),
    }


def other_faces(rows: Image, subject: str, homography: np.ndarray, side: int) -> list[list[float] | None]:
    """The boxes, in its px, of other subjects' faces whose centres lie in the aligned picture of this one's."""
    others = [p for p in rows.tables["people"] if p.subject != subject]
    boxes = np.array([[getattr(p, name) for name in FACE] for p in others], float).reshape(-1, 4)
    centres = moved(boxes[:, :2] + boxes[:, 2:] / 2, homography)
    inside = np.all((centres >= 0) & (centres <= side), axis=1)
    return [_box(person, FACE, homography) for person, is_in in zip(others, inside, strict=True) if is_in]


def _attributes(rows: Image, subject: str, columns: tuple[str, ...], ids: Ids) -> dict[str, Any]:
    given = rows.of("attributes", subject)
    told: dict[str, Any] = {}
    for column in columns:
        values = [row for row in given if row.attribute == column]
        spelled = labels.published(column, [row.value for row in values])
        told[column] = spelled if column in LISTS else next(iter(spelled), None)
        if column in ANNOTATED:
            told[fhibe.annotator(column)] = ids.annotator(_annotator(values))
    return told


def _checkers(rows: Image, subject: str, ids: Ids) -> dict[str, list[str]]:
    """Who checked what, as far as anything was."""
    found: dict[str, set[str]] = {}
    for row in rows.of("checked", subject):
        found.setdefault(fhibe.checkers(row.attribute), set()).add(ids.annotator(row.annotator))
    return {column: sorted(annotators) for column, annotators in sorted(found.items())}


def _annotator(rows: list) -> str:
    """Who annotated; the first by id where it was several people."""
    return min((row.annotator for row in rows if row.annotator), default="")


def _number(value: float) -> float | None:
    return None if pd.isna(value) else float(value)


def _placed(points: np.ndarray | list, homography: np.ndarray | None) -> np.ndarray:
    points = np.asarray(points, float).reshape(-1, 2)
    return points if homography is None else moved(points, homography).round(DECIMALS)


def _keypoints(rows: list, homography: np.ndarray | None) -> dict[str, list]:
    points = _placed([(row.x, row.y) for row in rows], homography).tolist()
    return {KEYPOINTS[row.keypoint]: [*point, int(row.visible)] for row, point in zip(rows, points, strict=True)}


def _segments(rows: list, homography: np.ndarray | None) -> list[dict]:
    return [{"class_name": SEGMENTS[r.segment], "num": int(r.num), "polygon": _polygon(r, homography)} for r in rows]


def _polygon(row: Any, homography: np.ndarray | None) -> list[dict]:
    return [{"x": x, "y": y} for x, y in _placed(row.polygon, homography).tolist()]


def _box(person: Any, names: list[str], homography: np.ndarray | None) -> list[float] | None:
    """x_min, y_min, width, height."""
    x, y, width, height = (float(getattr(person, name)) for name in names)
    if np.isnan([x, y, width, height]).any():
        return None
    if homography is None:
        return [x, y, width, height]
    corners = moved(np.array([[x, y], [x + width, y], [x, y + height], [x + width, y + height]]), homography)
    return bounding_box(corners.round(DECIMALS)).tolist()
