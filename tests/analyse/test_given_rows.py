"""Rows as they are given: blank ones, empty arrays, series in another order, texts that say nan, metrics that have no
figure."""

import numpy as np
import pandas as pd
import pytest

from accord.analyse import analyse
from accord.analyse.plain.showing.figures import value
from accord.errors import AccordError

FEW = {"bootstraps": 100}


@pytest.fixture
def rows(rng):
    """200 people of two groups, four fifths of them rightly predicted."""
    y = rng.integers(0, 2, 200)
    said = np.where(rng.random(200) < 0.8, y, 1 - y)
    return pd.DataFrame({"y": y, "said": said, "sex": rng.choice(["f", "m"], 200)})


def of_arrays(y, said, sex, **more):
    return analyse(y_true=y, y_pred=said, sensitive_features=sex, **{"metrics": ["accuracy"]} | FEW | more)


def told(error) -> list[tuple[str, str]]:
    return [(one.where, one.what) for one in error.value.problems]


@pytest.mark.parametrize("turned", ["said", "sex", "both"])
@pytest.mark.parametrize("names", ["numbers", "texts"])
def test_series_whose_index_is_in_another_order_are_refused(rows, rng, turned, names):
    index = np.arange(200) if names == "numbers" else np.array([f"row{n:03d}" for n in range(200)])
    made = {name: pd.Series(rows[name].to_numpy(), index) for name in rows}
    for name in ("said", "sex") if turned == "both" else (turned,):
        made[name] = made[name].sample(frac=1, random_state=1)
    with pytest.raises(
        AccordError, match=r"y_pred.loc\[y_true.index\]|sensitive_features.loc\[y_true.index\]"
    ) as error:
        of_arrays(made["y"], made["said"], made["sex"])
    where = {"said": ["y_pred"], "sex": ["sensitive_features"], "both": ["y_pred", "sensitive_features"]}[turned]
    what = "has the index of y_true in another order: its values would go to other rows"
    assert told(error) == [(one, what) for one in where]


def test_a_table_and_a_series_of_its_rows_in_another_order_are_refused(rows):
    with pytest.raises(AccordError) as error:
        analyse(rows[["said", "sex"]], y_true=rows["y"].sample(frac=1, random_state=2), y_pred="said", **FEW)
    assert [where for where, _ in told(error)] == ["y_true"]


def test_series_that_share_a_part_of_their_labels_are_refused(rows):
    shifted = rows["said"].set_axis(range(50, 250))
    with pytest.raises(AccordError, match=r"another index than y_true, though 150 of 200 labels are the same"):
        of_arrays(rows["y"].set_axis(range(100, 300)), shifted.set_axis(range(150, 350)), rows["sex"].to_numpy())


def test_an_index_that_only_counts_rows_is_taken_in_order_and_said(rows):
    found = of_arrays(rows["y"].set_axis(range(1000, 1200)), rows["said"], rows["sex"].to_numpy())
    assert "y_pred has another index than y_true: its values were taken in the order given." in found.remarks
    right = (rows["y"] == rows["said"]).mean()
    assert found.groups.loc[0, "mean"] == pytest.approx(right)
    same = of_arrays(rows["y"], rows["said"], rows["sex"])
    assert not any("index" in one for one in same.remarks) and same.groups.loc[0, "mean"] == pytest.approx(right)


@pytest.mark.parametrize("empty", [[], np.array([]), pd.Series([], dtype=float)], ids=["list", "array", "series"])
def test_empty_arrays_are_one_clear_line(empty):
    for features in (empty, pd.DataFrame({"sex": list(empty)}), {"sex": list(empty)}):
        with pytest.raises(AccordError) as error:
            of_arrays(empty, empty, features)
        assert told(error) == [("table", "has no rows")]


@pytest.mark.parametrize("missing", ["nan", "NaN", "<NA>", "NaT"])
def test_texts_that_numpy_or_pandas_write_for_missing_values_are_no_group(rows, missing):
    sex = np.where(np.arange(200) < 20, missing, rows["sex"])
    for found in (
        of_arrays(rows["y"], rows["said"], sex.astype(str)),
        analyse(rows.assign(sex=sex), y_true="y", y_pred="said", **FEW),
    ):
        assert set(found.groups["group"]) == {"all", "f", "m"}
        assert any("20 cells that say nan: they count as missing." in one for one in found.remarks)


def test_codes_of_groups_as_texts_of_numpy_are_no_group_either(rows):
    codes = np.where(np.arange(200) < 20, np.nan, np.arange(200) % 2).astype(str)
    assert set(of_arrays(rows["y"], rows["said"], codes).groups["group"]) == {"all", "0.0", "1.0"}


@pytest.mark.parametrize("blank", [",,", '"",,""', " , ,"])
def test_rows_of_a_file_without_any_value_are_passed_over(rows, tmp_path, blank):
    file = tmp_path / "table.csv"
    lines = rows.to_csv(index=False).splitlines()
    file.write_text("\n".join([*lines[:50], blank, *lines[50:], blank, blank, ""]))
    with_blank = analyse(file, y_true="y", y_pred="said", **FEW)
    pd.testing.assert_frame_equal(with_blank.groups, analyse(rows, y_true="y", y_pred="said", **FEW).groups)


def test_a_row_with_a_value_and_no_subject_is_still_told(rows, tmp_path):
    rows = rows.assign(person=[f"p{n}" for n in range(200)])
    rows.loc[7, "person"] = ""
    rows.to_csv(tmp_path / "table.csv", index=False)
    with pytest.raises(AccordError, match=r"column 'person': 1 row\(s\) have no subject, first in rows 8"):
        analyse(tmp_path / "table.csv", y_true="y", y_pred="said", **FEW)


def test_a_metric_without_a_figure_is_a_row_with_a_reason_and_refuses_nothing(rows):
    """Nobody is predicted positive: recall and selection rate are 0, and precision isn't defined."""
    never = rows.assign(said=0)
    found = analyse(never, y_true="y", y_pred="said", metrics=["recall", "precision", "selection_rate"], **FEW)
    groups = found.groups.set_index(["metric", "group"])
    assert groups.loc[("recall", ["all", "f", "m"]), "mean"].tolist() == [0, 0, 0]
    assert groups.loc[("selection_rate", ["all", "f", "m"]), "mean"].tolist() == [0, 0, 0]
    undefined = groups.loc["precision"]
    assert undefined["mean"].isna().all() and set(undefined["note"]) == {"not defined for these rows"}
    assert undefined["subjects"].to_dict() == {"all": 200, **rows["sex"].value_counts()}
    assert "  not compared, not defined: sex: f (" in repr(found) and "precision" in found.to_html()


def test_an_empty_column_of_scores_leaves_the_others(rows):
    both = rows[["sex"]].assign(good=rows["y"] * 0.5, bad="")
    found = analyse(both, score=["good", "bad"], attributes=["sex"], **FEW)
    means = found.groups.set_index(["metric", "group"])["mean"]
    assert np.isnan(means["bad", "all"]) and means["good", "all"] == pytest.approx(rows["y"].mean() / 2)
    assert "no score" in found.groups.set_index("metric").loc["bad", "note"].iloc[0]
    with pytest.raises(AccordError, match="column 'bad': has no score"):
        analyse(both.drop(columns="good"), score="bad", attributes=["sex"], **FEW)


@pytest.mark.parametrize("metric", ["recall", "false_negative_rate"])
def test_a_truth_of_one_kind_leaves_metrics_of_the_other_undefined(rows, metric):
    found = analyse(rows.assign(y=0), y_true="y", y_pred="said", metrics=["accuracy", metric], **FEW)
    means = found.groups.set_index(["metric", "group"])["mean"]
    assert np.isnan(means[metric, "all"]) and means["accuracy", "all"] == pytest.approx((rows["said"] == 0).mean())


def test_a_metric_that_can_t_be_computed_leaves_the_others_and_says_why(rows, rng):
    three = rows.assign(y=rng.integers(0, 3, 200))
    found = analyse(three, y_true="y", y_pred="said", metrics=["accuracy", "f1", "recall", "log_loss"], **FEW)
    means = found.groups[found.groups["group"] == "all"].set_index("metric")["mean"]
    assert means.isna().to_dict() == {"accuracy": False, "f1": True, "log_loss": True, "recall": True}
    said = [one for one in found.remarks if one.startswith("metric ")]
    assert [one.partition(". It has no figure")[0] for one in said] == [
        "metric 'f1': can't be computed of all rows (ValueError)",
        "metric 'recall': needs two labels in y_true, one of them 1, but it has 3, that among them",
        "metric 'log_loss': needs y_score",
    ]


@pytest.mark.parametrize(
    ("metric", "instead"),
    [
        ("demographic_parity_difference", "metrics=['selection_rate']: `extremes` has the difference"),
        ("demographic_parity_ratio", "metrics=['selection_rate']: `extremes` has the ratio"),
        ("equalized_odds_difference", "it is the larger of their differences in `extremes`"),
        ("equalized_odds_ratio", "it is the smaller of their ratios in `extremes`"),
    ],
)
def test_metrics_that_compare_groups_are_refused_with_what_does_it_here(rows, metric, instead):
    with pytest.raises(AccordError) as error:
        analyse(rows, y_true="y", y_pred="said", metrics=["accuracy", metric], **FEW)
    (problem,) = error.value.problems
    assert problem.where == f"metric {metric!r}" and instead in problem.hint


def test_what_the_hints_say_is_what_these_metrics_are(rows):
    rates = ["selection_rate", "true_positive_rate", "false_positive_rate"]
    ends = analyse(rows, y_true="y", y_pred="said", metrics=rates, **FEW).extremes.set_index("metric")
    selected = rows.groupby("sex")["said"].mean()
    assert ends.loc["selection_rate", "difference"] == pytest.approx(selected.max() - selected.min())
    assert ends.loc["selection_rate", "ratio"] == pytest.approx(selected.min() / selected.max())
    assert ends.loc["selection_rate", "difference_low"] < ends.loc["selection_rate", "difference_high"]
    of = rows.groupby(["y", "sex"])["said"].mean().unstack()
    odds = (of.max(axis=1) - of.min(axis=1)).max()
    assert ends.loc[rates[1:], "difference"].max() == pytest.approx(odds)


def test_weights_and_control_features_are_refused_with_what_does_it_here(rows):
    with pytest.raises(AccordError) as error:
        analyse(rows, y_true="y", y_pred="said", sample_params={"w": 1}, control_features="sex", **FEW)
    hints = {one.where: one.hint for one in error.value.problems}
    assert "functools.partial" in hints["sample_params"] and "most=2" in hints["control_features"]


@pytest.mark.parametrize("number, text", [(1000.0, "1000"), (1234567.0, "1234567"), (0.5, "0.5"), (1e-5, "1e-05")])
def test_figures_print_as_people_write_them(number, text):
    assert value(number) == text


def test_rows_are_called_rows_where_no_column_tells_images_or_people(rows):
    said = repr(analyse(rows.assign(score=1000.0 + np.arange(200)), score="score", attributes=["sex"], **FEW))
    assert ", 200 rows\n" in said and "image" not in said.partition("note:")[0] and "e+03" not in said
    of_people = rows.assign(score=1.5 * rows["y"], who=np.arange(200) // 2, sex=np.repeat(["f", "m"], 100))
    assert ", 200 rows of 100 subjects\n" in repr(
        analyse(of_people, score="score", subject="who", attributes=["sex"], **FEW)
    )


def permuted(rows, index):
    shuffled = rows["sex"].set_axis(index).sample(frac=1, random_state=1)
    return rows["y"], rows["said"], shuffled


@pytest.mark.parametrize("labels", [int, str, float, "{}.0".format], ids=["int", "str", "float", "text of float"])
@pytest.mark.parametrize("form", ["map", "list", "series"])
def test_series_of_groups_in_another_order_are_refused_in_every_form(rows, form, labels):
    true, said, sex = permuted(rows, [labels(n) for n in range(200)])
    given = {"map": {"sex": sex}, "list": [rows["sex"], sex], "series": sex}[form]
    name = {"map": "sensitive_features['sex']", "list": "sensitive_features[1]", "series": "sensitive_features"}[form]
    with pytest.raises(AccordError) as error:
        analyse(y_true=true, y_pred=said, sensitive_features=given, **FEW)
    (problem,) = error.value.problems
    assert (problem.where, problem.what) == (
        name, "has the index of y_true in another order: its values would go to other rows"
    )  # fmt: skip


def test_series_of_groups_in_a_list_are_columns(rows):
    sex, age = rows["sex"], pd.Series(np.resize(["old", "young"], 200), [str(n) for n in range(200)])
    found = analyse(y_true=rows["y"], y_pred=rows["said"], sensitive_features=[sex, age], **FEW)
    assert set(found.groups["attribute"]) == {"all", "sex", "sensitive_feature_1"}
    assert not [one for one in found.remarks if "another index" in one]


def test_many_arrays_of_another_length_are_told_in_a_short_line(rows):
    with pytest.raises(AccordError) as error:
        analyse(y_true=rows["y"], y_pred=rows["said"], sensitive_features=[rows["sex"].tolist()], **FEW)
    (problem,) = error.value.problems
    assert problem.what.startswith("differ in length: y_true 200, y_pred 200, sensitive_feature_0 1, ")
    assert problem.what.endswith(" and 197 more")
