"""CSV and Parquet files of one's own, as texts; what is wrong in them is told by rows, never by what stands there."""

from pathlib import Path

import numpy as np
import pandas as pd

from accord.analyse.plain import reading
from accord.errors import Collector
from accord.text.identity import identities
from accord.text.nouns import counted

SHOWN = 5
IDS = ("filename", "subject", "video")


def read(path: Path, columns: tuple[str, ...], problems: Collector) -> pd.DataFrame:
    """The table of a file, each cell as text without blanks around it, ids in one spelling; no row where a column is
    missing.

    Raises AccordError of a file that can't be read.
    """
    known = reading.read(Path(path))
    plain = known.reset_index(drop=True)
    ids = {name: identities(plain[name]) for name in IDS if name in plain}
    found = plain.fillna("").astype(str).apply(lambda column: column.str.strip()).assign(**ids)
    if missing := [name for name in columns if name not in found]:
        problems.add(str(path), f"lacks the columns {', '.join(missing)}", f"it needs {', '.join(columns)}")
        return pd.DataFrame({name: pd.Series(dtype=str) for name in {*columns, *found.columns}})
    if found.empty:
        problems.add(str(path), "has no rows", f"it needs {', '.join(columns)}")
    return found


def tell(where: str, wrong: pd.Series | np.ndarray, what: str, hint: str, problems: Collector) -> None:
    """Note that some rows are wrong: how many, and the first ones; the first row below the header is row 1."""
    places = np.flatnonzero(wrong)
    if len(places):
        first = ", ".join(f"{place + 1:,}" for place in places[:SHOWN])
        problems.add(where, f"{counted(len(places), 'row')}, first {first}: {what}", hint)


def numbers(cells: pd.Series) -> pd.Series:
    """The finite numbers that cells hold, NaN for all else."""
    found = pd.to_numeric(cells, errors="coerce").astype(float)
    return found.where(np.isfinite(found))


def truths(cells: pd.Series) -> pd.Series:
    """Cells that say yes (1, true, yes) or no (0, false, no, nothing) as 1.0 and 0.0; NaN for all else."""
    said = {"1": 1.0, "true": 1.0, "yes": 1.0, "0": 0.0, "false": 0.0, "no": 0.0, "": 0.0, "1.0": 1.0, "0.0": 0.0}
    return cells.str.lower().map(said).astype(float)
