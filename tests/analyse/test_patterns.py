"""Error patterns: what is planted is found, in its shortest words; what is not there is not claimed."""

import numpy as np
import pandas as pd
import pytest
from analyse_cases import members_of, scores_of
from statsmodels.stats.proportion import proportion_confint

from accord.analyse.explaining.binary_features import encode_items, item_matrix
from accord.analyse.explaining.mined import candidates
from accord.analyse.patterns import run
from accord.analyse.scoring import metrics
from accord.analyse.scoring.worst import cut
from accord.analyse.tables.scores import Members
from accord.engine.table import empty
from accord.statistics.cohort import numbered

IMAGES = 3


def items_of(scores, least, **columns):
    """The items of scores whose features have these columns."""
    scores, features = numbered(scores, features_of(scores, **columns))
    return item_matrix(scores, encode_items(features), least)


def features_of(scores, **columns):
    """A Features table: columns of numbers, of labels, or of lists of labels."""
    parts = []
    for name, values in columns.items():
        key = scores[["image", "subject"]].assign(feature=name, number=np.nan, label="")
        if isinstance(values, np.ndarray) and values.dtype.kind == "f":
            parts.append(key.assign(kind="number", number=values))
        else:
            parts.append(key.assign(kind="category", label=list(values)).explode("label"))
    return pd.concat(parts, ignore_index=True)


def made(rng, subjects=60, fails=None):
    """Scores of subjects with features; errors where `fails` (light, hat, sharp) says so, and a few besides."""
    owner = np.repeat(np.arange(subjects), IMAGES)
    light = rng.choice(["dark", "dim", "bright"], len(owner))
    hat = rng.choice(["hat", "none"], subjects)[owner]
    sharp = rng.random(len(owner))
    others = {f"other{k}": rng.choice(["a", "b", "c"], subjects)[owner] for k in range(3)}
    wrong = rng.random(len(owner)) < 0.04
    if fails is not None:
        wrong |= fails(light, hat, sharp)
    scores = scores_of(np.where(wrong, 0.0, rng.choice([0.8, 0.9, 1.0], len(owner))), owner)
    return scores, features_of(scores, light=light, hat=hat, sharp=sharp, **others)


def test_a_planted_conjunction_is_found_in_its_shortest_words(rng):
    scores, features = made(rng, fails=lambda light, hat, sharp: (light == "dark") & (hat == "hat"))
    found = run(scores, features, empty(Members), bootstraps=200).patterns
    top = found.iloc[0]
    assert top["pattern"] == "hat = hat & light = dark"
    dark = scores.merge(features[(features["feature"] == "light") & (features["label"] == "dark")])
    both = dark[["image", "subject", "value"]].merge(
        features[(features["feature"] == "hat") & (features["label"] == "hat")]
    )
    errors, wrong = int((scores["value"] == 0).sum()), int((both["value"] == 0).sum())
    assert top[["images", "subjects", "errors"]].tolist() == [len(both), both["subject"].nunique(), wrong]
    assert top["confidence"] == pytest.approx(wrong / len(both)) == 1
    assert top["support"] == pytest.approx(wrong / errors)
    assert top["lift"] == pytest.approx(wrong / len(both) / (errors / len(scores)))
    assert 0.8 < top["low"] < top["high"] == 1
    assert found["pattern"].str.contains("other").sum() == 0


def test_where_lower_is_better_errors_are_the_high_scores(rng):
    """The same scores turned round, as a distance: the same pattern, and the threshold turned with them."""
    scores, features = made(rng, fails=lambda light, hat, sharp: light == "dark")
    distances = scores.assign(metric="lpips", value=1 - scores["value"])
    plain, turned = (run(some, features, empty(Members), bootstraps=100).patterns for some in (scores, distances))
    assert turned.loc[0, "pattern"] == plain.loc[0, "pattern"] == "light = dark"
    assert turned.loc[0, "errors"] == plain.loc[0, "errors"] and turned.loc[0, "threshold"] == 1


def test_a_number_is_told_by_its_thirds(rng):
    scores, features = made(rng, fails=lambda light, hat, sharp: sharp < 0.2)
    top = run(scores, features, empty(Members), quantile=0.2, bootstraps=200).patterns.iloc[0]
    assert top["pattern"].startswith("sharp <= 0.3")


@pytest.mark.slow
def test_without_a_cause_nothing_is_claimed_beyond_the_level(rng):
    """Errors cluster in subjects and go with nothing; two models, so that the correction for tests is in it."""
    reports, wrong = 30, 0
    for seed in range(reports):
        scores, features = made(rng, subjects=30)
        bad = rng.random(30) < 0.2
        both = []
        for model in ("m1", "m2"):
            failed = rng.random(len(scores)) < np.where(np.repeat(bad, IMAGES), 0.7, 0.03)
            both.append(scores.assign(model=model, value=np.where(failed, 0.0, 0.9)))
        told = run(pd.concat(both), features, empty(Members), most=2, bootstraps=100, seed=seed).patterns
        wrong += bool((told["pattern"] != "").any())
    print(f"false patterns in {wrong} of {reports} reports")
    assert wrong / reports <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / reports)


@pytest.mark.slow
def test_a_cause_is_named_without_the_noise_beside_it(rng):
    """One cause of moderate strength beside ten measures that nothing depends on: as likely as not they'd be named."""
    reports, false, bare = 30, 0, 0
    for seed in range(reports):
        owner = np.repeat(np.arange(80), IMAGES)
        light = rng.choice(["dark", "dim", "bright"], len(owner))
        noise = {f"noise{k}": rng.normal(size=80)[owner] + rng.normal(size=len(owner)) * (k % 2) for k in range(10)}
        values = rng.normal(0, 0.08, 80)[owner] + rng.normal(0, 0.13, len(owner)) - 0.2 * (light == "dark")
        scores = scores_of(values, owner)
        told = run(scores, features_of(scores, light=light, **noise), empty(Members), bootstraps=20, seed=seed)
        false += bool(told.patterns["pattern"].str.contains("noise").any())
        bare += "light = dark" in set(told.patterns["pattern"])
    print(f"noise in {false}, the cause alone in {bare} of {reports} reports")
    assert false / reports <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / reports) and bare > reports / 2


def test_rows_in_any_order_say_the_same(rng):
    scores, features = made(rng, fails=lambda light, hat, sharp: light == "dark")
    first = run(scores, features, empty(Members), bootstraps=100).patterns
    mixed = [table.sample(frac=1, random_state=1) for table in (scores, features)]
    pd.testing.assert_frame_equal(first, run(*mixed, empty(Members), bootstraps=100).patterns)


def test_a_person_counts_in_each_label_that_they_name(rng):
    scores = scores_of(rng.random(40), range(40))
    named = items_of(scores, 10, pronoun=[["she", "they"]] * 15 + [["she"]] * 5 + [["he"]] * 20)
    assert dict(zip(named.names, named.marks.sum(axis=0).tolist(), strict=True)) == {
        "pronoun = he": 20, "pronoun = she": 20, "pronoun = they": 15,
    }  # fmt: skip


def test_what_few_subjects_or_nearly_all_have_is_left_out(rng):
    scores = scores_of(rng.random(40), np.arange(40) // 2)
    named = items_of(scores, 10, rare=["x"] * 18 + ["y"] * 22, usual=["z"] * 37 + ["w"] * 3)
    assert named.names == ("rare = y",)


def test_of_sets_of_the_same_rows_the_shortest_stays(rng):
    scores = scores_of(rng.random(60), range(60))
    dark = rng.random(60) < 0.5
    same = np.where(dark, "yes", "no")
    named = items_of(scores, 5, dark=same, night=same)
    found = candidates(named, np.arange(60), 0.05, 3, 5)
    assert [named.names[i] for (i,) in found.sets] == ["dark = no", "dark = yes"]


def test_scores_are_cut_where_they_differ():
    values = np.repeat([0.0, 0.5, 1.0], [30, 50, 920])
    assert cut(values, 0.05) == 0.0
    assert cut(values, 0.07) == 0.5
    assert np.isnan(cut(np.ones(5), 0.1)) and np.isnan(cut(np.zeros(0), 0.1))


def test_where_nothing_can_be_told_a_row_says_why(rng):
    scores, features = made(rng)
    told = run(scores.assign(value=1.0), features, empty(Members)).patterns
    assert told[["pattern", "note"]].to_numpy().tolist() == [["", "all scores are equal"]]
    told = run(scores, features.iloc[:0], empty(Members)).patterns
    assert told["note"].tolist() == ["no known property holds for 10 subjects and 5% of rows"]
    told = run(scores.assign(value=np.nan, note="?"), features, empty(Members)).patterns
    assert told["note"].tolist() == ["nothing is scored"]


def test_where_nothing_passes_the_smallest_p_says_what_it_is_corrected_for(rng):
    scores, features = made(rng, subjects=20)
    (told,) = run(scores, features, empty(Members), most=1, bootstraps=20).patterns["note"]
    p = float(told.removeprefix("no pattern has more errors than chance explains (smallest p ").partition(",")[0])
    assert 0.05 <= p <= 1 and told.endswith(", corrected for all patterns, models and measures)")


def test_groups_are_compared_among_those_whom_a_pattern_describes(rng):
    """In the dark, a model fails on one of two groups only."""
    owner = np.repeat(np.arange(80), IMAGES)
    dark, group = rng.random(len(owner)) < 0.4, (owner % 2)
    low = dark & (group == 1)
    scores = scores_of(np.where(low, rng.choice([0.0, 0.1], len(owner)), rng.choice([0.8, 0.9], len(owner))), owner)
    features = features_of(scores, light=np.where(dark, "dark", "bright"))
    members = members_of(scores, "ancestry", np.where(group == 1, "one", "other"))
    found = run(scores, features, members, quantile=0.2, bootstraps=100)
    assert found.patterns["pattern"].tolist() == ["light = dark"]
    told = found.disparities.iloc[0]
    assert told[["pattern", "attribute", "worst", "best", "claimed"]].tolist() == [
        "light = dark", "ancestry", "one", "other", True,
    ]  # fmt: skip
    assert told["disparity"] > 0.8


def test_where_all_are_errors_there_is_still_doubt(rng):
    """About as much as Clopper and Pearson leave of as many subjects with an image each, all of them wrong."""
    scores, features = made(rng, fails=lambda light, hat, sharp: hat == "hat")
    told = run(scores, features, empty(Members), quantile=0.5, bootstraps=100).patterns.set_index("pattern")
    row = told.loc["hat = hat"]
    exact = proportion_confint(row["subjects"], row["subjects"], method="beta")
    assert row["confidence"] == row["high"] == 1 and row["low"] == pytest.approx(exact[0], abs=0.05)


def test_less_of_what_is_neither_better_nor_worse_is_no_error(rng, monkeypatch):
    monkeypatch.setitem(metrics.METRICS, "said", metrics.Metric("Said", neutral=True))
    scores, features = made(rng, fails=lambda light, hat, sharp: light == "dark")
    found = run(scores.assign(metric="said"), features, empty(Members), bootstraps=100).patterns
    assert found["note"].tolist() == ["less of this is no error"] and found["errors"].tolist() == [0]
