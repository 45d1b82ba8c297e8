"""Switches that do as FHIBE's paper: impurity, trees of all selected, support of rows, differences of all pairs."""

import numpy as np
import pandas as pd
import pytest
from analyse_cases import members_of, scores_of

from accord.analyse import causes, differences, patterns
from accord.analyse.explaining.encoded import encoded
from accord.analyse.tables.scores import Members
from accord.engine.table import empty


def features_of(scores, **columns):
    """A Features table of columns of numbers."""
    key = scores[["image", "subject"]].assign(kind="number", label="")
    return pd.concat([key.assign(feature=name, number=values) for name, values in columns.items()], ignore_index=True)


@pytest.fixture
def blurred(rng):
    """Scores of 60 people with two images each that one feature of six goes with."""
    owner = np.repeat(np.arange(60), 2)
    sharp = rng.random(120)
    scores = scores_of(np.clip(0.8 + rng.normal(0, 0.05, 120) - 0.4 * (sharp < 0.4), 0, 1), owner)
    return scores, features_of(scores, sharp=sharp, **{f"other{k}": rng.random(120) for k in range(5)})


def test_impurity_is_that_of_scikit_learn_and_has_no_interval(blurred):
    scores, features = blurred
    found = causes.run(scores, features, trees=20, resamples=100, importance="impurity").causes
    assert found["importance"].sum() == pytest.approx(1)
    assert found["importance"].is_monotonic_decreasing and found["feature"].iloc[0] == "sharp"
    assert found[["standard_error", "low", "high", "explained"]].isna().all(axis=None)
    assert found.loc[found["claimed"], "feature"].tolist() == ["sharp"]


def test_impurity_adds_up_the_labels_of_a_feature(rng):
    """A forest that sees one feature alone lays all of it on that feature, whatever number of columns it has."""
    scores = scores_of(np.tile([0.2, 0.5, 0.9], 40), np.arange(120))
    named = scores[["image", "subject"]].assign(feature="light", kind="category", label=list("abc") * 40, number=np.nan)
    coded = encoded(scores, named, 10)
    assert len(coded.owner) == 3
    assert causes.impurity(coded, scores["value"].to_numpy(), 5, rng) == pytest.approx([1])


def test_the_tree_may_be_of_all_selected_features(rng):
    """Which half of the second feature is worse depends on the first: alone it tells nothing, so it isn't claimed."""
    owner = np.arange(200)
    columns = {f"f{k}": rng.random(200) for k in range(4)}
    other, strong = columns["f0"] < 0.5, columns["f1"] < 0.5
    scores = scores_of(np.clip(0.7 - 0.3 * strong - 0.1 * (other ^ strong) + rng.normal(0, 0.05, 200), 0, 1), owner)
    of = {
        name: causes.run(scores, features_of(scores, **columns), trees=20, resamples=100, tree_features=name)
        for name in ("claimed", "selected")
    }
    pd.testing.assert_frame_equal(of["claimed"].causes, of["selected"].causes)
    told = of["selected"].causes
    assert told["selected"].sum() > told["claimed"].sum() == 1
    used = {name: set(found.tree["condition"].str.partition(" ")[0]) - {""} for name, found in of.items()}
    assert used["claimed"] == {"f1"} < used["selected"] <= set(told.loc[told["selected"], "feature"])


def test_support_may_be_a_share_of_all_rows(rng):
    owner = np.repeat(np.arange(60), 2)
    light = np.tile(["dark", "dim", "dim", "bright"], 30)
    scores = scores_of(np.where(light == "dark", 0.0, rng.choice([0.8, 0.9], 120)), owner)
    features = features_of(scores, light=np.nan).assign(kind="category", label=light)
    of = {
        name: patterns.run(scores, features, empty(Members), bootstraps=100, support_of=name).patterns
        for name in ("errors", "rows")
    }
    assert of["errors"]["support"].tolist() == [1.0]
    assert of["rows"]["support"].tolist() == [30 / 120]
    pd.testing.assert_frame_equal(*(found.drop(columns="support") for found in of.values()))


def test_differences_of_all_pairs_have_the_standard_error_of_independent_people(rng):
    """Of one image a person the standard error is sqrt(s1^2 / n1 + s2^2 / n2), up to the bootstrap's own error."""
    values, group = rng.normal(0.5, 0.1, 300), np.repeat(["a", "b", "few"], [200, 94, 6])
    scores = scores_of(values, np.arange(300))
    found = differences.run(scores, members_of(scores, "x", group), resamples=2000)
    one, other = values[:200], values[200:294]
    assert found[["group", "other", "group_subjects", "other_subjects"]].to_numpy().tolist() == [["a", "b", 200, 94]]
    row = found.iloc[0]
    assert row["difference"] == pytest.approx(one.mean() - other.mean())
    assert row["standard_error"] == pytest.approx(np.sqrt(one.var() / 200 + other.var() / 94), rel=0.08)
    assert row["low"] < row["difference"] < row["high"]


def test_who_is_in_both_groups_makes_no_difference_between_them():
    scores = scores_of(np.linspace(0, 1, 40), np.arange(40))
    found = differences.run(scores, members_of(scores, "x", [["a", "b"]] * 40), resamples=200)
    assert found[["difference", "standard_error", "low", "high"]].iloc[0].tolist() == [0, 0, 0, 0]
