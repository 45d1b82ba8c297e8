"""What the sections of the report say beside their tables."""

import re

import pandas as pd
import pytest
from report_cases import BEST, SHARPNESS, WORST, disparity, group

from accord.analyse.tables.causes import PatternDisparities, Patterns
from accord.analyse.tables.composition import Heat, Layout, Spreads
from accord.analyse.tables.scores import Composition, Disparities, Diversity, Groups, Verification
from accord.checks.tables.findings import CropRecall, VideoWaterfall, Waterfall
from accord.checks.tables.summary import Exclusions
from accord.engine.table import empty, rows
from accord.privacy.tables import Edits
from accord.report.drawing import blocks, charts, svg
from accord.report.reading.report_data import ReportData
from accord.report.sections import (
    causes,
    collected,
    comparisons,
    disparities,
    groups,
    layout,
    models,
    patterns,
    people,
    recognition,
)
from accord.report.telling import names, quantities, words

EXCLUDED = dict.fromkeys(Exclusions.to_schema().columns) | {
    "room": "checks", "check": "blur", "attribute": "pronoun", "group": "1. He/him/his", "images": 200, "subjects": 60,
    "excluded_images": 1, "excluded_subjects": 1, "rate": 0.004, "others": 0.001, "p_value": 0.01, "note": "",
}  # fmt: skip


def told(**tables):
    return ReportData(tables, {}, {}, "", "")


def excluded(*found):
    whole = EXCLUDED | {"attribute": "all", "group": "all", "p_value": None}
    return collected._excluded(rows([whole, *found], Exclusions))


def test_what_checks_do_to_groups_is_said_as_far_as_it_is_known():
    few = EXCLUDED | {"group": "0. She/her/hers", "p_value": None, "note": "1 subject, fewer than 10"}
    assert excluded(few) == "Whether checks stop some groups more than others is unknown: the table gives the reasons."
    assert excluded(few, EXCLUDED | {"p_value": 0.5}).endswith(
        "beyond what chance explains. 1 of 2 comparisons could not be made: the table gives the reasons."
    )
    assert (
        "beyond chance, in 1 comparison. The clearest: the check “Blurred” stopped 0.4% of the 200 images of He/him/his"
        in (excluded(EXCLUDED))
    )


def test_the_rate_of_false_alarms_is_that_of_the_tables():
    rate = group("all", 0.9, attribute="all") | {
        "task": "face_verification",
        "model": "sface",
        "metric": "tar@far=0.01",
    }
    table = rows(
        [("sface", "all", "all", 30, 80, 1, 5000, 0.4, *[0.9, 0.8, 0.95], 5000, *[0.9, 0.8, 0.95] * 2, 0.01, "")],
        Verification,
    )
    found = recognition.section(told(groups=rows([rate], Groups), verification=table))
    assert "a false acceptance rate of 1 in 100 impostor pairs" in found.intro
    assert "false acceptance rate of 0.01," in found.blocks[0].caption
    assert "1 genuine pair of 30 people" in found.blocks[0].svg


def test_not_compared_is_not_told_as_no_difference():
    few = disparity("age_group", False) | {"significant": False, "pairs": 0, "worst": "", "best": "", "note": "few"}
    same = disparity("pronoun", False) | {"significant": False, "worst": "", "best": "", "note": "none"}
    heat = disparities._heat(rows([few, same, disparity("ancestry", True)], Disparities))
    assert heat.columns == ["Age", "Ancestry", "Pronoun"]
    assert [cell.text for cell in heat.rows[0][1]] == ["", "0.50 ●", "–"]


def test_a_comparison_without_a_pair_counts_nobody():
    none = disparity("pronoun", False) | {"significant": False, "worst": "", "best": "", "worst_subjects": 0}
    found = comparisons.section(told(disparities=rows([none], Disparities)))
    people = found.blocks[0].columns.index("people in worse")
    assert found.blocks[0].rows[0][people] == ""


def test_notes_name_groups_and_attributes_as_people_do():
    note = "D is larger for 9. South America and 0. [102, 78, 65]; explained by natural_skin_color"
    assert names.note(note) == "D is larger for South America and Type VI (darkest); explained by natural skin colour"
    assert names.note("D is larger for 1. He/him/his x [18, 30)") == "D is larger for He/him/his × 18-29"
    assert names.note("1 subject, fewer than 10") == "1 subject, fewer than 10"


def test_p_in_a_table_is_never_its_limit():
    shown = blocks.grid("table-x", "x", pd.DataFrame({"p": [0.0503], "share": [0.0503]}))
    assert shown.rows == [["0.0503", "0.050"]]


def test_what_goes_with_scores_by_chance_alone_is_one_thing_and_what_stands_out_another():
    weak = pd.DataFrame([SHARPNESS | {"claimed": False}])
    [shown] = causes._features(weak)
    assert shown.rows[0][shown.columns.index("stands out")] == "no"
    assert "beyond chance" not in shown.columns


def test_patterns_that_were_not_looked_for_are_not_told_as_none():
    assert patterns._nothing(empty(Patterns)) == "No pattern was looked for."


def test_a_chart_says_how_all_its_points_were_averaged():
    mean = {"average": "mean over people in images"}
    everyone = group("all", 0.6, attribute="all") | {"average": f"{mean['average']}, 3 undefined: no face"}
    some = rows([everyone, group(WORST, 0.4) | mean, group(BEST, 0.8) | mean], Groups)
    held = rows([disparity("ancestry", True)], Disparities)
    chart = groups.section(told(groups=some, disparities=held)).blocks[0]
    assert "; mean over people in images, of those with a score; 95% interval" in chart.caption
    whole = some.assign(**mean)
    chart = groups.section(told(groups=whole, disparities=held)).blocks[0]
    assert "; mean over people in images; 95% interval" in chart.caption


def test_no_d_is_told_of_a_difference_by_means_alone():
    """Where medians are equal D is 0, with an interval of 0 to 0, whatever the means say."""
    row = disparity("ancestry", True) | {"worst_median": 0.8, "disparity": 0.0, "low": 0.0, "high": 0.0}
    table = pd.DataFrame([row])
    (one,) = table.itertuples()
    assert "0.42 on average" in words.claim(one) and words.claim(one).endswith(
        "; difference 0.37 (95% interval 0.30 to 0.44)."
    )
    cell = disparities._cell(one)
    assert cell.text == "means ●" and "D =" not in cell.tip
    (shown,) = [block for block in comparisons.section(told(disparities=table)).blocks if block.kind == "grid"]
    of = dict(zip(shown.columns, shown.rows[0], strict=True))
    assert (of["D"], of["interval from"], of["interval to"], of["score is the"]) == ("", "", "", "mean")


def test_one_person_is_one_person():
    sizes = rows([("pronoun", "1. He/him/his", 3, 1, 0.1), ("pronoun", "0. She/her/hers", 1, 2, 0.9)], Composition)
    (chart,) = people.section(told(composition=sizes, diversity=empty(Diversity))).blocks
    assert "He/him/his: 1 person in 3 images" in chart.svg
    assert "She/her/hers: 2 people in 1 image" in chart.svg


def test_the_ends_of_an_interval_are_told_apart():
    assert quantities.interval("cosine", 0.9761, 0.9840) == "95% interval 0.976 to 0.984"
    assert quantities.interval("psnr", 36.501, 36.502) == "95% interval 36.501 to 36.502 dB"


def test_colour_is_spelled_in_one_way():
    assert names.attribute("natural_facial_haircolor") == "Natural facial hair colour"
    assert names.attribute("natural_left_eye_color") == "Natural left eye colour"


def test_a_step_that_stopped_one_image_says_one():
    steps = [(0, "intake", "delivered", "Delivered", 3, 3, 0, 2), (1, "checks", "blur", "Blurred", 3, 2, 1, 2)]
    chart = collected.waterfall(pd.DataFrame(steps, columns=list(Waterfall.to_schema().columns)))
    assert "Blurred: 1 image stopped, 2 left" in chart.svg


def compared(**recalls):
    row = {"images": 20_000, "drawn": 100}
    found = [row | {"drawn_from": name.replace("_", " ")} | one for name, one in recalls.items()]
    return collected._compared(rows(found, CropRecall))


def test_what_the_search_for_crops_may_have_missed_is_told():
    nearly = {"pairs": 1000, "found": 999, "recall": 0.9996, "low": 0.963, "high": 1.0}
    worse = {"pairs": 900, "found": 720, "recall": 0.8, "low": 0.7, "high": 0.88}
    none = {"pairs": 0, "found": 0, "recall": None, "low": None, "high": None}
    one = {"pairs": 1, "found": 1, "recall": 1.0, "low": None, "high": None}
    intro = "Crops were looked for among the pairs that an index proposes."
    assert compared(all=nearly, least_kept=worse, least_kept_of_near_ones=nearly) == (
        f"{intro} It proposed 99.9% of the images most similar to 100 drawn at random (999 of 1,000; 95% interval "
        "96.3% to 100.0%) and 80.0% of the images most similar to 100 that it represents worst (720 of 900; 95% "
        "interval 70.0% to 88.0%)."
    )
    assert compared(all=one, least_kept=none) == (
        f"{intro} It proposed 100.0% of the images most similar to 100 drawn at random (1 of 1)."
    )
    assert compared(all=none, least_kept=worse).startswith(
        f"{intro} It proposed 80.0% of the images most similar to 100"
    )
    assert compared(all=none, least_kept=none) == f"{intro} No image drawn to test it looks like any other."


def test_videos_have_a_waterfall_of_their_own_where_a_delivery_has_some():
    steps = [(0, "intake", "delivered", "Delivered", 3, 3, 0, 2), (1, "privacy", "video", "Unread", 3, 2, 1, 2)]
    of_videos = pd.DataFrame(steps, columns=list(Waterfall.to_schema().columns))
    tables = {"waterfall": empty(Waterfall), "edits": empty(Edits), "exclusions": empty(Exclusions)}
    tables |= {"crop_recall": empty(CropRecall)}
    assert collected.section(told(**tables, video_waterfall=empty(VideoWaterfall))).blocks == []
    (chart,) = collected.section(told(**tables, video_waterfall=of_videos)).blocks
    assert "From 3 videos delivered (right) to 2 released (left)" in chart.caption
    assert "Unread: 1 video stopped, 2 left" in chart.svg


def test_groups_that_differ_within_a_pattern_are_told_by_measure():
    found = rows([disparity("ancestry", True) | {"pattern": "sharpness <= 3"}], PatternDisparities)
    (table,) = patterns.section(told(patterns=empty(Patterns), pattern_disparities=found)).blocks
    assert dict(zip(table.columns, table.rows[0], strict=True))["metric"] == "ar_iou"


def test_rates_side_by_side_say_whose_threshold_each_is_at():
    keys = {"task": "face_verification", "metric": "tar@far=0.001"}
    both = [group("all", 0.5, attribute="all") | keys | {"model": name} for name in ("sface", "dlib_faces")]
    (heat,) = models.section(told(groups=rows(both, Groups))).blocks
    assert heat.caption.endswith(
        "at a false acceptance rate of 0.001; each row at the threshold of its own impostor pairs"
    )


def test_models_are_not_put_side_by_side_on_scales_of_their_own():
    keys = {"task": "face_verification", "metric": "genuine_similarity"}
    both = [group("all", mean, attribute="all") | keys | {"model": name} for name, mean in (("a", 0.96), ("b", 0.7))]
    assert not models.section(told(groups=rows(both, Groups))).blocks


def test_the_worst_groups_of_a_forest_plot_stand_out_by_colour_and_shape():
    def drawn(marked: bool) -> str:
        point = ("a group", 0.5, 0.4, 0.6, marked, "tip")
        table = pd.DataFrame([point], columns=["name", "mean", "low", "high", "marked", "tip"])
        return charts.intervals("figure", "caption", table, "score", table, (0.0, 1.0)).svg

    plain, worst = drawn(False), drawn(True)
    assert svg.ORANGE in worst and svg.BLUE not in worst
    assert svg.BLUE in plain and svg.ORANGE not in plain
    shapes = [re.search(r'aria-label="tip"[^>]* d="([^"]*)"', picture)[1] for picture in (plain, worst)]
    assert "A" in shapes[0] and "A" not in shapes[1]  # a circle is drawn by arcs


def test_a_long_title_of_an_axis_is_told_whole():
    bins = rows([("face_centring", number, number / 10, (number + 1) / 10, 5, 0.5) for number in range(2)], Layout)
    (chart,) = layout.section(told(layout=bins, heat=empty(Heat), spreads=empty(Spreads))).blocks
    lines = [text for text in re.findall(r">([^<>]+)<", chart.svg) if text.strip()]
    assert max(map(len, lines)) <= charts.LINE
    assert " ".join(lines).count("distance of the face from the middle of the picture (1: in a corner)") == 1


@pytest.mark.parametrize(
    ("label", "told"),
    [("3. \u0627\u0644\u0639", "\u2068\u0627\u0644\u0639\u2069"), ("3. \u202eabc\u2066", "abc"), ("3. Asia", "Asia")],
)
def test_a_label_turns_the_direction_of_nothing_beside_it(label, told):
    """Figures behind Arabic words stand where they would behind others."""
    assert names.group(f"{label} x [18, 30)") == f"{told} × 18-29"
