"""Simpson reversals: a planted one is told with its figures, and what is not sure is not told."""

import numpy as np
import pytest
from analyse_cases import cohort_of, members_of, scores_of
from hypothesis import given, settings
from hypothesis import strategies as st
from test_causes import features_of

from accord.analyse.explaining.fixed import SHARED, Pair, gap, interval, why_not
from accord.analyse.robust.power import Compared
from accord.analyse.robust.reversals import reversals
from accord.analyse.robust.strata_gaps import StrataGaps
from accord.statistics import cohort as cohorts
from accord.statistics.resampling import bootstrap

IMAGES = 3


def world(rng, of_group, share=(0.8, 0.2), subjects=160, **test):
    """Group `one` is dark more often (`share`); dark lowers scores by 0.4, the group raises them by `of_group`."""
    owner = np.repeat(np.arange(subjects), IMAGES)
    one = owner % 2 == 1
    dark = rng.random(len(owner)) < np.where(one, *share)
    noise = rng.normal(0, 0.03, subjects)[owner] + rng.normal(0, 0.03, len(owner))
    scores = scores_of(0.7 - 0.4 * dark + of_group * one + noise, owner, **test)
    features = features_of(
        scores,
        light=np.where(dark, "dark", "bright"),
        chance=rng.random(len(owner)),
        ancestry=np.where(one, "one", "other"),
    )
    return scores, features, members_of(scores, "ancestry", np.where(one, "one", "other")), dark, one


def two_peaks(rng, of_group, share=(0.8, 0.2), subjects=160):
    """The same with light as a number of two peaks; group `one` is better in each by `of_group`."""
    scores, _, members, dark, _ = world(rng, of_group, share, subjects)
    light = np.where(dark, rng.normal(60, 12, len(dark)), rng.normal(180, 15, len(dark)))
    return scores, features_of(scores, light=light, chance=rng.random(len(dark))), members


def told(scores, features, members, least=10):
    found = dict(cohorts.tests(scores))
    compared = [
        Compared(test, name, cohorts.cohort(some, groups))
        for test, some in found.items() for name, groups in members.groupby("attribute")
    ]  # fmt: skip
    return reversals(compared, found, features, resamples=500, min_subjects=least, seed=1)


def test_a_planted_reversal_is_told_with_its_figures(rng):
    scores, features, members, dark, one = world(rng, 0.1)
    row = told(scores, features, members).iloc[0]
    values = scores["value"].to_numpy()
    apart = values[~one].mean() - values[one].mean()
    each = [values[~one & s].mean() - values[one & s].mean() for s in (dark, ~dark)]
    assert row[["worst", "best", "feature", "strata", "reversed_strata"]].tolist() == ["one", "other", "light", 2, 2]
    assert row["gap"] == pytest.approx(apart) and row["low"] > 0.05
    assert row["within"] == pytest.approx(np.average(each, weights=[dark.sum(), (~dark).sum()]))
    assert row["within"] == pytest.approx(-0.1, abs=0.02) and row["within_high"] < -0.05
    assert row["looked_at"] == 2 and row["claimed"] and row["p_value"] < 0.001


def test_where_lower_is_better_the_same_reversal_is_told(rng):
    scores, features, members, *_ = world(rng, 0.1, metric="lpips")
    plain = told(scores.assign(metric="psnr"), features, members).iloc[0]
    row = told(scores.assign(value=1 - scores["value"]), features, members).iloc[0]
    assert row[["worst", "best", "feature"]].tolist() == ["one", "other", "light"]
    assert row[["gap", "within"]].tolist() == pytest.approx(plain[["gap", "within"]].tolist())


@pytest.mark.parametrize(("of_group", "share"), [(0.05, (0.8, 0.2)), (0.05, (0.7, 0.3)), (0.1, (0.9, 0.1))])
def test_a_reversal_within_the_peaks_of_a_number_is_told(rng, of_group, share):
    found = told(*two_peaks(rng, of_group, share))
    row = found[found["claimed"]].iloc[0]
    assert row[["worst", "best", "feature"]].tolist() == ["one", "other", "light"]
    assert row["gap"] > 0.05 and row["within"] == pytest.approx(-of_group, abs=0.025)


def test_what_two_peaks_explain_is_no_reversal(rng):
    """The gap over all is the light's alone: 6 tables."""
    assert sum(told(*two_peaks(rng, 0.0))["claimed"].sum() for _ in range(6)) <= 1


@pytest.mark.parametrize("of_group", [-0.1, 0.0])
def test_what_keeps_its_sign_or_goes_away_is_no_reversal(rng, of_group):
    assert len(told(*world(rng, of_group)[:3])) == 0


def test_a_group_that_hardly_shares_the_feature_is_not_told(rng):
    assert len(told(*world(rng, 0.1, share=(0.98, 0.02))[:3])) == 0


def test_a_reversal_of_few_subjects_is_not_told(rng):
    scores, features, members, *_ = world(rng, 0.1, subjects=30)
    assert len(told(scores, features, members, least=20)) == 0


def test_chance_claims_no_reversals(rng):
    """Nothing goes with anything: 12 tables of three groups and two features."""
    claimed = 0
    for _ in range(12):
        owner = np.repeat(np.arange(60), IMAGES)
        scores = scores_of(rng.random(60)[owner] + rng.normal(0, 0.1, len(owner)), owner, metric="psnr")
        features = features_of(scores, a=rng.integers(0, 3, len(owner)).astype(str), b=rng.random(len(owner)))
        claimed += told(scores, features, members_of(scores, "g", owner % 3))["claimed"].sum()
    assert claimed == 0


def test_rows_in_another_order_change_nothing(rng):
    scores, features, members, *_ = world(rng, 0.1)
    plain = told(scores, features, members)
    mixed = (table.sample(frac=1, random_state=3) for table in (scores, features, members))
    assert plain.equals(told(*mixed))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([1, -1]), st.sampled_from([2, 5]))
def test_gaps_by_groups_are_those_of_each_pair_alone(seed, sign, least):
    """40 subjects with up to three images in three groups that overlap, and a feature of four values or unknown."""
    rng = np.random.default_rng(seed)
    owner = np.repeat(np.arange(40), rng.integers(1, 4, 40))
    n = len(owner)
    labels = [[str(g) for g in np.flatnonzero(rng.random(3) < 0.5)] for _ in range(n)]
    strata, known = rng.integers(0, 4, n), rng.random(n) < 0.9
    cohort = cohort_of(np.round(rng.random(n), 1) + 0.3 * sign * (strata > 1), owner, labels)
    drawn = bootstrap.weights(40, 100, rng)
    kept, plain = (StrataGaps(cohort, strata, known, sign, times) for times in (bootstrap.turned(drawn), drawn))
    for worst, best in ((0, 1), (1, 0), (2, 1)):
        sides = [cohort.member[:, [group]].toarray().ravel() > 0 for group in (worst, best)]
        whole = Pair(sign * cohort.values, cohort.subjects, *sides, drawn)
        inside = known & np.isin(strata, strata[known & sides[0]]) & np.isin(strata, strata[known & sides[1]])
        part = whole.only(inside)
        figure, replicates = gap(part, strata[inside])
        assert kept.gaps(np.array([[worst, best]]))[0] == pytest.approx(figure, nan_ok=True)
        sure = not why_not(whole, inside, least, SHARED) and interval(replicates, min(part.counts()))[2] < 0
        assert kept.is_reversed(worst, best, least) == plain.is_reversed(worst, best, least) == sure
