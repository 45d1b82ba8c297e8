"""Disparities as a table: what a row says, and the library call on a plain table."""

import numpy as np
import pandas as pd
import pytest
from analyse_cases import members_of, plain_cohort, scores_of
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.analyse import disparities
from accord.analyse.comparing.evidence import Evidence
from accord.analyse.comparing.family import family


def biased(rng, drop, subjects=100):
    """Scores of four groups of subjects who spread alike (0.7 - 0.9), but `g2` scores `drop` lower."""
    group = np.arange(subjects) % 4
    owner = np.repeat(np.arange(subjects), 3)
    level = 0.7 + 0.2 * (np.arange(subjects) // 4) / (subjects // 4) - drop * (group == 2)
    values = np.clip(level[owner] + rng.normal(0, 0.02, len(owner)), 0, 1)
    return scores_of(values, owner), [f"g{g}" for g in group[owner]]


def only(scores, labels, **settings):
    return disparities.run(scores, members_of(scores, "x", labels), bootstraps=200, **settings).iloc[0]


def test_a_row_tells_the_pair_with_its_figures(rng):
    scores, labels = biased(rng, 0.3)
    row = only(scores, labels)
    values = scores["value"].groupby(labels)
    best = values.median().drop("g2").idxmax()
    assert (row["worst"], row["best"], row["pairs"]) == ("g2", best, 6)
    assert row["disparity"] == pytest.approx(1 - values.median()["g2"] / values.median()[best])
    assert row["worst_mean"] == pytest.approx(values.mean()["g2"])
    assert (row["worst_subjects"], row["best_subjects"]) == (25, 25)
    assert row["low"] < row["disparity"] < row["high"] and row["effect"] < 0
    assert row["significant"] and row["claimed"] and row["p_between_subjects"] < 0.05 and row["note"] == ""
    assert row["subjects_compared"] == 100


def test_a_group_of_just_enough_subjects_is_tested(rng):
    scores, labels = biased(rng, 0.3)
    assert [only(scores, labels, min_subjects=least)["pairs"] for least in (25, 26)] == [6, 0]


def test_what_differs_between_images_only_is_not_claimed(rng):
    """One subject of g2 fails in all of his hundred images: significant over images, not between subjects."""
    scores, labels = biased(rng, 0)
    spoilt = scores_of(np.full(100, 0.05), np.full(100, 2)).assign(image=[f"j{n}" for n in range(100)])
    row = only(pd.concat([scores, spoilt], ignore_index=True), [*labels, *["g2"] * 100])
    assert row["significant"] and row["worst"] == "g2" and not row["claimed"]
    assert row["note"] == "significant between images, but not between subjects after correction"


def test_groups_without_subjects_of_as_many_images_say_so(rng):
    """30 subjects with eight images fail far more often than 40 with one: told, and not claimed."""
    owner = np.append(np.arange(40), np.repeat(np.arange(40, 70), 8))
    scores = scores_of(rng.binomial(1, np.where(owner < 40, 0.95, 0.2)).astype(float), owner)
    row = only(scores, np.where(owner < 40, "g0", "g1"))
    assert row["significant"] and row["worst"] == "g1" and not row["claimed"] and np.isnan(row["p_between_subjects"])
    assert row["subjects_compared"] == 0
    assert row["note"] == "not tested between subjects: no two groups have subjects with equally many images"
    row = only(scores.assign(value=1.0), np.where(owner < 40, "g0", "g1"))
    assert row["note"].startswith("the only pair does not differ significantly; not tested between subjects: ")


def test_a_pair_without_subjects_of_as_many_images_says_so(rng):
    """g2 has subjects with one image, as g0 has, and with eight, as g1 has: the two others share none."""
    counts = np.repeat([1, 8, 1, 8], [30, 30, 15, 15])
    labels, p = np.repeat(["g0", "g1", "g2"], 30), np.repeat([0.95, 0.2, 0.6], 30)
    owner = np.repeat(np.arange(90), counts)
    row = only(scores_of(rng.binomial(1, p[owner]).astype(float), owner), labels[owner])
    assert row["subjects_compared"] == 90 and row["worst"] == "g1"
    assert row["claimed"] == (row["best"] == "g2")


def test_where_nothing_differs_the_row_says_so():
    scores = scores_of(np.tile([0.5, 0.7], 40), np.arange(80))
    row = only(scores, ["g0"] * 40 + ["g1"] * 40)
    assert (row["worst"], row["best"], row["note"]) == ("", "", "the only pair does not differ significantly")
    assert row["p_value"] == 1 and not row["significant"] and not row["claimed"]


def test_too_few_subjects_are_told():
    row = only(scores_of(np.full(15, 0.5), np.arange(15)), ["g0"] * 9 + ["g1"] * 6)
    assert row["note"] == "fewer than two groups have 10 subjects" and row["pairs"] == 0


def test_equal_medians_are_a_disparity_of_0_and_said(rng):
    """Most images of both groups score 1; a third of g2's score 0.5."""
    values = np.where((np.arange(240) % 3 == 0) & (np.arange(240) < 120), 0.5, 1.0)
    row = only(scores_of(values, np.arange(240)), ["g2"] * 120 + ["g1"] * 120)
    assert row["disparity"] == 0 and row["worst"] == "g2" and row["claimed"]
    assert "the medians are equal" in row["note"]


def test_the_claimed_pair_is_told_before_a_larger_one_that_rests_on_one_subject(rng):
    """g3's images are mostly of one subject who fails: a larger D than that of g2, but not between subjects."""
    scores, labels = biased(rng, 0.25)
    spoilt = scores_of(np.full(120, 0.05), np.full(120, 3)).assign(image=[f"j{n}" for n in range(120)])
    row = only(pd.concat([scores, spoilt], ignore_index=True), [*labels, *["g3"] * 120])
    assert row["claimed"] and row["worst"] == "g2"
    assert "D is larger for g3 and" in row["note"]


@given(st.permutations(range(4)), st.integers(0, 20))
@settings(max_examples=5, deadline=None)
def test_order_of_rows_and_names_of_groups_change_nothing(names, seed):
    scores, labels = biased(np.random.default_rng(seed), 0.1)
    found = pd.concat([members_of(scores, "x", labels), members_of(scores, "y", np.arange(300) // 3 % 3 == 0)])
    first = disparities.run(scores, found, bootstraps=100)
    shuffled = disparities.run(
        scores.sample(frac=1, random_state=1), found.sample(frac=1, random_state=2), bootstraps=100
    )
    pd.testing.assert_frame_equal(first, shuffled)
    new = {f"g{n}": f"g{name}" for n, name in enumerate(names)}
    renamed = disparities.run(scores, found.assign(group=found["group"].replace(new)), bootstraps=100)
    told = ["worst", "best", "note"]
    pd.testing.assert_frame_equal(first.drop(columns=told), renamed.drop(columns=told))
    assert renamed["worst"].tolist() == first["worst"].replace(new).tolist()


def test_a_pair_of_the_same_d_is_not_called_larger():
    """Medians 0.2 against 0.4 twice: no other D is larger than that of the claimable pair; of 0.1 against 0.4 it is."""
    proof, values = Evidence(0.01, 60, 0.01), np.repeat([0.2, 0.4, 0.4], 20)
    for worst, told in ((0.2, False), (0.1, True)):
        of = np.append(np.repeat(worst, 20), values)
        labels = np.repeat(["a", "b", "c", "d"], 20)
        made = family(("t", "m", "ar_iou"), "x", plain_cohort(of, np.arange(80), labels), 10)
        first, second = (made.pair(group, 3) for group in (0, 1))
        assert ("D is larger for a and d" in disparities._note(made, first, second, proof, 0.01)) == told
