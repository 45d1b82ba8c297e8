"""Keypoints that a pose model finds in the annotated person boxes of a shard's downsampled pictures."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from pandera.typing import DataFrame

from accord.engine.parameter_types import Folder
from accord.engine.table import rows
from accord.evaluate.asking import answers, persons
from accord.evaluate.tables import Evaluated, Poses
from accord.models import loading
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
    estimator = loading.load(model, weights, "estimate")
    asked = persons.boxed(derivatives, people)
    found = []
    for who, images, boxes in persons.stream(files, derivatives, asked, model["batch"]):
        poses = answers.one_each(model, estimator.estimate(images, boxes), len(who))
        for person, pose in zip(who, poses, strict=True):
            found += _records(model, person.image, person.subject, pose)
    table = rows(found, Poses).sort_values(["image", "subject", "keypoint"], kind="stable")
    return Predictions(table, answers.asked(model, asked))


def _records(model: dict, image: str, subject: str, pose: Pose) -> Iterator[tuple]:
    answers.finite(model, pose.points, pose.scores)
    for keypoint, (x, y), score in zip(pose.keypoints, pose.points, pose.scores, strict=True):
        yield model["name"], image, subject, int(keypoint), float(x), float(y), float(score)
