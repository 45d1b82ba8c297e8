"""Direct error modelling: a planted cause is found with its direction, a planted non-cause and chance are not."""

import numpy as np
import pandas as pd
import pytest
from analyse_cases import scores_of

from accord.analyse.causes import p_values, run
from accord.analyse.explaining.condition import Condition
from accord.analyse.explaining.encoded import encoded, probes
from accord.analyse.explaining.forest import losses
from accord.analyse.explaining.tree import grow
from accord.statistics.describing.elbow import elbow
from accord.statistics.seeds import generator

IMAGES = 3


def features_of(scores, **columns):
    """A Features table: columns of floats, of labels, or of lists of labels."""
    parts = []
    for name, values in columns.items():
        key = scores[["image", "subject"]].assign(feature=name, number=np.nan, label="")
        if isinstance(values, np.ndarray) and values.dtype.kind == "f":
            parts.append(key.assign(kind="number", number=values))
        else:
            parts.append(key.assign(kind="category", label=list(values)).explode("label"))
    return pd.concat(parts, ignore_index=True)


def made(rng, subjects=80, effect=0.4):
    """Scores that blur lowers by `effect` and a hat doesn't; features of images and of subjects besides."""
    owner = np.repeat(np.arange(subjects), IMAGES)
    sharp = rng.random(len(owner))
    hat = rng.choice(["hat", "none"], subjects)[owner]
    base = 0.75 + rng.normal(0, 0.06, subjects)[owner] + rng.normal(0, 0.05, len(owner))
    scores = scores_of(np.clip(base - effect * (sharp < 0.3), 0, 1), owner)
    others = {f"other{k}": rng.random(subjects)[owner] for k in range(4)}
    return scores, features_of(scores, sharpness=sharp, hat=hat, **others)


def test_a_planted_cause_is_found_with_its_direction_and_nothing_else(rng):
    scores, features = made(rng)
    found = run(scores, features, trees=50, resamples=300)
    causes = found.causes
    assert causes.loc[causes["claimed"], "feature"].tolist() == ["sharpness"]
    cause = causes.iloc[0]
    assert cause["feature"] == "sharpness" and cause["low"] > 0.5 and cause["explained"] > 0.6
    assert cause["low"] < cause["importance"] < cause["high"] and cause["standard_error"] > 0
    assert cause["side"] == "<=" and 0.28 < cause["number"] < 0.32
    sharpness = features.loc[features["feature"] == "sharpness", "number"].to_numpy()
    low = sharpness <= cause["number"]
    assert cause["worse_mean"] == pytest.approx(scores["value"][low].mean())
    assert cause["other_mean"] == pytest.approx(scores["value"][~low].mean())
    assert cause[["worse_images", "worse_subjects"]].tolist() == [low.sum(), scores["subject"][low].nunique()]
    tree = found.tree.set_index("node")
    assert tree.loc[0, "condition"] == "" and tree.loc[0, "images"] == len(scores)
    assert tree.loc[1, "condition"] == f"sharpness <= {cause['number']:g}"
    children = tree[tree["parent"] == 0]
    assert children["images"].sum() == len(scores)


@pytest.mark.parametrize("kind", ["number", "label"])
def test_what_is_unknown_where_scores_are_low_is_no_cause_and_a_cause_that_is_is_found(rng, kind):
    owner = np.repeat(np.arange(120), IMAGES)
    blurred = rng.random(len(owner)) < 0.3
    value = np.clip(0.8 - 0.4 * blurred + rng.normal(0, 0.05, len(owner)), 0, 1)
    scores = scores_of(value, owner)
    noise, cause = rng.random(len(owner)), np.where(blurred, rng.random(len(owner)) * 0.4, 0.4 + rng.random(len(owner)))
    noise[(value < 0.6) & (rng.random(len(owner)) < 0.8)] = np.nan
    cause[(value < 0.6) & (rng.random(len(owner)) < 0.5)] = np.nan
    if kind == "label":
        noise, cause = ([[] if np.isnan(one) else [f"{one > 0.4}"] for one in of] for of in (noise, cause))
    features = features_of(scores, noise=noise, cause=cause, other=rng.random(len(owner)))
    found = run(scores, features.dropna(subset="label"), trees=30, resamples=100).causes.set_index("feature")
    assert found["claimed"].to_dict() == {"cause": True, "noise": False, "other": False}
    assert found.loc["noise", "p_value"] > 0.1 and found.loc["noise", "importance"] > 0.1


def test_a_label_is_a_cause_too(rng):
    owner = np.repeat(np.arange(60), IMAGES)
    pose = rng.choice(["frontal", "profile", "back"], len(owner))
    scores = scores_of(np.clip(0.8 - 0.5 * (pose == "back") + rng.normal(0, 0.05, len(owner)), 0, 1), owner)
    found = run(scores, features_of(scores, pose=pose, other=rng.random(len(owner))), trees=30, resamples=200)
    cause = found.causes.iloc[0]
    assert cause[["feature", "claimed", "side", "label"]].tolist() == ["pose", True, "=", "back"]
    assert "pose = back" in found.tree["condition"].tolist()


def test_where_it_is_worse_is_told_of_those_of_whom_the_feature_is_known(rng):
    owner = np.repeat(np.arange(80), IMAGES)
    pose, known = np.where(owner % 4 == 0, "back", "frontal"), owner % 5 > 0
    scores = scores_of(np.clip(0.8 - 0.4 * (pose == "back") + rng.normal(0, 0.05, len(owner)), 0, 1), owner)
    features = features_of(scores[known], pose=pose[known])
    cause = run(scores, features, trees=10, resamples=50).causes.iloc[0]
    there = known & (pose == "back" if cause["side"] == "=" else pose != cause["label"])
    assert cause[["worse_images", "worse_subjects"]].tolist() == [there.sum(), len(set(owner[there]))]
    assert cause["worse_mean"] == pytest.approx(scores["value"][there].mean())
    assert cause["other_mean"] == pytest.approx(scores["value"][known & (pose == "frontal")].mean())


def test_without_a_cause_nothing_is_claimed_beyond_the_level(rng):
    """Scores that differ between subjects, and features of subjects and of images that have nothing to do with them:
    what is claimed must at least have a p under 5%."""
    reports, subjects, wrong = 200, np.repeat(np.arange(40), IMAGES), 0
    for report in range(reports):
        if report % 20 == 0:
            coded = encoded(*made(rng, subjects=40, effect=0), 10)
        values = rng.normal(0.7, 0.1, 40)[subjects] + rng.normal(0, 0.1, len(subjects))
        wrong += p_values(coded, np.round(values, 1), subjects, 1, rng).min() < 0.05
    print(f"false causes in {wrong} of {reports} reports")
    assert wrong / reports <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / reports)


def test_without_a_cause_a_row_says_that_there_is_no_tree(rng):
    found = run(*made(rng, subjects=40, effect=0), trees=10, resamples=100)
    assert not found.causes["claimed"].any()
    assert found.tree["note"].tolist() == ["no feature is associated with the scores beyond chance"]


def test_rows_in_any_order_say_the_same(rng):
    scores, features = made(rng, subjects=40)
    mixed = [table.sample(frac=1, random_state=1) for table in (scores, features)]
    for first, second in zip(
        *(run(*some, trees=10, resamples=100) for some in ((scores, features), mixed)), strict=True
    ):
        pd.testing.assert_frame_equal(first, second)


def test_importance_is_what_scikit_learn_says_it_is(rng):
    """The held-out loss of a feature that alone matters: twice its variance, as a share of all variance."""
    owner = np.arange(900)
    x = rng.normal(size=900)
    scores = scores_of(np.zeros(900), owner)
    coded = encoded(scores, features_of(scores, x=x, y=rng.normal(size=900)), 10)
    lost = losses(coded, x, owner, 60, rng)
    assert lost.explained > 0.95
    assert lost.of.mean(axis=0) == pytest.approx([2, 0], abs=0.15)


@pytest.mark.parametrize(
    ("falling", "expected"),
    [([1, 0.9, 0.8, 0.7, 0.6, 0.01, 0, 0, 0, 0], 5), ([1, 0.02, 0.01, 0.01, 0.01, 0.01, 0.01], 4),
     ([1, 0.5, 0, -0.1], 2), ([0.0, -1.0], 0), ([1 - k / 30 for k in range(12)] + [0.1, 0, 0, 0, 0], 6)],
)  # fmt: skip
def test_four_to_six_features_come_before_the_elbow(falling, expected):
    assert elbow(np.array(falling)) == expected


def test_features_are_encoded_by_hand():
    scores = scores_of(np.zeros(6), range(6))
    table = features_of(scores, n=np.array([3.0, 1, 2, 5, 4, np.nan]), c=["a", "b", ["a", "b"], "b", "b", "rare"])
    coded = encoded(scores, table, 2)
    assert coded.names == ("c", "n") and coded.labels == ("a", "b", "")
    assert coded.matrix[:, 0].tolist() == [1, 0, 1, 0, 0, 0]
    assert coded.matrix[:, 2].tolist() == [3, 1, 2, 5, 4, 3]
    assert coded.known[:, 1].tolist() == [True] * 5 + [False]
    columns, owner = probes(coded)
    assert columns[:, 2].tolist() == [0, -4, -2, 4, 2, 0]
    assert owner.tolist() == [0, 0] + [1] * (columns.shape[1] - 2)
    assert (columns[:, 3:][5] == 0).all()


def test_leaves_have_enough_subjects(rng):
    scores, features = made(rng, subjects=40)
    coded = encoded(scores, features, 10)
    subjects = np.repeat(np.arange(40), IMAGES)
    nodes = grow(coded, np.arange(len(coded.names)), scores["value"].to_numpy(), subjects, 10)
    leaves = [node for node in nodes if node.leaf]
    assert len(leaves) > 1 and min(len(set(subjects[node.rows])) for node in leaves) >= 10
    assert np.sum([node.rows for node in leaves], axis=0).tolist() == [1] * len(subjects)


def test_conditions_and_their_opposites(rng):
    scores, features = made(rng, subjects=40)
    coded = encoded(scores, features, 10)
    for condition in (Condition("sharpness", "<=", number=0.5), Condition("hat", "=", label="hat")):
        assert (condition.holds(coded) ^ condition.opposite().holds(coded)).all()
        assert condition.opposite().opposite() == condition
    assert str(Condition("sharpness", ">", number=0.5)) == "sharpness > 0.5"
    assert str(Condition("hat", "!=", label="hat")) == "hat != hat"


@pytest.mark.parametrize(
    ("change", "why"),
    [({"value": 0.5}, "all scores are equal"), ({"subject": "s0000"}, "1 subject, fewer than 20"),
     ({"value": np.nan}, "0 subjects, fewer than 20")],
)  # fmt: skip
def test_where_nothing_can_be_told_a_row_says_why(rng, change, why):
    scores, features = made(rng, subjects=30)
    found = run(scores.assign(**change), features.assign(**{k: v for k, v in change.items() if k == "subject"}))
    assert found.causes[["feature", "note"]].to_numpy().tolist() == [["", why]]
    assert found.tree[["node", "note"]].to_numpy().tolist() == [[0, why]]


def test_without_features_a_row_says_so(rng):
    scores, features = made(rng, subjects=30)
    found = run(scores, features.iloc[:0], resamples=100)
    assert found.causes["note"].tolist() == ["no feature is known for 10 subjects"]


def test_of_many_rows_losses_are_those_of_subjects_drawn_by_lot(rng, monkeypatch):
    owner = np.repeat(np.arange(300), 2)
    x = rng.random(600)
    table = pd.DataFrame({"image": [f"i{i}" for i in range(600)], "subject": [f"s{o}" for o in owner]})
    features = pd.concat(
        [table.assign(feature=name, kind="number", label="", number=number)
         for name, number in (("cause", x), ("noise", rng.random(600)))]
    )  # fmt: skip
    coded = encoded(table, features, 10)
    whole = losses(coded, x, owner, 20, np.random.default_rng(1))
    assert whole.rows.tolist() == list(range(600))
    monkeypatch.setattr("accord.analyse.explaining.forest.ROWS", 50)
    part = losses(coded, x, owner, 20, np.random.default_rng(1))
    assert len(part.rows) == len(part.of) == 250 and (np.bincount(owner[part.rows]) % 2 == 0).all()
    assert part.of.mean(axis=0) == pytest.approx(whole.of.mean(axis=0), rel=0.3, abs=0.05)


def test_of_many_rows_intervals_are_by_draws_of_the_subjects_that_were_asked_about(rng, monkeypatch):
    monkeypatch.setattr("accord.analyse.explaining.forest.ROWS", 50)
    owner, x = np.arange(900), rng.random(900)
    scores = scores_of(np.clip(x + rng.normal(0, 0.1, 900), 0, 1), owner)
    features = features_of(scores, cause=x, noise=rng.random(900))
    cause = run(scores, features, trees=20, resamples=2000).causes.set_index("feature").loc["cause"]
    test = tuple(scores[["task", "model", "metric"]].iloc[0])
    lost = losses(encoded(scores, features, 10), scores["value"].to_numpy(), owner, 20, generator(1, "forest", *test))
    of_cause = lost.of[:, 0]
    assert len(of_cause) == 250 and cause["importance"] == pytest.approx(of_cause.mean())
    assert cause["standard_error"] == pytest.approx(of_cause.std() / 250**0.5, rel=0.07)
    assert [cause["low"], cause["high"]] == pytest.approx(
        of_cause.mean() + np.array([-1.96, 1.96]) * of_cause.std() / 250**0.5, rel=0.05
    )
