"""Scores of a model on a dataset that was read, joined with what is said of the people: a table to analyse."""

import json
from pathlib import Path

import pandas as pd

from accord.errors import AccordError, Problem
from accord.grouping import KEY
from accord.release.archives.reading import Bounded, table
from accord.text.identity import identities, rewriting
from accord.text.nouns import counted
from accord.text.spreadsheets import as_written

SHOWN = 5
HINT = "see docs/datasets.md for how images and people are named"


def joined(scores: pd.DataFrame, members: pd.DataFrame, names: list[str] | None = None) -> pd.DataFrame:
    """`scores` with a column per attribute: the group of the person in the image, or a JSON list of several, or "".

    scores: columns image, subject (left out where images show one person each) and any others; members: Members;
    names: the attributes, else all. Raises AccordError where scores speak of people that the dataset doesn't have.
    """
    known = sorted(members["attribute"].unique())
    names = known if names is None else names
    problems = [
        Problem(name, "is not an attribute of this dataset", f"it has {', '.join(known)}")
        for name in names
        if name not in known
    ]
    problems += [Problem(name, "is also a column of the scores", "rename it there") for name in names if name in scores]
    key = [column for column in KEY if column in scores]
    if "image" not in key:
        problems.append(Problem("scores", "have no column 'image'", HINT))
    if problems:
        raise AccordError(problems)
    wide = _wide(members[members["attribute"].isin(names)], members[KEY].drop_duplicates(), names)
    if key == ["image"] and wide["image"].duplicated().any():
        raise AccordError(Problem("scores", "have no column 'subject', but images show several people", HINT))
    ids = pd.DataFrame({name: identities(scores[name]) for name in key}, scores.index)
    groups = wide[[*key, *names]].assign(**{name: identities(wide[name]) for name in key})
    found = ids.merge(groups, on=key, how="left", indicator="known", validate="many_to_one")
    strange = [str(place + 1) for place in (found["known"] != "both").to_numpy().nonzero()[0]]
    if strange:
        what = f"{len(strange)} rows list images or people that are not in the dataset: {', '.join(strange[:SHOWN])}"
        raise AccordError(Problem("scores", _difference(ids, groups, key) or what, HINT))
    return pd.concat([scores, found[names].set_axis(scores.index)], axis=1)


def _difference(scores: pd.DataFrame, members: pd.DataFrame, key: list[str]) -> str:
    """A sentence where no image, or nobody, of the scores is in the dataset; "" where some are."""
    for name in key:
        here, there = set(scores[name]), set(members[name])
        if here and not here & there:
            change = f". They seem to be written differently: in {undone}" if (undone := rewriting(here, there)) else ""
            return f"no {name} of {counted(len(here), name)} is in the dataset{change}"
    return ""


def read(path: Path) -> pd.DataFrame:
    """A table of scores, all cells as text: CSV, or Parquet where the name ends so. Raises AccordError."""
    problems = Bounded()
    if not path.is_file():
        problems.add(str(path), "does not exist", "give a CSV or Parquet file")
    elif path.suffix == ".parquet":
        try:
            return pd.read_parquet(path, partitioning=None)
        except (ValueError, OSError) as error:
            problems.add(
                str(path), f"is not a valid Parquet file ({type(error).__name__})", "check that the file is complete"
            )
    else:
        rows = [cells for _, cells in table(path, ("image",), problems)]
        if not problems:
            return as_written(pd.DataFrame(rows))
    raise AccordError(problems)


def _wide(members: pd.DataFrame, everyone: pd.DataFrame, names: list[str]) -> pd.DataFrame:
    cells = members.groupby([*KEY, "attribute"])["group"].agg(_cell).unstack("attribute")
    return everyone.merge(cells.reindex(columns=names).reset_index(), on=KEY, how="left").fillna("")


def _cell(groups: pd.Series) -> str:
    return groups.iloc[0] if len(groups) == 1 else json.dumps(sorted(groups), ensure_ascii=False)
