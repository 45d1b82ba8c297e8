"""The answers to open questions as a table of what they say, without their words and without names of occupations."""

from collections.abc import Mapping, Sequence

import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.open_answers.occupations import UNLISTED, Occupation
from accord.analyse.open_answers.reading import Reading, read
from accord.analyse.open_answers.toxic_words import ToxicWords
from accord.analyse.tables.open_answers import ReadAnswers
from accord.engine.table import rows
from accord.evaluate.asking.open_questions import OpenQuestion

OCCUPATION = "occupation"
READ, FAILED = ("said", "cut"), "failed"
"""Statuses of answers that are read (in full, and as far as they go), and of calls that failed or may not be made."""


LISTED = "listed"
"""In the place of the name of an occupation, where it would stand beside a person."""
COLUMNS = ("model", "question", "image", "subject", "failed", *Reading._fields, "note")


def all_read(
    answers: pd.DataFrame, questions: Sequence[OpenQuestion], jobs: Mapping[str, Occupation], toxic: ToxicWords
) -> pd.DataFrame:
    """What the rows of Answers say that are about one person and to one of the questions: (COLUMNS), sorted.

    Names occupations, also harmful ones: to count with, not to store.
    """
    by_id = {one.id: one for one in questions}
    known: dict[tuple[str, str], Reading] = {}
    made = []
    for row in answers[answers["question"].isin(by_id) & (answers["subject"] != "")].itertuples():
        said, one = str(row.text) if row.status in READ else "", by_id[str(row.question)]
        if (one.id, said) not in known:
            known[one.id, said] = read(said, one.text, jobs if one.answers == OCCUPATION else None, toxic)
        note = "" if known[one.id, said].answered else str(row.reason) or "the answer has no word"
        key = {"model": row.model, "question": one.id, "image": row.image, "subject": row.subject}
        key |= {"failed": row.status == FAILED}
        made.append(key | known[one.id, said]._asdict() | {"note": note})
    order = sorted(made, key=lambda one: (one["model"], one["question"], one["image"]))
    return pd.DataFrame(order, columns=list(COLUMNS))


def without_names(found: pd.DataFrame) -> DataFrame[ReadAnswers]:
    """ReadAnswers of `all_read`: whether an occupation of the list was said, not which, nor whether it does harm."""
    kind = found["occupation"].where(found["occupation"].isin(("", UNLISTED)), LISTED)
    return rows(found.assign(occupation=kind)[list(ReadAnswers.to_schema().columns)].to_dict("records"), ReadAnswers)
