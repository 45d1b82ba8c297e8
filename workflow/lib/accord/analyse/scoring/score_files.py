"""Score tables from files of one's own: Parquet of this workflow, or CSV or Parquet with fewer columns."""

from pathlib import Path

import numpy as np
import pandas as pd

from accord.analyse.plain import reading
from accord.analyse.tables.scores import Scores
from accord.engine.table import check
from accord.errors import Collector, all_problems
from accord.text.identity import identities
from accord.text.nouns import counted
from accord.text.references import normal

KEY, SHOWN = ("image", "subject"), 5
NEEDED = (*KEY, "value")
GIVEN = {"task": "", "model": "", "metric": "score", "note": ""}
HINT = "a score table has the columns image, subject, value, and may have task, model, metric, note"


def read(path: Path) -> pd.DataFrame:
    """A table Scores of a CSV or Parquet file; columns that it has beside those are left out. Ids are read in the one
    spelling that counts (`accord.text.identity`), so that 1 and 1.0 are one.

    Raises AccordError with all that is wrong: a column is missing, a row names no image or nobody, has text for a
    number, or scores the same again.
    """
    found = reading.read(path, (*NEEDED, *GIVEN))
    with all_problems() as problems:
        for name in NEEDED:
            if name not in found.columns:
                problems.add(str(path), f"has no column {name!r}", HINT)
    made = _scores(found)
    with all_problems() as problems:
        _check(path, found, made, problems)
    return check(made, Scores, str(path))


def _scores(found: pd.DataFrame) -> pd.DataFrame:
    texts = {name: found[name].fillna("").astype(str).map(normal) if name in found else GIVEN[name] for name in GIVEN}
    keys = {name: identities(found[name]) for name in KEY}
    return pd.DataFrame({**keys, "value": pd.to_numeric(found["value"], errors="coerce").astype(float), **texts})


def _check(path: Path, found: pd.DataFrame, made: pd.DataFrame, problems: Collector) -> None:
    for name in KEY:
        _tell(f"{path}, column {name!r}", made[name].str.strip() == "", "is empty", problems)
    given = found["value"].notna() & (found["value"].astype(str).str.strip() != "")
    finite = np.isfinite(made["value"])
    _tell(f"{path}, column 'value'", given & ~finite, "is not a finite number", problems)
    again = made.duplicated([*KEY, "task", "model", "metric"])
    _tell(str(path), again, "has the image, subject, task, model and metric of one above", problems)


def _tell(where: str, wrong: pd.Series, what: str, problems: Collector) -> None:
    if wrong.any():
        first = ", ".join(str(row + 1) for row in np.flatnonzero(wrong)[:SHOWN])
        problems.add(where, f"{counted(int(wrong.sum()), 'row')}, first {first}: {what}", HINT)
