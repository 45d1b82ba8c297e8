"""Forests are scikit-learn's, bit for bit."""

import numpy as np
import pytest
from sklearn.ensemble import RandomForestRegressor

from accord.analyse.explaining.grown import grow

HOW = {"min_samples_leaf": 5, "max_features": 1 / 3}


@pytest.mark.parametrize("rows, columns, share", [(403, 12, 0.7), (60, 1, 1.0), (31, 40, 0.5)])
def test_a_forest_says_what_scikit_learn_s_says(rows, columns, share):
    rng = np.random.default_rng(rows)
    matrix = np.hstack([rng.random((rows, columns)), rng.random((rows, columns)) < 0.3])
    values = matrix[:, 0] + rng.normal(0, 0.3, rows)
    expected = RandomForestRegressor(20, max_samples=share, random_state=7, **HOW).fit(matrix, values)
    found = grow(matrix, values, 20, share, 7, **HOW)
    others = rng.random((500, 2 * columns)).astype(np.float32)
    assert np.array_equal(found.predict(others), expected.predict(others))
    assert np.array_equal(found.importances(), expected.feature_importances_)


def test_trees_that_cannot_split_say_the_mean_of_their_rows_and_weigh_nothing():
    values = np.arange(20.0)
    expected = RandomForestRegressor(5, max_samples=14, random_state=1, **HOW).fit(np.ones((20, 2)), values)
    found = grow(np.ones((20, 2)), values, 5, 0.7, 1, **HOW)
    assert np.array_equal(found.importances(), np.zeros(2))
    assert np.array_equal(found.predict(np.ones((3, 2), np.float32)), expected.predict(np.ones((3, 2))))
