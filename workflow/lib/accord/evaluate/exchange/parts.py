"""Body parts and face labels as the FHIBE Evaluation API's model_outputs.json holds them, and back."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from accord.evaluate.exchange import values
from accord.evaluate.exchange.names import Picture
from accord.evaluate.tables.predictions import BodyParts, FaceLabels
from accord.models import rle
from accord.vocabularies import BODY_PARTS, FACE_PARTS

LABEL_NUMBERS = {str(number): number for number in range(len(FACE_PARTS))}


def read_parts(entry: dict[str, Any], picture: Picture) -> Iterator[tuple]:
    """Rows of BodyParts: in `detections`, for each annotated person, part -> probability; null or [] for none."""
    told = values.lists(entry, ("detections",))
    if told and len(told) != len(picture.people):
        raise ValueError(f"has answers for {len(told)} people, but {len(picture.people)} have a person box")
    for subject, parts in zip(picture.people, told, strict=False):
        if not isinstance(parts, dict):
            raise ValueError("must contain a probability for each part of each person")
        for part in sorted(parts):
            yield picture.image, subject, part, _probability(part, parts[part])


def write_parts(rows: pd.DataFrame, picture: Picture) -> dict[str, Any]:
    """The entry of a picture's BodyParts."""
    told: dict[str, dict[str, float]] = {subject: {} for subject in picture.people}
    for row in rows[rows["subject"].isin(told)].itertuples():
        told[row.subject][row.part] = row.score
    return {"detections": list(told.values())}


def read_labels(entry: dict[str, Any], picture: Picture) -> Iterator[tuple]:
    """Rows of FaceLabels: in `detections_rle` label -> run lengths, or in `detections` a label 0-18 for each pixel, row
    by row; null or [] for background alone."""
    labels = _of_lengths(entry["detections_rle"], picture) if "detections_rle" in entry else _of_rows(entry, picture)
    for label in np.unique(labels[labels > 0]):
        yield picture.image, picture.subject, int(label), *labels.shape, rle.encode(labels == label)


def write_labels(rows: pd.DataFrame, picture: Picture) -> dict[str, Any]:
    """The entry of a face's FaceLabels: all labels that are there, background too, as the API writes it."""
    labels = np.zeros((picture.height, picture.width), np.uint8)
    for row in rows.itertuples():
        labels[rle.decode(row.counts, row.height, row.width)] = row.label
    size = [picture.height, picture.width]
    told = {str(label): {"size": size, "counts": rle.encode(labels == label)} for label in np.unique(labels)}
    return {"detections_rle": told}


def _of_rows(entry: dict[str, Any], picture: Picture) -> np.ndarray:
    """(height, width) labels from rows of them."""
    told = values.lists(entry, ("detections",))
    if not told:
        return np.zeros((picture.height, picture.width), np.uint8)
    try:
        labels = np.asarray(told)
    except ValueError:
        labels = np.zeros(0)
    if labels.shape != (picture.height, picture.width) or labels.dtype.kind not in "iu":
        raise ValueError(f"must contain {picture.height} rows of {picture.width} labels")
    if labels.min() < 0 or labels.max() >= len(FACE_PARTS):
        raise ValueError(f"has labels that are not 0 to {len(FACE_PARTS) - 1}")
    return labels


def _of_lengths(told: Any, picture: Picture) -> np.ndarray:
    """(height, width) labels from the run lengths of each label."""
    if not isinstance(told, dict):
        raise ValueError("has 'detections_rle' that are not an object")
    labels = np.zeros((picture.height, picture.width), np.uint8)
    covered = np.zeros(labels.shape, bool)
    for label, value in told.items():
        if label not in LABEL_NUMBERS:
            raise ValueError(f"has labels that are not 0 to {len(FACE_PARTS) - 1}")
        counts, _ = rle.checked(value, *labels.shape)
        mask = rle.decode(counts, *labels.shape)
        if (covered & mask).any():
            raise ValueError("assigns two labels to one pixel")
        covered |= mask
        labels[mask] = LABEL_NUMBERS[label]
    return labels


def _probability(part: str, value: Any) -> float:
    if part not in BODY_PARTS:
        raise ValueError("names a part that is not among FHIBE's 30")
    if type(value) not in (int, float) or not 0 <= value <= 1:
        raise ValueError("has a probability that is not a number from 0 to 1")
    return float(value)


PARTS = ("downsampled", BodyParts, ("image", "subject", "part"), True, read_parts, write_parts)
LABELS = ("face_aligned", FaceLabels, ("image", "subject", "label"), False, read_labels, write_labels)
"""The fields of their formats (`exchange.Format`)."""
