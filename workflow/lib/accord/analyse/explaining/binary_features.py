"""Features as yes-or-no columns: each label is one, and each third of a number."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd

from accord.statistics.cohort import PERSON
from accord.statistics.distinct import coded

THIRDS = (1 / 3, 2 / 3)


@dataclass(frozen=True)
class Items:
    """marks: (n, k) bool, whether item k holds for row n; names: k texts such as `pronoun = 1. He/him/his`."""

    marks: np.ndarray
    names: tuple[str, ...]


@dataclass(frozen=True)
class Held:
    """The items of all people in images. persons: (p,) their numbers, ascending; items: (p, k) of each of them."""

    persons: np.ndarray
    items: Items


def encode_items(features: pd.DataFrame) -> Held:
    """The binary features that hold, of features that are `numbered`; in order of their names. Numbers are cut at
    thirds, to three digits."""
    persons, whose = coded(features[PERSON].to_numpy())
    found: dict[str, list[np.ndarray]] = {}
    for rows, codes, names in _coded(features):
        for code, name in enumerate(names):
            found.setdefault(name, []).append(whose[rows[codes == code]])
    names, marks = sorted(found), np.zeros((len(persons), len(found)), bool)
    for column, name in enumerate(names):
        marks[np.concatenate(found[name]), column] = True
    return Held(persons, Items(marks, tuple(names)))


def item_matrix(keys: pd.DataFrame, held: Held, least: int, most: float = 0.9) -> Items:
    """The items of the rows `keys` (subject, and person as the features were numbered).

    Left out are items of fewer than `least` subjects, and those that more than the share `most` of all rows have:
    they distinguish nobody.
    """
    person, marks = keys[PERSON].to_numpy(), np.zeros((len(keys), len(held.items.names)), bool)
    at = np.searchsorted(held.persons, person)
    known = (
        np.flatnonzero(held.persons[np.minimum(at, len(held.persons) - 1)] == person) if len(held.persons) else at[:0]
    )
    marks[known] = held.items.marks[at[known]]
    rows, subjects = marks.sum(axis=0), _subjects(marks, pd.factorize(keys["subject"])[0])
    kept = np.flatnonzero((rows > 0) & (subjects >= least) & (rows <= most * len(keys)))
    return Items(marks[:, kept], tuple(held.items.names[item] for item in kept))


def _coded(features: pd.DataFrame) -> Iterator[tuple[np.ndarray, np.ndarray, list[str]]]:
    """Of each feature its rows, the number of each one's item, and the items' names."""
    category = (features["kind"] == "category").to_numpy()
    number = (features["kind"] == "number").to_numpy() & features["number"].notna().to_numpy()
    for name, rows in features.groupby("feature").indices.items():
        labelled, measured = rows[category[rows]], rows[number[rows]]
        if len(labelled):
            codes, labels = pd.factorize(features["label"].iloc[labelled])
            yield labelled, codes, [f"{name} = {label}" for label in labels]
        if len(measured):
            yield measured, *_thirds(str(name), features["number"].iloc[measured])


def _thirds(name: str, numbers: pd.Series) -> tuple[np.ndarray, list[str]]:
    cuts = sorted({float(f"{cut:.3g}") for cut in numbers.quantile(list(THIRDS))})
    edges = [f"{cut:g}" for cut in cuts]
    middle = [f"{low} < {name} <= {high}" for low, high in pairwise(edges)]
    texts = [f"{name} <= {edges[0]}", *middle, f"{name} > {edges[-1]}"]
    return np.searchsorted(cuts, numbers.to_numpy(), side="left"), texts


def _subjects(marks: np.ndarray, subjects: np.ndarray) -> np.ndarray:
    """(k,): how many subjects have each item in any row."""
    if not len(marks):
        return np.zeros(marks.shape[1], int)
    order = np.argsort(subjects, kind="stable")
    starts = np.flatnonzero(np.diff(subjects[order], prepend=-1))
    return np.logical_or.reduceat(marks[order], starts, axis=0).sum(axis=0)
