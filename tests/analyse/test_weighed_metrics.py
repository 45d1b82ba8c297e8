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


UNDEFINED = {
    "f1": sk.f1_score, "f2": partial(sk.fbeta_score, beta=2.0), "jaccard": sk.jaccard_score,
    "mcc": sk.matthews_corrcoef, "balanced": sk.balanced_accuracy_score, "kappa": sk.cohen_kappa_score,
    "macro": partial(sk.f1_score, average="macro"), "own": lambda true, said: sk.f1_score(true, said),
}  # fmt: skip


def without_positives(rng, everywhere=False, share=0.5):
    """Nobody in group x is positive, or is said to be; `everywhere`: in no group."""
    true = (rng.random(400) < share).astype(int)
    true[:6] = 1
    table = pd.DataFrame({"person_id": range(400), "a": np.resize(list("xyz"), 400), "y": true})
    table["said"] = np.where(rng.random(400) < 0.8, true, 1 - true)
    table["p"] = rng.random(400)
    table.loc[(table["a"] == "x") | everywhere, ["y", "said"]] = 0
    return table


@pytest.mark.parametrize("share", [0.5, 0.02])
def test_what_is_not_defined_of_a_group_is_no_0_and_no_1(rng, share):
    table = without_positives(rng, share=share)
    found = analyse(table, y_true="y", y_pred="said", metrics=UNDEFINED, attributes=["a"], bootstraps=100).groups
    of_x = found[found["group"] == "x"]
    assert sorted(of_x["metric"]) == sorted(UNDEFINED) and of_x[["mean", "low", "high"]].isna().all(axis=None)
    assert set(of_x["note"]) == {"not defined for these rows"}
    assert found.loc[found["group"] != "x", "mean"].notna().all()


@pytest.mark.parametrize("name", UNDEFINED)
def test_nor_of_everyone(rng, name):
    table, metrics = without_positives(rng, everywhere=True), {name: UNDEFINED[name]}
    found = analyse(table, y_true="y", y_pred="said", metrics=metrics, attributes=["a"], bootstraps=100).groups
    assert found["mean"].isna().all() and set(found["note"]) == {"not defined for these rows"}


@pytest.mark.parametrize("size", [1, 100])
def test_there_is_no_average_precision_without_positives(rng, size):
    """size: of the largest score, which is a whole number where it isn't 1."""
    for everywhere in (False, True):
        table = without_positives(rng, everywhere)
        table["p"] = table["p"] if size == 1 else (table["p"] * size).astype(int)
        told = {"y_true": "y", "y_score": "p", "metrics": ["average_precision"], "attributes": ["a"], "bootstraps": 100}
        means = analyse(table, **told).groups.set_index("group")["mean"]
        assert np.isnan(means["x"]) and np.isnan(means["y"]) == everywhere


def test_an_f1_of_wrong_predictions_alone_is_0(rng):
    table = without_positives(rng)
    table.loc[table["a"] == "x", "said"] = 1
    found = analyse(table, y_true="y", y_pred="said", metrics=["f1"], attributes=["a"], bootstraps=100).groups
    assert found.set_index("group").loc["x", ["mean", "low", "high"]].tolist() == [0, 0, 0]


def test_a_metric_of_one_s_own_that_is_a_mean_over_rows_stays_one_where_all_have_one_label(rng):
    table = without_positives(rng, everywhere=True)
    table["said"] = rng.integers(0, 2, 400)
    own = {"own": lambda true, said: float((true == said).mean())}
    assert len(analyse(table, y_true="y", y_pred="said", metrics=own, attributes=["a"], bootstraps=100).disparities)
