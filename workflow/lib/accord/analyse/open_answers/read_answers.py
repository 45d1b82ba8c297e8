"""The answers to open questions as a table of what they say, without their words."""

from collections.abc import Mapping, Sequence

import pandas as pd

from accord.analyse.open_answers.occupations import Occupation
from accord.analyse.open_answers.reading import Reading, read
from accord.analyse.tables.open_answers import ReadAnswers
from accord.engine.table import rows
from accord.evaluate.asking.open_questions import OpenQuestion
from accord.text.listed_words import Words

OCCUPATION = "occupation"
READ, FAILED = ("said", "cut"), "failed"
"""Statuses of answers that are read (in full, and as far as they go), and of calls that failed or may not be made."""


def read_answers(
    answers: pd.DataFrame, questions: Sequence[OpenQuestion], jobs: Mapping[str, Occupation], toxic: Words
) -> pd.DataFrame:
    """ReadAnswers of the rows of Answers that are about one person and to one of the questions."""
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
    return rows(sorted(made, key=lambda one: (one["model"], one["question"], one["image"])), ReadAnswers)
