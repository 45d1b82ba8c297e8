"""What is left of tables of answers so that no row tells what was said of one person."""

from collections.abc import Mapping

import pandas as pd

from accord.analyse.open_answers.occupation_shares import LEAST
from accord.analyse.open_answers.outcomes import BY_GENDER
from accord.analyse.scoring.probe_outcomes import MISGENDERED

CONDITIONAL = (MISGENDERED, BY_GENDER)
"""Outcomes that count only where the model said something: their n tells what it said."""


def shown(tables: Mapping[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """Tables by name, of the page and the exports. Rates lose rows without a figure whose n alone would tell: of a
    group of one person it is 1 where the model called them she or he. Occupations lose groups of fewer than LEAST
    people."""
    rates = {name: _rates(tables[name]) for name in ("probe_rates", "answer_rates")}
    jobs = tables["occupation_shares"]
    return {**tables, **rates, "occupation_shares": jobs[jobs["subjects"] >= LEAST].reset_index(drop=True)}


def _rates(table: pd.DataFrame) -> pd.DataFrame:
    return table[table["rate"].notna() | ~table["outcome"].isin(CONDITIONAL)].reset_index(drop=True)
