"""Features as columns of numbers: a number is one column, a category one of 0 and 1 per label."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import scipy

from accord.grouping import KEY
from accord.statistics.cohort import PERSON
from accord.statistics.distinct import distinct

NUMBER = "number"
TENTHS = tuple(tenth / 10 for tenth in range(1, 10))


@dataclass(frozen=True)
class Encoded:
    """f features of n rows in c columns.

    matrix: (n, c) float64, an unknown number is the median of the known; owner: (c,) the feature of each column;
    labels: c texts, "" of a number; known: (n, f) bool; names, kinds: f texts.
    """

    matrix: np.ndarray
    owner: np.ndarray
    labels: tuple[str, ...]
    known: np.ndarray
    names: tuple[str, ...]
    kinds: tuple[str, ...]

    def columns_of(self, feature: int) -> np.ndarray:
        return np.flatnonzero(self.owner == feature)

    def only(self, rows: np.ndarray) -> "Encoded":
        """The same features of some rows: (n,) bool, or numbers of rows; labels and medians stay those of all."""
        return replace(self, matrix=self.matrix[rows], known=self.known[rows])


def encoded(keys: pd.DataFrame, features: pd.DataFrame, least: int) -> Encoded:
    """The features of the rows `keys` (image, subject), by name.

    Left out are labels, and features, of which fewer than `least` subjects are known, and what is the same for all.
    """
    on = [PERSON] if PERSON in keys and PERSON in features else KEY
    places = keys[on].assign(row=np.arange(len(keys)), whose=pd.factorize(keys["subject"])[0])
    parts = [
        (name, kind, *(_number if kind == NUMBER else _category)(some, len(keys), least))
        for (name, kind), told in _each(features, [*on, "label", "number"])
        if len(some := places.merge(told, on=on))
    ]
    kept = [part for part in parts if part[2].shape[1]]
    owner = [index for index, part in enumerate(kept) for _ in part[3]]
    nothing = np.zeros((len(keys), 0))
    return Encoded(
        np.hstack([nothing, *(part[2] for part in kept)]),
        np.array(owner, int),
        tuple(label for part in kept for label in part[3]),
        np.column_stack([nothing.astype(bool), *(part[4] for part in kept)]),
        tuple(part[0] for part in kept),
        tuple(part[1] for part in kept),
    )


def _each(features: pd.DataFrame, columns: list[str]) -> Iterator[tuple[tuple[str, str], pd.DataFrame]]:
    """(feature, kind) and some columns of its rows, by name. One at a time: a table of all is many times the scores."""
    for key, at in sorted(features.groupby(["feature", "kind"]).indices.items()):
        yield key, pd.DataFrame({name: features[name].array.take(at) for name in columns})


def probes(features: Encoded) -> tuple[np.ndarray, np.ndarray]:
    """Columns that tell whether something goes with a feature, and the feature of each: (n, c), (c,).

    A number gives its whole-number ranks about 0, and whether it is at most each of its tenths, so that a sudden fall
    is seen too; a label is as it is. Where a feature is unknown for some rows, its columns are 0 there and add up to 0
    over the others: that scores differ where it is unknown says nothing of its values. Sums of them are exact.
    """
    made, owner = [], []
    for index, kind in enumerate(features.kinds):
        columns, known = features.matrix[:, features.columns_of(index)], features.known[:, index]
        made.append(_of_number(columns[:, 0], known) if kind == NUMBER else _about_known(columns, known))
        owner += [index] * made[-1].shape[1]
    return np.hstack([np.zeros((len(features.matrix), 0)), *made]), np.array(owner)


def _about_known(columns: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Columns of 0 and 1; where the feature is unknown for some rows 0 there, and of the others less their mean, times
    the number of these: whole numbers."""
    if known.all():
        return columns.astype(np.uint8)
    found = columns[known].astype(float)
    made = np.zeros(columns.shape)
    made[known] = len(found) * found - found.sum(axis=0)
    return made


def centred(values: np.ndarray) -> np.ndarray:
    """Twice the midranks less their mean: whole numbers that add up to 0."""
    return 2 * scipy.stats.rankdata(values) - (len(values) + 1)


def _of_number(values: np.ndarray, known: np.ndarray) -> np.ndarray:
    order = np.zeros(len(values))
    order[known] = centred(values[known])
    cuts = distinct(np.quantile(values[known], TENTHS, method="inverted_cdf"))
    below = values[:, np.newaxis] <= cuts
    return np.column_stack([order, _about_known(below, known)])


def _number(some: pd.DataFrame, rows: int, least: int) -> tuple[np.ndarray, list[str], np.ndarray]:
    some = some.dropna(subset="number")
    values = np.full((rows, 1), some["number"].median() if len(some) else 0.0)
    values[some["row"], 0] = some["number"]
    known = np.zeros(rows, bool)
    known[some["row"]] = True
    useful = some["whose"].nunique() >= least and some["number"].nunique() > 1
    return values[:, : int(useful)], [""] * useful, known


def _category(some: pd.DataFrame, rows: int, least: int) -> tuple[np.ndarray, list[str], np.ndarray]:
    codes, named = pd.factorize(some["label"], sort=True)
    people = some["whose"].to_numpy()
    once = distinct(codes * (people.max() + 1) + people) // (people.max() + 1)
    subjects, counts = (np.bincount(part, minlength=len(named)) for part in (once, codes))
    kept = np.flatnonzero((subjects >= least) & (counts < some["row"].nunique()))
    labels, column = named[kept], pd.Index(kept).get_indexer(codes)
    values = np.zeros((rows, len(labels)), np.uint8)  # joined, they are float64
    values[some["row"].to_numpy()[column >= 0], column[column >= 0]] = 1
    known = np.zeros(rows, bool)
    known[some["row"]] = True
    return values, list(map(str, labels)), known
