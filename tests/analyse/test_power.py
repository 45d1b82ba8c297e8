"""Power: against statsmodels, against simulation, and by hand."""

import numpy as np
import pytest
from analyse_cases import cohort_of
from scipy.stats import mannwhitneyu
from statsmodels.stats.power import TTestIndPower

from accord.analyse.robust.power import Compared, detectable, power_of
from accord.analyse.tables.robustness import Power
from accord.engine.table import check
from accord.statistics.ranking.design import every_pair
from accord.statistics.ranking.subject_means import moments

TEST = ("face_localization", "m", "ar_iou")


@pytest.mark.parametrize(("first", "second"), [(10, 10), (10, 30), (40, 25), (200, 50)])
@pytest.mark.parametrize("level", [0.05, 0.01])
def test_for_a_t_test_it_equals_statsmodels(first, second, level):
    theirs = TTestIndPower().solve_power(None, first, level, 0.8, second / first)
    assert detectable(0.3, first, second, level, efficiency=1) == pytest.approx(0.3 * theirs, rel=1e-4)


@pytest.mark.parametrize(("first", "second", "images", "level"), [(12, 40, 1, 0.05), (30, 30, 4, 0.05 / 10)])
def test_a_rank_test_of_clustered_scores_finds_it_in_eight_of_ten_cases(rng, first, second, images, level):
    """Subjects differ with sd 0.1, their images with 0.2: the means of subjects with sqrt(0.01 + 0.04 / images)."""
    runs, found = 1000, 0
    apart = detectable(np.sqrt(0.01 + 0.04 / images), first, second, level)
    for _ in range(runs):
        low, high = (
            rng.normal(0, 0.1, n) + rng.normal(0, 0.2, (images, n)).mean(axis=0) for n in (first, second)
        )  # fmt: skip
        found += mannwhitneyu(low, high + apart).pvalue < level
    print(f"found in {found} of {runs}")
    assert found / runs == pytest.approx(0.8, abs=3 * np.sqrt(0.8 * 0.2 / runs) + 0.01)


def test_moments_leave_out_the_subjects_of_both_groups(rng):
    owner, labels = np.repeat(np.arange(30), 3), rng.integers(0, 3, 90)
    cohort = cohort_of(rng.random(90), owner, labels)
    found = moments(cohort)
    for a in range(3):
        for b in range(3):
            inside = {
                g: {s: cohort.values[(owner == s) & (labels == g)] for s in set(owner[labels == g])} for g in (a, b)
            }
            means = [v.mean() for s, v in inside[a].items() if s not in inside[b]]
            assert found.counts[a, b] == (0 if a == b else len(means))
            if a != b and means:
                assert found.means[a, b] == pytest.approx(np.mean(means))
                assert found.squares[a, b] == pytest.approx(np.var(means) * len(means), abs=1e-12)


def test_each_subject_of_a_group_is_a_row_of_its_own():
    scored = every_pair(cohort_of([0.0, 1.0, 0.5, 0.7], [0, 0, 0, 1], ["a", "a", "b", "b"]))
    member = scored.design.units.member
    assert scored.means.tolist() == [0.5, 0.5, 0.7] and member.toarray().tolist() == [[1, 0], [0, 1], [0, 1]]


def of(values, labels, metric="ar_iou", images=1):
    cohort = cohort_of(np.repeat(values, images), np.repeat(np.arange(len(values)), images), np.repeat(labels, images))
    return check(power_of([Compared((*TEST[:2], metric), "a", cohort)]), Power, "power")


def test_the_table_by_hand(rng):
    values = rng.uniform(0.2, 0.8, 60)
    labels = np.repeat(["a", "b", "c"], 20)
    told = of(values, labels, images=3).set_index(["worst", "best"])
    assert told["level"].tolist() == pytest.approx([0.05 / 3] * 3) and (told["note"] == "").all()
    for (worst, best), row in told.iterrows():
        low, high = values[labels == worst], values[labels == best]
        assert row["difference"] == pytest.approx(high.mean() - low.mean()) and row["difference"] > 0
        assert row["deviation"] == pytest.approx(np.sqrt((low.var(ddof=1) + high.var(ddof=1)) / 2))
        assert row["detectable"] == pytest.approx(detectable(row["deviation"], 20, 20, 0.05 / 3))
        assert row["detectable_share"] == pytest.approx(row["detectable"] / high.mean())
        assert row["detectable_in_report"] == row["detectable"]


def test_more_that_is_compared_asks_for_larger_differences(rng):
    one = Compared(TEST, "a", cohort_of(rng.random(40), np.arange(40), np.repeat(["x", "y"], 20)))
    told = power_of([one, one._replace(attribute="b")])
    assert (told["detectable_in_report"] > told["detectable"]).all()
    assert told.loc[0, "detectable_in_report"] == pytest.approx(detectable(told.loc[0, "deviation"], 20, 20, 0.025))


def test_where_lower_is_better_the_worse_group_scores_higher():
    values, labels = np.concatenate([np.linspace(0, 0.4, 12), np.linspace(0.4, 0.9, 12)]), np.repeat(["a", "b"], 12)
    plain, turned = of(values, labels).iloc[0], of(values, labels, "lpips").iloc[0]
    assert (plain["worst"], plain["best"]) == (turned["best"], turned["worst"]) == ("a", "b")
    assert plain["difference"] == pytest.approx(turned["difference"]) and plain["difference"] == pytest.approx(0.45)


def test_what_can_t_be_said_is_told():
    same = of(np.repeat([0.5, 0.6], 12), np.repeat(["a", "b"], 12)).iloc[0]
    assert np.isnan(same["detectable"])
    assert same["note"] == "all subjects of a group have equal scores: their variance is unknown"
    rare = of([0.0] * 11 + [1.0] + [0.05] * 11 + [0.0], np.repeat(["a", "b"], 12)).iloc[0]
    assert rare["note"] == "even a group that scores 0 would not be found often enough"
    both = cohort_of([0.1, 0.9] * 12, np.repeat(np.arange(12), 2), ["a", "b"] * 12)
    told = power_of([Compared(TEST, "a", both)]).iloc[0]
    assert told["note"] == "hardly any subject is in only one of the groups" and told["worst_subjects"] == 0
    alone = cohort_of([0.1, 0.9], [0, 1], ["a", "a"])
    assert len(power_of([Compared(TEST, "a", alone)])) == 0


def test_renaming_groups_and_permuting_rows_changes_nothing(rng):
    values, labels = rng.random(50), rng.permutation(np.repeat(["a", "b"], 25))
    order = rng.permutation(50)
    plain = of(values, labels)
    for other in (of(values[order], labels[order]), of(values, np.where(labels == "a", "z", "b"))):
        for name in ("difference", "deviation", "detectable"):
            assert other[name].to_numpy() == pytest.approx(plain[name].to_numpy())


def test_only_subjects_of_as_many_images_show_a_difference(rng):
    """20 and 10 with two images, 10 and 5 with three, 10 with seven of the first alone: as 6 2/3 + 3 1/3 come to."""
    counts, labels = np.repeat([2, 2, 3, 3, 7], [20, 10, 10, 5, 10]), np.repeat([0, 1, 0, 1, 0], [20, 10, 10, 5, 10])
    owner = np.repeat(np.arange(55), counts)
    cohort = cohort_of(rng.uniform(0.2, 0.8, len(owner)), owner, labels[owner])
    assert moments(cohort).alike[0, 1] == pytest.approx(10)
    told = power_of([Compared(TEST, "a", cohort)]).iloc[0]
    plain = detectable(told["deviation"], 40, 15, 0.05)
    assert told["detectable"] == pytest.approx(plain * np.sqrt((1 / 10) / (1 / 40 + 1 / 15)))


def test_without_subjects_of_as_many_images_nothing_can_be_found(rng):
    owner = np.repeat(np.arange(40), np.repeat([1, 2], 20))
    told = power_of([Compared(TEST, "a", cohort_of(rng.random(60), owner, owner < 20))]).iloc[0]
    assert np.isnan(told["detectable"])
    assert told["note"] == "no two subjects of the two groups have equally many images"
