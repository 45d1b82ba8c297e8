"""Metrics of a whole group from counts: what scikit-learn gives of the same rows, drawn one by one."""

import time
from functools import partial

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics as sk

from accord.analyse import analyse
from accord.analyse.plain.outcomes.weighed_metrics import recognised

BINARY = [
    sk.f1_score, partial(sk.fbeta_score, beta=2.0), partial(sk.fbeta_score, beta=0.5), sk.jaccard_score,
    sk.balanced_accuracy_score, sk.matthews_corrcoef, sk.cohen_kappa_score,
]  # fmt: skip
SEVERAL = [
    partial(sk.f1_score, average="macro"), partial(sk.f1_score, average="weighted"), sk.balanced_accuracy_score,
    partial(sk.precision_score, average="macro"), partial(sk.recall_score, average="macro"), sk.matthews_corrcoef,
]  # fmt: skip


def name_of(one) -> str:
    return getattr(one, "__name__", None) or f"{one.func.__name__}{one.keywords}"


def held_against_rows(function, true, other, positive, rng):
    """Draws of ten units, by weights and by rows."""
    units = rng.integers(0, 10, len(true))
    form = recognised(function, true, other, positive)
    assert form is not None
    draws = rng.integers(0, 10, (20, 10))
    times = np.array([np.bincount(draw, minlength=10) for draw in draws])
    rows = [np.concatenate([np.flatnonzero(units == unit) for unit in draw]) for draw in draws]
    expected = [function(true[some], other[some]) for some in rows]
    assert form(true, other, times[:, units].astype(float)) == pytest.approx(expected, nan_ok=True)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("function", BINARY, ids=name_of)
def test_of_two_labels_as_scikit_learn(function, rng):
    true = rng.integers(0, 2, 60)
    held_against_rows(function, true, np.where(rng.random(60) < 0.7, true, 1 - true), 1, rng)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("function", SEVERAL, ids=name_of)
def test_of_several_labels_as_scikit_learn(function, rng):
    true = rng.choice(["a", "b", "c"], 60)
    held_against_rows(function, true, np.where(rng.random(60) < 0.6, true, rng.choice(["a", "d"], 60)), 1, rng)


@pytest.mark.parametrize("function", [sk.roc_auc_score, sk.average_precision_score], ids=name_of)
@pytest.mark.parametrize("digits", [1, 9])
def test_of_scores_with_and_without_ties_as_scikit_learn(function, digits, rng):
    true = rng.integers(0, 2, 80)
    held_against_rows(function, true, np.round(rng.random(80) * 0.7 + 0.3 * true, digits), 1, rng)


def test_another_function_is_none_of_them(rng):
    true = rng.integers(0, 2, 60)
    other = np.where(rng.random(60) < 0.7, true, 1 - true)
    assert recognised(lambda a, b: sk.f1_score(a, b) ** 2, true, other, 1) is None


def test_f1_and_area_take_no_more_than_a_few_times_as_long_as_accuracy(rng):
    """They took 10 to 30 times as long; measured on a quiet machine it is 1.7 times."""
    table = pd.DataFrame({"y": rng.integers(0, 2, 1000), "sex": rng.choice(list("fm"), 1000)})
    table["p"] = np.clip(0.3 * table["y"] + rng.random(1000) * 0.7, 0, 1)
    table = table.assign(said=(table["p"] > 0.5).astype(int), race=rng.choice(list("abcde"), 1000))

    def seconds(metric: str, **other) -> float:
        start = time.process_time()
        analyse(table, y_true="y", metrics=[metric], attributes=["sex", "race"], **other)
        return time.process_time() - start

    seconds("f1", y_pred="said")  # scikit-learn is imported once
    accuracy = min(seconds("accuracy", y_pred="said") for _ in range(2))
    assert min(seconds("f1", y_pred="said") for _ in range(2)) < 5 * accuracy
    assert min(seconds("roc_auc", y_score="p") for _ in range(2)) < 5 * accuracy
