"""Utility and fairness of a detector of made faces, as AI-Face (Lin et al., 2025) measures them, with intervals."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.scoring.detection_quality import quality
from accord.analyse.scoring.detectors.drawn import intervals
from accord.analyse.scoring.detectors.tables import METRICS, Unfairness, Utility
from accord.analyse.scoring.fairness import Fairness, confusion, fairness
from accord.analyse.scoring.individual import individual
from accord.engine.table import rows
from accord.errors import AccordError, Problem
from accord.grouping import BETWEEN, WHOLE
from accord.statistics.describing.proportions import Z95
from accord.statistics.distinct import coded
from accord.text.nouns import counted

FEW = 10
"""Faces of a label: a rate of fewer moves a largest difference by 10 points and more."""
FEWER = f"fewer than {FEW} faces of a label"
"""How notes of metrics begin where a group has so few."""
NEED_BOTH = ("f_meo", "f_eo")
"""Metrics of groups that have faces of both labels; the others compare all groups."""
NAN = float("nan")


class Faces(NamedTuple):
    """n faces. labels: (n,) bool, True for fake; scores: (n,) float64, the probability of being fake; subjects: (n,)
    codes from 0 of whom the bootstrap draws, None for each face alone; attributes: name -> its groups, n of them."""

    labels: np.ndarray
    scores: np.ndarray
    subjects: np.ndarray | None
    attributes: Mapping[str, pd.Categorical]


def unfairness(faces: Faces, *, threshold: float = 0.5, bootstraps: int = 1000, seed: int = 1) -> DataFrame[Unfairness]:
    """F_MEO, F_DP with its floor, F_OAE and F_EO of each attribute; a face is called fake at a score >= threshold."""
    predicted = faces.scores >= threshold
    made = []
    for name, groups in faces.attributes.items():
        found = fairness(confusion(faces.labels, predicted, groups))
        ends = intervals(faces.labels, predicted, groups, faces.subjects, bootstraps, np.random.default_rng(seed))
        notes = {metric: _note(faces, groups, _covered(metric, found)) for metric in METRICS[:4]}
        made += [_row(name, metric, found, ends[metric], notes[metric]) for metric in METRICS[:4]]
    return rows(made, Unfairness)


def utility(faces: Faces, *, threshold: float = 0.5) -> DataFrame[Utility]:
    """AUC, accuracy, AP, EER, FPR and TPR of all faces and of each group of each attribute."""
    made = [(WHOLE, WHOLE, *quality(faces.labels, faces.scores, threshold))]
    for name, groups in faces.attributes.items():
        order = np.argsort(groups.codes, kind="stable")
        ends = np.searchsorted(groups.codes[order], np.arange(len(groups.categories) + 1))
        for group, start, end in zip(groups.categories, ends, ends[1:], strict=False):
            some = order[start:end]
            if len(some):
                made.append((name, str(group), *quality(faces.labels[some], faces.scores[some], threshold)))
    return rows(made, Utility)


def idle(scores: np.ndarray, threshold: float) -> str:
    """What a detector says of all faces alike, "" where it tells some of them apart."""
    if not len(scores):
        return ""
    said = scores >= threshold
    if (scores == scores[0]).all():
        return f"The detector gives every face the score {scores[0]:g}"
    if said.all() or not said.any():
        return f"At the threshold the detector calls every face {'fake' if said.all() else 'real'}"
    return ""


def individuals(
    scores: np.ndarray, points: np.ndarray, space: str, *, every: int, seed: int = 1
) -> DataFrame[Unfairness]:
    """F_IND, one row: exact over all pairs up to `every`, else of as many drawn ones, with a normal interval."""
    found = individual(scores, points, space, every=every, seed=seed)
    sampled = found.standard_error > 0
    low, high = (max(0.0, found.f_ind + sign * Z95 * found.standard_error) if sampled else NAN for sign in (-1, 1))
    how = "drawn at random" if sampled else "all there are"
    note = f"{counted(found.pairs, 'pair')}, {how}; distances of {space}" if found.pairs else "one face has no pair"
    return rows([(WHOLE, "f_ind", found.f_ind, low, high, NAN, WHOLE, "", note)], Unfairness)


def intersected(
    attributes: Mapping[str, pd.Categorical], crossed: Sequence[str], most: int
) -> dict[str, pd.Categorical]:
    """The attributes, and intersections of up to `most` of those crossed; a face without a value of one is in none.

    Raises AccordError where two attributes or groups would have one name.
    """
    made = dict(attributes)
    for size in range(2, most + 1):
        for names in combinations(crossed, size):
            name = BETWEEN.join(names)
            if name in made:
                raise AccordError(Problem(f"attribute {name!r}", "is called as an intersection", "rename it"))
            made[name] = _together([attributes[one] for one in names], name)
    return made


def _together(parts: list[pd.Categorical], name: str) -> pd.Categorical:
    shape = [len(part.categories) for part in parts]
    known = np.all([part.codes >= 0 for part in parts], axis=0)
    cells = np.full(len(known), -1)
    cells[known] = np.ravel_multi_index([part.codes[known] for part in parts], shape)
    seen, codes = coded(cells[known])
    cells[known] = codes
    places = zip(*np.unravel_index(seen, shape), strict=True)
    names = [BETWEEN.join(str(part.categories[k]) for part, k in zip(parts, place, strict=True)) for place in places]
    if twice := sorted({one for one in names if names.count(one) > 1}):
        hint = f"rename groups with {BETWEEN!r} in their name"
        raise AccordError(Problem(f"groups of {name}", f"several are called {', '.join(map(repr, twice))}", hint))
    return pd.Categorical.from_codes(cells, pd.Index(names, dtype=object))


def _row(name: str, metric: str, found: Fairness, ends: tuple[float, float], note: str) -> tuple:
    needs_both, covered = metric in NEED_BOTH, _covered(metric, found)
    value, floor = getattr(found, metric), found.f_dp_floor if metric == "f_dp" else NAN
    note = "fewer than two groups can be compared" if np.isnan(value) else note
    return name, metric, value, *ends, floor, "; ".join(covered), "; ".join(found.left_out) if needs_both else "", note


def _covered(metric: str, found: Fairness) -> tuple[str, ...]:
    """The groups that a metric compares."""
    return found.covered if metric in NEED_BOTH else tuple(sorted({*found.covered, *found.left_out}))


def _note(faces: Faces, groups: pd.Categorical, compared: Sequence[str]) -> str:
    counts = confusion(faces.labels, faces.labels, groups)
    of_label = counts.counts.sum(axis=1)
    there = of_label[:, of_label.any(axis=0)]  # where all faces are real, none lacks fakes
    small = [name for name, fewest in zip(counts.groups, there.min(axis=1, initial=FEW), strict=True)
             if fewest < FEW and name in compared]  # fmt: skip
    said = [f"{FEWER} in {', '.join(small)}"] if small else []
    unknown = int((groups.codes < 0).sum())
    return "; ".join([*said, *([f"{counted(unknown, 'face')} without a value"] if unknown else [])])
