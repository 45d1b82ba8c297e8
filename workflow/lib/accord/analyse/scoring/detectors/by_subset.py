"""Group metrics of each subset: its fakes with the real faces of all, their intervals by the same draws of people."""

import numpy as np
import pandas as pd
from scipy import sparse

from accord.analyse.scoring.detectors import benchmark, drawn
from accord.analyse.scoring.detectors.benchmark import Faces
from accord.analyse.scoring.fairness import group_metrics
from accord.grouping import WHOLE
from accord.statistics.distinct import distinct
from accord.statistics.resampling import bootstrap
from accord.statistics.resampling.bootstrap_limit import Draws


def unfairness(
    faces: Faces, subsets: pd.Categorical, again: np.ndarray | Draws, threshold: float = 0.5
) -> dict[str, pd.DataFrame]:
    """Subset, and `all` -> table Unfairness. again: how often each code of `faces.subjects` is drawn, a draw a row."""
    parts = of_subsets(faces, subsets)
    ends = {name: _ends(faces, subsets, groups, again, threshold) for name, groups in faces.attributes.items()}
    found = {}
    for subset, some in parts.items():
        told = benchmark.unfairness(_part(faces, some), threshold=threshold, bootstraps=0)
        keys = zip(told["attribute"], told["metric"], strict=True)
        limits = np.array([ends[attribute][subset][metric] for attribute, metric in keys]).reshape(-1, 2)
        found[subset] = told.assign(low=limits[:, 0], high=limits[:, 1])
    return found


def of_subsets(faces: Faces, subsets: pd.Categorical) -> dict[str, np.ndarray]:
    """`all`, and each subset that has fakes -> which faces (n,) bool are judged: its fakes with all real ones."""
    found = {WHOLE: np.ones(len(faces.labels), bool)}
    for code, name in enumerate(subsets.categories):
        own = (subsets.codes == code) & faces.labels
        if own.any():
            found[str(name)] = own | ~faces.labels
    return found


def _part(faces: Faces, some: np.ndarray) -> Faces:
    attributes = {name: groups[some] for name, groups in faces.attributes.items()}
    return Faces(faces.labels[some], faces.scores[some], None, attributes)


def _ends(
    faces: Faces, subsets: pd.Categorical, groups: pd.Categorical, again: np.ndarray | Draws, threshold: float
) -> dict[str, dict[str, tuple[float, float]]]:
    """Subset -> metric -> the ends of its interval.

    One product of counts and draws serves all subsets: real faces are counted once, fakes by subset.
    """
    known = np.asarray(groups.codes) >= 0
    units = np.zeros(0, int) if faces.subjects is None else faces.subjects[known]
    parts = {name: some[known] for name, some in of_subsets(faces, subsets).items()}
    shape = (1 + len(subsets.categories), len(groups.categories), 2, 2)
    labels = faces.labels[known]
    place = np.where(labels, 1 + np.asarray(subsets.codes)[known], 0), groups.codes[known], labels.astype(int)
    cells = np.ravel_multi_index((*place, (faces.scores[known] >= threshold).astype(int)), shape)
    counts = _counts(cells, units, int(np.prod(shape)), again).reshape(-1, *shape)
    several = {name: len(distinct(units[some])) for name, some in parts.items()}
    codes = {str(name): 1 + code for code, name in enumerate(subsets.categories)}
    return {name: _of(counts, codes.get(name) if name != WHOLE else None, several[name]) for name in parts}


def _counts(cells: np.ndarray, units: np.ndarray, size: int, again: np.ndarray | Draws) -> np.ndarray:
    """(draws, size) counts of cells in draws of units."""
    people = again.subjects if isinstance(again, Draws) else again.shape[1]
    of = sparse.csr_array((np.ones(len(cells)), (cells, units)), shape=(size, people))
    return np.concatenate([(of @ part.T.astype(float)).T for part in bootstrap.blocks(again)])


def _of(counts: np.ndarray, code: int | None, units: int) -> dict[str, tuple[float, float]]:
    """counts: (draws, 1 + subsets, groups, label, predicted), whose first row are the real faces."""
    if units < 2 or not len(counts):
        return dict.fromkeys(drawn.GROUP_METRICS, drawn.UNKNOWN)
    fakes = counts[:, 1:].sum(axis=1) if code is None else counts[:, code]
    found = group_metrics(counts[:, 0] + fakes)
    return {name: drawn.ends(values, units) for name, values in zip(drawn.GROUP_METRICS, found, strict=True)}
