"""Several models asked about a shard at once: each picture is decoded once, and shown to one after the other.

A model is given one picture at a time, so that its answer can't depend on others; where nothing that an answer depends
on has changed, it is taken over from the former output (accord.engine.kept).
"""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from accord.engine import kept, source
from accord.engine.parameter_types import Former, Kept
from accord.errors import AccordError, all_problems
from accord.evaluate.asking import pictures, preparing
from accord.evaluate.asking.questions import Question, table_of, told
from accord.models import tasks

AHEAD = 4
"""Pictures that are decoded at once, ahead of the models."""

KEY = ["image", "subject", "kind"]
SHOWN = [*KEY, "sha256", "height", "width"]
"""What an answer depends on of a picture's row: not where it lies, which changes when others leave the bundle."""


def answered(questions: Mapping[str, Question], files: Path, former: Former) -> dict[str, Kept]:
    """Name -> answers. questions: name -> question; files: the bundle of the derivatives; former: name -> a table of
    former answers.

    Raises AccordError with all models that can't be had, before any is asked; where an answer can't be right.
    """
    asking = {name: Asking(question, former, name) for name, question in questions.items()}
    with all_problems() as problems:
        for one in asking.values():
            try:
                one.load()
            except AccordError as error:
                problems += error.problems
    wanted = pd.concat([one.wanted for one in asking.values()]).drop_duplicates(KEY) if asking else pd.DataFrame()
    if len(wanted):

        def shown(row: Any, picture: np.ndarray) -> list[Any]:
            return [one.prepared(row, picture) for one in asking.values()]

        for some, images in pictures.stream(files, wanted.sort_values(KEY), AHEAD, shown):
            for row, each in zip(some, images, strict=True):
                for one, image in zip(asking.values(), each, strict=True):
                    one.show(row, image)
    return {name: one.answers() for name, one in asking.items()}


class Asking:
    """A model at work: which rows of its former answers hold, and those that it gives now."""

    def __init__(self, question: Question, former: Former, name: str) -> None:
        self._question = question
        self._memory = kept.memory(former, name, question.answers)
        self._digests = digests(question)
        self._adapter: Any = None
        self._found: list[tuple] = []

    @cached_property
    def wanted(self) -> pd.DataFrame:
        """The rows of Derivatives that the model has to be shown."""
        held = {image for image, digest in self._digests.items() if self._memory.holds(image, digest)}
        return self._question.shown[~self._question.shown["image"].isin(held)]

    @cached_property
    def _keys(self) -> set[tuple]:
        return set(self.wanted[KEY].itertuples(index=False, name=None))

    def load(self) -> None:
        """Have the model at hand, where it will be asked at all."""
        self._adapter = self._question.load() if len(self.wanted) else None
        self._ahead = preparing.ahead(self._question.model, self._adapter, self._question.prepare)

    def _wants(self, row: Any) -> bool:
        return (row.image, row.subject, row.kind) in self._keys

    def prepared(self, row: Any, picture: np.ndarray) -> Any:
        """What the model is shown of a picture, where it is wanted; called in the threads that decode."""
        return self._ahead(row, picture) if self._ahead and self._wants(row) else picture

    def show(self, row: Any, picture: Any) -> None:
        """Take the model's answer to a picture, or to what was prepared of it, where it is wanted."""
        if self._wants(row):
            self._found += told(self._question, self._adapter, [row], [picture])

    def answers(self) -> Kept:
        """All answers, by image."""
        question = self._question
        return kept.joined(self._memory, question.answers, self._digests, [table_of(question, self._found)])


def digests(question: Question) -> dict[str, str]:
    """Image -> digest of all that the model's answer about it depends on."""
    model = {key: value for key, value in question.model.items() if key != "batch"}
    step = f"evaluate.{tasks.STEP_OF_TASK[model['task']]}"
    basis = kept.basis(step, [model, question.settings, source.digest("evaluate.asking.together")])
    shown, *reads = (kept.by_item(part) for part in (question.shown[SHOWN], *question.reads))
    return {image: kept.digest(basis, own, [part.get(image) for part in reads]) for image, own in shown.items()}
