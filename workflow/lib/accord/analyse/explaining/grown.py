"""A random forest, tree by tree: the same trees as scikit-learn's RandomForestRegressor, in less time.

Small forests by the thousand are grown and asked here. What that class does around each tree (copies of its settings,
checks of them, set-up of joblib) then takes nearly as long as the tree does.
"""

from typing import Any, NamedTuple

import numpy as np

SEEDS = np.iinfo(np.int32).max


class Grown(NamedTuple):
    """Trees, as scikit-learn's `tree_`, of c columns."""

    trees: list[Any]
    columns: int

    def predict(self, matrix: np.ndarray) -> np.ndarray:
        """(n, c) float32 -> (n,): the mean of what the trees say."""
        total = np.zeros(len(matrix))
        for tree in self.trees:
            total += tree.predict(matrix).ravel()
        return total / len(self.trees)

    def importances(self) -> np.ndarray:
        """(c,): the share of each column in what splits take off the variance; 0 where no tree splits."""
        of = [tree.compute_feature_importances() for tree in self.trees if tree.node_count > 1]
        if not of:
            return np.zeros(self.columns)
        mean = np.mean(of, axis=0)
        return mean / mean.sum()


def grow(matrix: np.ndarray, values: np.ndarray, trees: int, share: float, seed: int, **how: Any) -> Grown:
    """A forest of `trees` trees (Breiman, 2001), each of a share of the rows, drawn with replacement.

    matrix: (n, c); values: (n,); how: settings of scikit-learn's DecisionTreeRegressor.
    """
    from sklearn import config_context
    from sklearn.tree import DecisionTreeRegressor

    matrix, values = np.ascontiguousarray(matrix, np.float32), np.ascontiguousarray(values, float)
    rows, drawn = len(values), max(1, int(share * len(values)))
    rng, made = np.random.RandomState(seed), []
    with config_context(skip_parameter_validation=True):
        for _ in range(trees):
            own = int(rng.randint(SEEDS))
            weights = np.bincount(np.random.RandomState(own).randint(0, rows, drawn), minlength=rows)
            learner = DecisionTreeRegressor(**how, random_state=own)
            made.append(learner.fit(matrix, values, sample_weight=weights, check_input=False).tree_)
    return Grown(made, matrix.shape[1])
