"""Conditioning: a gap that a cause explains goes away, one that it doesn't stays; the arithmetic by hand."""

import numpy as np
import pandas as pd
import pytest
from analyse_cases import members_of, scores_of
from test_causes import features_of

from accord.analyse import conditioning, disparities
from accord.analyse.causes import run as causes_of
from accord.analyse.explaining.fixed import Pair, gap, interval, shared, why_not
from accord.errors import AccordError
from accord.statistics.resampling import bootstrap

IMAGES = 3


def world(rng, of_group=0.0, subjects=160):
    """Group `one` is blurred more often than `other`; blur lowers scores by 0.4, the group itself by `of_group`."""
    owner = np.repeat(np.arange(subjects), IMAGES)
    group = owner % 2
    blurred = rng.random(len(owner)) < np.where(group == 1, 0.7, 0.2)
    sharp = np.where(blurred, rng.uniform(0, 1, len(owner)), rng.uniform(1, 4, len(owner)))
    noise = rng.normal(0, 0.04, subjects)[owner] + rng.normal(0, 0.04, len(owner))
    scores = scores_of(np.clip(0.9 - 0.4 * blurred - of_group * group + noise, 0, 1), owner)
    features = features_of(
        scores,
        sharpness=sharp,
        other=rng.random(len(owner)),
        more=rng.random(len(owner)),
        group=np.where(group, "one", "other"),
    )
    return scores, features, members_of(scores, "ancestry", np.where(group, "one", "other"))


def conditioned(scores, features, members):
    told = disparities.run(scores, members, bootstraps=100)
    found = causes_of(scores, features, trees=30, resamples=200).causes
    table = conditioning.run(scores, features, members, told, found, resamples=400)
    return table.set_index(["feature", "how"])


def held(scores, features, members, name, others=None):
    """As `conditioned`, with one feature held fixed, whether it is a cause or not; `others`: Members of disparities."""
    told = disparities.run(scores, members if others is None else others, bootstraps=100)
    key = dict(scores[["task", "model", "metric"]].iloc[0])
    causes = pd.DataFrame([key | {"feature": name, "claimed": True, "side": ""}])
    return conditioning.run(scores, features, members, told, causes, resamples=400).set_index(["feature", "how"])


def test_a_gap_that_blur_explains_goes_away(rng):
    table = conditioned(*world(rng))
    before = table.loc[("", "as it is")]
    assert before[["attribute", "worst", "best"]].tolist() == ["ancestry", "one", "other"]
    assert 0.15 < before["low"] < before["gap"] < before["high"] < 0.25
    for how in ("restricted", "matched", "standardised"):
        after = table.loc[("sharpness", how)]
        assert abs(after["gap"]) < 0.04 and after["low"] <= 0.02
        assert after["change"] == pytest.approx(before["gap"] - after["gap"]) and after["change_low"] > 0.1
    assert table.loc[("sharpness", "restricted"), "condition"].startswith("sharpness > ")


def test_where_lower_is_better_gaps_and_causes_are_told_the_same_way_round(rng):
    scores, features, members = world(rng)
    table = conditioned(scores.assign(metric="lpips", value=1 - scores["value"]), features, members)
    before, after = table.loc[("", "as it is")], table.loc[("sharpness", "restricted")]
    assert before["worst"] == "one" and 0.15 < before["low"] < before["gap"] < before["high"] < 0.25
    assert after["condition"].startswith("sharpness > ") and abs(after["gap"]) < 0.04


def test_a_gap_of_the_group_itself_stays(rng):
    table = conditioned(*world(rng, of_group=0.2))
    for how in ("restricted", "matched", "standardised"):
        assert table.loc[("sharpness", how), "gap"] == pytest.approx(0.2, abs=0.05)
        assert table.loc[("sharpness", how), "low"] > 0.1


def test_a_feature_that_one_group_alone_has_can_t_be_held_fixed(rng):
    scores, features, members = world(rng, of_group=0.2)
    table = conditioned(scores, features, members)
    told = table.loc[[("group", how) for how in ("matched", "standardised")]]
    assert told["note"].tolist() == ["the groups hardly share its values: in one, 0% of rows are left"] * 2
    assert told["gap"].isna().all() and (told["worst_images"] == 0).all()


def test_rows_for_which_a_feature_is_unknown_take_no_gap_away(rng):
    """The worse group's blurred pictures have no `other`, which says nothing: the gap is smaller without them."""
    scores, features, members = world(rng)
    low = (scores["value"] < 0.7) & (members["group"] == "one").to_numpy() & (rng.random(len(scores)) < 0.5)
    gone = (features["feature"] == "other") & features["image"].isin(scores.loc[low, "image"])
    table = held(scores, features[~gone], members, "other")
    before = table.loc[("", "as it is")]
    for how in ("matched", "standardised"):
        after = table.loc[("other", how)]
        assert after["worst_images"] < 0.75 * before["worst_images"] and after["gap"] < 0.8 * before["gap"]
        assert abs(after["change"]) < 0.02 and after["change_low"] < 0 < after["change_high"]


def test_a_feature_that_is_unknown_for_most_is_told_as_that(rng):
    scores, features, members = world(rng)
    known = scores["subject"].isin(sorted(set(scores["subject"]))[:40])
    features = features[(features["feature"] != "other") | features["image"].isin(scores.loc[known, "image"])]
    told = held(scores, features, members, "other").loc[[("other", how) for how in ("matched", "standardised")]]
    assert told["note"].tolist() == ["it is unknown for most of a group: known for 25% of its rows"] * 2
    assert told["gap"].isna().all()


def test_disparities_of_another_run_are_told(rng):
    scores, features, members = world(rng)
    with pytest.raises(AccordError) as caught:
        held(scores, features, members, "other", members.assign(group=members["group"].replace("one", "ones")))
    assert "disparities: names 1 group that members does not have" in str(caught.value)
    assert "ones" not in str(caught.value)


def test_a_feature_that_the_groups_are_made_of_is_left_out(rng):
    scores, features, _ = world(rng, of_group=0.2)
    group = features.loc[features["feature"] == "group", "label"]
    table = conditioned(scores, features, members_of(scores, "group", group))
    assert set(table.index.get_level_values("feature")) == {"", "sharpness"}


def test_gaps_by_hand():
    """Stratum 0: worse 0.2, 0.4, better 0.5; stratum 1: worse 0.6, better 0.8, 1.0, 0.9; stratum 2: worse only."""
    values = np.array([0.2, 0.4, 0.5, 0.6, 0.8, 1.0, 0.9, 0.0])
    worst = np.array([1, 1, 0, 1, 0, 0, 0, 1], bool)
    strata = np.array([0, 0, 0, 1, 1, 1, 1, 2])
    pair = Pair(values, np.arange(8), worst, ~worst, np.ones((3, 8), int))
    assert gap(pair)[0] == pytest.approx(0.8 - 0.3)
    figure, replicates = gap(pair, strata)
    assert figure == pytest.approx((3 * 0.2 + 4 * 0.3) / 7) and replicates == pytest.approx([figure] * 3)
    assert gap(pair, strata, of_worst=True)[0] == pytest.approx((2 * 0.2 + 1 * 0.3) / 3)
    assert shared(pair, strata).tolist() == [True] * 7 + [False]


def test_a_drawn_subject_counts_as_often_as_it_is_drawn():
    pair = Pair(np.array([0.2, 0.6, 1.0]), np.array([0, 1, 2]), np.array([1, 1, 0], bool), np.array([0, 0, 1], bool),
                np.array([[2, 1, 1], [0, 1, 3], [3, 0, 0]]))  # fmt: skip
    assert gap(pair)[1] == pytest.approx([1 - 1 / 3, 0.4, np.nan], nan_ok=True)


def test_too_few_subjects_are_told(rng):
    side = np.arange(40) < 20
    pair = Pair(rng.random(40), np.arange(40) // 2, side, ~side, np.ones((1, 20), int))
    assert why_not(pair, np.ones(40, bool), 10) == ""
    assert why_not(pair, np.arange(40) > 1, 10) == "9 subjects of a group are left, fewer than 10"


@pytest.mark.parametrize("of_worst", [False, True])
def test_intervals_of_standardised_gaps_cover_the_truth_as_often_as_they_say(rng, of_worst):
    """Two groups of 30 subjects, 3 images each; the gap is 0.1 in each of three strata, which they share unequally."""
    trials, covered = 200, 0
    owner = np.repeat(np.arange(60), IMAGES)
    worst = owner < 30
    for _ in range(trials):
        strata = np.where(rng.random(len(owner)) < 0.5, rng.integers(0, 3, len(owner)), np.where(worst, 0, 2))
        values = 0.5 + 0.1 * ~worst + 0.1 * strata + rng.normal(0, 0.1, 60)[owner] + rng.normal(0, 0.1, len(owner))
        pair = Pair(values, owner, worst, ~worst, bootstrap.weights(60, 300, rng))
        _, low, high = interval(gap(pair, strata, of_worst=of_worst)[1], 30)
        covered += low <= 0.1 <= high
    print(f"covered in {covered} of {trials}")
    assert 0.95 - 2.5 * np.sqrt(0.95 * 0.05 / trials) <= covered / trials
