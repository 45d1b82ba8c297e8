"""How probably each picture of the test is a fake, in the eyes of a detector that is shown it as it is and degraded."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from pandera.typing import DataFrame

from accord.engine import table
from accord.engine.parameter_types import Folder
from accord.errors import AccordError, Problem
from accord.evaluate.asking import answers, failing, pictures
from accord.evaluate.detecting.degraded import degraded
from accord.evaluate.tables.predictions import Fakes
from accord.models import loading, registry, tasks
from accord.models.protocols import FakeDetector
from accord.release.source_tables import Sources
from accord.release.sources.splits import TEST
from accord.release.tables import Derivatives, People
from accord.train.permission.gate import keep_apart
from accord.train.pictures.reading import of_each
from accord.train.tables import Learnt

SILENT = "the model gives no score"


def run(
    derivatives: DataFrame[Derivatives],
    sources: DataFrame[Sources],
    people: DataFrame[People],
    learnt: DataFrame[Learnt],
    files: Path,
    trained: Path | None = None,
    *,
    model: dict,
    weights: Folder,
    degradations: list[str],
    seed: int = 1,
) -> DataFrame[Fakes]:
    """The score of each picture of the split `test`, degraded in each way of `degradations` (`detecting.degraded`).

    learnt: what a model of this run learnt from; trained: its file. Of other models there is neither. Raises
    AccordError where a picture or person of the test was learnt from, and where the model can't be had, or answers
    with what is no probability.
    """
    test = sources[sources["split"] == TEST].merge(people[["image", "subject"]], how="left", on="image")
    keep_apart(learnt, test.assign(subject=test["subject"].fillna("")))
    asked = _detector(model, weights, trained)
    rows = [row for _, row in of_each(derivatives, set(test["image"]))]
    shown = table.rows(rows, Derivatives)
    found = [
        (model["name"], row.image, degradation, *_said(model, score))
        for some, images in pictures.stream(files, shown, model["batch"])
        for degradation in degradations
        for row, score in zip(some, _scores(model, asked, some, images, degradation, seed), strict=True)
    ]
    return table.rows(sorted(found), Fakes)


def _detector(model: dict, weights: Folder, trained: Path | None) -> FakeDetector:
    """The model: one that this run trained, or an adapter."""
    if registry.TRAINED not in model:
        return loading.load(model, weights, tasks.method_of(model["task"]))
    if trained is None:
        raise AccordError(Problem(f"model {model['name']}", "has no trained file", "give the file with --trained"))
    from accord.train.models.predicting import Trained

    return Trained(trained)


def _scores(
    model: dict, asked: FakeDetector, some: Sequence[Any], images: Sequence[np.ndarray], degradation: str, seed: int
) -> Iterator[float | None]:
    seen = [degraded(pixels, degradation, row.image, seed) for row, pixels in zip(some, images, strict=True)]
    yield from answers.one_each(model, failing.asked(model, asked.score, [seen], failing.names(some)), len(seen))


def _said(model: dict, score: float | None) -> tuple[float | None, str]:
    if score is None:
        return None, SILENT
    if not (np.isfinite(score) and 0 <= score <= 1):
        hint = "a detector answers with the probability of a fake, from 0 to 1, or None"
        raise AccordError(Problem(f"model {model['name']}", "answers with what is no probability", hint))
    return float(score), ""
