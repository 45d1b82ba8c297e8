"""Metrics of which lower is better, and what scores may be."""

import numpy as np
import pandas as pd
import pytest
from analyse_cases import members_of, scores_of

from accord.analyse import analyse, disparities
from accord.analyse.comparing.family import disparity
from accord.analyse.scoring.metrics import BOUNDED, METRICS, TONES, direction
from accord.analyse.tables.scores import Scores
from accord.engine.table import check
from accord.errors import AccordError


def drawn(rng, metric, drop=0.3):
    """100 subjects of four groups with three images; g2 scores `drop` less in what lies around 0.7."""
    owner = np.repeat(np.arange(100), 3)
    values = np.clip(rng.normal(0.7, 0.05, 300) - drop * (owner % 4 == 2), 0, 1)
    return scores_of(values, owner, metric=metric), [f"g{g}" for g in owner % 4]


def only(scores, labels, **settings):
    return disparities.run(scores, members_of(scores, "x", labels), bootstraps=200, **settings).iloc[0]


def test_each_known_metric_has_a_direction():
    lower = {"lpips", "misgendered", "misgendered_all", "false_yes@p2", "false_yes@p3"}
    lower |= {"fake_log_loss", "false_alarm", "missed_fake"}
    lower |= {f"{name}@{tone}" for name in ("misgendered", "toxic", "likeable_by_gender") for tone in TONES}
    assert {name for name in METRICS if direction(name) < 0} == lower
    assert direction("error", lower=["error"]) == -1 and direction("error") == 1
    assert {"lpips", "psnr", "cosine"}.isdisjoint(BOUNDED) and "ar_iou" in BOUNDED


@pytest.mark.parametrize("metric", ["psnr", "lpips"])
def test_the_worse_group_is_the_one_that_does_worse(rng, metric):
    """The same figures: in dB g2 is the worst, as a distance the best."""
    scores, labels = drawn(rng, metric)
    row, medians = only(scores, labels), scores["value"].groupby(labels).median()
    order = medians.sort_values().index
    told = (order[0], order[-1]) if metric == "psnr" else (order[-1], order[0])
    assert (row["worst"], row["best"]) == told and row["claimed"] and row["effect"] < 0
    assert row["disparity"] == pytest.approx(1 - medians.min() / medians.max())
    assert 0 < row["low"] < row["disparity"] < row["high"] < 1


def test_turning_scores_round_turns_nothing_else(rng):
    scores, labels = drawn(rng, "mine")
    turned = scores.assign(value=1 - scores["value"])
    plain, other = only(scores, labels), only(turned, labels, lower_is_better=["mine"])
    same = ["worst", "best", "p_value", "p_between_subjects", "claimed", "significant", "pairs"]
    assert plain[same].tolist() == other[same].tolist()
    assert plain["effect"] == pytest.approx(other["effect"])
    assert other["worst_median"] == pytest.approx(1 - plain["worst_median"])


def test_disparity_of_negative_medians_is_undefined_and_said(rng):
    scores, labels = drawn(rng, "cosine")
    row = only(scores.assign(value=scores["value"] - 0.7), labels)
    assert np.isnan(disparity(-0.2, 0.1)) and np.isnan(row["disparity"]) and np.isnan(row["low"])
    assert row["worst"] == "g2" and row["claimed"] and row["note"] == "a median is negative: D is not defined"


def test_a_plain_table_says_which_way_is_better(rng):
    scores, labels = drawn(rng, "s")
    table = pd.DataFrame({"seconds": 10 * scores["value"], "who": scores["subject"], "x": labels})
    how = {"score": "seconds", "subject": "who", "attributes": ["x"], "bootstraps": 100}
    assert analyse(table, **how).disparities.loc[0, "worst"] == "g2"
    assert analyse(table, **how, lower_is_better=["seconds"]).disparities.loc[0, "best"] == "g2"


@pytest.mark.parametrize(
    ("metric", "value", "wrong"),
    [
        ("ar_iou", 1.2, "1 row(s) fail value_in_0_1_of_its_metric, first [0]"),
        ("psnr", np.inf, "column 'value' fails less_than(inf) in 1 row(s), first [0]"),
    ],
)
def test_scores_that_cannot_be_are_refused(metric, value, wrong):
    with pytest.raises(AccordError) as error:
        check(scores_of([value, np.nan], [1, 2], metric=metric), Scores, "scores")
    assert [f"{p.where}: {p.what}" for p in error.value.problems] == [f"scores: {wrong}"]


def test_scores_outside_0_1_are_fine_where_the_metric_is():
    values = [31.5, -3.0, np.nan]
    assert check(scores_of(values, [1, 2, 3], metric="psnr"), Scores, "scores")["value"].tolist()[:2] == [31.5, -3.0]
