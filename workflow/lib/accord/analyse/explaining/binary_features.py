"""Features as yes-or-no columns: each label is one, and each third of a number."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd

from accord.grouping import KEY

THIRDS = (1 / 3, 2 / 3)


@dataclass(frozen=True)
class Items:
    """marks: (n, k) bool, whether item k holds for row n; names: k texts such as `pronoun = 1. He/him/his`."""

    marks: np.ndarray
    names: tuple[str, ...]


def encode_items(features: pd.DataFrame) -> pd.DataFrame:
    """Long table image, subject, item of the binary features that hold. Numbers are cut at thirds, to three digits."""
    named = features[features["kind"] == "category"]
    parts = [named[KEY].assign(item=named["feature"] + " = " + named["label"])]
    numbers = features[features["kind"] == "number"].dropna(subset="number")
    parts += [some[KEY].assign(item=_thirds(name, some["number"])) for name, some in numbers.groupby("feature")]
    return pd.concat(parts, ignore_index=True)


def item_matrix(keys: pd.DataFrame, held: pd.DataFrame, least: int, most: float = 0.9) -> Items:
    """The boolean item matrix of the rows `keys` (image, subject), columns in order of their names.

    Left out are items of fewer than `least` subjects, and those that more than the share `most` of all rows have:
    they distinguish nobody.
    """
    found = keys[KEY].assign(row=np.arange(len(keys))).merge(held, on=KEY)
    by_item = found.groupby("item", sort=True)
    counts = by_item.agg(rows=("row", "nunique"), subjects=("subject", "nunique"))
    kept = counts.index[(counts["subjects"] >= least) & (counts["rows"] <= most * len(keys))]
    column = kept.get_indexer(found["item"])
    marks = np.zeros((len(keys), len(kept)), bool)
    marks[found["row"].to_numpy()[column >= 0], column[column >= 0]] = True
    return Items(marks, tuple(map(str, kept)))


def _thirds(name: str, numbers: pd.Series) -> pd.Series:
    cuts = sorted({float(f"{cut:.3g}") for cut in numbers.quantile(list(THIRDS))})
    edges = [f"{cut:g}" for cut in cuts]
    middle = [f"{low} < {name} <= {high}" for low, high in pairwise(edges)]
    texts = np.array([f"{name} <= {edges[0]}", *middle, f"{name} > {edges[-1]}"], object)
    return pd.Series(texts[np.searchsorted(cuts, numbers.to_numpy(), side="left")], index=numbers.index)
