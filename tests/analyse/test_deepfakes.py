"""Submissions of deepfake detectors by group: by hand, against scikit-learn, and what is wrong with their files."""

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import log_loss, roc_auc_score

from accord.analyse.casual import published
from accord.analyse.casual.cells import How
from accord.analyse.casual.deepfakes import submissions
from accord.analyse.casual.deepfakes.detection import auc, called_fake, log_losses, roc, weighted_precision
from accord.analyse.casual.deepfakes.figures import figures, roc_points
from accord.analyse.casual.deepfakes.submitted_members import submitted_members
from accord.analyse.casual.published import Published
from accord.analyse.casual.tables import Submitted
from accord.analyse.tables.scores import Members
from accord.engine.table import rows
from accord.errors import AccordError

PAPER = Path(__file__).parents[2] / "config/references/casual-conversations.csv"
FEW = How(1, 200, 1)
NOBODY = pd.DataFrame(columns=["image", "subject", "attribute", "group"])

videos = st.lists(
    st.tuples(st.integers(0, 1), st.sampled_from([0, 0.1, 0.25, 0.5, 0.5, 0.75, 1])), min_size=1, max_size=30
)


def submitted_of(judged, name="m", of=None) -> pd.DataFrame:
    """(label, p) of videos, each of another subject unless `of` says whose."""
    return rows([(name, f"{n:03}.mp4", f"s{of[n] if of else n:03}", *one) for n, one in enumerate(judged)], Submitted)


def told(submitted, groups=None, printed=None, how=FEW, threshold=0.5):
    """metric -> row, of everyone or of the group that is asked for: found[submission, metric, group]."""
    everyone = submitted.drop_duplicates("filename").itertuples()
    said = [(f"submitted/{row.filename}", row.subject, "skin", (groups or {}).get(row.filename)) for row in everyone]
    members = rows(said, Members) if groups else NOBODY
    found = figures(submitted, members, printed or Published(), threshold, how)
    return found.set_index(["submission", "metric", "group"])


def test_weighted_precision_weighs_a_false_alarm_as_a_hundred_fakes():
    found = told(submitted_of([(1, 0.9)] * 200 + [(0, 0.9)] * 3 + [(0, 0.1)] * 50 + [(1, 0.2)] * 5))
    row = found.loc["m", "ln_wp", "all"]
    assert row["value"] == pytest.approx(math.log(200 / (200 + 300)))
    assert row["low"] < row["value"] < row["high"]
    assert row[["real", "fake", "subjects"]].tolist() == [53, 205, 258]


def test_the_winners_true_positives_agree_for_natural_logarithms_alone():
    printed = published.read([PAPER])
    winners = ("seferbekov", "wm", "ntechlab", "eighteen", "medics")
    hits = {base: [] for base in (math.e, 10)}
    for name in winners:
        alarms = printed[f"deepfakes.real_called_fake.{name}.n"]
        for base, found in hits.items():
            wp = base ** printed[f"deepfakes.ln_wp.{name}.all"]
            found.append(100 * alarms * wp / (1 - wp))
            assert weighted_precision(np.array(found[-1]), np.array(alarms)) == pytest.approx(wp)
    assert 2138 < min(hits[math.e]) < max(hits[math.e]) < 2242
    assert max(hits[10]) / min(hits[10]) > 2 and min(hits[10]) < 78.1


def test_a_video_at_the_threshold_is_called_fake():
    assert called_fake(np.array([0.49999, 0.5, 1]), 0.5).tolist() == [False, True, True]
    assert told(submitted_of([(0, 0.5), (1, 0.5)])).loc["m", "false_alarm_rate", "all"]["value"] == 1
    assert told(submitted_of([(0, 0.5), (1, 0.5)]), threshold=0.6).loc["m", "missed_rate", "all"]["value"] == 1


@pytest.mark.parametrize(
    ("judged", "value", "note"),
    [
        ([(1, 0.1), (0, 0.1)], None, "nothing is called fake"),
        ([(1, 0.1), (0, 0.9)], None, "none found: all that is called fake is real"),
        ([(0, 0.9), (0, 0.1)], None, "no fake video"),
        ([(1, 0.9), (0, 0.1)], 0, "no real video is called fake: no interval"),
        ([(1, 0.9), (1, 0.1)], 0, "no real video is called fake: no interval"),
    ],
)
def test_what_can_t_be_said_of_weighted_precision_says_why(judged, value, note):
    row = told(submitted_of(judged)).loc["m", "ln_wp", "all"]
    assert (row["value"] == value) if value is not None else np.isnan(row["value"])
    assert row["note"] == note


def test_groups_of_one_class_are_told_and_not_left_out():
    found = told(submitted_of([(1, 0.9), (1, 0.4), (0, 0.2)]), {"000.mp4": "I", "001.mp4": "I", "002.mp4": "II"})
    assert found.loc["m", "auc", "I"]["note"] == "no real video" == found.loc["m", "false_alarm_rate", "I"]["note"]
    assert found.loc["m", "auc", "II"]["note"] == "no fake video" == found.loc["m", "missed_rate", "II"]["note"]
    assert found.loc["m", "log_loss", "I"]["value"] == pytest.approx(-(math.log(0.9) + math.log(0.4)) / 2)
    assert found.loc["m", "auc", "all"]["value"] == 1


@settings(deadline=None)
@given(videos, st.data())
def test_log_loss_auc_and_roc_are_scikit_learn_s(judged, data):
    labels, p = (np.array(some) for some in zip(*judged, strict=True))
    # 1 - 1e-15 is no double: what scikit-learn takes it for is 0.1% off, which its logarithm shows in the fifth digit.
    inside = np.clip(p, 1e-15, 1 - 1e-15)
    assert log_losses(labels, p).mean() == pytest.approx(log_loss(labels, inside, labels=[0, 1]), rel=1e-4)
    times = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(p), max_size=len(p))))
    weighted = auc(labels, p, times[np.newaxis])[0]
    if len(set(labels[times > 0])) == 2:
        assert weighted == pytest.approx(roc_auc_score(labels, p, sample_weight=times))
    else:
        assert np.isnan(weighted)
    corners = roc(labels, p)
    if len(set(labels)) == 2:
        area = np.trapezoid(corners[:, 2], corners[:, 1])
        assert area == pytest.approx(roc_auc_score(labels, p)) == auc(labels, p, np.ones((1, len(p))))[0]
        for threshold, false_alarms, hits in corners[1:]:
            assert false_alarms == ((p >= threshold) & (labels == 0)).sum() / (labels == 0).sum()
            assert hits == ((p >= threshold) & (labels == 1)).sum() / (labels == 1).sum()
    else:
        assert len(corners) == 0


def test_log_loss_is_clipped_at_1e_15():
    assert log_losses(np.array([1, 0]), np.array([0.0, 1.0])).tolist() == pytest.approx([-math.log(1e-15)] * 2)
    assert log_losses(np.array([1, 0]), np.array([1.0, 0.0])) == pytest.approx(0, abs=1e-14)


def test_composition_of_false_alarms_stands_beside_their_rate():
    # 9 of 90 real videos of I are called fake, 6 of 20 of II: of all alarms most are of I, whom it happens to less.
    judged = [(0, 0.9)] * 9 + [(0, 0.1)] * 81 + [(0, 0.8)] * 6 + [(0, 0.2)] * 14 + [(1, 0.9)] * 10
    groups = {f"{n:03}.mp4": "I" if n < 90 else "II" for n in range(120)}
    found = told(submitted_of(judged), groups)["value"]
    assert found["m", "false_alarms", "all"] == 15
    assert (found["m", "false_alarm_share", "I"], found["m", "false_alarm_rate", "I"]) == pytest.approx((0.6, 0.1))
    assert (found["m", "false_alarm_share", "II"], found["m", "false_alarm_rate", "II"]) == pytest.approx((0.4, 0.3))
    assert found["m", "real_share", "II"] == pytest.approx(20 / 110)
    assert ("m", "false_alarm_share", "all") not in found


def test_intervals_are_by_subjects_not_by_videos():
    rng = np.random.default_rng(1)
    bad = rng.random(40) < 0.4
    judged = [(0, 0.9 if bad[n // 10] else 0.1) for n in range(400)] + [(1, 0.9)] * 40
    whose = [n // 10 for n in range(400)] + list(range(40))
    by_subject = told(submitted_of(judged, of=whose), how=How(1, 500, 1)).loc["m", "false_alarm_rate", "all"]
    alone = told(submitted_of(judged), how=How(1, 500, 1)).loc["m", "false_alarm_rate", "all"]
    assert by_subject["value"] == alone["value"]
    # Videos of a person go together: the interval is that of 40 people, about sqrt(10) times as wide.
    widths = [row["high"] - row["low"] for row in (by_subject, alone)]
    assert 2.5 < widths[0] / widths[1] < 4


def test_a_perfect_detector_leaves_some_doubt_of_its_rates():
    found = told(submitted_of([(0, 0.1), (1, 0.9)] * 15))
    row = found.loc["m", "false_alarm_rate", "all"]
    assert (row["value"], row["low"]) == (0, 0) and 0.1 < row["high"] < 0.4
    assert found.loc["m", "auc", "all"]["note"] == "every draw of subjects gives the same: no interval"


def test_videos_that_all_submissions_call_fake_are_told_by_themselves():
    both = pd.concat([submitted_of([(0, 0.9), (0, 0.9), (0, 0.1), (1, 0.9)], "a"),
                      submitted_of([(0, 0.9), (0, 0.1), (0, 0.9), (1, 0.9)], "b")])  # fmt: skip
    printed = published.read([PAPER])
    found = told(both, printed=printed)
    assert found.loc["every submission", "false_alarms", "all"]["value"] == 1
    assert found.loc["every submission", "false_alarms", "all"]["published"] == 38
    assert set(found.loc["every submission"].index.get_level_values(0)) == {"false_alarms", "false_alarm_rate"}


def test_printed_figures_stand_beside_those_of_the_winners_names():
    printed = published.read([PAPER])
    submitted = submitted_of([(0, 0.9), (0, 0.1), (1, 0.9), (1, 0.1)], "wm")
    found = figures(submitted, rows([(f"submitted/{row.filename}", row.subject, "fitzpatrick", "V")
                                     for row in submitted.itertuples()], Members), printed, 0.5, FEW)  # fmt: skip
    beside = found.set_index(["metric", "group"])["published"].dropna().to_dict()
    assert beside == {
        ("ln_wp", "all"): -2.276, ("ln_wp", "V"): -2.567, ("log_loss", "all"): 0.176, ("log_loss", "V"): 0.183,
        ("false_alarms", "all"): 190, ("false_alarm_share", "V"): 0.2105,
    }  # fmt: skip


def test_small_groups_have_sizes_and_no_figure_nor_curve():
    submitted = submitted_of([(0, 0.9), (1, 0.9)] * 8)
    groups = {f"{n:03}.mp4": "I" if n < 6 else "II" for n in range(16)}
    found = told(submitted, groups, how=How(10, 100, 1))
    assert found.loc["m", "auc", "I"][["real", "fake", "note"]].tolist() == [3, 3, "6 subjects, fewer than 10"]
    assert np.isnan(found.loc["m", "auc", "I"]["value"])
    members = rows([(f"submitted/{name}", f"s{name[:3]}", "skin", group) for name, group in groups.items()], Members)
    assert set(roc_points(submitted, members, How(10, 100, 1))["group"]) == {"all", "II"}


def files(tmp_path, truth: list[str], **given: list[str]) -> tuple[list[Path], Path]:
    (tmp_path / "truth.csv").write_text("\n".join(["filename,subject,label,video", *truth]))
    for name, lines in given.items():
        (tmp_path / f"{name}.csv").write_text("\n".join(["filename,label", *lines]))
    return [tmp_path / f"{name}.csv" for name in given], tmp_path / "truth.csv"


def test_submissions_are_read_and_videos_that_nobody_knows_aren_t_judged(tmp_path):
    paths, truth = files(tmp_path, ["a.mp4,s,FAKE,", "b.mp4,t,0,v"], m=["a.mp4,0.25", "c.mp4,1", "b.mp4,1e-3"])
    found, known = submissions.read(paths, truth, {"s", "t"}, {"v"})
    assert list(found.itertuples(index=False, name=None)) == [
        ("m", "a.mp4", "s", 1, 0.25), ("m", "b.mp4", "t", 0, 0.001)
    ]  # fmt: skip
    assert known["video"].tolist() == ["", "v"]


def test_all_that_is_wrong_in_submissions_is_told_at_once(tmp_path):
    truth = ["a.mp4,anna,1,", "b.mp4,otto,0,", "b.mp4,anna,0,", "c.mp4,anna,true,", "d.mp4,anna,1,w"]
    wrong = ["a.mp4,1.01", "b.mp4,-0.1", "b.mp4,0.5", "c.mp4,nan", "d.mp4,fake"]
    paths, truth_path = files(tmp_path, truth, one=wrong, two=["a.mp4,1"])
    with pytest.raises(AccordError) as error:
        submissions.read(paths, truth_path, {"anna"}, {"v"})
    text = str(error.value)
    said = ["truth.csv: 1 row, first 3: names a file of a row above", "1 row, first 2: subject is unknown"]
    said += ["1 row, first 4: label is neither 0 nor 1", "1 row, first 5: video is unknown"]
    said += ["one.csv: 4 rows, first 1, 2, 4, 5: label is not in 0 to 1"]
    said += ["one.csv: 1 row, first 3: names a file of a row above", "two.csv: lacks 3 videos of the truth"]
    assert [part for part in said if part not in text] == []
    assert "anna" not in text and "otto" not in text


def test_two_submissions_of_one_name_are_told(tmp_path):
    (tmp_path / "x").mkdir()
    paths, truth = files(tmp_path, ["a.mp4,s,1,"], m=["a.mp4,1"])
    other, _ = files(tmp_path / "x", [], m=["a.mp4,1"])
    with pytest.raises(AccordError, match="'m' names several files"):
        submissions.read([*paths, *other], truth, {"s"}, set())


def test_submitted_videos_are_in_the_groups_of_their_video_or_of_their_person():
    known = [("v1", "s", "lighting", "dark"), ("v2", "s", "lighting", "bright"), ("v1", "s", "gender", "male"),
             ("v2", "s", "gender", "male"), ("v1", "s", "gender x lighting", "male x dark")]  # fmt: skip
    truth = pd.DataFrame(
        [("a", "s", "v1", ""), ("b", "s", "", ""), ("c", "s", "v1", "bright"), ("d", "t", "", "")],
        columns=["filename", "subject", "video", "lighting"],
    )
    found = submitted_members(truth, rows(known, Members))
    groups = found.groupby("image").apply(lambda of: set(zip(of["attribute"], of["group"], strict=True))).to_dict()
    assert groups == {
        "submitted/a": {("lighting", "dark"), ("gender", "male"), ("gender x lighting", "male x dark")},
        "submitted/b": {("gender", "male")},
        "submitted/c": {("lighting", "bright"), ("gender", "male")},
    }
