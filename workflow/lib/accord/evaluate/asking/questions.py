"""Questions: what a model is asked about the pictures of a shard, whichever its task, and the table of its answers."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from accord.engine.parameter_types import Folder
from accord.engine.table import Table, rows
from accord.evaluate.asking import answers, failing, pictures, preparing
from accord.evaluate.asking.preparing import Prepare
from accord.models import loading, tasks


class Given(NamedTuple):
    """Release's tables of a shard, as far as a task needs them; permits: of consent's, None where all is permitted;
    measuring: what restored faces are measured by; weights: where those lie that no package ships; segments: None where
    people's boxes are to be taken for them."""

    weights: Folder
    derivatives: pd.DataFrame
    people: pd.DataFrame | None = None
    faces: pd.DataFrame | None = None
    permits: pd.DataFrame | None = None
    measuring: dict | None = None
    segments: pd.DataFrame | None = None


class Question(NamedTuple):
    """What one model is asked. model: its entry of models.yaml; answers: the model of their table, sorted by `order`
    (scores: best first); shown: the rows of Derivatives that it is shown; about: image and subject of whom it is asked.

    load: its adapter; ask: adapter, some rows of `shown` and their pictures (height, width, 3) uint8 -> records of
    `answers`; what an adapter prepares ahead (`preparing`) comes in a picture's place. reads: further tables, of which
    an answer depends on the rows of its image; settings: likewise, of all. prepare: how it is prepared, None: not.
    """

    model: dict
    answers: type[Table]
    order: tuple[str, ...]
    shown: pd.DataFrame
    about: pd.DataFrame
    load: Callable[[], Any]
    ask: Callable[[Any, Sequence[Any], Sequence[np.ndarray]], Iterable[tuple]]
    reads: tuple[pd.DataFrame, ...] = ()
    settings: Any = None
    prepare: Prepare | None = None


def loader(model: dict, given: Given) -> Callable[[], Any]:
    """What loads the adapter of a model, with the method that its task is asked by."""
    return lambda: loading.load(model, given.weights, tasks.method_of(model["task"]))


def answered(question: Question, files: Path) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The answers of a model that is asked by itself, in batches as its entry says; and about whom it was asked.

    files: the bundle of the shard's derivatives. Raises AccordError where the model can't be had, or an answer can't be
    right.
    """
    adapter, found = question.load(), []
    prepare = preparing.ahead(question.model, adapter, question.prepare)
    for some, images in pictures.stream(files, question.shown, question.model["batch"], prepare):
        found += told(question, adapter, some, images)
    return table_of(question, found), asked(question)


def told(question: Question, adapter: Any, some: Sequence[Any], images: Sequence[np.ndarray]) -> list[tuple]:
    """The records of some pictures. Raises AccordError with the picture and the line where the model fails."""

    def ask(rows: Sequence[Any], shown: Sequence[np.ndarray]) -> list[tuple]:
        return list(question.ask(adapter, rows, shown))

    return failing.asked(question.model, ask, [some, images], failing.names(some))


def table_of(question: Question, records: Iterable[tuple]) -> pd.DataFrame:
    """The table of some answers."""
    best_first = [column != "score" for column in question.order]
    return rows(records, question.answers).sort_values([*question.order], ascending=best_first, kind="stable")


def asked(question: Question) -> pd.DataFrame:
    """The Evaluated table of a question."""
    return answers.asked(question.model, question.about)
