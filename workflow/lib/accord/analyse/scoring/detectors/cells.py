"""What the columns of a table of one's own say of faces: truths, scores, groups, people, features."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from accord.analyse.plain import roles
from accord.errors import Collector
from accord.text.nouns import counted

MOST_GROUPS = 200
"""A column of text with more values is taken for ids."""
WHOLE_NUMBER = re.compile(r"([+-]?\d+)\.0*")
REAL, FAKE = ("0", "-1", "real", "bona fide", "bonafide"), ("1",)
"""Labels that mean real faces where there is no other, and the label of fakes where none is given."""


def labels(column: pd.Series, positive: Any, problems: Collector) -> np.ndarray:
    """Truths, (n,) bool: True for fakes, whose label is `positive`."""
    where, told = f"column {column.name!r}", _texts(column, _label)
    values, fake = set(told.cat.categories), _label(positive)
    if lacking := int(told.isna().sum()):
        problems.add(where, f"{lacking:,} row(s) have no truth", "every face needs one")
    elif not _are_truths(values, fake):
        what = f"has {counted(len(values), 'different value')}"
        what += "" if fake in values else ", none of which is the label of fakes"
        problems.add(where, what, "it needs two: the label of fakes (--pos-label, 1 by default) and that of real faces")
    return (told == fake).to_numpy(bool)


def _are_truths(values: set[str], fake: str) -> bool:
    """Whether there are two labels, or one that can't be mistaken: that of fakes, or a usual one of real faces.

    Where the label of fakes is none that is usual, somebody gave it, and any other is that of real faces.
    """
    if len(values) == 1:
        [label] = values
        return label == fake or label.casefold() in REAL or fake not in FAKE
    return len(values) == 2 and fake in values


def scores(column: pd.Series, problems: Collector) -> np.ndarray:
    """Probabilities of being fake, (n,) float64."""
    where, found = f"column {column.name!r}", roles.numeric(_as_printed(column))
    if found is None:
        problems.add(where, "has cells that are no numbers", "it needs the probability of being fake")
        return np.zeros(len(column))
    if lacking := int(found.isna().sum()):
        problems.add(where, f"{lacking:,} row(s) have no score", "every face needs one; leave out those without")
    elif not found.between(0, 1).all():
        hint = "give probabilities: 1 / (1 + exp(-logit)) of logits, percentages divided by 100"
        problems.add(where, f"{int((~found.between(0, 1)).sum()):,} score(s) are not in [0, 1]", hint)
    return found.to_numpy(float)


def groups(column: pd.Series, problems: Collector) -> pd.Categorical:
    """The group of each face, none where a cell is empty."""
    found = _texts(column)
    if len(found.cat.categories) > MOST_GROUPS:
        what = f"has {len(found.cat.categories):,} different values"
        problems.add(f"column {column.name!r}", what, f"bin it into groups, {MOST_GROUPS} at most")
    elif not len(found.cat.categories):
        problems.add(f"column {column.name!r}", "is empty", "name a column of groups")
    return found.array


def people(column: pd.Series, problems: Collector) -> np.ndarray:
    """Codes of people from 0, (n,)."""
    codes = _texts(column).cat.codes.to_numpy()
    if lacking := int((codes < 0).sum()):
        problems.add(f"column {column.name!r}", f"{lacking:,} row(s) have no subject", "every row needs a subject")
    return codes


def images(column: pd.Series) -> np.ndarray:
    """Codes of images from 0, (n,); a face without one is in an image of its own."""
    codes = _texts(column).cat.codes.to_numpy().astype(int)
    alone = np.flatnonzero(codes < 0)
    codes[alone] = codes.max(initial=-1) + 1 + np.arange(len(alone))
    return codes


def points(table: pd.DataFrame, chosen: Sequence[str], problems: Collector) -> np.ndarray:
    """Features, (n, columns) float64."""
    made = np.zeros((len(table), len(chosen)))
    for place, name in enumerate(chosen):
        found = roles.numeric(table[name])
        if found is None or not np.isfinite(found).all():
            hint = "features are numbers, without gaps"
            problems.add(f"column {name!r}", "has cells that are no finite numbers", hint)
        else:
            made[:, place] = found
    return made


def _as_printed(column: pd.Series) -> pd.Series:
    """Numbers of 32 bits or fewer as the decimals that they are printed as: 0.7 is not below a threshold of 0.7."""
    if column.dtype.kind != "f" or getattr(column.dtype, "itemsize", 8) >= 8:
        return column
    short = column.to_numpy(np.dtype(f"f{column.dtype.itemsize}"), na_value=np.nan)
    return pd.Series(short.astype(str).astype(float), column.index, name=column.name)


def _texts(column: pd.Series, text_of: Callable[[Any], str] | None = None) -> pd.Series:
    """A column as categories of text, sorted; empty cells are none. 1.0 is the same as 1."""
    found = column.astype("category").cat
    texts = [(text_of or _text)(value) for value in found.categories]
    kept = sorted({*texts} - {""})
    place = {text: code for code, text in enumerate(kept)}
    codes = np.array([*(place.get(text, -1) for text in texts), -1])[found.codes]
    return pd.Series(pd.Categorical.from_codes(codes, pd.Index(kept, dtype=object)), name=column.name)


def _label(value: Any) -> str:
    """A label as `_text` of what a text of it says: `1.0` and `True` are 1, as where a file knows types."""
    text = _text(value)
    if whole := WHOLE_NUMBER.fullmatch(text):
        return whole[1]
    return {"true": "1", "false": "0"}.get(text.casefold(), text)


def _text(value: Any) -> str:
    whole = isinstance(value, bool | np.bool_ | float | np.floating) and float(value).is_integer()
    return str(int(value)) if whole else str(value).strip()
