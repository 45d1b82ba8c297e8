"""The first figure of the report: of each model the worst and the best group, with what was not compared beside it."""

import pytest
from report_cases import BEST, WORST, disparity, group

from accord.analyse.tables.scores import Disparities, Groups
from accord.engine.table import rows
from accord.report.overview import ranges
from accord.report.reading.report_data import ReportData

MODELS = {"yunet": {"task": "face_localization"}, "restorer": {"task": "face_super_resolution"}}


def told(groups: list, disparities: list) -> ReportData:
    tables = {"groups": rows(groups, Groups), "disparities": rows(disparities, Disparities)}
    return ReportData(tables, {}, MODELS, "A report", "")


@pytest.fixture
def everyone():
    return group("all", 0.7, attribute="all")


def test_the_claimed_pair_is_shown_with_its_intervals_on_the_axis(everyone):
    data = told([everyone, group(WORST, 0.42), group(BEST, 0.79)], [disparity("ancestry", True)])
    [block] = ranges.section(data).blocks
    [row] = block.rows
    assert [(called, look) for called, look, _ in row.sides] == [("Worst", "worst"), ("Best", "best")]
    assert row.sides[0][2].startswith("0.42 South America (") and row.sides[1][2].startswith("0.79 Eastern Asia (")
    assert [mark.look for mark in row.marks] == ["worst", "best", "everyone"]
    ordered = [mark.at for mark in row.marks]
    assert ordered[0] < ordered[2] < ordered[1]
    assert all(mark.start <= mark.at <= mark.end for mark in row.marks)
    assert (row.note, row.left) == ("", "")


def test_where_no_difference_holds_the_ends_are_not_called_worst_and_best(everyone):
    unclaimed = disparity("ancestry", False)
    data = told([everyone, group(WORST, 0.42), group(BEST, 0.79)], [unclaimed])
    [row] = ranges.section(data).blocks[0].rows
    assert [(called, look) for called, look, _ in row.sides] == [("Lowest", "group"), ("Highest", "group")]
    assert row.note == ranges.SHOWN


def test_groups_that_were_not_compared_stand_beside(everyone):
    small = group("Oceania", 0.5) | {
        "mean": None,
        "median": None,
        "low": None,
        "high": None,
        "note": "3 subjects, fewer than 10",
        "subjects": 3,
    }
    data = told([everyone, group(WORST, 0.42), group(BEST, 0.79), small], [disparity("ancestry", True)])
    [row] = ranges.section(data).blocks[0].rows
    assert row.left.startswith("Oceania (") and row.left.endswith("3 people)")


def test_a_metric_beyond_0_and_1_has_an_axis_of_its_own(everyone):
    other = {"task": "face_super_resolution", "model": "restorer", "metric": "psnr"}
    groups = [everyone, group(WORST, 0.42), group(BEST, 0.79)]
    high = [one | other | {"mean": 30.0 + n, "low": 29.0, "high": 34.0} for n, one in enumerate(groups)]
    blocks = ranges.section(told([*groups, *high], [disparity("ancestry", True)])).blocks
    assert [len(block.rows) for block in blocks] == [1, 1]
    assert {block.title for block in blocks} == {"Score with 95% interval", "Score dB with 95% interval"}
    assert blocks[0].axis.high <= 1 < blocks[1].axis.low
    assert blocks[1].rows[0].note == ranges.NOT_TESTED


def test_a_model_without_a_figure_is_not_left_out(everyone):
    nothing = {"mean": None, "median": None, "low": None, "high": None, "note": "no score"}
    [row] = ranges.section(told([everyone | nothing, group(WORST, 0.1) | nothing], [])).blocks[0].rows
    assert (row.model, row.marks, row.sides, row.note) == ("yunet", [], [], "No groups have a figure")
