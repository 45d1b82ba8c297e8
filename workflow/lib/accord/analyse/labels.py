"""How well face parsers label the pixels of aligned faces: F1 per label, averaged over the labels that are there."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.scoring.instances import KEY, asked_of, joined, passing, scores
from accord.analyse.tables.scores import FaceMasks, Scores
from accord.checks.tables.findings import Verdicts
from accord.engine.by_shard import by_shard
from accord.errors import AccordError, Problem
from accord.evaluate.tables.predictions import Evaluated, FaceLabels
from accord.models import rle
from accord.protocol import ACCORD, is_api, needed
from accord.release.format import parsing
from accord.release.format.geometry import moved
from accord.release.tables import Derivatives, Faces, People, Segments
from accord.vocabularies import FACE_PARTS

TASK, METRIC, KIND = "face_parsing", "f1", "face_aligned"
AS_HERE = np.arange(len(FACE_PARTS))
AS_HERE[[FACE_PARTS.index("l_ear"), FACE_PARTS.index("r_ear")]] = FACE_PARTS.index("skin")
"""What a model's label is here: FHIBE knows no ears, they are skin."""
NO_LABEL, OTHER = "no part of the face is annotated", "another person's face is in the picture"
NO_MASK = "the release has no mask of the face"


@by_shard("predictions", "asked", "derivatives", "faces", "people", "segments", "masks", join=joined, verdicts=passing)
def run(
    predictions: DataFrame[FaceLabels],
    asked: DataFrame[Evaluated],
    derivatives: DataFrame[Derivatives],
    faces: DataFrame[Faces],
    people: DataFrame[People],
    segments: DataFrame[Segments],
    verdicts: DataFrame[Verdicts],
    masks: DataFrame[FaceMasks] | None = None,
    *,
    protocol: str = ACCORD,
) -> DataFrame[Scores]:
    """The mean of the F1 (Dice) of each label that the truth has, background among them; one not predicted counts 0.

    Truth is drawn from the person's segments, as the masks of a release are. A face with no label but background is
    undefined, and so is one with another person's face beside it, of which the truth says nothing.
    protocol: under fhibe_api truth is the release's own mask (`masks`), of every face that has one.
    """
    asked = asked[asked["task"] == TASK]
    if is_api(protocol):
        needed(masks, "masks", "analyse.labels")
        return _as_api(predictions, asked, masks, verdicts)
    truth = _aligned(derivatives, faces).merge(asked[KEY].drop_duplicates(), on=KEY)
    truth = truth.assign(crowded=_crowded(truth, people))
    instances = asked_of(asked, TASK, truth, verdicts).sort_values([*KEY, "model"], ignore_index=True)
    values = np.fromiter(_values(instances, predictions, segments), float, len(instances))
    notes = np.where(instances["crowded"], OTHER, np.where(np.isnan(values), NO_LABEL, ""))
    return scores(instances, TASK, METRIC, np.where(notes == "", values, np.nan), notes)


def _as_api(predictions: pd.DataFrame, asked: pd.DataFrame, masks: pd.DataFrame, verdicts: pd.DataFrame):
    """As FHIBE's public Evaluation API: background alone is a label like any other, and so are faces beside others."""
    instances = asked_of(asked, TASK, asked[KEY].drop_duplicates(), verdicts)
    drawn, found = dict(list(masks.groupby(KEY))), dict(list(predictions.groupby(["model", *KEY])))
    values = np.full(len(instances), np.nan)
    for number, row in enumerate(instances.itertuples()):
        if (face := (row.image, row.subject)) in drawn:
            truth = _pixels(drawn[face])
            values[number] = _mean(f1(truth, _predicted(row.model, truth.shape, found.get((row.model, *face)))))
    return scores(instances, TASK, METRIC, values, np.where(np.isnan(values), NO_MASK, ""))


def f1(truth: np.ndarray, predicted: np.ndarray) -> np.ndarray:
    """(19,) F1 of each label over the pixels of two maps of one shape; NaN where the truth has none of it."""
    count = len(FACE_PARTS)
    pairs = truth.astype(np.uint16) * np.uint16(count) + predicted
    together = np.bincount(pairs.ravel(), minlength=count**2).reshape(count, count)
    there = together.sum(axis=1)
    both = there + together.sum(axis=0)
    return np.divide(2 * np.diag(together), both, out=np.full(count, np.nan), where=there > 0)


def _aligned(derivatives: pd.DataFrame, faces: pd.DataFrame) -> pd.DataFrame:
    """image, subject, width (px of the square) and homography of each aligned face."""
    sizes = derivatives.loc[derivatives["kind"] == KIND, [*KEY, "width"]]
    return sizes.merge(faces.loc[faces["kind"] == KIND, [*KEY, "homography"]], on=KEY)


def _crowded(truth: pd.DataFrame, people: pd.DataFrame) -> np.ndarray:
    """Whether the centre of another person's face box lies in the aligned picture, as `other_face` of a release."""
    middle = people[["image", "subject"]].assign(
        x=people["face_x"] + people["face_width"] / 2, y=people["face_y"] + people["face_height"] / 2
    )
    rows = truth.assign(row=np.arange(len(truth)))
    pairs = rows.merge(middle.dropna().rename(columns={"subject": "other"}), on="image")
    pairs = pairs[pairs["subject"] != pairs["other"]]
    crowded = np.zeros(len(truth), bool)
    for pair in pairs.itertuples():
        place = moved(np.array([pair.x, pair.y]), np.reshape(pair.homography, (3, 3)))[0]
        crowded[pair.row] |= bool(((place >= 0) & (place <= pair.width)).all())
    return crowded


def _values(instances: pd.DataFrame, predictions: pd.DataFrame, segments: pd.DataFrame) -> Iterator[float]:
    """The mean F1 of each row; NaN without truth. Rows of one face follow each other: its truth is drawn once."""
    drawn = dict(list(segments.groupby(KEY)))
    found = dict(list(predictions.groupby(["model", *KEY])))
    before, truth = None, None
    for row in instances.itertuples():
        face = (row.image, row.subject)
        if before != face:
            before = face
            truth = None if row.crowded else _truth(row, drawn.get(face))
        if truth is None:
            yield np.nan
        else:
            yield _mean(f1(truth, _predicted(row.model, truth.shape, found.get((row.model, *face)))))


def _mean(f1: np.ndarray) -> float:
    """Over the labels that are there, added up without the others."""
    return float(f1[~np.isnan(f1)].mean())


def _truth(face: Any, segments: pd.DataFrame | None) -> np.ndarray | None:
    """The labels (side, side) uint8 of a face; None where all is background."""
    if segments is None:
        return None
    frame = np.reshape(face.homography, (3, 3))
    pairs = zip(segments["segment"], segments["polygon"], strict=True)
    labels = parsing.labels([(segment, moved(polygon, frame)) for segment, polygon in pairs], int(face.width))
    return labels if labels.any() else None


def _pixels(rows: pd.DataFrame) -> np.ndarray:
    """The labels (height, width) uint8 of a face's mask."""
    labels = np.zeros((int(rows["height"].iloc[0]), int(rows["width"].iloc[0])), np.uint8)
    for row in rows.itertuples():
        labels[rle.decode(row.counts, row.height, row.width)] = row.label
    return labels


def _predicted(model: str, shape: tuple[int, int], rows: pd.DataFrame | None) -> np.ndarray:
    labels = np.zeros(shape, np.uint8, order="F")  # as masks lie in memory, column after column
    for height, width, label, counts in _columns(rows, "height", "width", "label", "counts"):
        if (height, width) != labels.shape:
            what = f"labels {height} x {width} px for a face of {shape[0]} x {shape[1]}"
            raise AccordError(
                Problem(f"model {model}", what, "the predictions come from another run: rerun the evaluate steps")
            )
        np.copyto(labels, AS_HERE[label], where=rle.decode(counts, height, width), casting="unsafe")
    return labels


def _columns(rows: pd.DataFrame | None, *names: str) -> Iterator[tuple]:
    """The values of some columns, row by row."""
    return zip(*(rows[name].to_list() if rows is not None else () for name in names), strict=True)
