"""Keypoints that a pose model finds in the annotated person boxes of a shard's downsampled pictures."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from pandera.typing import DataFrame

from accord.engine.parameter_types import Folder
from accord.evaluate.asking import answers, persons, questions
from accord.evaluate.asking.questions import Given, Question, loader
from accord.evaluate.tables.predictions import Evaluated, Poses
from accord.models.protocols import Pose
from accord.release.tables import Derivatives, People


class Predictions(NamedTuple):
    """What the model found, and about whom it was asked."""

    predictions: DataFrame[Poses]
    asked: DataFrame[Evaluated]


def run(
    derivatives: DataFrame[Derivatives], people: DataFrame[People], files: Path, *, model: dict, weights: Folder
) -> Predictions:
    """The keypoints that a model finds for each annotated person box (FHIBE's keypoint_estimation).

    files: the bundle of `derivatives`; model: an entry of models.yaml as JSON. A keypoint that the model does not
    predict has no row. Raises AccordError where the model can't be had.
    """
    return Predictions(*questions.answered(question(model, Given(weights, derivatives, people)), files))


def question(model: dict, given: Given) -> Question:
    """What a pose model is asked; see `run`."""
    boxed = persons.boxed(given.derivatives, given.people)
    people = persons.by_image(boxed)

    def ask(estimator: Any, some: Sequence[Any], images: Sequence[np.ndarray]) -> Iterator[tuple]:
        who, where, boxes = persons.each(people, some, images)
        poses = answers.one_each(model, estimator.estimate(where, boxes), len(who))
        for person, pose in zip(who, poses, strict=True):
            yield from _records(model, person.image, person.subject, pose)

    order, wanted = ("image", "subject", "keypoint"), persons.pictured(given.derivatives, boxed)
    return Question(model, Poses, order, wanted, boxed, loader(model, given), ask, (boxed,),
                    prepare=persons.prepared(people))  # fmt: skip


def _records(model: dict, image: str, subject: str, pose: Pose) -> Iterator[tuple]:
    answers.finite(model, pose.points, pose.scores)
    for keypoint, (x, y), score in zip(pose.keypoints, pose.points, pose.scores, strict=True):
        yield model["name"], image, subject, int(keypoint), float(x), float(y), float(score)
