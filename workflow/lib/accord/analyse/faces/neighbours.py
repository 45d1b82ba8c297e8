"""Which pairs of faces make a hard whole-set negative: the same pronoun, and a skin colour next to the other's."""

import numpy as np
import pandas as pd

from accord.analyse.faces.pairs import Allowed
from accord.grouping import KEY
from accord.statistics.cohort import PERSON, numbered
from accord.vocabularies import PRONOUNS, SKIN_COLORS


def kindred(faces: pd.DataFrame, attributes: pd.DataFrame) -> Allowed:
    """Says of pairs of rows of `faces` whether they share a pronoun and are at most one of the six levels apart.

    Who gave no pronoun or natural skin colour shares it with nobody.
    """
    pronouns = _marks(faces, attributes, "pronoun", PRONOUNS)
    skin = _marks(faces, attributes, "natural_skin_color", SKIN_COLORS)
    near = skin | np.pad(skin[:, 1:], ((0, 0), (0, 1))) | np.pad(skin[:, :-1], ((0, 0), (1, 0)))

    def allowed(left: np.ndarray, right: np.ndarray) -> np.ndarray:
        return np.any(pronouns[left] & pronouns[right], axis=1) & np.any(near[left] & skin[right], axis=1)

    return allowed


def answers(faces: pd.DataFrame, attributes: pd.DataFrame, name: str) -> tuple[np.ndarray, pd.Series]:
    """What is said of the faces of an attribute: the rows of `faces`, each once for each value, and the values."""
    faces, given = numbered(faces[KEY], attributes.loc[attributes["attribute"] == name, [*KEY, "value"]])
    rows = pd.Index(faces[PERSON]).get_indexer(given[PERSON])
    return rows[rows >= 0], given["value"][rows >= 0]


def _marks(faces: pd.DataFrame, attributes: pd.DataFrame, name: str, labels: tuple[str, ...]) -> np.ndarray:
    """(faces, labels) bool: which labels of an attribute hold for each face."""
    rows, values = answers(faces, attributes, name)
    column = pd.Index(labels).get_indexer(values.astype(str))
    marks = np.zeros((len(faces), len(labels)), bool)
    marks[rows[column >= 0], column[column >= 0]] = True
    return marks
