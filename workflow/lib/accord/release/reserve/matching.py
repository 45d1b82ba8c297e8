"""Replacements of images that are as alike as can be: an assignment problem (Kuhn 1955), solved for all at once."""

import numpy as np
import pandas as pd

FIRST = ("pronoun", "age_group", "ancestry")
"""Columns in which a mismatch weighs more than all mismatches of the others together."""

SECOND = ("pose", "scene", "camera_distance")


def match(gone: pd.DataFrame, candidates: pd.DataFrame) -> dict[str, str]:
    """Image of `gone` -> its replacement among `candidates` (tables Keys): each is used once.

    First the sum of mismatches in pronoun, age group and ancestry is least, then that in pose, scene and camera
    distance; of several such assignments it is always the same one, in whatever order the rows come. Where there are
    fewer candidates, those are replaced for whom it costs least.
    """
    from scipy.optimize import linear_sum_assignment

    gone, candidates = (rows.sort_values("image", ignore_index=True) for rows in (gone, candidates))
    left, right = linear_sum_assignment(costs(gone, candidates))
    return {gone["image"][i]: candidates["image"][j] for i, j in zip(left.tolist(), right.tolist(), strict=True)}


def costs(gone: pd.DataFrame, candidates: pd.DataFrame) -> np.ndarray:
    """What each replacement costs, (gone, candidates), whole numbers as float64."""
    weight = len(SECOND) * min(len(gone), len(candidates)) + 1
    return weight * _mismatches(gone, candidates, FIRST) + _mismatches(gone, candidates, SECOND)


def _mismatches(gone: pd.DataFrame, candidates: pd.DataFrame, columns: tuple[str, ...]) -> np.ndarray:
    found = np.zeros((len(gone), len(candidates)))
    for column in columns:
        left, right = (rows[column].to_numpy(dtype=object) for rows in (gone, candidates))
        found += left[:, np.newaxis] != right
    return found
