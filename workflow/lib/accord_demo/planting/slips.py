"""Mistakes of annotators: functions that spoil the first person's annotations of a record (`tracing.Record`)."""

from collections.abc import Callable
from copy import deepcopy

from accord.vocabularies import KEYPOINTS

LEFT_HAND = (16, 18, 20, 22)
NOSE = 0


def spoilt(record: dict, slip: str) -> dict:
    """The record with the mistake made; with "" the record itself. Raises KeyError for an unknown mistake."""
    if not slip:
        return record
    changed = deepcopy(record)
    SLIPS[slip](changed["people"][0], changed["width"], changed["height"])
    return changed


def _keypoint_far(person: dict, width: int, height: int) -> None:
    """The nose is set into the corner that is farthest from the face."""
    person["keypoints"][KEYPOINTS[NOSE]] = [*_far_corner(person, width, height), 1]


def _hand_far(person: dict, width: int, height: int) -> None:
    """The left hand is set beside the person."""
    x, y = _far_corner(person, width, height)
    for i, number in enumerate(LEFT_HAND):
        person["keypoints"][KEYPOINTS[number]] = [round(abs(x - 2.0 * i), 1), y, 1]


def _box_far(person: dict, width: int, height: int) -> None:
    """The person's box leaves the image by a quarter of it."""
    x, y, _w, h = person["person_bbox"]
    person["person_bbox"] = [x, y, round(width - x + width / 4, 1), h]


def _far_corner(person: dict, width: int, height: int) -> list[float]:
    """The upper corner of the image, 4 px from its sides, that is farthest from the middle of the face."""
    x, _, w, _ = person["face_bbox"]
    return [4.0 if x + w / 2 > width / 2 else width - 5.0, 4.0]


SLIPS: dict[str, Callable[[dict, int, int], None]] = {
    "keypoint_far": _keypoint_far, "hand_far": _hand_far, "box_far": _box_far,
}  # fmt: skip
