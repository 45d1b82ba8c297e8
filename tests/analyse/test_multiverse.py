"""The multiverse: its tests against scipy and statsmodels, its choices by hand, and what survives."""

import numpy as np
import pandas as pd
import pytest
from analyse_cases import TEST, cohort_of, members_of, scores_of
from scipy import stats

from accord.analyse.comparing.regrouped import against_others, widened, wider
from accord.analyse.robust.multiverse import multiverse
from accord.analyse.robust.specifications import outcomes
from accord.statistics.cohort import Cohort
from accord.statistics.permuting.exchangeable import intraclass, spread
from accord.statistics.ranking.contrasts import TESTS, Contrast
from accord.statistics.ranking.design import Design, Ends, Scored, every_pair
from accord.vocabularies import SKIN_COLORS

IMAGES = 2
CHOICES = ["models", "outcome", "grouping", "min_subjects", "test", "correction"]


def said_by(name: str, cohort: Cohort) -> Contrast:
    """A test of all pairs of groups."""
    return TESTS[name](every_pair(cohort))


@pytest.mark.parametrize("name", TESTS)
def test_each_test_equals_scipy(rng, name):
    owner, labels = np.repeat(np.arange(60), IMAGES), np.repeat(rng.integers(0, 3, 60), IMAGES)
    values = np.round(rng.beta(3, 2, len(owner)), 1)
    found = said_by(name, cohort_of(values, owner, labels))
    means = values.reshape(-1, IMAGES).mean(axis=1)
    for a, b in ((0, 1), (2, 1)):
        images, subjects = ([v[k == g] for g in (a, b)] for v, k in ((values, labels), (means, labels[::IMAGES])))
        if name == "image ranks":
            p, apart = stats.mannwhitneyu(*images, method="asymptotic").pvalue, images[0].mean() - images[1].mean()
        elif name == "subject ranks":
            p, apart = stats.mannwhitneyu(*subjects, method="asymptotic").pvalue, np.subtract(*map(np.mean, subjects))
        elif name == "subject means":
            p, apart = stats.ttest_ind(*subjects, equal_var=False).pvalue, np.subtract(*map(np.mean, subjects))
        else:
            apart = np.subtract(*map(np.median, subjects))
            p = 2 * stats.norm.sf(abs(apart) / np.hypot(*map(price_bonett, subjects)))
        assert found.p[a, b] == pytest.approx(p, rel=1e-9) and found.difference[a, b] == pytest.approx(apart)
        assert found.ahead[a, b] == -found.ahead[b, a]


def price_bonett(values) -> float:
    n, ordered = len(values), sorted(values)
    c = max(1, round((n + 1) / 2 - n**0.5))
    outside = sum(stats.binom.pmf(i, n, 0.5) for i in range(c))
    return (ordered[n - c] - ordered[c - 1]) / (2 * stats.norm.ppf(1 - outside))


def test_the_error_of_a_median_by_hand():
    """Of 1 ... 10 the 2nd and 9th are 7 apart; 11 / 1024 lie below: 7 / (2 x 2.2996); the other group never varies."""
    found = said_by("subject medians", cohort_of([*range(1, 11), *[4.0] * 10], np.arange(20), np.repeat([0, 1], 10)))
    assert found.p[0, 1] == pytest.approx(2 * stats.norm.sf(1.5 / 1.5220), abs=1e-4) and found.difference[0, 1] == 1.5


@pytest.mark.parametrize("name", ["subject means", "subject medians"])
def test_groups_that_never_vary_are_equal_or_differ_for_certain(name):
    same = said_by(name, cohort_of([0.3] * 10 + [0.3] * 10 + [0.4] * 10, np.arange(30), np.repeat([0, 1, 2], 10)))
    assert same.p[0, 1] == 1 and same.p[0, 2] == 0 and same.ahead[2, 0] == 1


def uneven(rng, p=0.9):
    """100 subjects with one image, 30 with eight, right in a share p; most of the latter are of one group."""
    counts = np.repeat([1, 8], [100, 30])
    labels = ((counts == 8) ^ (rng.random(130) < 0.25)).astype(int)
    owner = np.repeat(np.arange(130), counts)
    return rng.binomial(1, p, len(owner)).astype(float), owner, labels[owner]


def test_ranks_of_subjects_are_van_elterens_where_numbers_of_images_differ(rng):
    """Each stratum's rank sum, by 1 / (its size + 1) and 1 / the spread of its means, with its exact variance."""
    values, owner, labels = uneven(rng)
    cohort = cohort_of(values, owner, labels)
    means, group = cohort.subject_means, np.array([labels[owner == s][0] for s in range(130)])
    apart = variance = 0.0
    for count, deviation in zip((1, 8), spread(np.array([1, 8]), intraclass(values, owner)), strict=True):
        ranks, inside = stats.rankdata(means[cohort.counts == count]), group[cohort.counts == count] == 0
        n, some = len(ranks), inside.sum()
        weight = 1 / (n + 1) / deviation
        apart += weight * (ranks[inside].sum() - some * ranks.mean())
        variance += weight**2 * some * (n - some) / n * ranks.var(ddof=1)
    found = said_by("subject ranks", cohort)
    assert found.p[0, 1] == pytest.approx(2 * stats.norm.sf(abs(apart) / variance**0.5))
    assert found.ahead[0, 1] == np.sign(apart) == -found.ahead[1, 0]


@pytest.mark.parametrize("name", ["subject ranks", "subject means", "subject medians"])
def test_unequal_numbers_of_images_are_no_finding(rng, name):
    p = [said_by(name, cohort_of(*uneven(rng))).p[0, 1] for _ in range(150)]
    assert np.mean(np.array(p) < 0.05) <= 0.05 + 2.5 * np.sqrt(0.05 * 0.95 / 150)


def test_outcomes_by_hand():
    values = np.array([0.0, 0.1, 0.5, 0.6, 1.0])
    told = dict(outcomes("ar_iou", values, values))
    assert told["reaches 0.5"].tolist() == [0, 1, 1, 1, 1] and told["reaches 0.75"].tolist() == [0, 0, 0, 1, 1]
    told = dict(outcomes("cosine", values, values))
    assert list(told) == ["score", "score >= 0.1", "score >= 0.5", "score >= 0.6"]
    assert [name for name, _ in outcomes("pck@0.5", np.ones(4), np.ones(4))] == ["score"]


def test_wider_groups():
    assert wider("age_group", "[50, 60)") == wider("age_group", "[60, +]") == "[50, +]"
    assert wider("pronoun x natural_skin_color", f"0. She/her/hers x {SKIN_COLORS[5]}").endswith(
        "light: Fitzpatrick I and II"
    )
    assert wider("pronoun", "0. She/her/hers") == "0. She/her/hers"
    members = pd.DataFrame({"image": ["i", "i"], "subject": "s", "attribute": "age_group"})
    members["group"] = ["[30, 40)", "[40, 50)"]
    assert widened("age_group", members)["group"].tolist() == ["[30, 50)"]


def test_against_all_others_a_group_meets_the_rest():
    cohort = cohort_of([0.1, 0.2, 0.3, 0.9], [0, 1, 2, 3], ["a", "b", "b", None])
    both = against_others(cohort)
    assert [both.values[both.rows(g)].tolist() for g in range(4)] == [[0.1], [0.2, 0.3], [0.2, 0.3], [0.1]]


@pytest.mark.parametrize("name", TESTS)
def test_each_group_against_its_other_one_is_as_in_a_table_of_all_pairs(rng, name):
    """Groups of 3 to 60 subjects with one to five images each, who may be in several; scores in tenths or not."""
    for decimals in (1, 9):
        owner = np.repeat(np.arange(60), rng.integers(1, 6, 60))
        values = np.round(rng.random(len(owner)), decimals)
        labels = [[str(g) for g in np.flatnonzero(rng.random(6) < (0.5, 0.4, 0.3, 0.2, 0.1, 0.05))] for _ in values]
        cohort = against_others(cohort_of(values, owner, labels))
        own = np.arange(len(cohort.groups) // 2)
        other = own + len(own)
        paired = TESTS[name](Scored(cohort.values, Design(cohort.subjects, cohort.member, Ends(other, own))))
        for one, every in zip(paired, said_by(name, cohort), strict=True):
            np.testing.assert_array_equal(one, every[other, own])


def table(values, owner, labels, attribute="ancestry", worst="one", best="other", **test):
    scores = scores_of(values, owner, **test)
    claimed = pd.DataFrame({**TEST, **test, "attribute": attribute, "worst": [worst], "best": [best], "claimed": True})
    return scores, members_of(scores, attribute, labels), claimed


def world(rng, gap, subjects=90):
    owner = np.repeat(np.arange(subjects), IMAGES)
    labels = np.array(["one", "other", "third"])[owner % 3]
    values = np.clip(np.round(0.7 + rng.normal(0, 0.05, len(owner)) - gap * (labels == "one"), 2), 0, 1)
    return values, owner, labels


def test_a_large_finding_survives_whatever_one_chooses(rng):
    told = multiverse(*table(*world(rng, 0.3)))
    assert len(told) == 3 * 2 * 4 * 4 * 3 and not told.duplicated(CHOICES).any()
    plain = told[(told["outcome"] == "score") & (told["min_subjects"] <= 30)]
    assert plain["holds"].all() and (plain["difference"] > 0.2).all()
    alike = told[told["outcome"] == "reaches 0.5"]
    assert set(alike["note"]) == {"all scores are equal"} and not alike["holds"].any()


def test_too_large_a_minimum_is_told(rng):
    told = multiverse(*table(*world(rng, 0.3, subjects=60)))
    small = told[told["min_subjects"] == 30]
    assert len(small) and set(small["note"]) == {"a group has fewer than 30 subjects"} and not small["holds"].any()


def test_the_report_s_own_choice_is_scipy_s_test_of_subjects(rng):
    values, owner, labels = world(rng, 0.05)
    told = multiverse(*table(values, owner, labels))
    own = told[told["changed"] == 0]
    means, group = values.reshape(-1, IMAGES).mean(axis=1), labels[::IMAGES]
    p = stats.mannwhitneyu(means[group == "one"], means[group == "other"], method="asymptotic").pvalue
    assert len(own) == 1 and own["p_value"].item() == pytest.approx(min(1, 3 * p)) and own["pairs"].item() == 3
    assert told[CHOICES].nunique().to_list() == [1, 3, 2, 4, 4, 3]
    rest = told[(told["grouping"] == "against all others") & (told["changed"] == 1)]
    p = stats.mannwhitneyu(means[group == "one"], means[group != "one"], method="asymptotic").pvalue
    assert rest["p_value"].item() == pytest.approx(min(1, 3 * p))
    assert rest[["worst_subjects", "best_subjects"]].to_numpy().tolist() == [[30, 60]]


def test_a_finding_of_two_subjects_is_seen_to_hang_on_the_mean(rng):
    """Two of thirty subjects fail altogether: means differ between groups, medians and ranks don't."""
    values, owner, labels = world(rng, 0.0)
    values[np.isin(owner, (0, 3))] = 0
    told = multiverse(*table(values, owner, labels))
    assert not told.loc[told["test"].isin(["subject medians", "subject ranks"]), "holds"].any()


def test_the_other_way_round_is_no_survival(rng):
    values, owner, labels = world(rng, 0.3)
    told = multiverse(*table(values, owner, labels, worst="other", best="one"))
    assert not told["holds"].any() and (told.loc[told["note"] == "", "difference"] <= 0).any()


def test_where_lower_is_better_all_is_turned_round(rng):
    values, owner, labels = world(rng, 0.3)
    plain, turned = (
        multiverse(*table(v, owner, labels, metric=m)) for v, m in ((values, "psnr"), (1 - values, "lpips"))
    )
    same = [name for name in CHOICES if name != "outcome"]
    both = [t[t["outcome"] == "score"].set_index(same)["difference"] for t in (plain, turned)]
    assert both[0].to_numpy() == pytest.approx(both[1].to_numpy()) and turned.loc[turned["changed"] == 0, "holds"].all()


def test_ages_that_are_merged_into_one_group_can_t_be_compared(rng):
    values, owner, _ = world(rng, 0.0)
    labels = np.array(["[30, 40)", "[40, 50)", "[60, +]"])[owner % 3]
    told = multiverse(*table(values, owner, labels, "age_group", "[30, 40)", "[40, 50)"))
    merged = told[told["grouping"] == "merged"]
    assert len(merged) and set(merged["note"]) == {"both are the same group"}


def test_models_are_taken_together_where_each_has_a_score(rng):
    values, owner, labels = world(rng, 0.2)
    scores, members, claimed = table(values, owner, labels)
    other = scores.assign(model="n", value=np.where(np.arange(len(values)) < 30, np.nan, 0.5))
    told = multiverse(pd.concat([scores, other]), members, claimed)
    assert set(told["models"]) == {"this one", "mean of 2"}
    mean = told[(told["models"] == "mean of 2") & (told["changed"] == 1)]
    assert mean["difference"].item() == pytest.approx(0.1, abs=0.02) and mean["worst_subjects"].item() == 25


def test_findings_told_together_are_those_told_alone(rng):
    """Of two models, whose mean is worked out once for both."""
    values, owner, labels = world(rng, 0.2)
    scores, members, claimed = table(values, owner, labels)
    scores = pd.concat([scores, scores.assign(model="n", value=values[::-1])])
    both = pd.concat([claimed, claimed.assign(model="n")])
    alone = [multiverse(scores, members, both[both["model"] == name]) for name in ("m", "n")]
    pd.testing.assert_frame_equal(multiverse(scores, members, both), pd.concat(alone, ignore_index=True))


def test_nothing_claimed_nothing_looked_at(rng):
    scores, members, claimed = table(*world(rng, 0.2))
    assert len(multiverse(scores, members, claimed.assign(claimed=False))) == 0


def test_rows_in_another_order_and_groups_of_other_names_change_nothing(rng):
    values, owner, labels = world(rng, 0.1)
    scores, members, claimed = table(values, owner, labels)
    plain = multiverse(scores, members, claimed)
    mixed = multiverse(scores.sample(frac=1, random_state=1), members.sample(frac=1, random_state=2), claimed)
    pd.testing.assert_frame_equal(plain, mixed)
    names = {"one": "zz", "other": "aa", "third": "mm"}
    renamed = members.assign(group=members["group"].map(names))
    told = multiverse(scores, renamed, claimed.assign(worst="zz", best="aa"))
    figures = ["difference", "p_value", "holds", "note"]
    pd.testing.assert_frame_equal(told[figures], plain[figures])


def test_a_large_family_is_compared_in_parts(rng):
    """45 groups against all others, in more than one part: as scipy says of each."""
    owner, labels = np.arange(450), np.repeat(np.arange(45), 10).astype(str)
    values = rng.random(450)
    told = multiverse(*table(values, owner, labels, worst="44", best="0"))
    row = told[(told["grouping"] == "against all others") & (told["changed"] == 1)]
    p = stats.mannwhitneyu(values[labels == "44"], values[labels != "44"], method="asymptotic").pvalue
    assert row["p_value"].item() == pytest.approx(min(1, 45 * p)) and row["pairs"].item() == 45
