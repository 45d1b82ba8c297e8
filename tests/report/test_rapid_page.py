"""The page of a Rapid Test: which service, for whom worse, how sure, what was not seen, and of nobody who is few."""

import html
import json
import re
from itertools import combinations

import pandas as pd
import pytest
from rapid_cases import RELEASE, TABLES, change, curve

from accord.analyse.identities import coverage
from accord.analyse.identities.tables import (
    Assisted,
    Coverage,
    LabelAccuracy,
    LabelAgreement,
    ServiceChanges,
    ServiceCurves,
    Services,
)
from accord.engine.table import empty, rows
from accord.report import index, rapid
from accord.report.services import gaps, small


def page_of(tmp_path, **changes) -> str:
    (tmp_path / "release.json").write_text(json.dumps(RELEASE))
    how = {"title": "T", "caution": "", "min_subjects": 10}
    return rapid.run(**{**TABLES, "release": tmp_path / "release.json", **how, **changes})


def text(page: str) -> str:
    body = re.sub(r"<script.*?</script>|<style.*?</style>", " ", page, flags=re.S)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", body)).replace("\u00a0", " ").split())


@pytest.fixture
def said(tmp_path):
    return text(page_of(tmp_path))


def test_the_best_and_the_worst_service_come_first(said):
    best = "good refuses the same person least often: 2.0% of 900 pairs, 95% interval 1.0% to 3.0%."
    worst = "worn refuses most often: 20% of 900 pairs, 95% interval 15% to 25%."
    assert f"At an FMR of 0.01, {best} {worst} worn, FMR 0.01, pronoun: worst for she" in said
    short = said[said.index("In short") : said.index("Which service FNMR")]
    assert "good, FMR" not in short and "No other difference between groups is larger than chance may make it" in short
    assert "flat is left out: all its scores are equal." in said


def test_services_whose_intervals_overlap_are_told_with_the_best_and_the_worst(tmp_path):
    made = {"a": (0.1, 0.05, 0.15), "b": (0.2, 0.12, 0.28), "c": (0.3, 0.2, 0.4)}
    curves = rows([curve(name, "all", *figures) for name, figures in made.items()], ServiceCurves)
    said = text(page_of(tmp_path, curves=curves))
    alike = "Against b that may be chance: the intervals overlap."
    assert f"5.0% to 15%. {alike} c refuses most often" in said and f"20% to 40%. {alike} Some groups" in said


def test_for_whom_a_service_is_worse_and_whether_that_may_be_chance(said):
    assert "worn, FMR 0.01, pronoun: worst for she (30% of 900 pairs, 95% interval 26% to 34%), best for he" in said
    assert "good, FMR 0.01, pronoun: worst for" not in said
    worn = said.index("worn, FMR 0.01, pronoun: worst for she", said.index("For whom worse At the threshold"))
    claim = "she is refused more often than all others, by more than chance makes among 4 comparisons."
    assert f"{claim} No other difference between groups" in said[worn:]
    assert "good 0.010 pronoun she 0.021 he 0.019 0.002" in said
    assert "worn 0.010 pronoun she 0.300 he 0.100 0.200" in said


def test_a_certain_difference_is_told_where_the_worst_group_is_too_small_for_one():
    made = [
        curve("s", "few", 0.5, 0.05, 0.95, p=0.3),
        curve("s", "many", 0.3, 0.27, 0.33, p=0.01),
        curve("s", "rest", 0.1, 0.07, 0.13, p=0.9),
    ]
    (gap,) = gaps.of(pd.DataFrame(made), 3)
    assert (gap.most.group, gap.least.group, gap.p, gap.is_certain) == ("many", "rest", pytest.approx(0.03), True)
    (gap,) = gaps.of(pd.DataFrame(made[::2]), 2)
    assert (gap.most.group, gap.least.group, gap.p, gap.is_certain) == ("few", "rest", 0.6, False)


def test_what_was_not_seen_stands_with_its_reason(said):
    assert "300 faces of 400 pictures got a label (75%), in 30 queries." in said
    assert "nobody found by worn 90" in said and "no face found by worn 10" in said
    assert "she 12 180 100 0.556" in said


def test_both_shares_of_the_truth_stand_together(said):
    assert "Of 300 labelled faces 297 (99%) are labelled as by the archive's annotations." in said
    assert "Of 302 faces of the people themselves, by the archive's annotations, 240 (79%) were kept as such." in said
    assert "good 0.010 0.020 0.030 -0.010" in said


def test_both_rules_are_held_against_the_truth_with_intervals(said):
    assert "published of these, labelled alike 0.990 0.970 0.998 0.971 0.997 300 30" in said
    assert "strangers of these, labelled alike 0.979 0.950 0.990 0.958 0.990 340 34" in said


def test_published_shares_stand_beside_ours(said):
    """300 of 390, 297 of 300, 240 of 302 here; 1556 of 2196, 1551 of 1556, 1213 of 1637 of the celebrities."""
    assert "this release 390 0.769 0.990 0.795" in said and "Celebrities 2196 0.709 0.997 0.741" in said
    assert "FHIBE" not in said


def test_which_services_do_better_together_and_what_hand_labels_bring(said):
    best = "the others do best without worn: FNMR of theirs is then off by 5.0 points, with it by 8.0 points."
    assert f"At an FMR of 0.01, {best}" in said
    hand = "8.0 points without hand labels and 3.0 with 30% of the faces labelled by hand."
    assert f"With all services it is {hand}" in said
    shares = "who votes 0% 30% 100% At an FMR of 0.01 all 4 services 8.0 3.0 0.0 all but worn 5.0 2.0 0.0 all but blunt"
    assert shares in said and "At an FMR of 0.001 all 4 services – – –" in said


def test_where_no_service_is_better_left_out_that_is_said(tmp_path):
    some = TABLES["assisted"]
    some = some[some["services"] != "blunt + good + sharp"]
    assert "no set without one service comes nearer than all together" in text(page_of(tmp_path, assisted=some))
    alone = some[some["services"] == "blunt + good + sharp + worn"]
    found = text(page_of(tmp_path, assisted=alone, by_hand=True))
    assert "without one service" not in found and "part of each distance is that of the queries" in found
    assert "Which services together" not in text(page_of(tmp_path, assisted=empty(Assisted)))


def test_of_many_sets_the_nearest_are_shown(tmp_path):
    names = [f"s{number}" for number in range(6)]
    sets = [" + ".join(some) for size in (3, 4, 5, 6) for some in combinations(names, size)]
    some = [(of, 0.0, name, 0.01, 0.01 * at / len(sets), "") for at, of in enumerate(sets) for name in of.split(" + ")]
    page = page_of(tmp_path, assisted=rows(some, Assisted))
    found = page.split('id="figure-rapid-together"')[1].split("</table>")[0]
    assert found.count('<th scope="row">') == 12 and "the 12 nearest of 42 sets" in found
    assert "all 6 services" in found and "s0, s1 and s2" in found


def test_only_a_certain_change_is_called_one(said):
    assert (
        "good after good_2026, FMR 0.01: refuses the same person less often (6.0% before, 2.0% now; -4.0 points, "
        "-6.0 to -2.0)." in said
    )
    assert "worn after worn_2026, FMR 0.01: no change is certain (19% before, 20% now; +1.0 points" in said
    assert "pronoun she: refuses the same person more often (20% before, 30% now; +10.0 points" in said
    assert "pronoun he: " not in said and "what the archive's annotations say, which may be wrong." in said
    assert "good good_2026 0.010 0.060 0.020 -0.040 -0.060 -0.020 better 20 900" in said
    assert "-0.9" not in said


def test_changes_by_the_services_own_labels_say_whom_these_favour(tmp_path):
    mine = TABLES["changes"][TABLES["changes"]["labels"] == "estimated"]
    found = text(page_of(tmp_path, changes=mine))
    assert "which favours today's versions" in found and "90% before" in found


def test_annotations_that_most_services_dispute_are_told_and_figures_stand_without_them(tmp_path):
    """Two services were tested (the third, `flat`, was not): both must be against: one is not more than half."""
    against = "nobody found by good; several people found by worn"
    more = [("all", "all", against, 3, 30), ("all", "all", "nobody found by good, worn", 1, 9)]
    less = [curve("good", "all", 0.021, 0.01, 0.03, labels="undisputed")]
    over = [change("good", "all", 0.05, 0.01, -0.05, -0.03, "fell", labels="undisputed")]
    every = {
        "coverage": rows(more, Coverage),
        "curves": rows(less, ServiceCurves),
        "changes": rows(over, ServiceChanges),
    }
    found = text(page_of(tmp_path, **{name: pd.concat([TABLES[name], some]) for name, some in every.items()}))
    assert "In 4 queries most services found nobody, or several people: there the archive's annotations may be" in found
    assert "good 0.010 0.020 0.030 -0.010 0.021 -0.001" in found
    assert "Without 4 queries in which most services found nobody, or several people: good after good_2026" in found
    for claim in ("the truth", "is known here", "it is known"):
        assert claim not in found


def test_by_hand_only_queries_that_people_looked_at_have_labels_that_may_be_wrong(tmp_path):
    more = rows([("all", "all", "nobody found by good, worn", 3, 9)], Coverage)
    found = text(page_of(tmp_path, coverage=pd.concat([TABLES["coverage"], more]), by_hand=True))
    assert "In 3 queries most services found nobody, or several people: of those among them that people" in found


def test_before_any_vote_nobody_is_said_to_have_looked(tmp_path):
    none = {"agreement": empty(LabelAgreement), "accuracy": empty(LabelAccuracy), "assisted": empty(Assisted)}
    found = text(page_of(tmp_path, by_hand=True, **none))
    assert "nobody has looked at one yet" in found and "People looked at" not in found


def test_one_service_that_finds_nobody_disputes_nothing(said):
    assert "nobody found by worn" in said and "most services found nobody" not in said
    assert "without disputed queries" not in said
    assert not coverage.is_disputed("nobody found by good", ["good"])


def test_without_an_earlier_test_nothing_is_said_of_time(tmp_path):
    assert "Over time" not in text(page_of(tmp_path, changes=empty(ServiceChanges)))


def test_groups_of_few_queries_and_without_a_figure_are_nowhere(tmp_path):
    page = page_of(tmp_path)
    assert "few" not in re.findall(r"<td[^>]*>([^<]*)</td>", page) and "<b>few</b>" not in page
    assert "&lt;b&gt;few" not in page and "too few pairs" not in page and "90%" not in text(page)


def test_a_small_group_doesn_t_follow_from_the_others_by_subtraction():
    """Hidden groups have at least as many queries together as one that may be shown, or none."""
    every = [
        ("all", "all", 45), ("skin", "a", 14), ("skin", "b", 13), ("skin", "c", 14), ("skin", "rare", 4),
        ("pronoun", "she", 20), ("pronoun", "he", 25), ("age", "old", 6), ("age", "young", 7), ("age", "middle", 32),
    ]  # fmt: skip
    sizes = pd.DataFrame(every, columns=["attribute", "group", "queries"])
    assert small.shown(sizes, 10) == {
        ("skin", "a"), ("skin", "c"), ("pronoun", "she"), ("pronoun", "he"), ("age", "middle"),
    }  # fmt: skip
    assert small.shown(sizes[sizes["group"].isin(["rare", "a"])], 10) == set()


def test_a_group_that_a_service_loses_is_named_with_the_service(tmp_path):
    lost = [("all", "all", "kept", 37, 300), ("all", "all", "nobody found by worn", 3, 33),
            ("pronoun", "she", "kept", 20, 200), ("pronoun", "he", "kept", 10, 100), ("pronoun", "they", "kept", 7, 60),
            ("pronoun", "they", "nobody found by worn", 3, 33)]  # fmt: skip
    some = TABLES["curves"]
    found = text(page_of(tmp_path, coverage=rows(lost, Coverage), curves=some[some["group"] != "none"]))
    start = found.index("At the threshold that all users of a service meet.")
    assert "There is no figure for pronoun they: 7 queries kept. Left out: nobody found by worn." in found[start:]
    assert "Some groups have no figure, and may be those that are worst off" in found[:start]
    assert "or more queries of a group were left out" not in found  # 3 are fewer than the least
    many = [*lost[:-1], ("pronoun", "they", "nobody found by worn", 10, 110)]
    assert "pronoun they nobody found by worn 10 110" in text(page_of(tmp_path, coverage=rows(many, Coverage)))


def test_a_group_that_is_hidden_beside_a_small_one_is_named_and_the_small_one_counted(tmp_path):
    """dark lost 3 of 10 queries by `worn`; small has 5, so that dark, the next larger, is in no table."""
    lost = [("all", "all", "kept", 37, 300), ("all", "all", "nobody found by worn", 3, 33),
            ("skin", "small", "kept", 5, 50), ("skin", "light", "kept", 25, 190), ("skin", "dark", "kept", 7, 60),
            ("skin", "dark", "nobody found by worn", 3, 33)]  # fmt: skip
    known = [curve(name, "light", 0.1, 0, 0.2, attribute="skin", queries=25) for name in ("good", "worn")]
    whole = [curve(name, "all", 0.1, 0, 0.2, queries=37) for name in ("good", "worn")]
    page = page_of(tmp_path, coverage=rows(lost, Coverage), curves=rows(whole + known, ServiceCurves))
    found = text(page)
    assert "There is no figure for skin dark: fewer than 10 queries kept. Left out: nobody found by worn." in found
    assert "In skin, 1 group of fewer than 10 queries has no figure." in found
    assert not {"dark", "small"} & set(re.findall(r"<td[^>]*>([^<]*)</td>", page)) and "skin small" not in found


def test_queries_without_a_group_don_t_follow_by_subtraction():
    """46 of everyone, 14 of each of three groups: four people said nothing of their skin."""
    sizes = pd.DataFrame(
        [("all", "all", 46), *(("skin", name, 14) for name in "abc")], columns=["attribute", "group", "queries"]
    )
    assert small.shown(sizes, 10) == {("skin", "b"), ("skin", "c")}
    assert small.shown(sizes, 4) == small.shown(sizes.replace(46, 42), 10) == {("skin", name) for name in "abc"}


def test_blank_cells_are_no_group_that_the_coverage_tells_by_subtraction(tmp_path):
    some = [("all", "all", "kept", 46, 460), *(("skin", name, "kept", 14, 140) for name in "abc")]
    known = [curve("good", name, 0.1, 0, 0.2, attribute="skin", queries=14) for name in "abc"]
    curves = rows([curve("good", "all", 0.1, 0, 0.2, queries=46), *known], ServiceCurves)
    cells = re.findall(r"<td[^>]*>([^<]*)</td>", page_of(tmp_path, coverage=rows(some, Coverage), curves=curves))
    assert "a" not in cells and cells.count("b") == cells.count("c") == 3


def test_each_service_hides_what_is_small_for_it_over_time(tmp_path):
    """d has 13 queries by `good`, and 4 by `worn`, whose everyone less a, b and c would be those."""
    sizes = {"good": (55, 14, 14, 14, 13), "worn": (46, 14, 14, 14, 4)}
    some = [
        change(name, group, 0.2, 0.1, -0.2, 0, "open", queries=count, attribute="all" if group == "all" else "skin")
        for name, counts in sizes.items()
        for group, count in zip(("all", *"abcd"), counts, strict=True)
    ]
    told = small.large(rows(some, ServiceChanges), 10)
    groups = told[told["attribute"] == "skin"].groupby("service")["group"].agg("".join)
    assert groups.to_dict() == {"good": "abcd", "worn": "bc"}
    grid = page_of(tmp_path, changes=rows(some, ServiceChanges)).split('id="table-rapid-changes-skin"')[1]
    table = text(grid[: grid.index("</table>")])
    assert "good_2026 0.010 d" in table and "worn_2026 0.010 d" not in table and "worn_2026 0.010 a" not in table


def test_a_service_without_a_figure_of_a_group_that_others_have_is_named(tmp_path):
    some = [("all", "all", "kept", 30, 300), ("skin", "a", "kept", 15, 150), ("skin", "b", "kept", 15, 150)]
    known = [curve(name, group, 0.1, 0, 0.2, attribute="skin", queries=15)
             for name, group in (("good", "a"), ("good", "b"), ("worn", "b"))]  # fmt: skip
    whole = [curve(name, "all", 0.1, 0, 0.2, queries=30) for name in ("good", "worn")]
    found = text(page_of(tmp_path, coverage=rows(some, Coverage), curves=rows(whole + known, ServiceCurves)))
    assert "skin a has no figure of worn: " in found and "skin b has no figure" not in found


def test_names_of_groups_are_text_and_the_page_loads_nothing(tmp_path):
    script = rows([curve("good", "all", 0.1, 0.1, 0.2), curve("<script>x()</script>", "all", 0.3, 0.2, 0.4),
                   curve("good", "<script>y()</script>", 0.1, 0.1, 0.2)], ServiceCurves)  # fmt: skip
    page = page_of(tmp_path, curves=script)
    assert "<script>x()" not in page and "<script>y()" not in page and "&lt;script&gt;x()" in page
    assert not re.search(r"(?:src|href)=\"(?:https?:)?//", page) and "<img" not in page


def test_the_page_of_a_search_says_whose_pictures_and_that_nobody_knows_whom_they_show(tmp_path):
    none = {"agreement": empty(LabelAgreement), "accuracy": empty(LabelAccuracy), "changes": empty(ServiceChanges)}
    allowed = {"basis": "The board of <X> allows this.", "until": "2027-03-31"}
    found = text(page_of(tmp_path, search=allowed, **none))
    assert "pictures of named people, who consented to nothing" in found
    assert "Until 2027-03-31 this is allowed by what was stated: The board of <X> allows this." in found
    for false in ("on the release", "of the release", "held against the truth", "it is known whom"):
        assert false not in found, false
    assert "Whom a picture shows isn't known here" in found


def test_services_that_were_held_against_nothing_are_not_said_to_have_been(tmp_path):
    found = text(page_of(tmp_path, agreement=empty(LabelAgreement), accuracy=empty(LabelAccuracy)))
    assert "held against each other" in found


def test_nothing_but_the_reason_is_left_where_no_service_was_tested(tmp_path):
    none = {"agreement": empty(LabelAgreement), "accuracy": empty(LabelAccuracy)}
    found = text(page_of(tmp_path, curves=empty(ServiceCurves), **none))
    assert "No service has a figure. flat: all its scores are equal." in found
    assert "No face was labelled." in found and "No group has enough queries" in found
    blank = text(page_of(tmp_path, services=empty(Services), coverage=empty(Coverage), curves=empty(ServiceCurves)))
    assert "0 faces of 0 pictures got a label, in 0 queries." in blank


def test_the_report_leads_to_pages_of_services_and_of_fakes_where_there_are_any(tables):
    links = '<a href="{0}rapid.html">Recognition services</a>', '<a href="{0}fakes.html">Detectors of fakes</a>'
    with_pages, without = index.run(**tables, rapid=True, fakes=True), index.run(**tables)
    for name, root in (("index.html", ""), ("data.html", ""), ("models/yunet.html", "../")):
        assert all(link.format(root) in with_pages[name] for link in links)
        assert "rapid.html" not in without[name] and "fakes.html" not in without[name]
