"""The page of detectors of made faces: figures in percent beside published ones, and no figure of few faces."""

import json

import pandas as pd
import pytest
from fakes_cases import DISPARITIES, FAIRNESS, REFERENCES, UTILITY, fairness, utility

from accord.analyse.tables.fakes import FakeFairness, FakeUtility
from accord.analyse.tables.scores import Disparities
from accord.engine.table import rows
from accord.release.source_tables import CutFaces, SourceCopies
from accord.report import fakes
from accord.report.generated import published, told


@pytest.fixture
def references(tmp_path):
    (tmp_path / "references.csv").write_text(REFERENCES)
    return [tmp_path / "references.csv"]


def page(
    tmp_path, references, unlike=FAIRNESS, useful=UTILITY, otherwise=None, unmatched=(), cut=None, differ=DISPARITIES,
    copies=None,
):  # fmt: skip
    (tmp_path / "release.json").write_text(json.dumps({"dataset": "ai_face", "version": "1"}))
    (tmp_path / "sources.json").write_text(json.dumps({"unmatched_lines": list(unmatched)}))
    told = {"title": "T", "caution": "Rendered.", "threshold": 0.5, "min_faces": 10, "unlike": otherwise or {}}
    given = rows(unlike, FakeFairness), rows(useful, FakeUtility), rows(differ, Disparities), references
    return fakes.run(*given, tmp_path / "release.json", tmp_path / "sources.json", cut, copies=copies, **told)


def test_for_whom_detectors_are_worse_is_told_first_and_what_may_be_chance_in_a_table(tmp_path, references):
    text = " ".join(page(tmp_path, references).split())
    rates = "mine (60% against 10%) and xception (50% against 25%). This is more than chance makes."
    assert f"By skin, more real faces called fake of light than of dark: {rates}" in text
    assert "among 2 comparisons of a model" in text and "no pair of 3 differs significantly" in text
    uncertain = [{**one, "claimed": False} for one in DISPARITIES]
    text = page(tmp_path, references, differ=uncertain)
    assert "No difference of error rates between groups is larger than chance may make it" in text
    assert "larger than chance" not in page(tmp_path, references, differ=[])


def test_withdrawals_that_name_nobody_are_told_first(tmp_path, references):
    assert "1 line of withdrawn.csv (4) names no picture" in page(tmp_path, references, unmatched=[4])
    assert "withdrawn.csv" not in page(tmp_path, references)


def test_copies_of_what_was_learnt_from_are_counted(tmp_path, references):
    """Of two sources that know nobody, one picture can be in the training and in the test."""
    pairs = [(f"a/{n}.png", f"b/{n}.png", "A, none", "B, none", "near", 4, n < 2) for n in range(3)]
    text = page(tmp_path, references, copies=rows(pairs, SourceCopies))
    assert "2 pairs of pictures of two sources look alike" in text and "a/0.png" not in text
    assert "look alike" not in page(tmp_path, references, copies=rows(pairs[2:], SourceCopies))
    assert "look alike" not in page(tmp_path, references)


def test_pictures_without_a_face_are_counted_with_the_reasons(tmp_path, references):
    """A video that can't be read would leave a subset out in silence."""
    notes = ["", "no face was found", "can't be decoded", "no face was found", ""]
    face = (0.0, 0.0, 9.0, 9.0, 0.9, 12, 1.0)
    looked = [(f"{n}.png", not why, why, *([None] * 7 if why else face)) for n, why in enumerate(notes)]
    text = page(tmp_path, references, cut=rows(looked, CutFaces)).replace("&#39;", "'")
    assert (
        "3 of 5 pictures and frames gave no face and count nowhere: no face was found (2); can't be decoded (1)."
        in text
    )
    assert "gave no face" not in page(tmp_path, references, cut=rows([looked[0]], CutFaces))


def test_figures_stand_beside_those_published_of_a_detector_of_that_name(tmp_path, references):
    text = page(tmp_path, references)
    for figure in ("12.346", "8.836", "87.654", "98.583", "64.321", "20.000"):
        assert figure in text
    assert "xception tells made from real faces best: AUC 87.7%" in text


def test_detectors_that_left_faces_unscored_are_not_ranked_with_others(tmp_path, references):
    few = utility("easy", "all", "all", 1.0, faces=10) | {"unscored": 90}
    text = page(tmp_path, references, useful=[*UTILITY, few])
    assert "xception tells made from real faces best: AUC 87.7%" in text and "2 detectors judged on 100 faces" in text
    assert "Not compared, since they gave some faces no score: easy." in text
    text = page(tmp_path, references, useful=[UTILITY[0], few])
    assert "faces best" not in text and "2 detectors judged on different faces." in text
    assert "xception: AUC" not in text
    alone = page(tmp_path, references, useful=[few])
    assert "1 detector judged on 10 faces, 90 without a score. easy: AUC 100.0%." in alone


def test_a_detector_that_calls_all_faces_fake_has_no_differences_to_speak_of(tmp_path, references):
    idle = utility("idle", "all", "all", 0.555) | {"fpr": 1.0, "tpr": 1.0}
    text = page(tmp_path, references, [fairness("idle", "skin", "f_meo", 0.0)], [idle])
    assert "idle: AUC 55.5%." in text and "don&#39;t differ" not in text and "don't differ" not in text


def test_what_is_left_of_0_by_floating_point_is_0():
    shown = told._percent(pd.DataFrame({"floor": [1.1e-16, 0.123456]}), {"floor": "floor"})
    assert shown["floor"].tolist() == [0, 12.3456]


def test_names_are_escaped_and_small_groups_left_out(tmp_path, references):
    text = page(tmp_path, references)
    assert "<b>dark</b>" not in text and "81.234" in text and "55.555" not in text and "Rendered." in text


def test_table_d_9_is_read_with_its_columns_exchanged_back(references):
    found = published.read(references)
    assert found.fairness("clip_mlp", "skin", "f_meo") == pytest.approx(0.00506)
    assert found.fairness("clip_mlp", "gender", "f_meo") == pytest.approx(0.00419)
    assert found.fairness("xception", "skin", "f_meo") == pytest.approx(0.08836)
    for missing in (("xception", "skin", "f_dp"), ("xception", "hair", "f_meo"), ("mine", "skin", "f_meo")):
        assert found.fairness(*missing) != found.fairness(*missing)


def test_without_figures_the_page_says_so(tmp_path, references):
    text = page(tmp_path, references, [], [])
    assert "No detector could be judged" in text and "No detector was evaluated." in text


def test_weights_that_a_detector_began_with_are_named_apart_from_what_is_otherwise(tmp_path, references):
    begun = "x (sha256 ab; licence: <i>MIT</i>; unknown)"
    differs = {
        "xception": {"first weights": [begun, "those of ImageNet or CLIP"]},
        "mine": {"first weights": [begun, None]},
    }
    text = page(tmp_path, references, otherwise=differs)
    assert "Trained otherwise" not in text and "Weights that detectors began with" in text and "<i>MIT" not in text
    assert all(f"{name}: x (sha256 ab; licence: &lt;i&gt;MIT&lt;/i&gt;; unknown)." in text for name in differs)
    text = page(
        tmp_path, references, otherwise={"xception": {"first weights": ["random", "those of ImageNet or CLIP"]}}
    )
    assert "first weights random (those of ImageNet or CLIP)" in text and "Weights that detectors began" not in text


def test_detectors_that_are_trained_otherwise_than_published_are_named(tmp_path, references):
    differs = {"xception": {"width": [0.0625, None], "side": [64, 256]}, "f3net": {}}
    text = page(tmp_path, references, otherwise=differs)
    assert "xception: side 64 (256), width 0.0625." in text and "f3net" not in text
    assert "Trained otherwise" in text and "Trained otherwise" not in page(
        tmp_path, references, otherwise={"xception": {}}
    )


@pytest.mark.parametrize(("rate", "verdict"), [(0.0, "real"), (1.0, "fake")])
def test_a_detector_that_calls_all_faces_alike_is_named(tmp_path, references, rate, verdict):
    useful = [{**utility("idle", "all", "all", 0.5), "fpr": rate, "tpr": rate}, utility("mine", "all", "all", 0.6)]
    assert f"Every face is {verdict} to idle" in page(tmp_path, references, [], useful)


def test_of_real_faces_alone_it_is_said_what_is_defined(tmp_path, references):
    useful = [{**utility("mine", "all", "all", None), "fakes": 0, "tpr": None, "ap": None, "eer": None}]
    text = page(tmp_path, references, [fairness("mine", "skin", "f_oae", 0.1)], useful)
    assert "accuracy, FPR, F_OAE and F_DP alone are defined" in text


def test_what_all_metrics_have_alike_is_said_once(tmp_path, references):
    """A column of groups made rows of 300 px on a phone."""
    both = [{**fairness("mine", "skin", name, 0.1), "note": "drawn of 9 people"} for name in ("f_meo", "f_oae")]
    text = page(tmp_path, references, both)
    assert text.count("drawn of 9 people") + text.count("Drawn of 9 people") == 1 and "Groups: a, b." in text
    apart = [both[0] | {"covered": "a; b", "left_out": "c", "note": "so"}, both[1] | {"covered": "a; b; c"}]
    text = page(tmp_path, references, apart)
    assert "Groups: a, b, c." in text and "real, or fake: c." in text
    assert "F_MEO: so." in text and "F_OAE: drawn of 9 people." in text
    unscored = [*both, {**fairness("other", "skin", "f_meo", 0.1), "covered": "a; d"}]
    assert "a; d" in page(tmp_path, references, unscored)


def test_the_largest_difference_is_not_that_of_a_handful_of_faces(tmp_path, references):
    few = fairness("mine", "age", "f_meo", 0.99) | {"note": "fewer than 10 faces of a label in a; drawn of 9 people"}
    text = page(tmp_path, references, [*FAIRNESS, few])
    assert "between groups of skin with xception: by 12.3 points" in text
