"""The label that each answer about the class of a person comes to: exactly, or the nearest by a text encoder."""

from collections.abc import Iterator, Sequence
from math import nan
from pathlib import Path
from typing import Any

import pandas as pd
from pandera.typing import DataFrame

from accord.engine.parameter_types import Folder
from accord.engine.table import rows
from accord.evaluate.asking import class_questions
from accord.evaluate.asking.class_questions import DIRECT
from accord.evaluate.labelling.exact import CHOICES, choice_of, class_of
from accord.evaluate.labelling.nearest import Embed, Wording, nearest
from accord.evaluate.tables.answers import Answers
from accord.evaluate.tables.labels import AnswerLabels
from accord.models import loading

READ = ("said", "cut")
"""Statuses of answers that have a text to read."""
UNENCODED = ""
"""In the place of an encoder's name where none is configured: answers that aren't exact have no label."""


def run(
    answers: DataFrame[Answers], questions: Path, *, encoders: list[dict], weights: Folder
) -> DataFrame[AnswerLabels]:
    """One row per answer and encoder, those of the first encoder first.

    questions: the file that models were asked by; encoders: {entry, template, words} of each, entry as of models.yaml;
    weights: the folder of those that no package ships. An encoder is loaded only where an answer needs it.
    """
    asked = class_questions.read(questions)
    told = answers[answers["question"].isin(asked.prompts)].reset_index(drop=True)
    exact = [_exact(row, asked.classes) for row in told.itertuples()]
    made = [_of_encoder(told, exact, asked.classes, one, weights) for one in encoders or [None]]
    return rows([row for part in made for row in part], AnswerLabels)


def _exact(row: Any, classes: Sequence[str]) -> str:
    if row.status not in READ:
        return ""
    return class_of(row.text, classes) if row.question == DIRECT else choice_of(row.text)


def _of_encoder(
    told: pd.DataFrame, exact: list[str], classes: Sequence[str], encoder: dict | None, weights: Folder
) -> Iterator[tuple]:
    name = encoder["entry"]["name"] if encoder else UNENCODED
    found = _nearest(told, exact, classes, encoder, weights) if encoder else {}
    for number, row in enumerate(told.itertuples()):
        label, cosine = (exact[number], nan) if exact[number] else found.get(number, ("", nan))
        yield (row.model, row.question, row.image, row.subject, row.about, name, label, cosine,
               bool(exact[number]), row.status)  # fmt: skip


def _nearest(
    told: pd.DataFrame, exact: list[str], classes: Sequence[str], encoder: dict, weights: Folder
) -> dict[int, tuple[str, float]]:
    """Number of an answer that is not exact -> its nearest label and the cosine."""
    open_ = told[told["status"].isin(READ) & (told["text"].str.strip() != "") & ~pd.Series(exact, dtype=bool)]
    if open_.empty:
        return {}
    embed: Embed = loading.loaded(encoder["entry"], weights, "embed_texts").embed_texts
    wording, found = Wording(encoder["template"], encoder["words"]), {}
    for direct, part in open_.groupby(open_["question"] == DIRECT):
        labels = classes if direct else CHOICES
        found |= dict(zip(part.index, nearest(part["text"].tolist(), labels, embed, wording), strict=True))
    return found
