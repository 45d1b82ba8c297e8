"""Who is who among faces that nobody labelled, from the agreement of recognition services."""

import json
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.analyse import rapid_command
from accord.analyse.faces import curves
from accord.analyse.faces.trials import Trials
from accord.analyse.identities import accuracy, assisted, calibration, inputs, matrices, rapid_test, rules
from accord.analyse.identities.calibration import Modes, calibrated
from accord.analyse.identities.labelling import Rules
from accord.analyse.identities.matrices import complete, matrix
from accord.analyse.identities.rules import Chance, cluster_sizes
from accord.analyse.identities.service_curves import How
from accord.errors import AccordError
from accord.statistics.describing.proportions import wilson
from accord.statistics.resampling import half_unseen


def blocks(*sizes: int, within: float = 1.0, between: float = 0.0) -> np.ndarray:
    """Confidences of people with so many faces each: `within` them, and `between` them."""
    owner = np.repeat(np.arange(len(sizes)), sizes)
    made = np.where(owner[:, np.newaxis] == owner, within, between)
    np.fill_diagonal(made, 1.0)
    return made


# Singular values of blocks(n, 1, 1, ...) of ones are n, 1, 1, ...: k = 1 from n > 4 on.
@pytest.mark.parametrize(
    ("sizes", "k", "members"),
    [
        ((10, *[1] * 4), 1, 10),
        ((4, *[1] * 6), 0, None),  # 4 > 4.0 doesn't hold
        ((5, *[1] * 6), 1, 5),
        ((10, 6, *[1] * 3), 2, 10),  # 10 / 6 > 1.5 and 6 / 1 > 1.5: the largest i counts
        ((10, 10), 2, None),  # 10, 10, 0, ...: the second is followed by nothing
        ((1,) * 12, 0, None),
        ((100,), 1, 100),
        ((5, 5, 5, 1), 3, None),
    ],
)
def test_the_published_rule_counts_people(sizes, k, members):
    found = rules.published(blocks(*sizes))
    assert found.k == k
    if members:
        assert found.member.tolist() == [place < members for place in range(sum(sizes))]


def test_a_query_without_faces_or_with_one_shows_nobody():
    for rule in (rules.published, lambda one: rules.strangers(one, Chance(0, 0), 5)):
        for size in (0, 1):
            found = rule(np.eye(size))
            assert (found.k, found.member.tolist(), found.z.tolist()) == (0, [False] * size, [0.0] * size)


def test_z_is_the_first_vector_times_the_root_of_its_value():
    found = rules.published(blocks(9, 1))  # u = 1/3 on nine faces, s = 9: z = 1; the tenth: 0
    np.testing.assert_allclose(found.z, [1.0] * 9 + [0.0], atol=1e-12)


@settings(max_examples=30, deadline=None)
@given(st.integers(6, 20), st.integers(0, 8), st.integers(0, 2**31))
def test_order_of_faces_changes_nothing(own, others, seed):
    rng = np.random.default_rng(seed)
    made = np.clip(blocks(own, *[1] * others, within=0.9) + rng.normal(0, 0.05, (own + others,) * 2), 0, 1)
    made = (made + made.T) / 2
    turn = rng.permutation(len(made))
    for rule in (rules.published, lambda one: rules.strangers(one, Chance(2.0, 2.0), 5)):
        first, second = rule(made), rule(made[np.ix_(turn, turn)])
        assert first.k == second.k
        np.testing.assert_allclose(first.z[turn], second.z, atol=1e-9)


def test_many_unrelated_faces_defeat_the_published_rule_alone():
    """Sixty strangers whose scores lie about 0.3 are one person by the published rule, and nobody by the other."""
    rng = np.random.default_rng(1)
    whole = np.array([_symmetric(rng, 60, 0.3, 0.05) for _ in range(41)])
    assert rules.published(whole[0]).k == 1
    assert rules.published(whole[0]).member.all()
    assert rules.strangers(whole[0], rules.chance(whole[1:]), 5).k == 0


def _symmetric(rng: np.random.Generator, size: int, mean: float, deviation: float) -> np.ndarray:
    upper = np.triu(rng.normal(mean, deviation, (size, size)), 1)
    return upper + upper.T + np.eye(size)


def vectors(rng: np.random.Generator, counts: tuple[int, ...], strangers: int) -> tuple[np.ndarray, np.ndarray]:
    """Calibrated scores of a recogniser of 14 dimensions (strangers spread by 0.33), and whose the faces are."""
    owner = np.concatenate([np.repeat(np.arange(len(counts)), counts), 100 + np.arange(strangers)])
    centres = {one: rng.normal(size=14) for one in np.unique(owner)}
    made = np.array([centres[one] + 0.5 * rng.normal(size=14) for one in owner])
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    return np.minimum(1.25 * made @ made.T, 1), owner


@pytest.mark.parametrize(("counts", "strangers", "kept"), [((8, 7), 4, False), ((7, 7), 5, False), ((12,), 20, True),
                                                           ((20,), 60, True)])  # fmt: skip
def test_two_people_in_like_numbers_are_told_and_one_among_many_is_found(counts, strangers, kept):
    rng = np.random.default_rng(5)
    size = sum(counts) + strangers
    chance = rules.chance(np.array([vectors(rng, (), size)[0] for _ in range(40)]))
    right = []
    for _ in range(40):
        scores, owner = vectors(rng, counts, strangers)
        found = rules.strangers(scores, chance, 5)
        if found.k == 1 and found.member.sum() >= 5:
            right.append((found.member == (owner == 0)).mean())
    assert (len(right) >= 36 and np.mean(right) > 0.9) if kept else len(right) <= 2


def test_clusters_are_those_of_average_linkage_cut_at_one_half():
    assert cluster_sizes(blocks(4, 3, 1, within=0.9)).tolist() == [4, 3, 1]
    assert cluster_sizes(blocks(4, 3, within=0.9, between=0.6)).tolist() == [7]


def test_the_mixture_finds_the_means_of_two_modes():
    rng = np.random.default_rng(2)
    found = calibration.mixture(np.concatenate([rng.normal(10, 2, 3000), rng.normal(80, 5, 1000)]))
    assert found.note == ""
    assert found.low == pytest.approx(10, abs=0.2)
    assert found.high == pytest.approx(80, abs=0.5)
    assert "deviations apart" in calibration.mixture(rng.normal(0, 1, 2000)).note


def test_strangers_of_other_queries_tell_the_modes_where_own_faces_are_few():
    rng = np.random.default_rng(3)
    within = np.concatenate([rng.normal(0, 0.2, 5000), rng.normal(1, 0.1, 60)])
    found = calibration.across(within, rng.normal(0, 0.2, 5000))
    assert found.low == pytest.approx(0, abs=0.02)
    assert found.deviation == pytest.approx(0.2, abs=0.01)
    assert 0.5 < found.high < 1.05
    assert calibration.across(np.zeros(3), rng.normal(5, 0.2, 50)).note == (
        "no score within a query lies above those of strangers"
    )


@pytest.mark.parametrize("strangers", [np.zeros(100), np.repeat([0.0, 1.0], [98, 2])])
def test_scores_that_are_only_0_or_1_are_calibrated_by_the_mixture_alone(strangers):
    own = np.repeat([0.0, 1.0], [10, 90])
    assert calibration.across(own, strangers).note == calibration.EQUAL
    assert calibration.across(own * 0, strangers * 0).note == "all its scores are equal"
    found = calibration.mixture(np.concatenate([own, strangers]))
    assert (found.low, found.high, found.note) == (pytest.approx(0, abs=1e-6), pytest.approx(1, abs=1e-6), "")


@given(st.lists(st.floats(-50, 50), min_size=2, max_size=30))
def test_calibration_never_changes_an_order(scores):
    made = calibrated(np.sort(np.array(scores)), Modes(-3.0, 4.0, 1.0))
    assert (np.diff(made) >= 0).all()
    assert ((made >= 0) & (made <= 1)).all()


def test_constant_and_few_scores_have_no_scale():
    assert calibration.mixture(np.full(50, 0.5)).note == "all its scores are equal"
    assert calibration.mixture(np.arange(4.0)).note == "4 scores, fewer than the 10 of a calibration"


def test_pairs_asked_both_ways_are_averaged_and_as_few_faces_as_possible_are_left_out():
    made = matrix(3, np.array([0, 1, 0]), np.array([1, 0, 2]), np.array([0.2, 0.4, np.nan]))
    np.testing.assert_allclose(made[0, 1], 0.3)
    assert np.isnan(made[0, 2])
    whole = np.ones((6, 6))
    whole[0, 1:] = whole[1:, 0] = np.nan  # one face lacks all its scores: it alone goes
    whole[4, 5] = whole[5, 4] = np.nan
    kept = complete(whole)
    assert len(kept) == 4
    assert {1, 2, 3} <= set(kept.tolist())


@settings(max_examples=25, deadline=None)
@given(st.sets(st.tuples(st.integers(0, 7), st.integers(0, 7)).filter(lambda pair: pair[0] < pair[1]), max_size=10))
def test_no_larger_set_of_faces_is_complete(missing):
    whole = np.ones((8, 8))
    for left, right in missing:
        whole[left, right] = whole[right, left] = np.nan
    sizes = [bin(mask).count("1") for mask in range(256)
             if not any(mask >> left & 1 and mask >> right & 1 for left, right in missing)]  # fmt: skip
    kept = complete(whole)
    assert len(kept) == max(sizes)
    assert not np.isnan(whole[np.ix_(kept, kept)]).any()


@pytest.mark.parametrize("is_found", [True, False])
def test_of_many_faces_with_scattered_gaps_a_complete_set_is_found_in_bounded_work(monkeypatch, is_found):
    """A third of the pairs of 100 faces: the exact set takes far longer."""
    if not is_found:
        monkeypatch.setattr(matrices, "milp", lambda *_, **__: SimpleNamespace(x=None))
    monkeypatch.setattr(matrices, "NODES", 1)
    gaps = np.triu(np.random.default_rng(1).random((100, 100)) < 0.3, 1)
    whole = np.where(gaps | gaps.T, np.nan, 0.5)
    kept = complete(whole)
    assert len(kept) >= 9 and not np.isnan(whole[np.ix_(kept, kept)]).any()
    assert kept.tolist() == complete(whole).tolist()


def world(seed: int, queries: int = 24, worn: float = 0.45) -> tuple[inputs.Inputs, np.ndarray]:
    """Three services of queries of 14 faces, 9 to 11 of them of one person; service c is `worn` for group a."""
    rng = np.random.default_rng(seed)
    names = [f"q{query:02d}" for query in range(queries)]
    own = rng.integers(9, 12, queries)
    truth = (np.arange(14) < own[:, np.newaxis]).ravel()
    centre = np.where(truth[:, np.newaxis], np.repeat(rng.normal(size=(queries, 64)), 14, axis=0),
                      rng.normal(size=(queries * 14, 64)))  # fmt: skip
    faces = pd.DataFrame({"face": [f"{name}f{i:02d}" for name in names for i in range(14)],
                          "query": np.repeat(names, 14)})  # fmt: skip
    left, right = np.triu_indices(len(faces), 1)
    told = []
    for service in "abc":
        noise = np.full(len(faces), 0.35)
        noise[(np.arange(len(faces)) // 14) % 2 == 0] = worn if service == "c" else 0.35
        made = centre + noise[:, np.newaxis] * rng.normal(size=centre.shape)
        made /= np.linalg.norm(made, axis=1, keepdims=True)
        pairs = {"left": faces["face"].to_numpy()[left], "right": faces["face"].to_numpy()[right]}
        scores = np.einsum("pd,pd->p", made[left], made[right])
        told.append(pd.DataFrame({"service": service, "version": "1", **pairs, "score": scores, "status": ""}))
    groups = pd.DataFrame({"query": names, "attribute": "group", "group": list("ab") * (queries // 2)})
    hand = pd.DataFrame({"face": faces["face"], "label": truth.astype(int)})
    return inputs.typed(inputs.Inputs(pd.concat(told, ignore_index=True), faces, groups, hand)), truth


@pytest.fixture(scope="module")
def tested():
    given_, truth = world(3, worn=1.0)
    return given_, truth, rapid_test.run(given_, rapid_test.Settings(Rules(), How(min_queries=6, bootstraps=200)))


def test_labels_agree_with_the_truth(tested):
    given_, truth, found = tested
    some = found.identities[found.identities["service"] == "a"].set_index("face").loc[given_.faces["face"]]
    assert (some["majority"] != -1).all()
    assert (some["majority"] == truth).mean() >= 0.98
    cells = found.agreement.set_index(["hand", "estimated"])["faces"]
    assert cells.sum() == len(truth)
    assert cells[1].sum() == truth.sum()


def test_both_rules_are_held_against_hand_labels(tested):
    """Shares of the table of labels by hand and estimated; an interval by queries, wider than Wilson's."""
    _, truth, found = tested
    told = found.accuracy.set_index(["rule", "measure"])
    cells = found.agreement.set_index(["hand", "estimated"])["faces"]
    right = told.loc["published", "right"]
    assert right["share"] == (cells[1, 1] + cells[0, 0]) / cells.drop([(1, -1), (0, -1), (-1, -1)]).sum()
    assert told.loc[("published", "kept"), ["hits", "faces"]].tolist() == [cells[1, 1], truth.sum()]
    assert told.loc[("strangers", "right"), "share"] >= 0.97 and right["low"] <= right["share"] <= right["high"]


def test_faces_of_one_query_do_not_count_as_independent():
    """Of 20 queries of 10 faces, 2 are wrong altogether: as sure as of 2 of 20, not of 20 of 200. And a ceiling."""
    queries, hand = np.repeat(np.arange(20), 10), np.ones(200, int)
    wrong = np.where(queries < 2, 0, 1)
    told = {row["measure"]: row for row in accuracy.accuracy("published", wrong, hand, queries, 1000, 1)}
    low, high = wilson(0.9, 20, scipy.stats.t.ppf(0.975, 19))
    assert told["right"]["low"] == pytest.approx(low, abs=0.02) and told["right"]["high"] == pytest.approx(
        high, abs=0.02
    )
    assert told["right"]["wilson_high"] - told["right"]["wilson_low"] < (high - low) / 2
    outside = scipy.stats.norm.cdf(np.sqrt(21 / 19) * scipy.stats.t.ppf(0.025, 19))
    assert told["labelled"]["share"] == 1 == told["labelled"]["high"]
    assert 1 - told["labelled"]["low"] == pytest.approx(scipy.stats.beta.ppf(1 - outside, 0.5, 20), rel=0.1)
    [labelled, right, kept] = accuracy.accuracy("published", wrong[:10], hand[:10], queries[:10], 10, 1)
    assert np.isnan(labelled["low"]) and right["note"] == kept["note"] == "hand labels of fewer than 2 queries"


def test_the_worse_group_of_the_worst_service_is_told(tested):
    _, _, found = tested
    rates = found.curves[found.curves["fmr"] == 0.01].set_index(["service", "labels", "threshold_of", "group"])
    for of in ("own", "common"):
        annotated = rates.loc[("c", "annotated", of, "a"), "fnmr"]
        estimated = rates.loc[("c", "estimated", of, "a")]
        assert annotated > rates.loc[("c", "annotated", of, "b"), "fnmr"]
        assert estimated["low"] <= annotated <= estimated["high"]
        assert estimated["high"] - estimated["low"] > estimated["wilson_high"] - estimated["wilson_low"]


def test_fnmr_is_the_share_of_genuine_pairs_below_the_threshold(tested):
    given_, truth, found = tested
    rates = found.curves.set_index(["service", "labels", "threshold_of", "group", "fmr"])
    row = rates.loc["c", "annotated", "own", "a", 0.01]
    positive = given_.faces["face"][truth & (given_.faces["query"].str[1:].astype(int) % 2 == 0)]
    some = given_.confidences
    some = some[(some["service"] == "c") & some["left"].isin(positive) & some["right"].isin(positive)]
    same = some["left"].str[:3] == some["right"].str[:3]
    assert row["genuine"] == same.sum()
    assert row["impostor"] == (~same).sum()
    assert row["fnmr"] == pytest.approx((some.loc[same, "score"] < row["threshold"]).mean())
    assert row["reached"] == pytest.approx((some.loc[~same, "score"] >= row["threshold"]).mean())


def test_what_is_left_out_is_told_by_group_and_bounds_what_is_known():
    given_, _ = world(4)
    # Faces of two queries of group a are compared with nothing but each other: strangers to service b.
    pairs = given_.confidences
    lost = pairs["left"].str.startswith(("q00", "q02")) & (pairs["service"] == "b")
    same = pairs["left"].str[:3] == pairs["right"].str[:3]
    low = pairs.loc[(pairs["service"] == "b") & ~same, "score"].to_numpy()
    pairs.loc[lost & same, "score"] = np.resize(low, (lost & same).sum())
    found = rapid_test.run(given_, rapid_test.Settings(how=How(min_queries=6, bootstraps=50)))
    some = found.coverage[found.coverage["attribute"] == "group"].set_index(["group", "reason"])
    assert some.loc[("a", "nobody found by b"), ["queries", "faces"]].tolist() == [2, 28]
    assert some.loc[("a", "kept"), ["queries", "faces"]].tolist() == [10, 140]
    assert some.loc[("b", "kept"), ["queries", "faces"]].tolist() == [12, 168]
    rows = found.curves[(found.curves["labels"] == "estimated") & (found.curves["threshold_of"] == "own")]
    row = rows.set_index(["service", "group", "fmr"]).loc["a", "a", 0.01]
    missed, refused = 2 * 14 * 13 // 2, row["fnmr"] * row["genuine"]
    assert row["bound_low"] == pytest.approx(refused / (row["genuine"] + missed))
    assert row["bound_high"] == pytest.approx((refused + missed) / (row["genuine"] + missed))


def test_people_label_what_services_left_out_then_what_is_unclear():
    labels, z = np.array([1, -1, 0, 1, -1]), np.array([0.9, np.nan, 0.3, 0.55, np.nan])
    turn = assisted.order(labels, z, 1).tolist()
    assert set(turn[:2]) == {1, 4}
    assert turn[2:] == [3, 2, 0]
    assert assisted.helped(labels, np.array([0, 1, 1, 0, 0]), np.array(turn), 0.6).tolist() == [1, 1, 0, 0, 0]


def test_hand_labels_of_all_faces_leave_no_difference(tested):
    found = tested[2].assisted
    assert set(found["services"]) == {"a + b + c"}
    assert (found.loc[found["fraction"] == 1.0, "delta"].dropna() == 0).all()
    assert set(found["fraction"]) == set(assisted.FRACTIONS)


def test_intervals_by_queries_hold_where_pairs_share_faces():
    """Of 60 simulated tests with a known FNMR the interval by queries covers it in most, Wilson's in far fewer."""
    hits, naive, rate = 0, 0, 0.15
    for seed in range(60):
        rng = np.random.default_rng(seed)
        hard = rng.beta(0.75, 4.25, 40)  # of mean 0.15: a query is hard or easy as a whole
        owner = np.repeat(np.arange(40), 45)
        genuine = np.where(rng.random(len(owner)) < hard[owner], 0.0, 1.0)
        none = np.empty((0, 2), int)
        trials = Trials(genuine, owner, np.array([]), np.array([], int), np.array([], int), none, none)
        weights = half_unseen.weights(40, 300, rng)
        (row,) = curves.given(trials, 40, {0.01: 0.5}, weights, 6)
        hits += row["low"] <= 1 - rate <= row["high"]
        naive += row["wilson_low"] <= 1 - rate <= row["wilson_high"]
    assert hits >= 53
    assert naive < 35


def test_the_command_reads_tables_and_writes_what_it_found(tmp_path, capsys):
    given_, _ = world(6)
    paths = {name: tmp_path / f"{name}.csv" for name in ("confidences", "faces", "queries", "hand")}
    given_.confidences.drop(columns=["status"]).to_csv(paths["confidences"], index=False)
    given_.faces.to_csv(paths["faces"], index=False)
    given_.groups.rename(columns={"group": "region"})[["query", "region"]].to_csv(paths["queries"], index=False)
    given_.hand.to_csv(paths["hand"], index=False)
    argv = [
        str(paths["confidences"]),
        *(x for name in ("faces", "queries", "hand") for x in (f"--{name}", str(paths[name]))),
    ]
    assert rapid_command.main([*argv, "--bootstraps", "100", "--out", str(tmp_path / "out")]) == 0
    said = capsys.readouterr().out
    assert "24 of 24 queries kept" in said
    assert "a, FMR 0.01, region a:" in said
    assert "faces that show who was searched for" in said
    assert pd.read_csv(tmp_path / "out/curves.csv")["attribute"].isin(["all", "region"]).all()
    assert rapid_command.main([*argv, "--bootstraps", "100", "--json"]) == 0
    assert set(json.loads(capsys.readouterr().out)) == set(rapid_test.RapidTest._fields)


@pytest.mark.parametrize(
    "flags",
    [["--bootstraps", "0"], ["--bootstraps", "-3"], ["--seed", "-1"], ["--fmr", "1e-300"], ["--min-queries", "-1"],
     ["--min-faces", "0"], ["--min-positive", "1.5"]],
)  # fmt: skip
def test_numbers_that_make_no_sense_are_refused(flags, capsys):
    with pytest.raises(SystemExit):
        rapid_command.parser().parse_args(["c.csv", "--faces", "f.csv", *flags])
    assert "at least" in capsys.readouterr().err or "--fmr" in flags


def test_all_that_is_wrong_with_the_tables_is_told_at_once(tmp_path):
    texts = {
        "confidences": "service,version,left,right,score\n"
        "a,1,f1,f1,0.5\na,1,f1,f2,high\na,2,f1,f9,inf\na,1,f1,f2,0.2\n,1,f1,f2,0.2\n",
        "faces": "face,query\nf1,q1\nf2,q1\nf2,q2\nf3,\n",
        "queries": "query,region\nq1,a\nq1,b\n",
        "hand": "face,label\nf1,2\nf7,1\nf2,1\nf2,0\n",
    }
    for name, text in texts.items():
        (tmp_path / name).with_suffix(".csv").write_text(text)
    with pytest.raises(AccordError) as told:
        inputs.read(*((tmp_path / name).with_suffix(".csv") for name in texts))
    for what in (
        "compares a face with itself",
        "confidences.csv, column 'score': 2 rows, first 2, 3: is not a finite number",
        "confidences.csv, column 'service': 1 row, first 5: is empty",
        "queries.csv: 1 row, first 2: names a query of a row above",
        "hand.csv, column 'label': 1 row, first 1: is none of 1, 0, -1",
        "right: a face that no query has",
        "has the service, left and right of a row above",
        "service 'a' has 2 versions",
        "names a face of a row above",
        "has an empty cell",
        "labels a face that no query has",
        "1 row, first 4: labels a face of a row above",
    ):
        assert what in str(told.value), what


@pytest.mark.parametrize("name", ["group", "attribute", "value", "variable", "all"])
def test_an_attribute_may_have_any_name(tmp_path, name):
    """The name of an attribute is that of the user's column: `group` is the most natural of all."""
    (tmp_path / "c.csv").write_text("service,left,right,score\na,f1,f2,0.5\n")
    (tmp_path / "f.csv").write_text("face,query\nf1,q1\nf2,q2\n")
    (tmp_path / "q.csv").write_text(f"query,{name},age\nq1,x,old\nq2,,young\n")
    groups = inputs.read(tmp_path / "c.csv", tmp_path / "f.csv", tmp_path / "q.csv").groups
    told = set(map(tuple, groups[["query", "attribute", "group"]].to_numpy()))
    assert told == {("q1", name, "x"), ("q1", "age", "old"), ("q2", "age", "young")}


def test_faces_are_matched_in_any_spelling(tmp_path):
    faces = pd.DataFrame({"face": [1.0, 2.0, 3.0], "query": ["Zo\u00eb", "Zoe\u0308", "b "]})
    scores = pd.DataFrame({"service": "s", "left": ["1", "1"], "right": ["2.0", " 3"], "score": [0.5, 0.25]})
    faces.to_parquet(tmp_path / "f.parquet")
    scores.to_csv(tmp_path / "c.csv", index=False)
    found = inputs.read(tmp_path / "c.csv", tmp_path / "f.parquet")
    assert found.faces.to_numpy().tolist() == [["1", "Zo\u00eb"], ["2", "Zo\u00eb"], ["3", "b"]]
    assert found.confidences[["left", "right"]].to_numpy().tolist() == [["1", "2"], ["1", "3"]]
    pd.concat([faces, faces.assign(face=["1.0", "4", "5"])]).astype(str).to_parquet(tmp_path / "f.parquet")
    with pytest.raises(AccordError, match="first 4: names a face of a row above"):
        inputs.read(tmp_path / "c.csv", tmp_path / "f.parquet")


def test_missing_columns_and_services_without_a_scale_are_told(tmp_path):
    (tmp_path / "c.csv").write_text("service,left,score\n")
    (tmp_path / "f.csv").write_text("face\nf1\n")
    with pytest.raises(AccordError, match=r"has no column 'right'(.|\n)*has no column 'query'"):
        inputs.read(tmp_path / "c.csv", tmp_path / "f.csv")
    given_, _ = world(7, queries=2)
    given_.confidences["score"] = 0.5
    with pytest.raises(AccordError, match="service a: all its scores are equal"):
        rapid_test.run(given_)
