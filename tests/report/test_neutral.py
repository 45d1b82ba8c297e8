"""Measures of which neither more nor less is better: groups have them more or less often, and none fares worse."""

import re

import pandas as pd
import pytest
from report_cases import SHARPNESS, WORST, disparity, fixed, group, way
from test_answers import said, told

from accord.analyse.scoring import metrics
from accord.analyse.scoring.metrics import Metric
from accord.analyse.tables.causes import Causes, Conditioned
from accord.analyse.tables.scores import Disparities
from accord.engine.table import rows
from accord.report import index
from accord.report.drawing.blocks import scale, worse
from accord.report.overview import glance
from accord.report.sections import robustness
from accord.report.telling import comparison, why, words

SAID = "said_so"
UNSPECIFIED = {"metric": SAID}
CLAIM = disparity("ancestry", True) | UNSPECIFIED


@pytest.fixture(autouse=True)
def neutral(monkeypatch):
    monkeypatch.setitem(metrics.METRICS, SAID, Metric("Share said to be unspecified", neutral=True))


def test_no_metric_that_has_a_better_is_neutral():
    assert not metrics.is_neutral("ar_iou") and not metrics.is_neutral("lpips") and not metrics.is_neutral("mine")
    assert metrics.is_neutral(SAID) and metrics.direction(SAID) == 1


def test_a_difference_is_told_as_less_often():
    [row] = rows([CLAIM], Disparities).itertuples()
    assert words.claim(row) == (
        "yunet (face detection), said so: less often for South America than for Eastern Asia: 0.42 on average "
        "(20 people) against 0.79 (21 people); D = 0.50 (95% interval 0.40 to 0.60)."
    )


def test_the_answers_call_nobody_worse():
    whole = group("all", 0.7, attribute="all") | UNSPECIFIED
    other = disparity("pronoun", True, "0. She/her/hers", "1. He/him/his") | UNSPECIFIED
    other |= {"disparity": 0.1}
    gaps = [fixed("as it is", 0.37, None, "") | UNSPECIFIED]
    causes = [SHARPNESS | UNSPECIFIED]
    found = said(told(groups=[whole], disparities=[CLAIM, other], causes=causes, conditioned=gaps), SAID)
    assert found["For whom less often?"].startswith("South America | By ancestry: 0.42 on average for")
    assert "Also less often than others: She/her/hers (pronoun)." in found["For whom less often?"]
    assert found["How often?"].startswith("0.70 | Said so.") and len(found) == 4
    assert "Its lower scores go with" in found["Why, probably?"]
    assert not re.search("worse|worst|best", " ".join([*found, *found.values()]))


def test_without_a_difference_no_one_is_spared():
    whole = group("all", 0.7, attribute="all") | UNSPECIFIED
    none = CLAIM | {"claimed": False, "significant": False, "worst": "", "best": ""}
    found = said(told(groups=[whole, group(WORST, 0.6) | UNSPECIFIED], disparities=[none]), SAID)
    assert found["For whom less often?"].startswith("No difference shown | This does not prove that there is none.")


def test_medians_that_say_the_contrary_are_less_often():
    [row] = rows([CLAIM | {"worst_mean": 0.8}], Disparities).itertuples()
    assert words.medians(row) == "; less often by the median, 0.40 against 0.80"


def test_a_summary_counts_such_differences_apart():
    waterfall = pd.DataFrame()
    both = rows([CLAIM, disparity("pronoun", False)], Disparities)
    first, second = words.summary(waterfall, both, "")
    assert first.startswith("The one model whose groups could be compared does no worse for any group")
    assert second == "By measures that are neither better nor worse, 1 difference between groups holds."
    [alone] = words.summary(waterfall, both[:1], "")
    assert alone == second
    [untested] = words.summary(waterfall, rows([CLAIM | {"claimed": False, "pairs": 0}], Disparities), "")
    assert untested == words.UNTESTED


def test_a_finding_that_holds_in_some_ways_is_less_often():
    ways = pd.DataFrame([way("mean", True) | UNSPECIFIED, way("median", False) | UNSPECIFIED])
    assert robustness.survived(ways) == (
        "That it is less often so for South America than for Eastern Asia (said_so) holds in 1 of 2 ways of "
        "analysing it."
    )


def test_pictures_that_can_t_be_told_from_people():
    apart = fixed("matched", None, None, note="the groups hardly share values") | UNSPECIFIED
    gaps = rows([fixed("as it is", 0.37, None, "") | UNSPECIFIED, apart], Conditioned)
    [claim] = rows([CLAIM], Disparities).itertuples()
    _, text = why.why(claim, gaps, rows([SHARPNESS | UNSPECIFIED], Causes))
    assert text.startswith("It is less often so on ")


def test_colours_rise_with_the_figure():
    assert [worse(value, 0, 1, SAID) for value in (0, 1)] == [0, 8] == [worse(value, 0, 1, "lpips") for value in (0, 1)]
    assert [worse(value, 0, 1, "ar_iou") for value in (0, 1)] == [8, 0]
    assert scale(0, 1, SAID) == ("0.00", "1.00") and scale(0, 1, "ar_iou") == ("1.00", "0.00")


def test_figures_say_what_their_colours_mean():
    assert comparison.colours("ar_iou") == "" and "the stronger the colour, the higher" in comparison.colours(SAID)


def test_a_figure_that_shows_the_worse_group_explains_it():
    assert comparison.remark(["ar_iou", "lpips"]) == ""
    assert comparison.remark(["ar_iou", SAID, SAID]) == (
        " By said so neither group is better: the one shown has it less often."
    )


def test_tables_are_split_by_whether_there_is_a_better():
    both = pd.DataFrame({"metric": ["ar_iou", SAID], "worst": ["a", "b"], "people in best": [1, 2]})
    first, second = comparison.by_kind("table-x", ("One.", "Two."), both)
    assert (first.id, first.caption, first.columns) == ("table-x", "One.", ["metric", "worst", "people in best"])
    assert (second.id, second.rows) == ("table-x-neutral", [[SAID, "b", "2"]])
    assert second.caption == "Neither more nor less of these is better. Two."
    assert second.columns == ["metric", "less often", "people in more often"]
    assert [one.id for one in comparison.by_kind("table-x", ("", ""), both[:1])] == ["table-x"]
    assert [one.id for one in comparison.by_kind("table-x", ("", ""), both[1:])] == ["table-x-neutral"]


def test_headings_of_a_table_of_both_kinds_ask_both():
    rows = [{"answers": [{"question": one} for one in some]} for some in (
        ("How often?", "For whom less often?"), ("How well?", "For whom worst?"))]  # fmt: skip
    assert glance.headings(rows) == ["How well? / How often?", "For whom worst? / For whom less often?"]
    assert glance.headings(rows[:1]) == ["How often?", "For whom less often?"]


@pytest.mark.parametrize("name", ["models/yunet.html", "index.html"])
def test_no_table_and_no_answer_calls_anybody_worse(whole, name):
    """All tables, headings, cells and tips of a model of which every measure is neutral; what defines D may say so."""
    tables = {key: one.assign(metric=SAID) if "metric" in getattr(one, "columns", ()) else one
              for key, one in whole.items()}  # fmt: skip
    page = index.run(**{**tables, "patterns": whole["patterns"][:0]})[name]
    shown = re.findall(r"<(?:th|td|dt|dd|summary)\b.*?</(?:th|td|dt|dd|summary)>", page, flags=re.S)
    tips = re.findall(r'(?:data-tip|aria-label)="([^"]*)"', page)
    found = " ".join([*shown, *tips]).replace(comparison.NEITHER.strip(), "").replace(comparison.remark([SAID]), "")
    found = found.replace("How far the worst group falls behind the best", "")
    assert len(shown) > 50 and re.findall(r".{30}\b(?:worse|worst|best|better|badly)\b.{30}", found) == []
