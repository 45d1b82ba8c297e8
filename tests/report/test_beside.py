"""Ours beside published figures: only where both are there, each dataset in a column, by hand."""

import pandas as pd
import pytest

from accord.analyse.tables.recalls import RecallDisparities, Recalls
from accord.engine.table import empty
from accord.report import index
from accord.report.reading.report_data import ReportData
from accord.report.telling.beside import beside

REFERENCES = pd.DataFrame(
    [("FHIBE", "images", 10318.0, "P, Table 2"), ("CCv1", "images", 45186.0, "P, Table 2"),
     ("COCO", "vendi.image", 86.17, "P, Table 4"), ("FHIBE", "disparity.mtcnn.pronoun_age", 0.12, "P, E2"),
     ("FHIBE", "disparity.mtcnn.pronoun_skin", 0.12, "P, E2"), ("FHIBE", "waterfall.excluded.forms", 5855.0, "P, M"),
     ("FHIBE", "waterfall.excluded.quality", 6868.0, "P, M"), ("FHIBE", "waterfall.suspicious", 3848.0, "P, M"),
     ("FACET", "recall", 0.7, "Q"), ("this release", "images", 41.0, "counted"),
     ("this release", "subjects", 15.0, "counted"), ("this release", "vendi.image", 7.5, "embedded by m"),
     ("this release", "vendi.image", 9.0, "embedded by n"),
     ("FHIBE", "groups.number.pronoun_age", 27.0, "P, Table 1"),
     ("this release", "groups.number.pronoun_age", 8.0, "counted by pronoun x age_group")],
    columns=["dataset", "figure", "value", "source"],
)  # fmt: skip
STEPS = pd.DataFrame(
    [(0, "intake", "delivered", 100, 0), (1, "intake", "intake.path", 100, 3), (2, "consent", "consent.scope", 97, 5),
     (3, "checks", "pattern_travel", 92, 7), (4, "checks", "blur", 85, 11), (5, "release", "release.reserve", 74, 20)],
    columns=["order", "room", "check", "images_in", "stopped"],
)  # fmt: skip
GAPS = pd.DataFrame(
    [("face_localization", "mtcnn", "ar_iou", "pronoun x age_group", 0.25, True, "a", "b", ""),
     ("face_localization", "mtcnn", "ar_iou", "natural_skin_color x pronoun", 0.5, False, "", "", "too few"),
     ("face_localization", "mtcnn", "other", "pronoun x age_group", 0.9, True, "a", "b", "")],
    columns=["task", "model", "metric", "attribute", "disparity", "significant", "worst", "best", "note"],
)  # fmt: skip


@pytest.fixture(scope="module")
def made():
    tables = {"references": REFERENCES, "waterfall": STEPS, "disparities": GAPS}
    tables |= {"recalls": empty(Recalls), "recall_disparities": empty(RecallDisparities)}
    return beside(ReportData(tables, {}, {}, "", "")).fillna("").set_index("figure")


def test_only_figures_of_both_are_shown(made):
    assert sorted(made.index) == sorted(
        ["images", "Vendi score of images", "Vendi score of images", "images stopped for consent or copyright",
         "images stopped for quality", "images stopped as suspicious",
         "largest disparity of mtcnn, pronoun × age", "largest disparity of mtcnn, pronoun × skin",
         "groups, pronoun × age"]
    )  # fmt: skip
    assert set(made.columns) == {"this release", "which is", "FHIBE", "CCv1", "COCO", "published in"}


def test_each_dataset_has_a_column(made):
    assert made.loc["images"].to_dict() == {
        "this release": "41", "which is": "counted", "FHIBE": "10,318", "CCv1": "45,186", "COCO": "",
        "published in": "P, Table 2",
    }  # fmt: skip
    assert made.loc["Vendi score of images", ["this release", "which is", "COCO"]].to_numpy().tolist() == [
        ["7.50", "embedded by m", "86.17"], ["9", "embedded by n", "86.17"],
    ]  # fmt: skip


def test_how_we_came_by_a_figure_is_said_as_elsewhere(made):
    assert made.loc["groups, pronoun × age", "which is"] == "counted by pronoun × age"


def test_images_are_counted_at_what_stopped_them(made):
    """5 over forms, 7 by a pattern, 3 + 11 else; what is held in reserve was not stopped."""
    ours = made["this release"]
    assert ours["images stopped for consent or copyright"] == "5"
    assert ours["images stopped as suspicious"] == "7"
    assert ours["images stopped for quality"] == "14"


def test_disparities_are_of_the_published_metric_and_none_where_no_groups_differ(made):
    gap = made.loc["largest disparity of mtcnn, pronoun × age"]
    assert (gap["this release"], gap["which is"], gap["FHIBE"]) == ("0.25", "ar_iou: a against b", "0.12")
    none = made.loc["largest disparity of mtcnn, pronoun × skin"]
    assert (none["this release"], none["which is"]) == ("", "ar_iou: too few")


def test_the_report_shows_them(tables):
    said = index.run(**tables)["index.html"]
    assert "Published figures that this report also measures." in said and "Vendi score of images" in said
    without = {**tables, "references": tables["references"].query("dataset != 'this release'")}
    assert "Vendi score of images" not in index.run(**without)["index.html"]
