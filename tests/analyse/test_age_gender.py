"""Age and gender of videos, and precision by every averaging: by hand, and against scikit-learn."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import precision_score

from accord.analyse.casual import predictions
from accord.analyse.casual.averages import accuracy, averages, precision
from accord.analyse.casual.cells import How
from accord.analyse.casual.precision import precisions
from accord.analyse.casual.published import Published
from accord.analyse.casual.tables import FramePredictions, VideoLooks
from accord.analyse.casual.video_looks import NO_FACE, NO_TRUTH, NOT_ASKED, OUTSIDE, video_looks
from accord.engine.table import rows
from accord.errors import AccordError
from accord.vocabularies import age_range

ALWAYS = How(1, 100, 1)


def frames_of(*said) -> pd.DataFrame:
    """Frames of one model: (video, gender, score, age)."""
    return rows([("m", *row) for row in said], FramePredictions)


def truth_of(*known) -> pd.DataFrame:
    return pd.DataFrame(known, columns=["video", "subject", "gender", "age_range"])


def told(frames, truth) -> dict[tuple[str, str], tuple]:
    found = video_looks(frames, truth)
    return {(row.attribute, row.video): (row.value, row.right, row.note) for row in found.itertuples()}


def test_a_video_s_gender_is_the_mode_and_its_age_the_median():
    frames = frames_of(("v", "male", 0.9, 20), ("v", "male", 0.6, 30), ("v", "female", 1, 44), ("v", "", np.nan, None))
    found = video_looks(frames, truth_of(("v", "s", "male", "31-45")))
    by = found.set_index("attribute")
    assert by.loc["gender", ["value", "right", "frames", "faces"]].tolist() == ["male", 1, 4, 3]
    assert by.loc["age", ["value", "age", "right"]].tolist() == ["18-30", 30, 0]


def test_a_tie_of_genders_goes_to_the_higher_mean_score_then_to_the_alphabet():
    frames = frames_of(
        ("v", "male", 0.9, 20), ("v", "female", 0.8, 20), ("w", "male", 0.5, 20), ("w", "female", 0.5, 2)
    )
    found = told(frames, truth_of(("v", "s", "male", "18-30"), ("w", "t", "male", "18-30")))
    assert found["gender", "v"] == ("male", 1, "") and found["gender", "w"] == ("female", 0, "")


def test_no_face_and_an_age_in_no_range_are_wrong_and_who_wasn_t_asked_isn_t():
    frames = frames_of(("v", "", np.nan, None), ("w", "male", 1, 17.5), ("x", "female", 1, 90), ("z", "male", 1, 30.9))
    known = [(video, f"s{video}", "male", "18-30") for video in "vwxyz"] + [("z", "other", "", "")]
    found = video_looks(frames, truth_of(*known)).set_index(["attribute", "video", "subject"])[["right", "note"]]
    assert found.loc["age", "v", "sv"].tolist() == [0, NO_FACE]
    assert found.loc["age", "w", "sw"].tolist() == [0, OUTSIDE]
    assert found.loc["age", "x", "sx"].tolist() == [0, OUTSIDE]
    assert found.loc["age", "z", "sz"].tolist() == [1, ""]
    for attribute in ("age", "gender"):
        assert np.isnan(found.loc[attribute, "y", "sy"]["right"])
        assert found.loc[attribute, "y", "sy"]["note"] == NOT_ASKED
        assert found.loc[attribute, "z", "other"]["note"] == NO_TRUTH


def test_a_model_is_not_judged_by_what_it_never_says():
    found = video_looks(frames_of(("v", "male", 1, None)), truth_of(("v", "s", "male", "18-30")))
    assert found["attribute"].tolist() == ["gender"]


@pytest.mark.parametrize(
    ("text", "years"),
    [("31", 31), ("30.5", 30.5), ("25-32", 28.5), ("(38, 43)", 40.5), ("15-20", 17.5), ("60+", 72.5), ("0-2", 1),
     ("95+", 95)],
)  # fmt: skip
def test_brackets_count_as_their_midpoint(text, years):
    assert predictions.age(text) == years


@pytest.mark.parametrize("text", ["-3", "32-25", "old", "1e9", "inf", "25-", "(1,2,3)", "9999-10000"])
def test_what_is_no_age_is_none(text):
    assert predictions.age(text) is None


def test_published_brackets_fall_into_the_ranges_or_are_a_miss():
    brackets = ["0-2", "4-6", "8-13", "15-20", "25-32", "38-43", "48-53", "60+"]
    ranges = [age_range(predictions.age(text)) for text in brackets]
    assert ranges == [None] * 4 + ["18-30", "31-45", "46-85", "46-85"]


def test_files_are_read_and_all_that_is_wrong_in_them_is_told_at_once(tmp_path):
    fine, wrong = tmp_path / "lightface.csv", tmp_path / "other.csv"
    fine.write_text('video,frame,gender,gender_score,age\nv,0,Woman,0.7,31\nv,1,,,\nv,2,M,0.5,"(25, 32)"\n')
    found = predictions.read([fine], {"v"})
    assert found["model"].unique().tolist() == ["lightface"]
    assert found["gender"].tolist() == ["female", "", "male"]
    assert found["age"].fillna(-1).tolist() == [31, -1, 28.5]
    wrong.write_text(
        "video,frame,gender,gender_score,age\nanna,0,male,0.7,31\nv,1,boy,2,x\nv,2,male,nan,20\nv,2,male,1,20\n"
    )
    with pytest.raises(AccordError) as error:
        predictions.read([fine, wrong], {"v"})
    text = str(error.value)
    said = ["first 1: video is unknown", "first 2: gender is not known", "first 2: age is not valid"]
    said += ["2 rows, first 2, 3: gender_score is not in 0 to 1", "first 4: is another row of the same frame"]
    assert [part for part in said if part not in text] == []
    assert "anna" not in text


def test_two_files_of_one_model_are_told(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "m.csv").write_text("video,gender,age\nv,male,31\n")
    with pytest.raises(AccordError, match="2 files are of model 'm'"):
        predictions.read([tmp_path / "a/m.csv", tmp_path / "b/m.csv"], {"v"})


def counts_of(truth, said, classes) -> np.ndarray:
    counts = np.zeros((classes, classes + 1))
    np.add.at(counts, (truth, said), 1)
    return counts


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3)), min_size=1, max_size=40))
def test_every_averaging_is_scikit_learn_s(pairs):
    truth, said = map(np.array, zip(*pairs, strict=True))
    counts = counts_of(truth, said, 3)
    found = averages(counts, counts, np.array([50, 50, 50]), 10)
    there = sorted({*truth, *said} - {3})
    sklearn = {how: precision_score(truth, said, labels=there, average=how, zero_division=0)
               for how in ("macro", "weighted", "micro")}  # fmt: skip
    for how in ("macro", "weighted"):
        assert found[how].value == pytest.approx(sklearn[how])
    assert found["macro_frequent"].value == pytest.approx(sklearn["macro"])
    if (said < 3).any():
        assert found["micro"].value == pytest.approx(sklearn["micro"])
        named = sorted(set(said) - {3})
        assert found["macro_said"].value == pytest.approx(precision_score(truth, said, labels=named, average="macro"))
    else:
        assert np.isnan(found["micro"].value) and np.isnan(found["macro_said"].value)
    each = precision_score(truth, said, labels=[0, 1, 2], average=None, zero_division=np.nan)
    np.testing.assert_allclose(precision(counts), each)
    assert accuracy(counts) == pytest.approx((truth == said).mean())


def test_a_rare_class_that_is_never_said_cuts_a_macro_average_by_a_third():
    # As of Casual Conversations' class Other: 3 people, two videos each, whom no model calls so.
    counts = np.array([[900, 100, 0, 0], [100, 900, 0, 0], [3, 3, 0, 0]])
    found = averages(counts, counts, np.array([500, 500, 3]), 10)
    right = (900 / 1003 + 900 / 1003) / 2
    assert found["macro"].value == pytest.approx(right * 2 / 3)
    assert found["macro_frequent"].value == found["macro_said"].value == pytest.approx(right)


def looks_of(n: int, rng) -> pd.DataFrame:
    genders = ["female", "male", "other"]
    truth = rng.choice(3, n, p=[0.5, 0.45, 0.05])
    said = np.where(rng.random(n) < 0.8, np.minimum(truth, 1), rng.choice(2, n))
    return rows([("m", "gender", f"v{i:03}", f"s{i // 2:03}", genders[t], genders[p], 30.0, 5, 5, float(t == p), "")
                 for i, (t, p) in enumerate(zip(truth, said, strict=True))], VideoLooks)  # fmt: skip


def test_groups_have_their_own_figures_with_what_was_printed_beside(rng):
    looks = looks_of(120, rng)
    light = ["dark" if number % 3 else "bright" for number in range(120)]
    key = looks[["subject"]].assign(image=looks["video"])
    members = pd.concat([key.assign(attribute="lighting", group=light),
                         key.assign(attribute="lighting x gender", group="dark x male")])  # fmt: skip
    printed = Published({"gender_precision.m.light.dark": 0.4})
    found = precisions(looks, members, printed, How(10, 200, 1))
    assert set(found["attribute"]) == {"all", "lighting"}
    dark = looks[[name == "dark" for name in light]]
    row = found.set_index(["group", "average"]).loc["dark"]
    there = sorted({*dark["truth"], *dark["value"]})
    for how in ("macro", "weighted", "micro"):
        wanted = precision_score(dark["truth"], dark["value"], labels=there, average=how, zero_division=0)
        assert row.loc[how, "precision"] == pytest.approx(wanted)
        assert row.loc[how, "low"] <= wanted <= row.loc[how, "high"]
        assert row.loc[how, "published"] == 0.4
    assert row.loc["class other", "never_said"] == 1 and row.loc["class other", "note"] == "the model never says so"
    assert row.loc["accuracy", "precision"] == pytest.approx(dark["right"].mean())
    assert np.isnan(row.loc["accuracy", "published"])
    again = precisions(looks.sample(frac=1, random_state=1), members.sample(frac=1, random_state=2), printed,
                       How(10, 200, 1))  # fmt: skip
    pd.testing.assert_frame_equal(again, found)


def test_small_groups_have_sizes_and_no_figure(rng):
    looks = looks_of(12, rng)
    found = precisions(looks, pd.DataFrame(columns=["image", "subject", "attribute", "group"]), Published(), How())
    assert found["precision"].isna().all()
    assert set(found["note"]) <= {"6 subjects, fewer than 10", "the model never says so"}


def test_a_model_that_is_always_right_leaves_some_doubt():
    looks = rows(
        [("m", "gender", f"v{i}", f"s{i}", "male", "male", 30.0, 5, 5, 1.0, "") for i in range(12)], VideoLooks
    )
    nobody = pd.DataFrame(columns=["image", "subject", "attribute", "group"])
    found = precisions(looks, nobody, Published(), How()).set_index("average")
    assert found.loc["accuracy", ["precision", "high"]].tolist() == [1, 1]
    assert 0.6 < found.loc["accuracy", "low"] < 0.9
    assert found.loc["macro", ["precision", "note"]].tolist() == [
        1,
        "every draw of subjects gives the same: no interval",
    ]
    assert np.isnan(found.loc["macro", "low"])


def test_a_model_that_says_nothing_has_no_precision():
    looks = rows([("m", "age", f"v{i}", f"s{i}", "18-30", "", None, 5, 0, 0.0, NO_FACE) for i in range(12)], VideoLooks)
    nobody = pd.DataFrame(columns=["image", "subject", "attribute", "group"])
    found = precisions(looks, nobody, Published(), ALWAYS).set_index("average")
    assert found.loc["class 18-30", "note"] == "the model never says so"
    assert np.isnan(found.loc["micro", "precision"]) and np.isnan(found.loc["macro_said", "precision"])
    assert found.loc["macro", "precision"] == 0 and found.loc["accuracy", "precision"] == 0
