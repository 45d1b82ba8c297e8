"""Score tables from files of one's own: Parquet of this workflow, or CSV or Parquet with fewer columns."""

from pathlib import Path

import pandas as pd

from accord.analyse.plain import compare_table
from accord.analyse.tables.scores import Scores
from accord.engine.table import check
from accord.errors import AccordError, Problem

NEEDED = ("image", "subject", "value")
GIVEN = {"task": "", "model": "", "metric": "score", "note": ""}
HINT = "a score table has the columns image, subject, value, and may have task, model, metric, note"


def read(path: Path) -> pd.DataFrame:
    """A table Scores of a CSV or Parquet file; columns that it has beside those are left out.

    Raises AccordError where it can't be read, lacks a column, has text for a number, or the same row twice.
    """
    found = compare_table.read(path)
    missing = [name for name in NEEDED if name not in found.columns]
    if missing:
        raise AccordError([Problem(str(path), f"has no column {name!r}", HINT) for name in missing])
    values = pd.to_numeric(found["value"], errors="coerce")
    wrong = int((values.isna() & found["value"].notna() & (found["value"].astype(str).str.strip() != "")).sum())
    if wrong:
        raise AccordError(Problem(str(path), f"column 'value' has {wrong} that are no numbers", HINT))
    texts = {name: found[name].fillna("").astype(str) if name in found else GIVEN[name] for name in GIVEN}
    keys = {name: found[name].astype(str) for name in ("image", "subject")}
    return check(pd.DataFrame({**keys, "value": values.astype(float), **texts}), Scores, str(path))
