"""`accord analyse --fairness`: a table of a detector of fakes in, AI-Face's figures out, by group and intersection."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import accuracy_score, average_precision_score, recall_score, roc_auc_score

from accord.analyse import analyse_fairness, command
from accord.analyse.scoring.detectors import benchmark, drawn
from accord.errors import AccordError


@pytest.fixture
def faces(rng):
    """900 faces of 90 subjects; real faces of dark women are called fake more often."""
    n = 900
    gender, skin = rng.choice(["F", "M"], n), rng.choice(["dark", "light", "medium"], n)
    label = (rng.random(n) < np.where(gender == "F", 0.4, 0.6)).astype(int)
    planted = 0.25 * ((label == 0) & (gender == "F") & (skin == "dark"))
    score = np.clip(rng.beta(2, 2, n) * 0.7 + 0.3 * label + planted, 0, 1)
    return pd.DataFrame(
        {"label": label, "score": score, "gender": gender, "skin": skin, "subject": rng.integers(0, 90, n)}
        | {f"f{k}": rng.normal(size=n) for k in range(3)}
    )


def figures(found):
    return found.unfairness.set_index(["attribute", "metric"])


def of_rows(labels, said) -> pd.Series:
    """Rates of some faces, by scikit-learn."""
    right = [recall_score(labels, said, pos_label=label) for label in (1, 0)]
    return pd.Series([accuracy_score(labels, said), said.mean(), labels.mean(), *right],
                     index=["accuracy", "selected", "fakes", "tpr", "tnr"])  # fmt: skip


def test_figures_equal_scikit_learn_s_of_each_group(faces):
    found = analyse_fairness(faces, attributes=["gender", "skin"], most=2)
    faces = faces.assign(said=(faces["score"] >= 0.5).astype(int), both=faces["gender"] + " x " + faces["skin"])
    told, whole = figures(found)["value"], of_rows(faces["label"], faces["said"])
    for name, column in (("gender", "gender"), ("skin", "skin"), ("gender x skin", "both")):
        each = pd.DataFrame({group: of_rows(some["label"], some["said"]) for group, some in faces.groupby(column)}).T
        apart = each.max() - each.min()
        assert told[name, "f_oae"] == pytest.approx(apart["accuracy"])
        assert told[name, "f_dp"] == pytest.approx(apart["selected"])
        assert told[name, "f_meo"] == pytest.approx(max(apart["tpr"], apart["tnr"]))
        assert told[name, "f_eo"] == pytest.approx((each - whole)[["tpr", "tnr"]].abs().to_numpy().sum())
        assert figures(found).loc[(name, "f_dp"), "floor"] == pytest.approx(apart["fakes"])
        for group, some in faces.groupby(column):
            row = found.utility.set_index(["attribute", "group"]).loc[(name, group)]
            assert row["auc"] == pytest.approx(roc_auc_score(some["label"], some["score"]))
            assert row["ap"] == pytest.approx(average_precision_score(some["label"], some["score"]))
            assert [row["tpr"], row["fpr"]] == pytest.approx([each.loc[group, "tpr"], 1 - each.loc[group, "tnr"]])
    assert len(found.utility) == 1 + 2 + 3 + 6


def test_f_ind_is_exact_where_pairs_are_few_and_has_an_interval_where_they_are_drawn(faces):
    some = faces.head(60)
    how = {"attributes": ["gender"], "features": ["f*"], "bootstraps": 0}
    exact, sampled = (figures(analyse_fairness(some, **how, pairs=n)).loc[("all", "f_ind")] for n in (1770, 1000))
    points, score = some[["f0", "f1", "f2"]].to_numpy(), some["score"].to_numpy()
    each = [max(0, abs(score[i] - score[j]) - 0.08 * np.linalg.norm(points[i] - points[j]))
            for i in range(60) for j in range(i)]  # fmt: skip
    assert exact["value"] == pytest.approx(np.mean(each)) and np.isnan(exact["low"])
    assert exact["note"] == "1,770 pairs, all there are; distances of 3 columns"
    assert sampled["low"] < np.mean(each) < sampled["high"]


def test_intervals_draw_subjects_with_all_their_faces(faces):
    """Each face ten times is the same data: its interval is as wide if copies are one subject's, else narrower."""
    faces = faces.drop(columns="subject").assign(face=range(len(faces)))
    ten = pd.concat([faces] * 10, ignore_index=True)
    ends = [
        figures(analyse_fairness(table, attributes=["skin"], subject=subject)).loc[("skin", "f_oae")]
        for table, subject in ((faces, "face"), (ten, "face"), (ten, ""))
    ]
    width = [row["high"] - row["low"] for row in ends]
    assert len({row["value"] for row in ends}) == 1
    assert width[1] == pytest.approx(width[0], rel=1e-9) and width[2] < 0.6 * width[0]


def test_draws_of_rows_are_those_of_subjects_with_a_row_each(rng):
    cells = rng.integers(0, 8, 400)
    rows = drawn._of_rows(cells, 8, 4000, np.random.default_rng(1))
    people = drawn._of_subjects(cells, np.arange(400), 8, 4000, np.random.default_rng(2))
    assert (rows.sum(axis=1) == 400).all() and (people.sum(axis=1) == 400).all()
    np.testing.assert_allclose(rows.mean(axis=0), people.mean(axis=0), atol=0.6)
    np.testing.assert_allclose(rows.std(axis=0), people.std(axis=0), rtol=0.08)


def test_a_difference_of_0_in_every_draw_has_no_interval(faces):
    """Of a few people without an error nobody knows that there are none."""
    right = faces.assign(score=faces["label"])
    found = figures(analyse_fairness(right, attributes=["skin"], bootstraps=100)).loc[("skin", "f_oae")]
    assert found["value"] == 0 and np.isnan(found["low"]) and np.isnan(found["high"])


def test_what_can_t_be_compared_is_said(faces):
    faces.loc[faces["skin"] == "medium", "label"] = 1
    faces.loc[:9, "gender"] = ""
    found = figures(
        analyse_fairness(faces.assign(place="here"), attributes=["skin", "gender", "place"], bootstraps=100)
    )
    assert found.loc[("skin", "f_meo"), ["covered", "left_out"]].tolist() == ["dark; light", "medium"]
    assert found.loc[("skin", "f_oae"), "covered"] == "dark; light; medium"
    assert "medium" in found.loc[("skin", "f_oae"), "note"] and "medium" not in found.loc[("skin", "f_meo"), "note"]
    assert found.loc[("gender", "f_eo"), "note"] == "10 faces without a value"
    alone = found.loc[("place", "f_oae")]
    assert (
        np.isnan(alone["value"])
        and np.isnan(alone["low"])
        and alone["note"] == ("fewer than two groups can be compared")
    )


def test_an_intersection_leaves_out_whom_an_attribute_leaves_out():
    one, other = pd.Categorical(["a", "b", None, "b"]), pd.Categorical(["x", "y", "x", None])
    both = benchmark.intersected({"p": one, "q": other, "r": other}, ["p", "q"], 2)
    assert list(both) == ["p", "q", "r", "p x q"]
    assert list(both["p x q"].codes) == [0, 1, -1, -1] and list(both["p x q"].categories) == ["a x x", "b x y"]


def test_words_for_labels_and_a_table_that_stays_as_it_is(faces):
    worded = faces.assign(label=np.where(faces["label"] == 1, "fake", "real"))
    before = worded.copy()
    plain, told = (
        analyse_fairness(table, attributes=["gender"], pos_label=label, bootstraps=100)
        for table, label in ((faces, 1), (worded, "fake"))
    )
    pd.testing.assert_frame_equal(plain.unfairness, told.unfairness)
    pd.testing.assert_frame_equal(worded, before)
    assert told.remarks == ("y_true is column 'label'.", "y_score is column 'score'.", "subject is column 'subject'.")


def test_all_problems_of_a_call_are_told_at_once(faces):
    with pytest.raises(AccordError) as told:
        analyse_fairness(faces.drop(columns="label"), attributes=["skin", "hair"], crossed=["age"], most=5,
                         threshold=2, pairs=0, bootstraps=-1, features=["z*"])  # fmt: skip
    assert [(p.where, p.what) for p in told.value.problems] == [
        ("most", "is 5"), ("threshold", "is 2"), ("pairs", "is 0"), ("bootstraps", "is -1"),
        ("y_true", "no column has a usual name"), ("table", "has no column 'hair'"),
        ("features", "no column is 'z*'"), ("crossed", "'age' is not one of the attributes"),
    ]  # fmt: skip


def test_all_problems_of_the_data_are_told_at_once(faces):
    bad = faces.assign(label=faces["label"].astype(object), ids=range(len(faces)))
    bad.loc[0, "label"], bad.loc[1, "score"], bad.loc[2, "f1"], bad.loc[3, "f0"] = 2, 7.5, np.inf, np.nan
    with pytest.raises(AccordError) as told:
        analyse_fairness(bad, attributes=["ids"], features=["f*"])
    assert [(p.where, p.what) for p in told.value.problems] == [
        ("column 'label'", "has 3 different values"), ("column 'score'", "1 score(s) are not in [0, 1]"),
        ("column 'ids'", "has 900 different values"), ("column 'f0'", "has cells that are no finite numbers"),
        ("column 'f1'", "has cells that are no finite numbers"),
    ]  # fmt: skip
    with pytest.raises(AccordError, match="column 'skin': holds lists"):
        analyse_fairness(faces.assign(skin=[["a"]] * len(faces)), attributes=["skin"])
    with pytest.raises(AccordError, match="table: has no rows"):
        analyse_fairness(faces.head(0), attributes=["skin"])
    with pytest.raises(AccordError, match="none of which is the label of fakes"):
        analyse_fairness(faces, attributes=["skin"], pos_label="fake")
    with pytest.raises(AccordError, match="table: has column 'skin' more than once"):
        analyse_fairness(pd.concat([faces, faces[["skin"]]], axis=1), attributes=["skin"])


def test_the_command_prints_text_and_json_and_writes_tables(faces, tmp_path, capsys):
    file = tmp_path / "faces.csv"
    faces.to_csv(file, index=False)
    call = [str(file), "--fairness", "--attributes", "gender", "skin", "--most", "2", "--bootstraps", "100"]
    assert command.main([*call, "--out", str(tmp_path / "out")]) == 0
    told = capsys.readouterr().out
    assert "gender x skin: F_MEO" in told and "F_DP" in told and "subject is column 'subject'." in told
    written = pd.read_csv(tmp_path / "out/unfairness.csv")
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"unfairness.csv", "utility.csv"}
    assert command.main([*call, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert [row["value"] for row in shown["unfairness"]] == pytest.approx(written["value"].tolist())
    assert set(shown) == {"unfairness", "utility", "remarks"}


def test_flags_that_don_t_go_together_are_told_at_once(tmp_path):
    with pytest.raises(AccordError) as told:
        command.main(["t.csv", "--fairness", "--score", "s", "--correction", "holm"])
    assert [(p.where, p.hint) for p in told.value.problems] == [
        ("--score", "the score is --y-score"), ("--correction", "leave it out")
    ]  # fmt: skip
    with pytest.raises(AccordError, match="--threshold: is not used without --fairness"):
        command.main(["t.csv", "--threshold", "0.3"])


def test_a_group_that_forges_a_line_stays_on_its_own(faces, tmp_path, capsys):
    file = tmp_path / "faces.parquet"
    faces.assign(skin="a\nall 100").to_parquet(file)
    assert command.main([str(file), "--fairness", "--attributes", "skin", "--bootstraps", "0"]) == 0
    assert "skin: a all 100" in capsys.readouterr().out


def test_scores_of_32_bits_count_as_the_decimals_that_they_print(faces):
    faces = faces.assign(score=(faces["score"] * 10).round() / 10)
    exact = analyse_fairness(faces, attributes=["gender"], threshold=0.7, bootstraps=0)
    for kind in ("float32", "Float32", "float16"):
        found = analyse_fairness(faces.astype({"score": kind}), attributes=["gender"], threshold=0.7, bootstraps=0)
        pd.testing.assert_frame_equal(found.unfairness, exact.unfairness)


@pytest.mark.parametrize("labels", [{0: "0.0", 1: "1.0"}, {0: "False", 1: "True"}, {0: "false", 1: "TRUE"}])
def test_labels_mean_the_same_in_csv_and_in_parquet(faces, labels, tmp_path):
    how = {"attributes": ["gender"], "bootstraps": 0}
    expected = analyse_fairness(faces, **how).unfairness
    faces.assign(label=faces["label"].map(labels)).to_csv(tmp_path / "a.csv", index=False)
    pd.testing.assert_frame_equal(analyse_fairness(tmp_path / "a.csv", **how).unfairness, expected)
    typed = faces.assign(label=faces["label"] == 1)
    pd.testing.assert_frame_equal(analyse_fairness(typed, **how, pos_label="True").unfairness, expected)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"bootstraps": 1}, "give 0 (no intervals), or 100 to 100,000"),
        ({"bootstraps": 10**12}, "give 0 (no intervals), or 100 to 100,000"),
        ({"seed": -1}, "seed: is -1"),
        ({"seed": 1 << 64}, "seed: is 18446744073709551616"),
        ({"y_true": "label", "y_score": "label"}, "the truth itself"),
        ({"attributes": ["all"]}, "'all' is what all faces together are called"),
    ],
)
def test_what_can_t_be_asked_for_is_told(faces, wrong, said):
    with pytest.raises(AccordError) as error:
        analyse_fairness(faces.assign(all="all"), **{"attributes": ["gender"], **wrong})
    assert said in str(error.value)


def test_scores_that_are_the_truth_are_remarked(faces):
    found = analyse_fairness(faces.assign(score=faces["label"] * 1.0), attributes=["gender"], bootstraps=0)
    assert any("Every score is the truth itself" in remark for remark in found.remarks)


@pytest.mark.parametrize("real", [0, "real", "genuine"])
def test_of_real_faces_alone_accuracies_are_compared_and_the_rest_is_told(faces, real):
    """Casual Conversations v2 has real faces alone: whom a detector accuses more often can still be seen."""
    alone = faces[faces["label"] == 0].assign(label=real)
    found = analyse_fairness(alone, attributes=["gender"], pos_label=1 if real != "genuine" else "fake")
    right = alone.assign(right=alone["score"] < 0.5).groupby("gender")["right"].mean()
    told = figures(found).loc["gender"]
    assert told.loc["f_oae", "value"] == pytest.approx(right.max() - right.min())
    assert told.loc["f_dp", ["value", "floor"]].tolist() == pytest.approx([right.max() - right.min(), 0])
    assert told.loc[["f_meo", "f_eo"], "value"].isna().all() and set(told["note"]) >= {
        "", "fewer than two groups can be compared"}  # fmt: skip
    whole = found.utility.iloc[0]
    assert whole["accuracy"] == pytest.approx((alone["score"] < 0.5).mean()) and whole[["auc", "tpr"]].isna().all()
    assert any(remark.startswith("All faces are real: AUC, AP, EER, TPR, F_MEO and F_EO") for remark in found.remarks)


def test_of_fakes_alone_it_is_said_that_none_is_real(faces):
    found = analyse_fairness(faces[faces["label"] == 1], attributes=["gender"], bootstraps=0)
    assert any(remark.startswith("All faces are fake") for remark in found.remarks)
    assert figures(found).loc[("gender", "f_oae"), "value"] > 0


@pytest.mark.parametrize("label", ["2", "fake", "cat"])
def test_a_single_label_that_may_mean_either_is_refused(faces, label):
    with pytest.raises(AccordError, match="column 'label': has 1 different value, none of which is the label of fakes"):
        analyse_fairness(faces.assign(label=label), attributes=["gender"])


@pytest.mark.parametrize(
    ("score", "said"),
    [
        (0.3, "The detector gives every face the score 0.3"),
        (None, "At the threshold the detector calls every face real"),
    ],
)
def test_a_detector_that_tells_nothing_apart_is_remarked(faces, score, said):
    """It is perfectly fair, for it does nothing."""
    found = analyse_fairness(faces.assign(score=score or faces["score"] / 4), attributes=["gender"], bootstraps=0)
    assert figures(found).loc[("gender", "f_meo"), "value"] == 0
    assert any(remark.startswith(said) for remark in found.remarks)
    assert not any("every face" in remark for remark in analyse_fairness(faces, attributes=["gender"]).remarks)


def test_groups_and_attributes_that_would_have_one_name_are_told():
    table = pd.DataFrame({"label": [0, 1] * 4, "score": [0.1, 0.9] * 4, "b": ["q x r", "r"] * 4})
    table["a"] = ["p", "p x q"] * 4
    asked = {"y_true": "label", "y_score": "score", "most": 2, "bootstraps": 0}
    with pytest.raises(AccordError, match="groups of a x b: several are called 'p x q x r'"):
        analyse_fairness(table, attributes=["a", "b"], **asked)
    other = table.assign(a="p", b=["q", "r"] * 4, **{"a x b": "s"})
    with pytest.raises(AccordError, match="attribute 'a x b': is called as an intersection"):
        analyse_fairness(other, attributes=["a", "b", "a x b"], crossed=["a", "b"], **asked)


def test_faces_of_one_image_are_drawn_together(rng):
    """400 faces, each in an image of its own, and in 20 images: then intervals are as of 20 people."""
    light, images = np.repeat(rng.normal(0, 0.3, 20), 20), [f"{n // 20:02d}" for n in range(400)]
    table = pd.DataFrame({"y_true": rng.integers(0, 2, 400), "sex": rng.choice(["f", "m"], 400)})
    table["y_score"] = (0.5 + 0.3 * (table["y_true"] - 0.5) + light + rng.normal(0, 0.1, 400)).clip(0, 1)
    alone = analyse_fairness(table.assign(image=range(400)), attributes=["sex"], bootstraps=400)
    together = analyse_fairness(table.assign(image=images), attributes=["sex"], bootstraps=400)
    assert together.unfairness["value"].tolist() == alone.unfairness["value"].tolist()
    people = analyse_fairness(table.assign(subject=images), attributes=["sex"], bootstraps=400)
    ends = [one.unfairness[["low", "high"]].to_numpy() for one in (alone, together, people)]
    assert np.array_equal(ends[1], ends[2], equal_nan=True) and not np.array_equal(ends[0], ends[1], equal_nan=True)
    assert "image is column 'image'." in together.remarks
