"""Columns that nobody named: what they are taken for, and that it is said."""

import numpy as np
import pandas as pd
import pytest

from accord.analyse import analyse
from accord.analyse.plain import ages, names
from accord.errors import AccordError

FEW = {"bootstraps": 100}


@pytest.fixture
def table(rng):
    """90 people; a score, a truth, an outcome under another name, an age, a measurement, ids, groups as codes."""
    right = rng.integers(0, 2, 90)
    return pd.DataFrame(
        {
            "person_id": [f"p{n}" for n in range(90)],
            "file": [f"{n}.jpg" for n in range(90)],
            "correct": right,
            "verdict": np.where(right, "hit", "miss"),
            "true_label": rng.choice(["cat", "dog"], 90),
            "age": rng.integers(18, 90, 90),
            "sharpness": rng.random(90),
            "name": [f"n{n}" for n in range(90)],
            "site": rng.choice([1, 2, 3], 90),
            "light": rng.choice(["sun", "lamp"], 90),
            "empty": "",
        }
    )


@pytest.mark.parametrize("form", ["frame", "csv"])
def test_outcomes_ids_and_measurements_are_no_groups_and_that_is_said(table, tmp_path, form):
    table.to_csv(tmp_path / "t.csv", index=False)
    found = analyse(table if form == "frame" else tmp_path / "t.csv", **FEW)
    assert set(found.disparities["attribute"]) == {"age", "site", "light"}
    assert set(found.groups["metric"]) == {"correct"} and found.groups["subjects"].max() == 90
    said = {one.split()[0].strip("'"): one for one in found.remarks}
    assert said["Columns"] == (
        "Columns recognised by name: scores in 'correct', people in 'person_id' and images in 'file'."
    )
    assert {"verdict", "true_label"} == {name for name, one in said.items() if "looks like an outcome" in one}
    assert "holds measurements" in said["sharpness"] and "90 different values" in said["name"]
    assert "is empty" in said["empty"] and "holds ages in years, which were binned: under 18, 18-29" in said["age"]
    assert len(said) == 7


def test_scores_in_words_are_told_without_a_word_of_them(table):
    worded = np.where(table["correct"], "good", "bad")
    with pytest.raises(AccordError) as error:
        analyse(table.drop(columns=["true_label", "correct"]).assign(score=worded), **FEW)
    _, said, hint = str(error.value).splitlines()
    assert said == "  - score: no column is given" and "good" not in hint
    assert hint.endswith(
        "'score' is named like scores, but no finite number is in 90 of its 90 filled cells, so it is not read as such"
    )


@pytest.mark.parametrize("strange, cells", [(["nan", "inf", "SECRET"], 3), (["n/a"] * 8, 8), ([""] * 4 + ["?"], 1)])
def test_cells_that_keep_a_column_from_being_scores_are_counted(table, strange, cells):
    scores = [*strange, *["0.5"] * (90 - len(strange))]
    with pytest.raises(AccordError) as error:
        analyse(table.drop(columns=["true_label", "correct"]).assign(score=scores), **FEW)
    filled = 90 - strange.count("")
    assert f"no finite number is in {cells} of its {filled} filled cells" in str(error.value)
    assert "SECRET" not in str(error.value) and "Leave cells empty where there is no score" in str(error.value)


def test_what_is_named_is_compared_whatever_it_looks_like(table):
    found = analyse(table, attributes=["true_label", "verdict"], **FEW)
    assert set(found.disparities["attribute"]) == {"true_label", "verdict"}
    assert not any("looks like" in one for one in found.remarks)


def test_ages_are_binned_where_they_are_named_too(table):
    found = analyse(table, attributes=["age"], **FEW)
    expected = pd.cut(table["age"], [0, 18, 30, 40, 50, 60, 121], right=False, labels=ages.LABELS).value_counts()
    told = found.groups[found.groups["attribute"] == "age"].set_index("group")["images"]
    assert told.to_dict() == expected[expected > 0].to_dict()


@pytest.mark.parametrize(
    ("numbers", "raw"), [(range(9, 40), True), (range(5), False), ([*range(18, 60), 400], False), ([], False)]
)
def test_codes_of_groups_and_years_of_birth_are_not_ages(numbers, raw):
    assert ages.is_raw(pd.Series(list(numbers), dtype=float)) is raw


def test_ages_at_the_ends_of_groups():
    found = ages.binned(pd.Series([0, 17.9, 18, 29, 30, 59, 60, 120, np.nan]))
    assert found.tolist() == [
        "under 18",
        "under 18",
        "18-29",
        "18-29",
        "30-39",
        "50-59",
        "60 and over",
        "60 and over",
        "",
    ]


def test_truths_and_predictions_are_told_by_their_names(table):
    said = table.rename(columns={"true_label": "label"}).drop(columns=["correct", "verdict"])
    found = analyse(said.assign(prediction=said["label"]), **FEW)
    assert found.groups.iloc[0][["metric", "mean"]].tolist() == ["accuracy", 1.0]
    assert "y_true in 'label', y_pred in 'prediction'" in found.remarks[0]


def test_an_error_by_its_name_is_better_where_lower(table):
    found = analyse(table.rename(columns={"correct": "error"}).drop(columns=["verdict"]), **FEW)
    assert found.lower_is_better == ("error",)
    assert "lower is better for 'error'" in found.remarks[0]


def test_without_a_score_or_a_group_it_is_said_what_was_left_out(table):
    with pytest.raises(AccordError, match="name a column of scores, or y_true and y_pred"):
        analyse(table[["person_id", "site"]])
    with pytest.raises(AccordError, match=r"no column is left for attributes(.|\n)*'true_label' looks like an outcome"):
        analyse(table[["person_id", "correct", "true_label"]])


@pytest.mark.parametrize(
    ("name", "plain"), [("imageID", "image_id"), ("Image-ID", "image_id"), (" pck@0.5 ", "pck@0.5"), (3, "3")]
)
def test_names_are_read_whatever_their_spelling(name, plain):
    assert names.plain(name) == plain


def test_few_rows_that_agree_are_no_outcome():
    few = pd.DataFrame({"score": [0.5, 0.7], "group": ["a", "b"]})
    assert set(analyse(few, **FEW).groups["attribute"]) == {"all", "group"}


def test_spellings_of_one_group_and_columns_with_one_value_are_told(table):
    """They made groups of their own, or nothing, without a word."""
    some = table.assign(light=np.resize(["sun", "Sun", "lamp ", "lamp", "shade"], 90), day="2026-03-01", city="x")
    remarks = analyse(some, **FEW).remarks
    (spelled,) = (one for one in remarks if "differ from another only" in one)
    assert "'light' has 1 group in several spellings, such as 'lamp ' and 'lamp': each counts as one group." in remarks
    assert spelled.startswith("'light' has 2 groups ") and "shade" not in spelled
    assert "'day' and 'city' have one value each, so nothing is compared by them." in remarks
    assert not [one for one in analyse(table, **FEW).remarks if "differ from another" in one or "one value" in one]


@pytest.mark.parametrize("strange, told", [([-1] * 5 + [999] * 5, True), ([20, 30] * 5, False)])
def test_codes_among_ages_are_told_as_the_reason(strange, told):
    """-1 and 999 often mean that nobody knows: else the ages would be binned."""
    years = [*strange, *(18 + n % 60 for n in range(110))]
    people = pd.DataFrame({"score": np.linspace(0, 1, 120), "age": years, "g": ["a", "b"] * 60})
    said = " ".join(analyse(people, **FEW).remarks)
    assert ("'age' has 10 values below 0 or above 120" in said) == told
    assert ("which were binned" in said) != told
