"""The benchmark: whom a model serves worst and best, and which intersections do worse than all their parts."""

import numpy as np
import pandas as pd
import pytest
from analyse_cases import members_of, scores_of
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from accord.analyse import extremes
from accord.analyse.comparing.family import disparity
from accord.analyse.comparing.intersections import Marks, crossings
from accord.analyse.comparing.nested import Parts, nested
from accord.analyse.tables.benchmark import ends
from accord.statistics.testing.correction import corrected

HOW = {"bootstraps": 200}


def people(rng, subjects=240, images=2, metric="m"):
    """Scores of subjects around 0.7, and three attributes of theirs: x of three groups, y and z of two."""
    owner = np.repeat(np.arange(subjects), images)
    groups = {"x": rng.integers(0, 3, subjects), "y": rng.integers(0, 2, subjects), "z": rng.integers(0, 2, subjects)}
    values = np.round(rng.normal(0.7, 0.05, subjects)[owner] + rng.normal(0, 0.05, len(owner)), 2)
    return scores_of(values, owner, metric=metric), {name: labels[owner] for name, labels in groups.items()}


def together(scores, groups):
    return pd.concat([members_of(scores, name, [f"{name}{n}" for n in labels]) for name, labels in groups.items()])


def test_worst_and_best_as_pandas_and_scipy_say(rng):
    scores, groups = people(rng)
    scores["value"] -= 0.05 * (groups["x"] == 1)
    row = extremes.run(scores, together(scores, groups), **HOW).extremes.set_index("attribute").loc["x"]
    of = {name: some["value"] for name, some in scores.groupby([f"x{n}" for n in groups["x"]])}
    medians = pd.Series({name: some.median() for name, some in of.items()})
    worst, best = medians.idxmin(), medians.idxmax()
    assert (row["worst"], row["best"], row["groups"], row["too_small"], row["parts"]) == (worst, best, 3, 0, 1)
    assert row["worst_median"] == medians[worst] and row["best_mean"] == pytest.approx(of[best].mean())
    assert row["disparity"] == pytest.approx(disparity(medians[worst], medians[best]))
    assert row["low"] < row["disparity"] < row["high"]
    assert row["difference"] == pytest.approx(of[best].mean() - of[worst].mean())
    assert row["ratio"] == pytest.approx(of[worst].mean() / of[best].mean())
    assert row["p_value"] == pytest.approx(3 * stats.mannwhitneyu(of[worst], of[best]).pvalue) and row["significant"]
    assert row["worst_images"] == len(of[worst]) and row["effect"] < 0
    assert row["worst_subjects"] == scores.loc[of[worst].index, "subject"].nunique()
    assert row["worst_low"] < row["worst_mean"] < row["worst_high"]


@given(st.lists(st.lists(st.integers(0, 4), min_size=1, max_size=9), min_size=2, max_size=4), st.booleans())
@settings(max_examples=30, deadline=None)
def test_the_worst_is_never_ahead_by_the_figure_that_is_printed(scores, lower):
    """Ranked by median, the worst can have the better mean: what is told beside it is what it was ranked by."""
    values, labels = np.concatenate(scores) / 4, np.repeat(np.arange(len(scores)), list(map(len, scores)))
    made = scores_of(values, np.arange(len(values)), metric="m")
    how = {"min_subjects": 1, "bootstraps": 10, "lower_is_better": ["m"] if lower else []}
    row = ends(extremes.run(made, members_of(made, "x", [f"x{n}" for n in labels]), **how).extremes).iloc[0]
    statistic = {"median": np.median, "mean": np.mean}[row["by"]]
    every = sorted((statistic(values[labels == g]) for g in range(len(scores))), reverse=lower)
    assert (row["worst"], row["best"]) == pytest.approx((every[0], every[-1]))
    assert row["apart"] == pytest.approx(abs(every[-1] - every[0]))


def test_extremes_are_told_where_nothing_is_significant():
    scores = scores_of(np.tile([0.4, 0.5, 0.6, 0.5], 20), np.arange(80))
    row = extremes.run(scores, members_of(scores, "x", ["a", "b", "a", "b"] * 20), **HOW).extremes.iloc[0]
    assert not row["significant"] and {row["worst"], row["best"]} == {"a", "b"} and row["disparity"] == 0


def test_groups_too_small_are_counted(rng):
    scores, groups = people(rng, subjects=40)
    groups = {"x": np.where(np.arange(80) < 18, 0, np.where(np.arange(80) < 30, 1, 2))}
    row = extremes.run(scores, together(scores, groups), **HOW).extremes.iloc[0]
    assert (row["groups"], row["too_small"], row["worst"]) == (1, 2, "")
    assert row["note"] == "fewer than two groups have 10 subjects" and np.isnan(row["p_value"])


def test_groups_without_a_score_are_counted_as_too_small(rng):
    """Of the six groups of x and y together, the images of two get no score from this model."""
    scores, groups = people(rng)
    scored = groups["x"] > 0
    found = extremes.run(scores[scored], together(scores, {n: groups[n] for n in "xy"}), most=2, **HOW).extremes
    counted = found.set_index("attribute")[["groups", "too_small"]]
    assert counted.loc["x"].tolist() == [2, 1] and counted.loc["x x y"].tolist() == [4, 2]


def test_intersections_are_of_the_chosen_attributes_in_their_order(rng):
    scores, groups = people(rng)
    found = extremes.run(scores, together(scores, groups), crossed=["z", "x"], most=4, **HOW)
    assert set(found.extremes["attribute"]) == {"x", "y", "z", "z x x"}
    assert found.intersections["looked_at"].tolist() == [6]
    row = found.extremes.set_index("attribute").loc["z x x"]
    assert row["parts"] == 2 and row["groups"] == 6 and row["worst"][0] == row["best"][0] == "z"


def planted(rng, metric="m", sign=1):
    scores, groups = people(rng, metric=metric)
    scores["value"] -= sign * 0.2 * ((groups["x"] == 1) & (groups["y"] == 0))
    return scores, groups


def test_an_intersection_that_is_worse_than_its_parts_is_found_alone(rng):
    scores, groups = planted(rng)
    found = extremes.run(scores, together(scores, groups), most=3, **HOW).intersections
    assert found["group"].tolist() == ["x1 x y0"]
    row, values = found.iloc[0], scores["value"].to_numpy()
    inner = (groups["x"] == 1) & (groups["y"] == 0)
    parts = {"x1": values[groups["x"] == 1].mean(), "y0": values[groups["y"] == 0].mean()}
    assert row["worst_part"] == min(parts, key=parts.get) and row["part_attribute"] == row["worst_part"][0]
    assert row["mean"] == pytest.approx(values[inner].mean())
    assert row["part_mean"] == pytest.approx(min(parts.values()))
    assert row["gap"] == pytest.approx(min(parts.values()) - values[inner].mean())
    assert 0 < row["low"] < row["gap"] < row["high"] and row["p_value"] < 0.001
    assert (row["images"], row["subjects"]) == (inner.sum(), scores["subject"][inner].nunique())
    assert row["looked_at"] == 6 + 6 + 4 + 12 and row["untested"] == 0


def test_what_only_inherits_from_a_part_is_not_told(rng):
    scores, groups = people(rng)
    scores["value"] -= 0.2 * (groups["x"] == 1)
    row = extremes.run(scores, together(scores, groups), most=3, **HOW).intersections.iloc[0]
    assert row["group"] == "" and row["looked_at"] == 28 and row["p_value"] > 0.05
    assert row["note"] == "no intersection does worse than each of its parts beyond chance"


def test_one_subject_of_many_images_is_no_evidence(rng):
    """Sixty images of a single subject fail: between images a clear thing, between subjects nothing."""
    scores, groups = people(rng)
    first = scores["subject"].iloc[np.flatnonzero((groups["x"] == 1) & (groups["y"] == 0))[0]]
    row = scores.index[scores["subject"] == first][0]
    more = pd.concat([scores.iloc[[row]].assign(image=f"more{n}", value=0.0) for n in range(60)])
    groups = {name: np.concatenate([labels, np.repeat(labels[row], 60)]) for name, labels in groups.items()}
    scores = pd.concat([scores, more], ignore_index=True)
    found = extremes.run(scores, together(scores, groups), most=2, **HOW)
    assert found.extremes.set_index("attribute").loc["x x y", "worst"] == "x1 x y0"
    assert found.intersections["group"].tolist() == [""]


def test_an_intersection_that_is_all_of_a_part_can_t_be_tested(rng):
    scores, groups = people(rng)
    groups = {"x": groups["x"], "same": groups["x"]}
    scores["value"] -= 0.1 * (groups["x"] == 1)
    row = extremes.run(scores, together(scores, groups), most=2, **HOW).intersections.iloc[0]
    assert row["group"] == "" and row["looked_at"] + row["untested"] == 3


def test_where_lower_is_better_all_is_turned_round(rng):
    scores, groups = planted(rng, metric="lpips", sign=-1)
    found = extremes.run(scores, together(scores, groups), most=2, **HOW)
    assert found.intersections["group"].tolist() == ["x1 x y0"] and found.intersections.loc[0, "gap"] > 0.05
    assert found.intersections.loc[0, "low"] > 0
    row = found.extremes.set_index("attribute").loc["x x y"]
    assert row["worst"] == "x1 x y0" and row["worst_median"] > row["best_median"] and row["difference"] > 0.1
    assert row["disparity"] == pytest.approx(1 - row["best_median"] / row["worst_median"]) and row["effect"] < 0


def test_without_any_bias_few_tables_name_an_intersection(rng):
    """100 tables of 120 subjects who differ: 22 intersections each, at most 5% of tables name one."""
    named = 0
    for _ in range(100):
        owner = np.repeat(np.arange(120), 2)
        codes = [rng.integers(0, k, 120)[owner] for k in (3, 2, 2)]
        singles = [
            Marks((name,), np.arange(240), code, np.arange(code.max() + 1)[:, np.newaxis], (("g0", "g1", "g2"),))
            for name, code in zip("xyz", codes, strict=True)
        ]
        values = np.round(rng.normal(0.7, 0.1, 120)[owner] + rng.normal(0, 0.05, 240), 1)
        parts = Parts(singles, values, owner, 5)
        p = [p for marks in crossings(singles, 3) if len(marks.attributes) > 1 for p, _ in nested(marks, parts)]
        tested = np.array(p)[~np.isnan(p)]
        named += corrected(tested, "bonferroni").min() < 0.05
        assert len(tested) > 10
    print(f"an intersection is named in {named} of 100 tables")
    assert named / 100 <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 100)


def test_unequal_numbers_of_images_name_no_intersection(rng):
    """Everyone is right in 90%, with eight images if x and y are 0, mostly with one else: 60 tables."""
    named = 0
    for _ in range(60):
        x, y = rng.integers(0, 2, 160), rng.integers(0, 2, 160)
        counts = np.where(rng.random(160) < np.where((x == 0) & (y == 0), 0.1, 0.8), 1, 8)
        owner = np.repeat(np.arange(160), counts)
        rows = np.arange(len(owner))
        singles = [
            Marks((name,), rows, code[owner], np.arange(2)[:, np.newaxis], (("g0", "g1"),))
            for name, code in (("x", x), ("y", y))
        ]
        parts = Parts(singles, rng.binomial(1, 0.9, len(owner)).astype(float), owner, 5)
        p = [p for marks in crossings(singles, 2) if len(marks.attributes) > 1 for p, _ in nested(marks, parts)]
        named += np.nanmin(p) * len(p) < 0.05
    assert named / 60 <= 0.05 + 2.5 * np.sqrt(0.05 * 0.95 / 60)


def test_an_intersection_without_subjects_of_as_many_images_is_untested(rng):
    """Whom it describes have four images, all others two: even where it clearly does worse."""
    scores, groups = planted(rng)
    inner = (groups["x"] == 1) & (groups["y"] == 0)
    more = scores[inner].assign(image="more" + scores.loc[inner, "image"])
    groups = {name: np.append(labels, labels[inner]) for name, labels in groups.items() if name != "z"}
    scores = pd.concat([scores, more], ignore_index=True)
    row = extremes.run(scores, together(scores, groups), most=2, **HOW).intersections.iloc[0]
    assert row["group"] == "" and row["untested"] == 1


@given(st.permutations(range(3)), st.integers(0, 5))
@settings(max_examples=4, deadline=None)
def test_order_of_rows_and_names_of_groups_change_nothing(names, seed):
    scores, groups = planted(np.random.default_rng(seed))
    held = together(scores, groups)
    first = extremes.run(scores, held, most=2, **HOW)
    shuffled = extremes.run(
        scores.sample(frac=1, random_state=seed), held.sample(frac=1, random_state=1), most=2, **HOW
    )
    for one, other in zip(first, shuffled, strict=True):
        pd.testing.assert_frame_equal(one, other)
    new = {f"x{n}": f"x{name}" for n, name in enumerate(names)}
    renamed = extremes.run(scores, held.assign(group=held["group"].replace(new)), most=2, **HOW)
    figures = ["attribute", "worst_mean", "best_mean", "worst_low", "disparity", "low", "p_value", "effect"]
    pd.testing.assert_frame_equal(first.extremes[figures], renamed.extremes[figures])
    figures = ["attribute", "mean", "gap", "low", "high", "p_value", "looked_at"]
    pd.testing.assert_frame_equal(first.intersections[figures], renamed.intersections[figures])


def test_draws_of_a_test_are_not_kept_till_all_are_done(rng, monkeypatch):
    tests = [people(rng, subjects=40, metric=metric) for metric in ("m", "n")]
    members, asked = together(*tests[0]), []
    told = extremes._told
    monkeypatch.setattr(extremes, "_told", lambda against, *how: asked.extend(against) or told(against, *how))
    extremes.run(pd.concat([scores for scores, _ in tests]), members, **HOW)
    assert [case.drawn.size for case, _ in asked] == [0, 0]
