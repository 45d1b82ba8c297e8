"""What a random forest loses without a feature, on subjects that it never saw."""

from typing import NamedTuple

import numpy as np

from accord.analyse.explaining.encoded import Encoded
from accord.analyse.explaining.grown import Grown, grow
from accord.statistics.distinct import distinct

FOLDS, REPEATS = 5, 3
LEAF, SHARE_OF_COLUMNS, SHARE_OF_ROWS = 5, 1 / 3, 0.7
ROWS = 4_000
"""A tree learns from at most so many rows; where a fold has a quarter of them, one deal of each feature is enough. Of
more than so many in a fold losses are those of subjects drawn by lot: an average of thousands is sure enough."""

AT_ONCE = 1 << 24


class Losses(NamedTuple):
    """of: (r, f) by how much a row's squared error grows when a feature is dealt out at random, as a share of the
    variance of the scores; rows: (r,) which these are; explained: held-out R^2 of the forest."""

    of: np.ndarray
    rows: np.ndarray
    explained: float


def losses(features: Encoded, values: np.ndarray, subjects: np.ndarray, trees: int, rng: np.random.Generator) -> Losses:
    """Permutation importance (Breiman, 2001) of each feature for each row, by forests of the other subjects.

    Subjects are dealt into 5 folds; a forest of `trees` trees learns from four and is asked about the fifth. All
    columns of a feature are dealt among the rows of the fold together, three times (once where rows are many). Needs
    scores that differ.
    """
    made, rest = np.zeros((len(values), len(features.names))), np.zeros(len(values))
    asked = np.ones(len(values), bool)
    fold = rng.permutation(np.arange(subjects.max() + 1) % FOLDS)[subjects]
    for number in range(FOLDS):
        held = np.flatnonzero(fold == number)
        if not len(held):
            continue
        learner = _forest(features.matrix[fold != number], values[fold != number], trees, rng)
        matrix, truth = features.matrix[held].astype(np.float32), values[held]
        rest[held] = (learner.predict(matrix) - truth) ** 2
        if len(held) > ROWS:
            some = _drawn(subjects[held], rng)
            asked[held] = some
            held, matrix, truth = held[some], matrix[some], truth[some]
        repeats = REPEATS if len(held) < ROWS / 4 else 1
        used = distinct(features.owner[learner.importances() > 0])
        if not len(used):
            continue
        for some in np.array_split(used, max(1, -(-len(used) * repeats * matrix.size // AT_ONCE))):
            dealt = np.concatenate([_dealt(features, matrix, feature, rng) for feature in some for _ in range(repeats)])
            errors = (learner.predict(dealt).reshape(len(some), repeats, len(held)) - truth) ** 2
            made[np.ix_(held, some)] = errors.mean(axis=1).T - rest[held][:, np.newaxis]
    return Losses(made[asked] / values.var(), np.flatnonzero(asked), float(1 - rest.mean() / values.var()))


def _drawn(subjects: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """(n,) bool: the rows of subjects (n,), in random order, as long as they are no more than are asked for."""
    names, of, counts = np.unique(subjects, return_inverse=True, return_counts=True)
    order = rng.permutation(len(names))
    kept = np.zeros(len(names), bool)
    kept[order[np.cumsum(counts[order]) <= ROWS]] = True
    return kept[of]


def impurity(features: Encoded, values: np.ndarray, trees: int, rng: np.random.Generator) -> np.ndarray:
    """(f,): the share that splits by each feature have in what a forest of all rows takes off the variance (Breiman et
    al., 1984), as FHIBE's paper weighs features. Adds up to 1; features with many values look more important than they
    are, and what is learnt by heart counts too."""
    learner = _forest(features.matrix, values, trees, rng)
    return np.bincount(features.owner, learner.importances(), minlength=len(features.names))


def _forest(matrix: np.ndarray, values: np.ndarray, trees: int, rng: np.random.Generator) -> Grown:
    share, seed = min(SHARE_OF_ROWS, ROWS / len(values)), int(rng.integers(2**31))
    return grow(matrix, values, trees, share, seed, min_samples_leaf=LEAF, max_features=SHARE_OF_COLUMNS)


def _dealt(features: Encoded, matrix: np.ndarray, feature: int, rng: np.random.Generator) -> np.ndarray:
    columns, made = features.columns_of(feature), matrix.copy()
    made[:, columns] = matrix[rng.permutation(len(matrix))][:, columns]
    return made
