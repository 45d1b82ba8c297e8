"""Check that what annotators drew can be true: boxes in the picture, faces on people, keypoints on bodies; and that
no body lies over what is to be painted out."""

from collections.abc import Iterator
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.checks.agreement.annotated import units
from accord.checks.deciding.limits import Finding, at_most, failed, passed, to_review, unknown
from accord.checks.files.pixels import by_image
from accord.checks.personal import overlaps
from accord.checks.tables.findings import Findings, Images, Proposals
from accord.checks.tables.summary import Annotated
from accord.engine import table
from accord.imaging.coordinates import PERCENT, corners_of, unit
from accord.imaging.decode import upright_size
from accord.imaging.polygons import distance_to_union
from accord.intake.tables import FACE, PERSON, Keypoints, People, Regions, Segments

FACIAL = frozenset({*range(7), 9, 10})
"""Numbers of the keypoints inside of a face: nose, eyes and mouth."""
MAX_OUTSIDE = 0.25
"""How far a person's keypoints and segments may lie outside of their box, as a share of the box's diagonal."""


class Judged(NamedTuple):
    """What was found, the regions that people are asked about, and what there is to look at in samples."""

    findings: DataFrame[Findings]
    proposals: DataFrame[Proposals]
    annotated: DataFrame[Annotated]


def run(
    images: DataFrame[Images],
    people: DataFrame[People],
    keypoints: DataFrame[Keypoints],
    segments: DataFrame[Segments],
    regions: DataFrame[Regions],
    *,
    max_box_overhang: float,
    max_face_outside: float,
    max_keypoint_distance: float,
) -> Judged:
    """Seven findings of each image.

    boxes_in_image, face_in_person, keypoints_in_mask and points_in_boxes hold what is drawn against the picture and
    itself; the worst of an image's people counts. people_located asks for a review where nothing shows where somebody
    is, who could be painted out as a bystander; coordinate_units where boxes, keypoints or
    segments look like percent, and region_overlap where subjects' segments or faces lie over a region to paint
    out.

    `max_box_overhang`: how far a box may lie over the picture's edge, as a share of the picture's longer side.
    `max_face_outside`: the share of a face box that may lie outside its person's box.
    `max_keypoint_distance`: how far a visible keypoint may lie from its person's segments, as a share of the diagonal
    of the person's box: wide enough for gaps between polygons and a pixel or two of an unsteady hand.
    """
    drawn = {name: by_image(part) for name, part in _parts(people, keypoints, segments, regions)}
    findings: list[Finding] = []
    over: dict[str, list[overlaps.Overlap]] = {}
    for row in images.sort_values("image").itertuples():
        of_image = {name: parts.get(row.image) for name, parts in drawn.items()}
        findings += sorted(
            [
                _boxes(row, of_image["people"], max_box_overhang),
                _faces(row.image, of_image["people"], max_face_outside),
                _keypoints(row.image, of_image, max_keypoint_distance),
                _points(row.image, of_image),
                _located(row.image, of_image),
                _units(row, of_image),
            ]
        )
        over[row.image] = overlaps.overlaps(of_image, _sides(row)[::-1])
    both = pd.concat([table.rows(findings, Findings), overlaps.findings(over)], ignore_index=True)
    seen = units(*(rows[rows["image"].isin(images["image"])] for rows in (people, keypoints, segments)))
    return Judged(both.sort_values(["image", "check"], ignore_index=True), overlaps.proposals(over), seen)


def _parts(
    people: pd.DataFrame, keypoints: pd.DataFrame, segments: pd.DataFrame, regions: pd.DataFrame
) -> Iterator[tuple[str, pd.DataFrame]]:
    yield "people", people
    yield "keypoints", keypoints[keypoints["visible"]]
    yield "segments", segments
    yield "regions", regions


def _boxes(row: Any, people: pd.DataFrame | None, limit: float) -> Finding:
    boxes = _drawn_boxes(people, FACE, PERSON)
    if not len(boxes):
        return unknown(row.image, "boxes_in_image", "has no boxes")
    if not (np.isfinite(boxes).all() and (boxes[:, 2:] > 0).all()):
        return failed(row.image, "boxes_in_image", "a box is empty or not finite")
    sides = _sides(row)
    low, high = boxes[:, :2], boxes[:, :2] + boxes[:, 2:]
    overhang = max(0.0, float((-low).max()), float((high - sides).max())) / max(sides)
    return at_most(row.image, "boxes_in_image", overhang, limit, "of the longer side is the largest overhang of a box")


def _sides(row: Any) -> tuple[int, int]:
    """Width and height of the upright picture, px."""
    return upright_size(row.width, row.height, row.orientation)


def _faces(image: str, people: pd.DataFrame | None, limit: float) -> Finding:
    boxes = _drawn_boxes(None if people is None else people.dropna(subset=FACE + PERSON), FACE + PERSON)
    if not len(boxes):
        return unknown(image, "face_in_person", "no person has both boxes")
    face, person = boxes[:, :4], boxes[:, 4:]
    low = np.maximum(face[:, :2], person[:, :2])
    high = np.minimum(face[:, :2] + face[:, 2:], person[:, :2] + person[:, 2:])
    shared = np.clip(high - low, 0, None).prod(axis=1)
    area = face[:, 2:].prod(axis=1)
    outside = 1 - np.divide(shared, area, out=np.zeros(len(area)), where=area > 0)
    return at_most(image, "face_in_person", float(outside.max()), limit, "of a face box is outside its person's box")


def _keypoints(image: str, drawn: dict[str, pd.DataFrame | None], limit: float) -> Finding:
    if drawn["keypoints"] is None or drawn["segments"] is None:
        return unknown(image, "keypoints_in_mask", "has no visible keypoints, or no segments")
    masks = {subject: list(map(_polygon, part["polygon"])) for subject, part in drawn["segments"].groupby("subject")}
    points = {subject: part[["x", "y"]].to_numpy(float) for subject, part in drawn["keypoints"].groupby("subject")}
    if not all(np.isfinite(part).all() for part in chain(points.values(), *masks.values())):
        return failed(image, "keypoints_in_mask", "a keypoint or segment has coordinates that are not finite")
    away = [
        distance_to_union(points[name], masks[name]).max() / _diagonal(masks[name]) for name in points if name in masks
    ]
    what = "of the person's size is the largest distance of a visible keypoint from its person"
    return at_most(image, "keypoints_in_mask", float(max(away, default=0.0)), limit, what)


def _points(image: str, drawn: dict[str, pd.DataFrame | None]) -> Finding:
    """How far what is drawn of a person lies outside of their box: a box of another unit or size is elsewhere."""
    people = [] if drawn["people"] is None else drawn["people"].itertuples()
    distances = [distance for person in people for distance in _outside(person, drawn["keypoints"], drawn["segments"])]
    if not distances:
        return unknown(image, "points_in_boxes", "no person has a box and keypoints or segments")
    what = "of a box's diagonal is the largest distance of a person's keypoint or segment from their box"
    return at_most(image, "points_in_boxes", max(distances), MAX_OUTSIDE, what)


def _located(image: str, drawn: dict[str, pd.DataFrame | None]) -> Finding:
    """Whether each person has a box, a segment or a visible keypoint."""
    people = drawn["people"]
    if people is None:
        return unknown(image, "people_located", "has no people")
    boxed = people[FACE].notna().all(axis=1) | people[PERSON].notna().all(axis=1)
    rows = [drawn[name] for name in ("keypoints", "segments")]
    subjects = {subject for part in rows if part is not None for subject in part["subject"]}
    missing = int((~boxed & ~people["subject"].isin(subjects)).sum())
    if not missing:
        return passed(image, "people_located", "each person has a box, a keypoint or a segment")
    reason = f"nothing shows where {missing} of {len(people)} people are: they could be taken for bystanders"
    return to_review(image, "people_located", reason)


def _outside(person: Any, keypoints: pd.DataFrame | None, segments: pd.DataFrame | None) -> Iterator[float]:
    body, face = ([getattr(person, name) for name in columns] for columns in (PERSON, FACE))
    if keypoints is not None:
        own = keypoints[keypoints["subject"] == person.subject]
        yield from _beyond(own[["x", "y"]].to_numpy(float), body)
        yield from _beyond(own.loc[own["keypoint"].isin(FACIAL), ["x", "y"]].to_numpy(float), face)
    if segments is not None:
        for polygon in segments.loc[segments["subject"] == person.subject, "polygon"]:
            yield from _beyond(_polygon(polygon), body)


def _beyond(points: np.ndarray, box: list[float]) -> Iterator[float]:
    """The largest distance of points from a box, as a share of its diagonal; nothing where either is missing."""
    x, y, width, height = box
    if len(points) and np.isfinite(box).all() and width > 0 and height > 0:
        away = np.maximum(np.maximum((x, y) - points, points - (x + width, y + height)), 0)
        yield float(np.nan_to_num(np.hypot(*away.T).max() / np.hypot(width, height), nan=np.inf))


def _units(row: Any, drawn: dict[str, pd.DataFrame | None]) -> Finding:
    """Whether all boxes, keypoints or segments lie where percent would. A region may well be in that corner."""
    percent = [kind for kind, points in _kinds(drawn) if unit(points, *_sides(row)) == PERCENT]
    if not percent:
        return passed(row.image, "coordinate_units", "no coordinates look like percent")
    sides = " x ".join(map(str, _sides(row)))
    reason = f"all {' and '.join(percent)} lie within 100 px of the left upper corner of {sides} px: are they percent?"
    return to_review(row.image, "coordinate_units", reason)


def _kinds(drawn: dict[str, pd.DataFrame | None]) -> Iterator[tuple[str, np.ndarray]]:
    """The points of each kind of annotation, (n, 2)."""
    yield "boxes", corners_of(_drawn_boxes(drawn["people"], FACE, PERSON))
    if drawn["keypoints"] is not None:
        yield "keypoints", drawn["keypoints"][["x", "y"]].to_numpy(float)
    if drawn["segments"] is not None:
        yield "segments", np.concatenate(list(map(_polygon, drawn["segments"]["polygon"])))


def _drawn_boxes(people: pd.DataFrame | None, *columns: list[str]) -> np.ndarray:
    """The boxes of all people, one after the other; people without a box left out."""
    parts = [] if people is None else [people[names].dropna().to_numpy(float) for names in columns]
    return np.concatenate(parts) if parts else np.empty((0, 4))


def _polygon(flat: np.ndarray) -> np.ndarray:
    return np.asarray(flat, float).reshape(-1, 2)


def _diagonal(polygons: list[np.ndarray]) -> float:
    """The diagonal, px, of the smallest box around a person's segments, which is what a person's box is."""
    return max(1.0, float(np.linalg.norm(np.ptp(np.concatenate(polygons), axis=0))))
