"""Published-number checks: rounding and arithmetic by hand, bad tables by their messages, FHIBE's own gap."""

import csv
import io
import math
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from accord import cli
from accord.analyse.describing import references
from accord.analyse.numbers import run
from accord.analyse.published.arithmetic import Names, expression, holds, relation, value
from accord.analyse.published.inconsistent import inconsistent
from accord.analyse.published.printed import Range, exactly, printed
from accord.analyse.published.ranges import Undefined
from accord.errors import AccordError

CONFIG = Path(__file__).parents[2] / "config"
SHIPPED = sorted((CONFIG / "numbers").glob("*.csv"))
SLUGS = {
    "FHIBE": "fhibe", "COCO": "coco", "Open Images MIAP": "miap", "FACET": "facet", "Casual Conversations v1": "ccv1",
    "Casual Conversations v2": "ccv2", "Celebrities": "celebrities", "Athletes": "athletes",
    "Celebrities 2024": "celebrities_2024",
}  # fmt: skip
"""Dataset of a reference -> the part of a number's name that stands for it, where a file has several."""


def table(folder, *lines, name="t.csv"):
    file = folder / name
    file.write_text("\n".join(["name,value,rule,source", *lines]) + "\n", encoding="utf-8")
    return file


def states(file):
    found = run([file])
    return dict(zip(found["name"] + " " + found["rule"], found["state"], strict=True))


def check(text, **values):
    figures = {name: printed(value) if value else None for name, value in values.items()}
    return holds(relation(text, figures, "own"), figures)[0]


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [("28,703", 28703, 28703), ("0.97", "0.965", "0.975"), ("3.5%", "0.0345", "0.0355"), ("12%", "0.115", "0.125"),
     ("-4.0", "-4.05", "-3.95"), ("−4", -4, -4), ("1200 ± 50", 1150, 1250), ("53.60", "53.595", "53.605"),
     (" 7 ", 7, 7), ("1,234,567.5", "1234567.45", "1234567.55")],
)  # fmt: skip
def test_what_a_printed_number_may_stand_for(text, low, high):
    assert printed(text) == (Fraction(low), Fraction(high))


@pytest.mark.parametrize("text", ["", "about 7", "1,23", "12,3456", "1e5", "7 people", "1.", "--1"])
def test_what_is_no_number(text):
    with pytest.raises(ValueError, match="is not a number such as"):
        printed(text)


@given(st.integers(0, 10**6), st.integers(1, 10**6), st.integers(0, 4))
def test_a_rounded_share_always_holds(part, more, decimals):
    """A correctly rounded percentage of a part obeys its rule, and the test for shares of whole numbers."""
    whole = part + more
    figures = {"share": printed(f"{100 * part / whole:.{decimals}f}%"), "n": exactly(part), "of_all": exactly(whole)}
    assert holds(relation("share = n / of_all", figures, ""), figures)[0]
    assert holds(relation("share of of_all", figures, ""), figures)[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("a + b = 10", True), ("a + b * 2 = 17", True), ("(a + b) * 2 = 20", True), ("a - b - 1 = -5", True),
     ("-a = 0 - 3", True), ("a / b = r", True), ("a / b = 0.42", False), ("r = 0.429", True), ("r = 0.44", False),
     ("a < b", True), ("a >= b", False), ("b > 7", False), ("b <= 7", True), ("min(a, b, 9) = 3", True),
     ("abs(a - b) = 4", True), ("abs(b - a) = -4", False), ("sqrt(b + 2) = a", True), ("sqrt(b) = a", False),
     ("exp(a) = 20.085536923", True), ("exp(a) = 20.0856", False), ("1 / exp(-a) = exp(a)", True),
     ("max(a, b) = 7", True), ("sum(a, b, 1) = 11", True), ("50% = 1 / 2", True), ("a−b = -4", True)],
)  # fmt: skip
def test_arithmetic_by_hand(text, expected):
    assert check(text, a="3", b="7", r="0.43") is expected


@pytest.mark.parametrize(("value", "trials", "expected"), [("27.3%", "11", True), ("27.5%", "11", False),
                                                          ("0.25", "8", True), ("3.46", "20", False)])  # fmt: skip
def test_a_share_is_a_whole_number_of_its_denominator(value, trials, expected):
    assert check("own of n", own=value, n=trials) is expected


def test_wilsons_bounds_are_those_of_statsmodels():
    low, high = proportion_confint(14, 400, method="wilson")
    for name, bound in (("low", low), ("high", high)):
        figures = {"own": printed(f"{bound:.6f}")}
        assert holds(relation(f"= wilson_{name}(14, 400)", figures, "own"), figures)[0]
        assert not check(f"= wilson_{name}(14, 400)", own=f"{bound + 0.001:.6f}")


@pytest.mark.parametrize(
    ("text", "why"),
    [("= sqrt(a - 4)", "the square root of a negative number"), ("= 1 / (a - 3)", "it divides by 0"),
     ("= 1 / z", "divides by 0, or by a value that may be 0"),
     ("= gone", "gone has no value"), ("= wilson_low(5, 3)", "whole number of hits"),
     ("= wilson_low(z, 3)", "whole number of hits")],
)  # fmt: skip
def test_what_can_t_be_worked_out(text, why):
    with pytest.raises(Undefined, match=why):
        check(text, own="1", a="3", z="0.0", gone="")


@pytest.mark.parametrize(
    ("text", "why"),
    [("= b", "'b' is not a figure in the table"), ("a + = 3", "'=' is not a figure"), ("a", "'' in place of one of"),
     ("a = (3", r"a \) is missing"), ("a = 3 4", "'4' after its end"), ("= ", "ends unexpectedly"),
     ("a = $", "can't be read"),
     ("a = sum(x.*)", "no figure begins with 'x.'"), ("= wilson_low(1)", "takes hits and trials"),
     ("= abs(1, 2)", "abs takes one figure"), ("= exp()", r"'\)' is not a figure"),
     ("a = " + "(" * 60 + "1" + ")" * 60, "nested deeper than 40"), ("a = " + "1+" * 300 + "1", "longer than 500"),
     ("a = __import__(1)", "'__import__' is not a figure"), ("a = min", "'min' is not a figure")],
)  # fmt: skip
def test_what_is_no_rule(text, why):
    with pytest.raises(ValueError, match=why):
        relation(text, {"a": exactly(1)}, "a")


def test_the_longest_sum_that_is_read_is_worked_out():
    assert check("= " + "1+" * 248 + "1", own="249")


def test_a_table_with_sums_differences_and_shares(tmp_path):
    file = table(
        tmp_path,
        "total,100,= sum(age.*),T1",
        "age.young,61,,T1",
        "age.old,38,,T1",
        'share,61.0%,= age.young / total,"T1, c"',
    )
    assert states(file) == {"total = sum(age.*)": "broken", "share = age.young / total": "holds"}
    row = run([file]).iloc[0]
    assert row[["line", "left", "right", "apart", "source", "note"]].tolist() == [
        2, 100, 99, 1, "T1", "100 should be = 99: 1 more",
    ]  # fmt: skip


def test_an_intersection_is_no_larger_than_its_parts(tmp_path):
    file = table(
        tmp_path,
        "n.africa,40,,",
        "n.she,90,,",
        "n.africa&she,41,,",
        "n.young,60,,",
        "n.africa&she&young,41,,",
        "m.she,1,,",
    )
    assert states(file) == {
        "n.africa&she <= n.africa": "broken",
        "n.africa&she <= n.she": "holds",
        "n.africa&she&young <= n.africa": "broken",
        "n.africa&she&young <= n.africa&she": "holds",
        "n.africa&she&young <= n.she": "holds",
        "n.africa&she&young <= n.young": "holds",
    }


def test_undefined_rules_are_rows_with_a_reason(tmp_path):
    big = "*".join(["9" * 30] * 15)
    file = table(tmp_path, "a,,,", "b,3,= a; <= 4,", f"c,1,= {big},")
    found = run([file]).set_index("rule")
    assert found["state"].tolist() == ["undefined", "holds", "undefined"]
    assert found["note"].tolist() == ["a has no value", "", "the result is too large"]


def test_all_that_is_wrong_with_tables_is_told_at_once(tmp_path):
    first = table(tmp_path, "a,seven,,", "b,1,= c,", "b,2,,", "2x,3,,", "d,4", name="first.csv")
    second = tmp_path / "second.csv"
    second.write_text("name,value\n")
    with pytest.raises(AccordError) as caught:
        run([first, second, tmp_path / "third.csv"])
    assert [(problem.where.rpartition("/")[2], problem.what) for problem in caught.value.problems] == [
        ("first.csv, line 2", "'seven' is not a number such as 28,703, 0.97, 3.5% or 1200 ± 50"),
        ("first.csv, line 4", "b is duplicated"),
        ("first.csv, line 5", "'2x' is not a valid name"),
        ("first.csv, line 6", "has 2 cells, not 4"),
        ("first.csv, line 3", "rule '= c': 'c' is not a figure in the table"),
        ("second.csv", "must have the columns name, value, rule, source"),
        ("third.csv", "does not exist"),
    ]


def _told(*files):
    with pytest.raises(AccordError) as caught:
        run(list(files))
    return [(problem.where.rpartition("/")[2], problem.what) for problem in caught.value.problems]


def test_what_is_wrong_with_a_line_hides_nothing_and_makes_nothing_else_wrong(tmp_path):
    file = table(tmp_path, "2x,seven,= gone,", "b,zz,= lost + missing * (c; = lot.* + 1 2,", "c,1,= b; = d,", "d,4")
    number = "is not a number such as 28,703, 0.97, 3.5% or 1200 ± 50"
    assert _told(file) == [
        ("t.csv, line 2", "'2x' is not a valid name"),
        ("t.csv, line 2", f"'seven' {number}"),
        ("t.csv, line 3", f"'zz' {number}"),
        ("t.csv, line 5", "has 2 cells, not 4"),
        ("t.csv, line 2", "rule '= gone': 'gone' is not a figure in the table"),
        ("t.csv, line 3", "rule '= lost + missing * (c': 'lost' is not a figure in the table; "
         "'missing' is not a figure in the table; a ) is missing"),
        ("t.csv, line 3", "rule '= lot.* + 1 2': 'lot.*' is not a figure in the table; '2' after its end"),
    ]  # fmt: skip


def test_all_names_that_a_rule_lacks_are_told(tmp_path):
    assert _told(table(tmp_path, "a,1,= sum(n.*) + b + c + b,")) == [
        ("t.csv, line 2", "rule '= sum(n.*) + b + c + b': no figure begins with 'n.'; "
         "'b' is not a figure in the table; 'c' is not a figure in the table"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("content", "what"),
    [(b"name;value;rule;source\na;1;;\n", "looks separated by semicolons, not commas"),
     (b"name,value,rule,source\na,1,,\nb,\"1\"2,,\n", "is not valid CSV in UTF-8 (line 3: ',' expected after '\"')"),
     (b"name,value,rule,source\na,\xff,,\n", "is not valid CSV in UTF-8 (line 2: byte 0xff)")],
)  # fmt: skip
def test_what_is_no_table_says_what_it_is(tmp_path, content, what):
    (tmp_path / "t.csv").write_bytes(content)
    assert _told(tmp_path / "t.csv") == [("t.csv", what)]
    with pytest.raises(AccordError) as caught:
        references.read([tmp_path / "t.csv"])
    assert [problem.what for problem in caught.value.problems] == [what]


def test_all_that_is_wrong_with_a_reference_is_told(tmp_path):
    file = tmp_path / "r.csv"
    file.write_text("dataset,figure,value,source\n,images,seven,\nFHIBE,images,1\nFHIBE,images,,S\n")
    with pytest.raises(AccordError) as caught:
        references.read([file])
    cells = "must have 4 filled cells"
    assert [(problem.where.rpartition("/")[2], problem.what) for problem in caught.value.problems] == [
        ("r.csv, line 2", cells), ("r.csv, line 2", "value 'seven' is not a number"), ("r.csv, line 3", cells),
        ("r.csv, line 4", cells),
    ]  # fmt: skip


def test_the_command_checks_what_can_be_read_of_other_tables_too(tmp_path, capsys):
    fine = table(tmp_path, "a,2,= 1 + 2,Table 3")
    with pytest.raises(AccordError, match="2 problems found"):
        cli.main(["numbers", "check", str(tmp_path / "none.csv"), str(fine), str(tmp_path / "other.csv")])
    assert "line 2, a: broken: = 1 + 2 (Table 3)" in capsys.readouterr().out


@given(
    st.lists(st.fractions(-50, 50, max_denominator=100), min_size=2, max_size=2).map(sorted),
    st.fractions(0, 1, max_denominator=9),
)
def test_a_range_has_what_its_numbers_give(ends, along):
    """Of any number of a range, |x|, its root and e^x lie in the ranges of these."""
    low, high = ends
    number = low + along * (high - low)
    figures = {"x": Range(low, high)}
    for name, function in (("abs", abs), ("exp", math.exp), ("sqrt", math.sqrt)):
        if name != "sqrt" or number >= 0:
            made = value(expression(f"{name}(x)", figures), figures)
            assert made.low <= Fraction(function(number)) <= made.high


@given(st.sets(st.text("ab._", min_size=1, max_size=5)), st.text("ab._", max_size=3))
def test_names_that_begin_alike_are_found(names, start):
    assert Names.fromkeys(names).under(start) == sorted(name for name in names if name.startswith(start))


def test_a_value_can_follow_from_others(tmp_path):
    file = table(
        tmp_path,
        "rest,= total - part,= 60; < later,",
        "double,= 2 * rest,= 120; of total,",
        "nothing,= part / 0,= 1,",
        "total,100,,",
        "part,40,,",
        "later,= double,= 120,",
    )
    assert states(file) == {
        "rest = 60": "holds",
        "rest < later": "holds",
        "double = 120": "holds",
        "double of total": "holds",
        "nothing = 1": "undefined",
        "later = 120": "holds",
    }
    with pytest.raises(AccordError, match="line 2: value ' gone': 'gone' is not a figure in the table"):
        run([table(tmp_path, "a,= gone,,")])


def test_a_reason_is_told_of_what_is_broken_alone(tmp_path):
    file = tmp_path / "t.csv"
    lines = ["a,1,= 2; = 1,T1,It is 2", "b,1,= 3,T2,It is 2", "c,1,= 1,T3,Never told", "d,1,= 4,T4,"]
    file.write_text("\n".join(["name,value,rule,source,reason", *lines]) + "\n")
    found = run([file])
    assert found["reason"].tolist() == ["It is 2", "", "It is 2", "", ""]
    told = inconsistent(found)[["name", "rule", "reason", "like_it", "last_line"]].to_numpy().tolist()
    assert told == [["a", "= 2", "It is 2", 1, 3], ["d", "= 4", "", 0, 5]]


def test_rules_broken_for_no_known_reason_are_told_one_by_one(tmp_path):
    found = run([table(tmp_path, "a,1,= 2; = 3,", "b,1,= 2,", "c,1,= 1 / 0; = 1,")])
    told = inconsistent(found)
    assert (told["name"] + told["rule"] + told["state"]).tolist() == [
        "a= 2broken", "a= 3broken", "b= 2broken", "c= 1 / 0undefined",
    ]  # fmt: skip
    assert told["like_it"].tolist() == [0] * 4


@pytest.fixture(scope="module")
def shipped():
    return run(SHIPPED)


def test_whatever_is_broken_of_shipped_tables_has_a_reason_and_nothing_else_has_one(shipped):
    wrong = shipped[shipped["state"] != "holds"]
    assert set(wrong["state"]) == {"broken"}
    assert wrong[wrong["reason"] == ""][["name", "rule"]].to_numpy().tolist() == []
    given_to = {(file.name, row["name"]) for file in SHIPPED for row in _lines(file) if row["reason"]}
    assert given_to == {(Path(file).name, name) for file, name in zip(wrong["file"], wrong["name"], strict=True)}
    assert wrong["source"].ne("").all()


def test_every_rule_of_shipped_tables_can_be_worked_out(shipped):
    assert len(SHIPPED) == 5
    assert len(shipped) > 5000
    assert not (shipped["state"] == "undefined").any()


def test_the_docs_count_what_is_shipped(shipped):
    docs = (CONFIG.parent / "docs/published-figures.md").read_text()
    for file in SHIPPED:
        rules = shipped[shipped["file"].str.endswith(file.name)]
        values = [row for row in _lines(file) if row["value"] and not row["name"].startswith("worked.")]
        counts = len(values), len(rules), int((rules["state"] == "broken").sum())
        assert " | ".join(f"{count:,}" for count in counts) in docs, (file.name, counts)


@pytest.mark.parametrize(
    ("name", "apart"),
    [("images.fhibe", 10_318 - (28_703 - 6_868 - 5_855) * (1 - 0.0025) + 3_848), ("images.reporting_summary", 1),
     ("subjects.fhibe", 1_981 - (2_017 - 14)), ("incomes.fhibe.high", 1 - (0.115 + 0.145 + 0.715 + 0.003)),
     ("pairs.positive", 15_474 - 10_941 * (10_941 / 1_981 - 1) / 2), ("ed1.ancestry", 22 - 20),
     ("groups.largest.fhibe.pronoun_age_region", 8_415 - 3_353),
     ("online.margin", 0.017 - 1.96 * (0.035 * 0.965) ** 0.5 / 20),
     ("gender_precision.lightface.all", 0.4412 - 0.4433), ("worked.left", 90 - (2 + 3 + 117 + 254 + 1)),
     ("labelled", 25_000 - (1213 + 2 + 3 + 338 + 12311 + 117 + 254 + 4351 + 1)),
     ("b2.said.senior", 0.2481 - (0.9642 - 0.7224)), ("t5.ccv2.oae.change.efficientb4", 0.259 - (4.077 - 1.487)),
     ("d9.skin.meo.efficientb4", 5.385 - 8.300)],
)  # fmt: skip
def test_what_publications_leave_unexplained_by_hand(shipped, name, apart):
    broken = shipped[(shipped["name"] == name) & (shipped["state"] == "broken")]
    assert broken["apart"].tolist() == pytest.approx([apart], abs=1e-6)


@pytest.mark.parametrize(("file", "relations"), [("lvlm-fairness", 54), ("ai-face", 12 * 4 * 4)])
def test_every_disparity_is_held_against_what_it_is_made_of(shipped, file, relations):
    """54 differences of recalls; of 12 detectors and 4 ways to group people the 4 measures of Table 4."""
    of_file = shipped[shipped["file"].str.endswith(f"{file}.csv")]
    made = of_file[of_file["name"].str.match(r"disparity\.|t4\.(skin|gender|age|inter)\.(meo|dp|oae|eo)\.")]
    assert made["name"].nunique() == relations
    assert (made["state"] == "holds").all()


@pytest.mark.parametrize("file", SHIPPED, ids=lambda file: file.stem)
def test_figures_beside_ours_are_those_whose_arithmetic_is_checked(file):
    """Each reference is the number of its name, without its dataset's part of it: the same value, the same source."""
    numbers = _lines(file)
    found = references.read([CONFIG / "references" / file.name])
    assert found
    for dataset in {row["dataset"] for row in found}:
        slug = SLUGS.get(dataset, "")
        known = {".".join(part for part in row["name"].split(".") if part != slug): row for row in numbers}
        for row in (row for row in found if row["dataset"] == dataset):
            number = known[row["figure"]]
            assert float(printed(number["value"]).middle) == pytest.approx(row["value"], abs=1e-12), row
            assert row["source"] == number["source"]


def _lines(file):
    return list(csv.DictReader(io.StringIO(file.read_text())))


def test_the_command_prints_what_and_where(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = table(tmp_path, "a,2,= 1 + 2,Table 3", "b,1,= 1,")
    assert cli.main(["numbers", "check", str(file)]) == 1
    assert capsys.readouterr().out == (
        "t.csv, line 2, a: broken: = 1 + 2 (Table 3)\n    2 should be = 3: 1 less\n"
        "2 rules: 1 holds, 1 broken, 0 undefined\n"
    )
    assert cli.main(["numbers", "check", str(table(tmp_path, "b,1,= 1,"))]) == 0


def test_the_command_tells_a_reason_once(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = ["name,value,rule,source,reason", "a,1,= 2,T1,A slip", "b,1,= 2,T1,A slip", "c,1,= 2,T2,Another"]
    (tmp_path / "t.csv").write_text("\n".join(rows) + "\n")
    assert cli.main(["numbers", "check", "t.csv"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "t.csv, line 2, a: broken: = 2 (T1)",
        "    1 should be = 2: 1 less",
        "    A slip. 1 more rule fails for the same reason, the last on line 3.",
        "t.csv, line 4, c: broken: = 2 (T2)",
        "    1 should be = 2: 1 less",
        "    Another.",
        "3 rules: 0 hold, 3 broken, 0 undefined",
    ]


def test_no_tables_give_an_empty_one():
    assert run([]).empty
