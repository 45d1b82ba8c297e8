"""Truths and predictions in place of scores: against scikit-learn, as MetricFrame's users write it."""

from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as sk

from accord.analyse import analyse
from accord.analyse.plain.outcomes.functions import of_rows
from accord.analyse.plain.outcomes.row_metrics import METRICS, Outcomes
from accord.errors import AccordError

FEW = {"bootstraps": 100}
REFERENCES = {
    "accuracy": sk.accuracy_score,
    "zero_one_loss": sk.zero_one_loss,
    "precision": sk.precision_score,
    "recall": sk.recall_score,
    "true_positive_rate": sk.recall_score,
    "true_negative_rate": partial(sk.recall_score, pos_label=0),
    "false_positive_rate": lambda true, said: 1 - sk.recall_score(true, said, pos_label=0),
    "false_negative_rate": lambda true, said: 1 - sk.recall_score(true, said),
    "selection_rate": lambda _, said: np.mean(said),
    "mean_absolute_error": sk.mean_absolute_error,
    "mean_squared_error": sk.mean_squared_error,
}


@pytest.fixture
def asked(rng):
    """300 rows with truths, predictions and scores; predictions for F are worse."""
    sex = rng.choice(["F", "M"], 300)
    true = rng.integers(0, 2, 300)
    said = np.where(rng.random(300) < np.where(sex == "F", 0.6, 0.95), true, 1 - true)
    return pd.DataFrame({"sex": sex, "true": true, "said": said, "p": np.clip(0.5 * said + rng.random(300) / 2, 0, 1)})


def means(found, attribute="sex"):
    groups = found.groups[found.groups["attribute"] == attribute]
    return {(row.metric, row.group): row.mean for row in groups.itertuples()}


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=30))
def test_the_mean_over_rows_is_scikit_learn_s_figure(pairs):
    true, said = np.array(pairs).T
    for name, reference in REFERENCES.items():
        values = METRICS[name].values(Outcomes(true.astype(object), said.astype(object), None, 1))
        known = values[~np.isnan(values)]
        if len(known):
            assert known.mean() == pytest.approx(reference(true, said)), name


def test_probabilities_are_scored_as_scikit_learn_does(asked):
    one = Outcomes(asked["true"].to_numpy(object), None, asked["p"].to_numpy(object), 1)
    for name, reference in (("brier_score_loss", sk.brier_score_loss), ("log_loss", sk.log_loss)):
        assert METRICS[name].values(one).mean() == pytest.approx(reference(asked["true"], asked["p"]))


@pytest.mark.parametrize("function", [sk.log_loss, sk.brier_score_loss])
def test_probabilities_may_be_given_as_y_pred_as_in_scikit_learn(asked, function):
    how = {"y_true": asked["true"], "y_pred": asked["p"], "sensitive_features": asked["sex"], "metrics": function}
    for metrics in (function, function.__name__):
        found = means(analyse(**how | {"metrics": metrics}, **FEW), "sex")
        for sex, some in asked.groupby("sex"):
            assert found[function.__name__, sex] == pytest.approx(function(some["true"], some["p"]))
    with pytest.raises(AccordError, match="needs probabilities from 0 to 1, but 300 of 300 values are none"):
        analyse(**how | {"y_pred": asked["p"] + 1.5}, **FEW)
    with pytest.raises(AccordError, match="needs y_score"):
        analyse(**how | {"y_pred": asked["true"].map({0: "no", 1: "yes"})}, **FEW)


def test_each_metric_has_a_reference():
    assert {*REFERENCES, "brier_score_loss", "log_loss"} == set(METRICS)


def test_arrays_are_compared_as_metric_frame_s_users_write_it(asked):
    functions = {"acc": sk.accuracy_score, "miss": lambda true, said: np.mean(true != said), "f1": sk.f1_score}
    found = analyse(
        metrics=functions, y_true=asked["true"], y_pred=asked["said"], sensitive_features=asked["sex"], **FEW
    )
    expected = {
        (name, sex): function(some["true"], some["said"])
        for name, function in functions.items() for sex, some in asked.groupby("sex")
    }  # fmt: skip
    assert means(found) == pytest.approx(expected)
    assert found.disparities.set_index("metric")["claimed"].to_dict() == {"acc": True, "miss": True}
    assert found.disparities["worst"].tolist() == ["F", "M"]  # of `miss`, nobody said that lower is better
    f1 = found.groups[(found.groups["metric"] == "f1") & (found.groups["attribute"] == "sex")]
    assert ((f1["low"] < f1["mean"]) & (f1["mean"] < f1["high"])).all()
    assert any("each row counts as a person of its own" in one for one in found.remarks)


@pytest.mark.parametrize("form", ["series", "frame", "map", "list", "array", "names"])
def test_sensitive_features_come_in_any_form(asked, form):
    features = {
        "series": asked["sex"],
        "frame": asked[["sex"]],
        "map": {"sex": asked["sex"]},
        "list": asked["sex"].tolist(),
        "array": asked[["sex"]].to_numpy(),
        "names": ["sex"],
    }
    if form == "names":
        found = analyse(asked, y_true="true", y_pred="said", sensitive_features=features[form], **FEW)
    else:
        found = analyse(y_true=asked["true"], y_pred=asked["said"], sensitive_features=features[form], **FEW)
    name = "sensitive_feature_0" if form in ("list", "array") else "sex"
    assert set(found.disparities["attribute"]) == {name}
    assert found.disparities["worst"].tolist() == ["F"]


def test_lower_is_better_of_errors_without_being_told(asked):
    table = asked.assign(true=asked["true"].map({0: "no", 1: "yes"}), said=asked["said"].map({0: "no", 1: "yes"}))
    found = analyse(
        table, y_true="true", y_pred="said", metrics=["zero_one_loss", "recall"], pos_label="yes",
        attributes=["sex"], **FEW
    )  # fmt: skip
    assert found.lower_is_better == ("zero_one_loss",)
    assert set(found.disparities["worst"]) == {"F"}


def test_truths_of_texts_and_predictions_of_numbers_are_the_same_labels(asked, tmp_path):
    asked.to_csv(tmp_path / "t.csv", index=False)
    told = {"y_true": "true", "y_pred": "said", "attributes": ["sex"], **FEW}
    mixed = asked.assign(true=asked["true"].astype(bool), said=asked["said"].astype(float))
    assert means(analyse(tmp_path / "t.csv", **told)) == means(analyse(mixed, **told)) == means(analyse(asked, **told))


def test_true_and_false_of_a_csv_are_the_truths_of_a_data_frame(asked, tmp_path):
    mixed = asked.assign(said=asked["said"].astype(bool))
    mixed.to_csv(tmp_path / "t.csv", index=False)
    told = {"y_true": "true", "y_pred": "said", "metrics": ["accuracy", "recall"], "attributes": ["sex"], **FEW}
    expected = (asked["true"] == asked["said"]).mean()
    assert means(analyse(tmp_path / "t.csv", **told), "all")["accuracy", "all"] == pytest.approx(expected)
    assert means(analyse(tmp_path / "t.csv", **told)) == means(analyse(mixed, **told)) == means(analyse(asked, **told))


def test_the_positive_label_reaches_functions_that_take_one(asked):
    table = asked.assign(true=asked["true"].map({0: "no", 1: "yes"}), said=asked["said"].map({0: "no", 1: "yes"}))
    metrics = {"f1": "f1", "no": partial(sk.f1_score, pos_label="no")}
    found = analyse(table, y_true="true", y_pred="said", metrics=metrics, pos_label="yes", attributes=["sex"], **FEW)
    told = means(found, "all")
    assert told["f1", "all"] == pytest.approx(sk.f1_score(asked["true"], asked["said"]))
    assert told["no", "all"] == pytest.approx(sk.f1_score(asked["true"], asked["said"], pos_label=0))


@pytest.mark.parametrize("labels", [{0: "zero", 1: "one"}, {0: "a", 1: "b"}, {0: 0, 1: 1}])
def test_scores_are_of_the_positive_label_wherever_it_is_sorted(asked, labels):
    """scikit-learn's roc_auc_score takes the label that is sorted last; others are told which it is."""
    metrics = ["roc_auc", "average_precision", "brier_score_loss"]
    table = asked.assign(true=asked["true"].map(labels))
    found = analyse(table, y_true="true", y_score="p", metrics=metrics, pos_label=labels[1], attributes=["sex"], **FEW)
    told = means(found, "all")
    for name, of in zip(metrics, (sk.roc_auc_score, sk.average_precision_score, sk.brier_score_loss), strict=True):
        assert told[name, "all"] == pytest.approx(of(asked["true"], asked["p"]))


def test_a_model_that_is_always_wrong_is_no_mix_up_of_labels(asked):
    told = {"y_true": [0] * 300, "y_pred": [1] * 300, "sensitive_features": asked["sex"], **FEW}
    assert set(means(analyse(**told)).values()) == {0}
    apart = analyse(**told | {"y_pred": np.arange(300) / 300 + 0.001, "metrics": "mean_absolute_error"})
    assert set(apart.groups["metric"]) == {"mean_absolute_error"}


def test_the_area_under_the_curve_takes_scores_and_skips_what_is_missing(asked):
    table = asked.assign(p=asked["p"].where(asked.index % 7 > 0))
    found = analyse(table, y_true="true", y_pred="said", y_score="p", metrics="roc_auc", attributes=["sex"], **FEW)
    known = table.dropna()
    expected = {("roc_auc", sex): sk.roc_auc_score(some["true"], some["p"]) for sex, some in known.groupby("sex")}
    assert means(found) == pytest.approx(expected)
    assert found.disparities.empty
    assert "not tested, since it is a figure of a whole group" in repr(found)


def test_a_group_with_one_class_has_no_area_under_the_curve(asked):
    table = asked.assign(true=asked["true"].where(asked["sex"] == "M", 1))
    found = analyse(table, y_true="true", y_score="p", metrics="roc_auc", attributes=["sex"], **FEW)
    row = found.groups[found.groups["group"] == "F"].iloc[0]
    assert np.isnan(row["mean"]) and row["note"] == "not defined for these rows"
    assert "not compared, not defined: sex: F" in repr(found) and "too few" not in repr(found)
    page = found.to_html()
    assert "F (sex, not defined)" in page and "too few people" not in page


def test_of_zeros_and_ones_the_summary_has_means(asked):
    mostly = asked["sex"].map({"F": 0, "M": 1}).where(asked.index % 5 > 0, 1 - asked["sex"].map({"F": 0, "M": 1}))
    found = analyse(asked.assign(right=mostly), score=["right"], attributes=["sex"], **FEW)
    told = means(found)
    expected = f"F {told['right', 'F']:.3g}", f"M {told['right', 'M']:.3g}"
    line = next(one for one in repr(found).splitlines() if "sex: worst" in one)
    assert all(one in line for one in expected) and "median" not in repr(found)
    alike = analyse(asked.assign(right=(asked["true"] == asked["said"])), score="right", attributes=["sex"], **FEW)
    assert "sex: worst" in repr(alike) and "median" not in repr(alike)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=3, max_size=40))
def test_a_function_is_a_mean_over_rows_only_if_it_is(pairs):
    true, said = np.array(pairs).T
    each = of_rows(sk.mean_squared_error, true, said)
    assert each is not None and each.tolist() == ((true - said) ** 2).tolist()
    spread = of_rows(lambda a, b: float(np.std(a - b)), true, said)
    assert spread is None or set(true - said) == {0} or len(set(true - said)) == 1


def test_several_models_have_each_their_figures(asked):
    both = pd.concat([asked.assign(net="a"), asked.assign(net="b", said=asked["true"])])
    both["who"] = [*range(300)] * 2
    found = analyse(
        both, y_true="true", y_pred="said", metrics=["accuracy", "f1"], subject="who", model="net",
        attributes=["sex"], **FEW
    )  # fmt: skip
    whole = found.groups[found.groups["attribute"] == "all"].set_index(["model", "metric"])["mean"]
    assert whole["b", "accuracy"] == whole["b", "f1"] == 1
    assert whole["a", "f1"] == pytest.approx(sk.f1_score(asked["true"], asked["said"]))


@pytest.mark.parametrize(
    ("how", "what"),
    [
        ({"metrics": "acuracy"}, r"'acuracy' is not a metric \(did you mean 'accuracy'\?\)"),
        ({"metrics": "brier_score_loss"}, "metric 'brier_score_loss': needs y_score"),
        (
            {"metrics": "recall", "pos_label": "yes"},
            "needs two labels in y_true, one of them 'yes', but it has 2 others",
        ),
        ({"metrics": {"sex": "recall"}}, "metric 'sex': is also a column"),
        ({"metrics": "mean_absolute_error", "y_true": list("ab") * 150}, "needs numbers in y_true and y_pred"),
        ({"metrics": 3}, "metric 'int': is neither a name nor a function"),
        ({"metrics": "f1", "y_true": [0, 1, 2] * 100}, r"metric 'f1': can't be computed of all rows \(ValueError\)"),
        (
            {"y_pred": "p"},
            r"y_pred: has no label that y_true has: y_true has 2 whole numbers, y_pred numbers with(.|\n)*--y-score",
        ),
        ({"y_pred": list("mf") * 150}, "y_true has 2 whole numbers, y_pred 2 texts(.|\n)*the same way in both columns"),
        ({"y_true": [[0, 1]] * 300}, "y_true: has several columns"),
        ({"score": "p"}, "y_true: is given with a score"),
        ({"y_pred": None}, "y_true: truths and predictions come together"),
        ({"y_true": [1, 0]}, "table: has 300 rows, but the arrays have 2 values"),
        ({"y_true": "said"}, "column 'said': is given twice"),
    ],
)
def test_what_can_t_be_computed_is_said(asked, how, what):
    told = {"y_true": "true", "y_pred": "said", "attributes": ["sex"], **FEW, **how}
    with pytest.raises(AccordError, match=what):
        analyse(asked, **told)


def test_nothing_given_and_arrays_of_different_length_are_said():
    with pytest.raises(AccordError, match="table: is missing"):
        analyse()
    with pytest.raises(AccordError, match="arrays: differ in length: y_true 2, y_pred 3"):
        analyse(y_true=[0, 1], y_pred=[0, 1, 1])
    with pytest.raises(AccordError, match="metrics: are of truths and predictions"):
        analyse(pd.DataFrame({"score": [0.5] * 4, "g": list("aabb")}), metrics="recall")


def test_the_page_for_metric_frame_s_users_says_what_works(asked):
    """Its second example, and the places of its table where figures are said to be."""
    text = (Path(__file__).parents[2] / "docs/metricframe.md").read_text()
    example = text.split("```python\n")[2].split("```")[0].replace('found.report("groups.html")', "found.report")
    people = asked.assign(race=np.arange(300) % 2, id=range(300))
    told = {
        "metrics": {"accuracy": sk.accuracy_score},
        "y": asked["true"],
        "predicted": asked["said"],
        "people": people,
    }
    exec(example, told)  # noqa: S102
    found = told["found"]
    by_group = found.groups.pivot(index=["attribute", "group"], columns="metric", values="mean")
    for sex, some in asked.groupby("sex"):
        assert by_group.loc[("sex", sex), "accuracy"] == pytest.approx((some["true"] == some["said"]).mean())
    assert {"difference", "ratio", "worst_mean", "best_mean"} <= set(found.extremes.columns)
