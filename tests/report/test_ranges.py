"""The first figure of the report: of each model the worst and the best group, with what was not compared beside it."""

import pytest
from report_cases import BEST, WORST, disparity, group

from accord.analyse.tables.causes import Causes, Conditioned
from accord.analyse.tables.robustness import Multiverse
from accord.analyse.tables.scores import Disparities, Groups
from accord.engine.table import rows
from accord.report.overview import ranges
from accord.report.reading.report_data import ReportData
from accord.report.telling import answers

MODELS = {"yunet": {"task": "face_localization"}, "restorer": {"task": "face_super_resolution"}}


def told(groups: list, disparities: list) -> ReportData:
    tables = {"groups": rows(groups, Groups), "disparities": rows(disparities, Disparities)}
    tables |= {"multiverse": rows([], Multiverse), "causes": rows([], Causes), "conditioned": rows([], Conditioned)}
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


def test_a_model_without_a_group_that_has_a_figure_is_no_row_and_named_below(everyone):
    nothing = {"mean": None, "median": None, "low": None, "high": None, "note": "no score"}
    without = [everyone | nothing, group(WORST, 0.1) | nothing]
    made = ranges.section(told(without, []))
    assert (made.blocks, made.empty) == ([], "No group has a figure: yunet.")
    other = {"task": "face_super_resolution", "model": "restorer", "metric": "psnr"}
    made = ranges.section(told([*without, everyone | other, group(WORST, 30.0) | other], []))
    assert [row.model for row in made.blocks[0].rows] == ["restorer"] and made.intro == "No group has a figure: yunet."


def test_worst_and_best_are_the_ends_of_the_means_and_the_surest_difference_is_told_apart(everyone):
    """South America against Eastern Asia is certain; of Oceania and Europe too few people are known for that."""
    groups = [everyone, group(WORST, 0.42), group(BEST, 0.79), group("Oceania", 0.3), group("Europe", 0.85)]
    data = told(groups, [disparity("ancestry", True)])
    [row] = ranges.section(data).blocks[0].rows
    assert [text.partition(" (")[0] for _, _, text in row.sides] == ["0.30 Oceania", "0.85 Europe"]
    assert row.note == "Surest difference: South America 0.42, Eastern Asia 0.79"
    [_, whom, sure, _] = answers.answers(data.of("yunet"), "ar_iou", 1).answers
    assert whom["short"] == "Oceania" and "0.85 on average" in whom["long"] and f"{row.note}." in whom["long"]
    assert sure["long"].startswith(f"{row.note}. Chance alone")


def test_everyone_of_a_rate_at_thresholds_of_their_own_is_not_drawn_among_groups():
    of = {"task": "face_verification", "model": "sface", "metric": "tar@far=0.001"}
    groups = [group("all", 0.2, attribute="all"), group(WORST, 0.42), group(BEST, 0.79)]
    data = ReportData(
        {"groups": rows([one | of for one in groups], Groups), "disparities": rows([], Disparities)},
        {}, {"sface": {"task": "face_verification"}}, "A report", "",
    )  # fmt: skip
    [row] = ranges.section(data).blocks[0].rows
    assert [mark.look for mark in row.marks] == ["group", "group"] and "Everyone is below each group" in row.note
