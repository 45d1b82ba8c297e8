"""Lists and numbers in the entries of a file that nobody vouches for. What can't be right raises ValueError, in words
that follow a picture's name."""

import json
from collections import Counter
from typing import Any

import numpy as np
from rapidfuzz.fuzz import ratio

PERSON = 0
"""The class that counts, in files that list the labels of what was found."""
LONGEST_LABEL, MOST_LABELS = 40, 10
FARTHEST = 1e6
"""px. What lies further out is no answer about a picture, and its square spoils every distance."""


def found(entry: dict[str, Any], other: str) -> tuple[list, list]:
    """Detections and scores; where labels are listed as well, of people alone."""
    all_found, scores = lists(entry, ("detections", other)), lists(entry, ("scores",))
    if entry.get("labels") is None:
        return all_found, scores
    labels = lists(entry, ("labels",))
    if not len(all_found) == len(scores) == len(labels):
        raise ValueError("must have as many scores and labels as detections")
    people = [index for index, label in enumerate(labels) if label == PERSON]
    return [all_found[index] for index in people], [scores[index] for index in people]


def labels_of(entry: Any) -> Counter[str]:
    """How many detections of an entry have each label, as JSON writes it; none where it lists none."""
    labels = entry.get("labels") if isinstance(entry, dict) else None
    return Counter(
        json.dumps(PERSON if label == PERSON else label)[:LONGEST_LABEL]
        for label in (labels if isinstance(labels, list) else ())
    )


def named(labels: Counter[str]) -> str:
    """The most frequent labels with how many there are, nearest to "person" first among equals."""
    ordered = sorted(
        labels.items(), key=lambda item: (-item[1], -ratio(item[0].strip('"').casefold(), "person"), item[0])
    )
    listed = ", ".join(f"{label} ({count})" for label, count in ordered[:MOST_LABELS])
    return f"{listed}{', ...' if len(ordered) > MOST_LABELS else ''}"


def lists(entry: dict[str, Any], names: tuple[str, ...]) -> list:
    """The list under the first of the names that is there; [] for null."""
    name = next((name for name in names if name in entry), None)
    if name is None:
        raise ValueError(f"has no {names[0]!r}")
    value = [] if entry[name] is None else entry[name]
    if not isinstance(value, list):
        raise ValueError(f"has {name!r} that are not a list")
    return value


def check_places(places: np.ndarray) -> None:
    """Raises ValueError where a coordinate lies far outside any picture."""
    if (np.abs(places) > FARTHEST).any():
        raise ValueError("has a position more than a million px outside its picture")


def scores(given: list, count: int) -> np.ndarray:
    """(count,): one score a detection; the API also writes it as a list of its own."""
    return _bare(given, (count,), "one score for each of its detections")


def scores_of_keypoints(scores: list, people: int, keypoints: int) -> np.ndarray:
    """(people, keypoints): one score a keypoint; the API also writes it as a list of its own."""
    return _bare(scores, (people, keypoints), f"{keypoints} scores for each person")


def _bare(values: list, shape: tuple[int, ...], what: str) -> np.ndarray:
    """Numbers of a shape, each of which may be a list of its own."""
    try:
        return numbers(values, shape, what)
    except ValueError:
        return numbers(values, (*shape, 1), what)[..., 0]


def numbers(values: list, shape: tuple[int, ...], what: str) -> np.ndarray:
    """Finite numbers of a shape, as float64."""
    try:
        array = np.asarray(values) if values or shape[0] else np.zeros(shape)
    except (ValueError, OverflowError):
        raise ValueError(f"must contain {what}") from None
    if array.shape != shape or array.dtype.kind not in "iuf":
        raise ValueError(f"must contain {what}")
    if not np.isfinite(array).all():
        raise ValueError(f"must contain {what}, all of them finite")
    return array.astype(np.float64)
