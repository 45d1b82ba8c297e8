"""Body parts that a model sees in the annotated person boxes of a shard's downsampled pictures."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from pandera.typing import DataFrame

from accord.engine.parameter_types import Folder
from accord.errors import AccordError, Problem
from accord.evaluate.asking import answers, persons, questions
from accord.evaluate.asking.questions import Given, Question, loader
from accord.evaluate.tables.predictions import BodyParts, Evaluated
from accord.release.tables import Derivatives, People
from accord.vocabularies import BODY_PARTS


class Predictions(NamedTuple):
    """What the model saw, and about whom it was asked."""

    predictions: DataFrame[BodyParts]
    asked: DataFrame[Evaluated]


def run(
    derivatives: DataFrame[Derivatives], people: DataFrame[People], files: Path, *, model: dict, weights: Folder
) -> Predictions:
    """How probably a model sees each body part that it knows of each annotated person (FHIBE's body_parts_detection).

    files: the bundle of `derivatives`; model: an entry of models.yaml as JSON. Raises AccordError where the model
    can't be had, or answers with a part that FHIBE doesn't know.
    """
    return Predictions(*questions.answered(question(model, Given(weights, derivatives, people)), files))


def question(model: dict, given: Given) -> Question:
    """What a model of body parts is asked; see `run`."""
    boxed = persons.boxed(given.derivatives, given.people)
    people = persons.by_image(boxed)

    def ask(detector: Any, some: Sequence[Any], images: Sequence[np.ndarray]) -> Iterator[tuple]:
        who, where, boxes = persons.each(people, some, images)
        told = answers.one_each(model, detector.parts(where, boxes), len(who))
        for person, parts in zip(who, told, strict=True):
            yield from _records(model, person.image, person.subject, parts)

    order, wanted = ("image", "subject", "part"), persons.pictured(given.derivatives, boxed)
    return Question(model, BodyParts, order, wanted, boxed, loader(model, given), ask, (boxed,),
                    prepare=persons.prepared(people))  # fmt: skip


def _records(model: dict, image: str, subject: str, parts: Mapping[str, float]) -> Iterator[tuple]:
    for part in sorted(parts):
        score = float(parts[part])
        if part not in BODY_PARTS or not 0 <= score <= 1:
            what = f"returned {score:.6g} for the part {part!r}"
            hint = "parts must be in accord.vocabularies.BODY_PARTS, with a probability from 0 to 1"
            raise AccordError(Problem(f"model {model['name']}", what, hint))
        yield model["name"], image, subject, part, score
