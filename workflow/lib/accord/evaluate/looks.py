"""What a model of age and gender takes the faces of a shard's videos for."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.engine import kept
from accord.engine.parameter_types import Folder, Former
from accord.errors import AccordError, Problem
from accord.evaluate.asking import answers, failing, pictures
from accord.evaluate.tables.predictions import Evaluated
from accord.evaluate.tables.videos import Frames, Looks
from accord.models import loading, tasks
from accord.models.protocols import Look


class Predictions(NamedTuple):
    """What the model says of each frame, and the videos that it was asked about."""

    predictions: DataFrame[Looks]
    asked: DataFrame[Evaluated]


def run(frames: DataFrame[Frames], crops: Path, *, model: dict, weights: Folder, former: Former) -> Predictions:
    """Age and gender of each frame with a face; a frame without one has a row that says so.

    crops: the bundle of `frames`; model: an entry of models.yaml as JSON. What was said of videos whose crops are as
    they were is taken over from the last run; so that no answer depends on another video, each has batches of its own.
    Raises AccordError where the model can't be had, or answers with what is no age or gender.
    """
    memory, basis = kept.memory(former, "predictions", Looks), kept.basis("evaluate.looks", model)
    digests = {image: kept.digest(basis, rows) for image, rows in kept.by_item(frames.drop(columns=["offset"])).items()}
    new = frames[~frames["image"].map(lambda image: memory.holds(image, digests[image])).astype(bool)]
    adapter = loading.load(model, weights, tasks.method_of(model["task"])) if new["found"].any() else None
    said = [record for _, video in new.groupby("image") for record in _of_video(model, adapter, video, crops)]
    return Predictions(kept.joined(memory, Looks, digests, said), answers.asked(model, frames))


def _of_video(model: dict, adapter: Any, frames: pd.DataFrame, crops: Path) -> list[tuple]:
    """Rows of Looks, by frame."""
    shown, others = frames[frames["found"]], frames[~frames["found"]]
    squares = shown.drop(columns=["width", "height"]).assign(
        wide=shown["width"], high=shown["height"],
        width=shown["side"], height=shown["side"],
    )  # fmt: skip
    said = [
        record
        for some, images in pictures.stream(crops, squares, model["batch"])
        for record in _looks(model, adapter, some, images)
    ]
    said += [
        (model["name"], row.image, row.subject, row.index, None, "", None, row.note)
        for row in others.itertuples(index=False)
    ]
    return sorted(said, key=lambda row: row[1:4])


def _looks(model: dict, adapter: Any, some: Sequence[Any], images: Sequence[np.ndarray]) -> Iterator[tuple]:
    boxes = [_box(row) for row in some]
    found = failing.asked(model, adapter.look, [images, boxes], failing.names(some))
    for row, look in zip(some, answers.one_each(model, found, len(images)), strict=True):
        _check(model, look)
        score = look.gender_score if look.gender else None
        yield model["name"], row.image, row.subject, row.index, look.age, look.gender, score, ""


def _box(row: Any) -> np.ndarray:
    """x0, y0, x1, y1 of the face in its crop, in whose middle it is; px."""
    half = np.array([row.wide, row.high]) * row.scale / 2
    return np.concatenate([row.side / 2 - half, row.side / 2 + half])


def _check(model: dict, look: Look) -> None:
    fine = look.age is None or (np.isfinite(look.age) and 0 <= look.age <= 150)
    if not (fine and look.gender in ("female", "male", "") and 0 <= look.gender_score <= 1):
        hint = "years from 0 to 150 or None, female, male or nothing, and a score from 0 to 1"
        raise AccordError(Problem(f"model {model['name']}", "answers with what is no age and gender", hint))
