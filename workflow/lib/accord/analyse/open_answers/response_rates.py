"""How often each wording is answered, and which wording of a tone counts."""

from collections.abc import Sequence

import pandas as pd

from accord.analyse.open_answers.outcomes import AT
from accord.analyse.tables.open_answers import ResponseRates
from accord.engine.table import rows
from accord.evaluate.asking.open_questions import OpenQuestion

FIGURES = ("images", "subjects", "rate", "low", "high", "note")


def response_rates(
    answers: pd.DataFrame, found: pd.DataFrame, told: pd.DataFrame, questions: Sequence[OpenQuestion]
) -> pd.DataFrame:
    """ResponseRates. answers: Answers; found: ReadAnswers; told: model, name (`responded@<question>`), and FIGURES."""
    by_name = told.set_index(["model", "name"])
    made = []
    for model, some in found.groupby("model", sort=True):
        own = answers[(answers["model"] == model) & (answers["subject"] != "")]
        for one in (one for one in questions if one.id in set(some["question"])):
            row = by_name.loc[(model, f"responded{AT}{one.id}")]
            states = own.loc[own["question"] == one.id, "status"]
            counts = {"answered": int(some.loc[some["question"] == one.id, "answered"].sum())}
            counts |= {name: int((states == name).sum()) for name in ("refused", "failed")}
            key = {"model": model, "question": one.id, "tone": one.tone, "text": one.text, "chosen": False}
            made.append(key | counts | {name: row[name] for name in FIGURES})
        _choose([row for row in made if row["model"] == model])
    return rows(made, ResponseRates)


def _choose(told: list[dict]) -> None:
    """Mark the wording of each tone with the highest response rate; of equal ones the first."""
    for tone in dict.fromkeys(row["tone"] for row in told):
        some = [row for row in told if row["tone"] == tone and row["images"]]
        if some:
            max(some, key=lambda row: row["answered"] / row["images"])["chosen"] = True
