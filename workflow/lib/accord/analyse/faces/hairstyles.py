"""Errors of verification by the hairstyles of the two faces, and by pronoun."""

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np
import pandas as pd

from accord.analyse.faces.neighbours import answers
from accord.analyse.faces.rates import wilson
from accord.analyse.faces.trials import Trials
from accord.analyse.tables.verification import FALSE_ACCEPTANCE, FALSE_REJECTION
from accord.statistics.distinct import distinct
from accord.statistics.resampling import half_unseen
from accord.statistics.resampling.pairs_of_two import PairsOfTwo
from accord.text.nouns import fewer

FIGURES = ("share", "low", "high", "wilson_low", "wilson_high")


class Kind(NamedTuple):
    """Pairs of one kind (genuine or impostor): rows of faces, their two units, and which are errors."""

    pairs: np.ndarray
    left: np.ndarray
    right: np.ndarray
    wrong: np.ndarray


def errors(
    faces: pd.DataFrame, attributes: pd.DataFrame, trials: Trials, threshold: float, weights: np.ndarray, least: int
) -> list[dict]:
    """One row per pronoun, two hairstyles and kind of error of which there is a pair: docs/statistics-verification.md.

    faces: image, subject; attributes: of which `pronoun` and `hairstyle` are looked at. Errors are genuine pairs under
    `threshold` and impostor pairs at or above it. weights: of subjects, (draws, m) of `half_unseen`. A cell of fewer
    than `least` subjects has its n and no figure.
    """
    subjects = pd.factorize(faces["subject"])[0]
    pronouns, styles = (_marks(faces, attributes, name) for name in ("pronoun", "hairstyle"))
    genuine = Kind(trials.genuine_pairs, trials.owner, trials.owner, trials.genuine < threshold)
    impostor = Kind(trials.impostor_pairs, trials.left, trials.right, trials.impostor >= threshold)
    told = []
    for error, kind in ((FALSE_REJECTION, genuine), (FALSE_ACCEPTANCE, impostor)):
        for pronoun, hairstyle, other, inside in _cells(kind.pairs, pronouns, styles):
            key = {"pronoun": pronoun, "hairstyle": hairstyle, "other": other, "error": error}
            some = Kind(*(part[inside] for part in kind))
            count = len(distinct(subjects[some.pairs]))
            told.append(key | _figures(some, count, weights, least, alone=error == FALSE_REJECTION))
    return told


def _cells(pairs: np.ndarray, pronouns: dict, styles: dict) -> Iterator[tuple[str, str, str, np.ndarray]]:
    left, right = pairs.T
    both = {name: marks[left] & marks[right] for name, marks in pronouns.items()}
    for one, other in combinations_with_replacement(styles, 2):
        a, b = styles[one], styles[other]
        met = (a[left] & b[right]) | (b[left] & a[right])
        for pronoun, shared in both.items():
            if (inside := met & shared).any():
                yield pronoun, one, other, inside


def _figures(some: Kind, subjects: int, weights: np.ndarray, least: int, *, alone: bool) -> dict:
    wrong, count = int(some.wrong.sum()), len(some.wrong)
    told = {"subjects": subjects, "pairs": count, "errors": wrong}
    if subjects < least:
        return told | dict.fromkeys(FIGURES, np.nan) | {"note": fewer(subjects, "subject", least)}
    if alone:
        by_subjects = half_unseen.of_pairs(some.left, some.wrong, weights)
    else:
        by_subjects = PairsOfTwo(some.left, some.right, weights.shape[1]).interval(some.wrong, weights)
    bounds = (*by_subjects, *wilson(wrong, count))
    return told | dict(zip(FIGURES, (wrong / count, *bounds), strict=True)) | {"note": ""}


def _marks(faces: pd.DataFrame, attributes: pd.DataFrame, name: str) -> dict[str, np.ndarray]:
    """(faces,) bool of each value of an attribute that is given, by name."""
    rows, values = answers(faces, attributes, name)
    codes, names = pd.factorize(values.astype(str), sort=True)
    marks = np.zeros((len(names), len(faces)), bool)
    marks[codes, rows] = True
    return dict(zip(names, marks, strict=True))
