"""Answers in words that a model gives to questions about a shard's pictures."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.engine.parameter_types import Folder, Private
from accord.engine.table import rows
from accord.errors import AccordError, Problem
from accord.evaluate.asking import answer_vault, answers, paid, pictures, posing, preparing
from accord.evaluate.asking.answer_vault import Call, Limits
from accord.evaluate.asking.posing import Posed
from accord.evaluate.tables.answers import Answers
from accord.evaluate.tables.predictions import Evaluated
from accord.models import loading
from accord.models.protocols import STATUSES, Answer
from accord.models.tasks import method_of
from accord.release.tables import Attributes, Derivatives, People, Terms

ORDER = ["image", "question", "about"]
SILENT = "the model said nothing"
Ask = Callable[[Sequence[Any], Sequence[np.ndarray], Sequence[Sequence[str]]], Sequence[Sequence[Answer]]]
"""Some rows of Derivatives, their pictures, and what each is asked -> the answers to each."""


class Predictions(NamedTuple):
    """What the model answered, and about whom it was asked."""

    predictions: DataFrame[Answers]
    asked: DataFrame[Evaluated]


def run(
    derivatives: DataFrame[Derivatives],
    people: DataFrame[People],
    attributes: DataFrame[Attributes],
    terms: DataFrame[Terms],
    questions: list[Path],
    class_questions: list[Path],
    files: Path,
    *,
    model: dict,
    weights: Folder,
    vault: Private | None = None,
    external: dict | None = None,
) -> Predictions:
    """One row per question and downsampled picture, whatever became of it.

    questions: a file of open questions, or none; class_questions: likewise of questions about classes; files: the
    bundle of `derivatives`; model: an entry of models.yaml as JSON. Asked are images of exactly one person; a model
    that gives pictures to somebody else's server is asked about those alone whose `terms` allow it, and one that knows
    but some classes about images of these. All other questions are rows of status failed with the reason. Answers of
    services are kept in `vault`, and replayed; external: what may be spent on them, `max_calls` and `max_cost`, and how
    many are asked at a time, `parallel`. Raises AccordError where the model can't be had, a file of questions is wrong,
    an answer can't be right, or more would be spent.
    """
    asked = posing.read(questions, class_questions)
    answerer = loading.load(model, weights, method_of(model["task"]))
    shown = pictures.of_kind(derivatives, "downsampled")
    lacks, only = getattr(answerer, "lacks", {}), getattr(answerer, "only", None)
    posed = list(posing.posed(asked, shown["image"], people, attributes, lacks))
    posed = [one for one in posed if only is None or one.question in only]
    if getattr(answerer, "external", False):
        posed = posing.within_terms(posed, shown, terms)
    found = [(model["name"], *_key(one), "", "failed", one.reason) for one in posed if one.reason]
    by_image = _by_image([one for one in posed if not one.reason])
    wanted = shown[shown["image"].isin(list(by_image))]
    calls = [Call(row.image, row.sha256, one.text) for row in wanted.itertuples() for one in by_image[row.image]]
    with _asking(answerer, model, calls, vault, external or {}) as ask:
        for some, images in pictures.stream(files, wanted, model["batch"], preparing.ahead(model, answerer)):
            found += _asked(model, ask, some, [by_image[row.image] for row in some], images)
    return Predictions(rows(found, Answers).sort_values(ORDER, kind="stable"), answers.asked(model, _who(by_image)))


@contextmanager
def _asking(answerer: Any, model: dict, calls: list[Call], vault: Path | None, external: dict) -> Iterator[Ask]:
    """What asks the model: a service by way of the vault, after it was told what that may cost."""
    if vault is None or not hasattr(answerer, "ask"):
        yield lambda _, images, texts: answerer.answer(images, texts)
        return
    limits, parallel = Limits(external.get("max_calls"), external.get("max_cost")), external.get("parallel", 1)
    with answer_vault.opened(vault, model) as kept:
        paid.announce(kept, calls, answerer, limits, lambda line: print(f"{model['name']}: {line}", file=sys.stderr))
        yield lambda some, images, texts: paid.grouped(kept, answerer, some, images, texts, limits, parallel)


def _by_image(posed: list[Posed]) -> dict[str, list[Posed]]:
    return {image: list(some) for image, some in groupby(posed, key=lambda one: one.image)}


def _who(by_image: dict[str, list[Posed]]) -> pd.DataFrame:
    return pd.DataFrame([(image, some[0].subject) for image, some in by_image.items()], columns=["image", "subject"])


def _key(one: Posed) -> tuple[str, ...]:
    return one.question, one.image, one.subject, one.about


def _asked(
    model: dict, ask: Ask, shown: Sequence[Any], posed: Sequence[list[Posed]], images: Sequence[np.ndarray]
) -> Iterator[tuple]:
    """Records of Answers about some pictures, of which each has its own questions."""
    texts = [[one.text for one in some] for some in posed]
    given = answers.one_each(model, ask(shown, images, texts), len(images))
    for some, told in zip(posed, given, strict=True):
        if len(told) != len(some):
            raise _wrong(model, f"gave {len(told)} answers to {len(some)} questions", "one Answer for each question")
        for one, answer in zip(some, told, strict=True):
            yield (model["name"], *_key(one), *_checked(model, Answer(*answer)))


def _checked(model: dict, answer: Answer) -> Answer:
    """An answer as it is kept: what can't be written as UTF-8 is replaced, and one without a word is empty.

    Raises AccordError for a status that there isn't, and for a call that failed with a text, or without a reason.
    """
    text, status, reason = (str(part).encode("utf-8", "replace").decode() for part in answer)
    if status not in STATUSES:
        raise _wrong(model, f"gave an answer of status {status[:40]!r}", f"a status is {', '.join(STATUSES)}")
    if status == "failed" and (text or not reason):
        raise _wrong(model, "gave a failed call a text, or no reason", "a failed call has a reason and no text")
    if status in ("said", "empty") and not text.strip():
        return Answer("", "empty", reason or SILENT)
    return Answer(text, status, reason)


def _wrong(model: dict, what: str, hint: str) -> AccordError:
    return AccordError(Problem(f"model {model['name']}", what, f"{hint}; accord.models.protocols.Answerer says more"))
