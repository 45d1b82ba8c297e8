"""Metrics of a whole group: their intervals, where a person who is drawn twice would be compared with herself."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm, rankdata
from sklearn.metrics import f1_score

from accord.analyse import analyse
from accord.analyse.plain.outcomes.group_metrics import figures
from accord.analyse.plain.showing.words import lines


def told(people, labels, scores, metric, seed=1, bootstraps=200):
    """The figure of everyone, of rows that each have a picture of their own."""
    key = pd.DataFrame({"task": "t", "model": "m", "image": [f"i{i}" for i in range(len(people))]})
    key["subject"] = [f"s{person}" for person in people]
    members = key[["image", "subject"]].assign(attribute="a", group="g")
    found = figures(
        {"of": lambda rows: metric(labels[rows], scores[rows])}, key, members,
        min_subjects=10, bootstraps=bootstraps, seed=seed,
    )  # fmt: skip
    return found[found["attribute"] == "a"].iloc[0]


def area(labels, scores):
    """Under the ROC curve, by ranks (scikit-learn's takes twenty times as long)."""
    positive = int(labels.sum())
    return (rankdata(scores)[labels == 1].sum() - positive * (positive + 1) / 2) / positive / (len(labels) - positive)


def test_an_area_of_pairs_of_one_person_is_covered():
    """A true and a fake picture of each of 40 people, whose scores are close: 58% of percentiles hold the truth."""
    truth, trials, covered = norm.cdf(0.3 / np.sqrt(2)), 60, 0
    for trial in range(trials):
        rng = np.random.default_rng(trial)
        person = rng.normal(size=40)
        scores = np.r_[person, person + 0.3 + 0.05 * rng.normal(size=40)]
        row = told(np.tile(np.arange(40), 2), np.repeat([0, 1], 40), scores, area, trial, bootstraps=100)
        assert row["low"] < row["mean"] < row["high"]
        covered += row["low"] <= truth <= row["high"]
    assert covered / trials > 0.92 - 2.6 * np.sqrt(0.92 * 0.08 / trials)


def test_of_other_figures_it_is_the_percentile_interval_about_the_figure(rng):
    labels, people = rng.integers(0, 2, 300), np.repeat(np.arange(100), 3)
    scores = np.where(rng.random(300) < 0.8, labels, 1 - labels)
    row = told(people, labels, scores, f1_score, bootstraps=400)
    drawn = []
    for _ in range(1000):
        rows = (rng.integers(0, 100, 100)[:, np.newaxis] * 3 + np.arange(3)).ravel()
        drawn.append(f1_score(labels[rows], scores[rows]))
    assert row["mean"] == f1_score(labels, scores)
    assert [row["low"], row["high"]] == pytest.approx(np.quantile(drawn, [0.025, 0.975]), abs=0.015)


def test_an_interval_stays_from_0_to_1_where_figures_do(rng):
    labels, people = rng.integers(0, 2, 120), np.arange(120)
    scores = np.where(rng.random(120) < 0.99, labels, 1 - labels)
    row = told(people, labels, scores, f1_score)
    assert 0.9 < row["low"] <= row["mean"] <= row["high"] <= 1


def test_a_figure_of_a_group_is_called_no_mean_and_a_mean_without_an_interval_is_told(rng):
    people = np.arange(60)
    table = pd.DataFrame(
        {"person": people, "label": people % 2, "prob": rng.random(60), "sex": np.where(people < 30, "f", "m")}
    )
    area = "\n".join(lines(analyse(table, y_true="label", y_score="prob", metrics=["roc_auc_score"], bootstraps=100)))
    assert "  everyone: 0." in area and "mean" not in area.partition("note:")[0]
    flat = table[["person", "sex"]].assign(score=7.5)
    said = "\n".join(lines(analyse(flat, score="score", bootstraps=100)))
    assert "  everyone: mean 7.5, no interval: all scores are equal" in said


ERRORS = [KeyError("SECRET"), AttributeError("SECRET"), RuntimeError("SECRET"), AssertionError(), Exception("SECRET")]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("least", [25, 1000])
def test_a_function_that_raises_anything_has_no_figure_there_and_the_kind_of_error_is_told(rng, error, least):
    """least: rows without which it raises: of 20 of group f, or of all 60."""

    def own(true, said):
        if len(true) < least:
            raise error
        return f1_score(true, said) ** 2

    table = pd.DataFrame({"y": rng.integers(0, 2, 60), "said": rng.integers(0, 2, 60)})
    table["sex"] = np.repeat(["f", "m", "m"], 20)
    told = {"metrics": {"f1": f1_score, "own": own}, "attributes": ["sex"], "bootstraps": 100}
    found = analyse(table, y_true="y", y_pred="said", **told)
    notes = found.groups[found.groups["metric"] == "own"].set_index("group")["note"]
    why, name = f"not defined for these rows ({type(error).__name__})", type(error).__name__
    assert [notes["f"], notes["m"], notes["all"]] == ([why, "", ""] if least == 25 else [why] * 3)
    said = "\n".join(lines(found))
    assert f"  not compared, not defined ({name}): sex: f (20)" in said and "SECRET" not in said + found.to_html()
