"""A shallow tree that says in words where scores are low."""

from typing import Any, NamedTuple

import numpy as np

from accord.analyse.explaining.condition import Condition, of_split
from accord.analyse.explaining.encoded import Encoded
from accord.statistics.distinct import distinct

DEPTH = 3
WORTH = 0.005
"""A split that explains less than this share of the variance is not told."""


class Node(NamedTuple):
    """rows: (n,) bool, who is in it; condition: what leads to it from its parent, None for the root."""

    rows: np.ndarray
    parent: int
    condition: Condition | None
    leaf: bool


def grow(
    features: Encoded, chosen: np.ndarray, values: np.ndarray, subjects: np.ndarray, least: int, depth: int = DEPTH
) -> list[Node]:
    """The nodes of a regression tree of the features `chosen`, in preorder; the root alone where nothing is to tell.

    Subjects weigh equally, however many images they have, and each leaf has the weight of at least `least` of them, so
    at least as many subjects.
    """
    from sklearn.tree import DecisionTreeRegressor

    columns = np.flatnonzero(np.isin(features.owner, chosen))
    everyone = np.ones(len(values), bool)
    count = len(distinct(subjects))
    if not len(columns) or count < 2 * least or values.var() == 0:
        return [Node(everyone, -1, None, True)]
    weights, share = 1 / np.bincount(subjects)[subjects], least / count
    learner = DecisionTreeRegressor(
        max_depth=depth, min_weight_fraction_leaf=share, min_impurity_decrease=WORTH * values.var(), random_state=0
    )
    made = learner.fit(features.matrix[:, columns], values, sample_weight=weights).tree_
    return _walk(features, columns, made, 0, everyone, -1, None, [])


def _walk(
    features: Encoded,
    columns: np.ndarray,
    tree: Any,
    at: int,
    rows: np.ndarray,
    parent: int,
    condition: Condition | None,
    nodes: list[Node],
) -> list[Node]:
    left, right = tree.children_left[at], tree.children_right[at]
    number = len(nodes)
    nodes.append(Node(rows, parent, condition, left < 0))
    if left >= 0:
        first = of_split(features, columns[tree.feature[at]], tree.threshold[at])
        held = first.holds(features)
        _walk(features, columns, tree, left, rows & held, number, first, nodes)
        _walk(features, columns, tree, right, rows & ~held, number, first.opposite(), nodes)
    return nodes
