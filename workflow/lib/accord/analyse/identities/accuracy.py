"""How right the labels of each rule are, held against hand labels: three shares that are read together."""

from collections.abc import Iterator

import numpy as np

from accord.analyse.identities.tables import MEASURES
from accord.statistics.describing.proportions import wilson
from accord.statistics.distinct import distinct
from accord.statistics.resampling import half_unseen
from accord.statistics.seeds import generator

LABELLED, RIGHT, KEPT = MEASURES
FEWEST = 2
"""Queries that an interval needs."""


def accuracy(
    rule: str, labels: np.ndarray, hand: np.ndarray, queries: np.ndarray, bootstraps: int, seed: int
) -> Iterator[dict]:
    """The rows of `LabelAccuracy` of a rule.

    labels, hand: (faces,) int, 1, 0 or -1; queries: (faces,) int, whose they are. Of faces that a hand labelled 1 or 0.
    Faces of one query share its fate, so that the interval is by queries (bootstrap); Wilson's stands beside it.
    """
    weights = half_unseen.weights(queries.max() + 1, bootstraps, generator(seed, "accuracy"))
    known = hand != -1
    kinds = {
        LABELLED: (known, labels != -1),
        RIGHT: (known & (labels != -1), labels == hand),
        KEPT: (hand == 1, labels == 1),
    }
    for measure, (counts, is_hit) in kinds.items():
        yield {"rule": rule, "measure": measure} | _share(queries[counts], is_hit[counts], weights)


def _share(owner: np.ndarray, is_hit: np.ndarray, weights: np.ndarray) -> dict:
    faces, hits, subjects = len(owner), int(is_hit.sum()), len(distinct(owner))
    told = {"faces": faces, "hits": hits, "queries": subjects}
    if subjects < FEWEST:
        nothing = dict.fromkeys(("share", "low", "high", "wilson_low", "wilson_high"), np.nan)
        return told | nothing | {"note": f"hand labels of fewer than {FEWEST} queries"}
    low, high = half_unseen.of_pairs(owner, is_hit, weights)
    naive = wilson(hits / faces, faces)
    bounds = {"low": low, "high": high, "wilson_low": naive[0], "wilson_high": naive[1]}
    return told | {"share": hits / faces} | bounds | {"note": ""}
