"""Scores joined with a dataset that was read: by hand, and analysed."""

import dataset_cases as cases
import pandas as pd
import pytest

from accord import cli
from accord.analyse.datasets.scores import joined
from accord.analyse.tables.scores import Members
from accord.engine import table
from accord.errors import AccordError

MEMBERS = table.rows(
    [
        ("a", "x", "skin", "dark"), ("a", "y", "skin", "light"), ("a", "y", "skin", "medium"),
        ("b", "x", "skin", "dark"), ("a", "x", "gender", "female"), ("b", "x", "gender", "female"),
    ],
    Members,
)  # fmt: skip


def test_each_attribute_becomes_a_column():
    scores = pd.DataFrame({"image": ["b", "a", "a"], "subject": ["x", "y", "x"], "iou": [0.5, 0.25, 1.0]})
    assert joined(scores, MEMBERS).to_numpy().tolist() == [
        ["b", "x", 0.5, "female", "dark"],
        ["a", "y", 0.25, "", '["light", "medium"]'],
        ["a", "x", 1.0, "female", "dark"],
    ]
    assert list(joined(scores, MEMBERS, ["skin"]).columns) == ["image", "subject", "iou", "skin"]


def test_images_of_one_person_need_no_subject():
    one = MEMBERS[MEMBERS["subject"] == "x"]
    assert joined(pd.DataFrame({"image": ["b"]}), one).to_numpy().tolist() == [["b", "female", "dark"]]
    with pytest.raises(AccordError, match="have no column 'subject', but images show several people"):
        joined(pd.DataFrame({"image": ["b"]}), MEMBERS)


def test_what_can_t_be_joined():
    scores = pd.DataFrame({"image": ["a", "c", "a"], "subject": ["x", "x", "z"], "gender": 1})
    with pytest.raises(AccordError) as failure:
        joined(scores.drop(columns="image"), MEMBERS, ["age", "gender"])
    assert "3 problems" in str(failure.value)
    assert "age: is not an attribute of this dataset\n    hint: it has gender, skin" in str(failure.value)
    assert "gender: is also a column of the scores" in str(failure.value)
    with pytest.raises(AccordError, match="2 rows list images or people that are not in the dataset: 2, 3"):
        joined(scores, MEMBERS, ["skin"])


def test_ids_are_matched_in_any_spelling():
    members = table.rows([("1", "Zo\u00eb", "skin", "dark"), ("2", "x", "skin", "light")], Members)
    scores = pd.DataFrame({"image": [2.0, 1.0], "subject": ["x ", "Zoe\u0308"], "iou": [0.5, 1]}, index=[7, 3])
    found = joined(scores, members)
    assert found["skin"].tolist() == ["light", "dark"] and found["subject"].tolist() == ["x ", "Zoe\u0308"]


@pytest.mark.parametrize(("image", "how"), [("x/a", "folders"), ("A", "case"), ("a.jpg", "the ending of the file")])
def test_scores_of_which_no_image_is_known_say_how_they_are_written(image, how):
    scores = pd.DataFrame({"image": [image], "subject": ["x"]})
    what = f"no image of 1 image is in the dataset. They seem to be written differently: in {how}"
    with pytest.raises(AccordError, match=what):
        joined(scores, MEMBERS, ["skin"])


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_the_command_writes_a_table(tmp_path, capsys, suffix):
    cases.facet(tmp_path / "given")
    cli.main(["dataset", "facet", str(tmp_path / "given"), "--out", str(tmp_path / "facet")])
    scores = pd.DataFrame({"image": ["sa_1.jpg", "sa_2.jpg"], "subject": ["2", "3"], "iou": ["0.5", "1"]})
    given, out = tmp_path / f"scores.{suffix}", tmp_path / "made" / f"table.{suffix}"
    scores.to_csv(given, index=False) if suffix == "csv" else scores.to_parquet(given)
    flags = ["--attributes", "gender", "monk_tone", "--out", str(out)]
    assert cli.main(["dataset", "scores", str(tmp_path / "facet"), str(given), *flags]) == 0
    assert "2 rows, 5 columns: image, subject, iou, gender, monk_tone" in capsys.readouterr().out
    made = pd.read_csv(out, dtype=str) if suffix == "csv" else pd.read_parquet(out)
    assert made.to_numpy().tolist() == [
        ["sa_1.jpg", "2", "0.5", "unknown", '["5", "9"]'], ["sa_2.jpg", "3", "1", "male", "10"],
    ]  # fmt: skip


def test_files_that_are_none(tmp_path):
    (tmp_path / "scores.csv").write_text("picture,iou\n")
    (tmp_path / "scores.parquet").write_text("x")
    cases.ccv2(tmp_path / "given")
    cli.main(["dataset", "ccv2", str(tmp_path / "given"), "--out", str(tmp_path / "ccv2")])
    for name, what in (
        ("scores.csv", "scores.csv, line 1: lacks the columns image"),
        ("scores.parquet", "scores.parquet: is not a valid Parquet file"),
        ("none.csv", "none.csv: does not exist"),
    ):
        with pytest.raises(AccordError, match=what):
            cli.main(
                ["dataset", "scores", str(tmp_path / "ccv2"), str(tmp_path / name), "--out", str(tmp_path / "out")]
            )
    with pytest.raises(AccordError, match=r"members\.parquet: is missing"):
        cli.main(["dataset", "scores", str(tmp_path), str(tmp_path / "scores.csv"), "--out", str(tmp_path / "out")])
