"""Recalls of classes on a model's page, and beside the 54 differences and the recalls that the LVLM paper printed."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from accord.analyse.describing import references
from accord.analyse.tables.composition import References
from accord.analyse.tables.recalls import FalseYes, Readings, RecallDisparities, Recalls
from accord.engine.table import empty, rows
from accord.report.reading.report_data import ReportData
from accord.report.sections import recalls
from accord.report.telling.beside import beside
from accord.report.telling.class_figures import side_by_side

PAPER = Path(__file__).parents[2] / "config/references/lvlm-fairness.csv"


def recall(name, attribute, group, right, images, question="p1", model="llava_7b"):
    rate = right / images if images else np.nan
    return (model, question, name, attribute, group, "minilm", images, images, right, 0, images - right, 0, rate, rate,
            rate, "" if images else "no image")  # fmt: skip


def gap(attribute, pair, difference, question="p1", model="llava_7b"):
    first, second = pair.split(" - ")
    return (model, question, "all", attribute, pair, first, second, "minilm", 10, 10, difference, -1.0, 1.0, "")


RECALLS = rows(
    [recall("all", "all", "all", 9, 20), recall("all", "gender", "male", 6, 10),
     recall("all", "gender", "female", 3, 10),
     recall("all", "age_presentation", "older", 1, 4), recall("all", "gender", "male", 9, 10, "p2"),
     recall("all", "gender", "male", 8, 10, "p3"), recall("nurse", "gender", "male", 6, 10),
     recall("nurse", "gender", "female", 0, 0), recall("judge", "gender", "male", 1, 7),
     recall("guard", "gender", "male", 0, 0)], Recalls,
)  # fmt: skip
GAPS = rows([gap("gender", "male - female", 0.3), gap("gender", "max - min", 0.3), gap("skin", "light - dark", 0.25),
             gap("gender", "male - female", -0.1, "p2")], RecallDisparities)  # fmt: skip
SHARES = (0.2, 0.1, 0.3, 0.7, 0.6, 0.8)
FALSE = rows([("llava_7b", "p2", "all", "all", "all", "minilm", 10, 10, 2, 1, 6, 1, *SHARES, "")], FalseYes)
READ = rows([("llava_7b", "p1", "minilm", 20, 15, 4, 0, 1, 0.5)], Readings)


def data(published=True) -> ReportData:
    paper = rows(references.read([PAPER]), References) if published else empty(References)
    tables = {"recalls": RECALLS, "recall_disparities": GAPS, "false_yes": FALSE, "readings": READ, "references": paper}
    tables["waterfall"] = pd.DataFrame()
    tables["disparities"] = pd.DataFrame(columns=["metric", "task"])
    return ReportData(tables, {}, {}, "", "")


@pytest.fixture(scope="module")
def both():
    return side_by_side(RECALLS, GAPS, data().references)


def test_the_54_published_differences_stand_beside_ours(both):
    gaps = both[0]
    theirs = gaps[gaps["whose"] == "published"]
    assert theirs[["male - female", "light - dark", "young - old"]].notna().to_numpy().sum() == 54
    gemini = theirs[(theirs["model"] == "gemini_1_5_pro") & (theirs["prompt"] == "yes, no or unknown")]
    assert gemini[["male - female", "light - dark", "young - old"]].to_numpy().tolist() == [[0.0507, -0.0093, 0.0609]]


def test_ours_come_first_and_p2_stays_apart(both):
    ours = both[0][both[0]["whose"] != "published"]
    assert both[0]["whose"].tolist()[: len(ours)] == ["this release"] * 2
    assert written(ours[["prompt", "how", "male - female", "light - dark"]]) == [
        ["one of a list", "p1, matched by minilm", "0.3", "0.25"],
        ["yes, no or unknown", "p2, matched by minilm", "-0.1", "nan"],
    ]
    recalled = both[1][both[1]["whose"] != "published"]
    assert written(recalled[["how", "male", "female", "old"]]) == [
        ["p1, matched by minilm", "0.6", "0.3", "0.25"], ["p2, matched by minilm", "0.9", "nan", "nan"],
        ["p3, matched by minilm", "0.8", "nan", "nan"],
    ]  # fmt: skip


def written(table):
    return [list(map(str, row)) for row in table.itertuples(index=False)]


def test_a_classifier_stands_beside_the_papers_vit():
    ours = rows([recall("all", "gender", "male", 6, 10, model="vit")], Recalls)
    gaps = rows([gap("gender", "male - female", 0.1, model="vit")], RecallDisparities)
    told = side_by_side(ours, gaps, data().references)[1]
    vit = told[(told["model"] == "vit") & (told["prompt"] == "one of a list")]
    assert vit["male"].tolist() == [0.6, 0.4957]
    groups = vit[["light", "medium", "dark", "young", "middle", "old"]].iloc[1]
    assert groups.tolist() == [0.5429, 0.4662, 0.4523, 0.5949, 0.4986, 0.3355]


def test_all_published_recalls_are_shown(both):
    theirs = both[1][both[1]["whose"] == "published"]
    groups = ["male", "female", "light", "medium", "dark", "young", "middle", "old"]
    assert len(theirs) == 18 and theirs[groups].notna().to_numpy().sum() == 144


def test_a_model_of_the_same_name_is_among_the_published_numbers():
    shown = beside(data()).set_index("figure")
    column = "FACET, one person a picture"
    said = shown.loc["recall of llava_1_5_7b, asked for one of a list: male"]
    assert (said["this release"], said[column]) == ("0.60", "0.50")
    choice = shown.loc["recall of llava_1_5_7b, asked for yes, no or unknown: male"]
    assert choice["which is"].tolist() == ["p2, matched by minilm", "p3, matched by minilm"]
    assert shown.loc["images of one person, gender: male", "this release"] == "17"
    assert "difference of recall of llava_1_5_7b, asked for one of a list: light - dark" in shown.index


def test_the_page_shows_pooled_figures_openly_and_classes_folded():
    found = {block.id: block for block in recalls.section(data()).blocks if hasattr(block, "id")}
    assert list(found) == [
        "table-readings", "table-recalls", "table-recall-disparities", "table-false-yes", "table-recalls-class",
        "table-published-disparities", "table-published-recalls",
    ]  # fmt: skip
    assert {name for name, block in found.items() if block.folded} == {"table-recalls-class", "table-published-recalls"}
    everyone = dict(zip(found["table-recalls"].columns, found["table-recalls"].rows[0], strict=True))
    assert (everyone["group"], everyone["images"], everyone["recall"]) == ("Everyone", "20", "0.450")
    assert len(found["table-recalls-class"].rows) == 3


def test_without_published_figures_none_is_shown_and_without_answers_the_page_says_so():
    ids = [block.id for block in recalls.section(data(published=False)).blocks if hasattr(block, "id")]
    assert not any("published" in one for one in ids)
    nothing = data()._replace(tables={**data().tables, "recalls": empty(Recalls)})
    assert recalls.section(nothing).empty == "No question was asked about classes."
