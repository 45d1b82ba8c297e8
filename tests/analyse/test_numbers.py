"""Published-number checks: rounding and arithmetic by hand, bad tables by their messages, FHIBE's own gap."""

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from accord import cli
from accord.analyse.arithmetic import Undefined, holds, relation
from accord.analyse.numbers import run
from accord.analyse.printed import exactly, printed
from accord.errors import AccordError

FHIBE = Path(__file__).parents[2] / "config/numbers/fhibe.csv"


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
    with pytest.raises(ValueError, match="is no number such as"):
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
    [("= 1 / (a - 3)", "it divides by 0"), ("= 1 / z", "divides by 0, or by what may be 0"),
     ("= gone", "gone has no value"), ("= wilson_low(5, 3)", "whole hits"), ("= wilson_low(z, 3)", "whole hits")],
)  # fmt: skip
def test_what_can_t_be_worked_out(text, why):
    with pytest.raises(Undefined, match=why):
        check(text, own="1", a="3", z="0.0", gone="")


@pytest.mark.parametrize(
    ("text", "why"),
    [("= b", "'b' is no figure of the table"), ("a + = 3", "'=' is no figure"), ("a", "'' where one of"),
     ("a = (3", r"a \) is missing"), ("a = 3 4", "'4' after its end"), ("= ", "ends too early"),
     ("a = $", "can't be read"),
     ("a = sum(x.*)", "no figure begins with 'x.'"), ("= wilson_low(1)", "takes hits and trials"),
     ("a = " + "(" * 60 + "1" + ")" * 60, "nested deeper than 40"), ("a = " + "1+" * 300 + "1", "longer than 500"),
     ("a = __import__(1)", "'__import__' is no figure"), ("a = min", "'min' is no figure")],
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
    assert found["note"].tolist() == ["a has no value", "", "it grows too large"]


def test_all_that_is_wrong_with_tables_is_told_at_once(tmp_path):
    first = table(tmp_path, "a,seven,,", "b,1,= c,", "b,2,,", "2x,3,,", "d,4", name="first.csv")
    second = tmp_path / "second.csv"
    second.write_text("name,value\n")
    with pytest.raises(AccordError) as caught:
        run([first, second, tmp_path / "third.csv"])
    assert [(problem.where.rpartition("/")[2], problem.what) for problem in caught.value.problems] == [
        ("first.csv, line 2", "'seven' is no number such as 28,703, 0.97, 3.5% or 1200 ± 50"),
        ("first.csv, line 4", "b is there twice"),
        ("first.csv, line 5", "'2x' is no name"),
        ("first.csv, line 6", "has 2 cells, not 4"),
        ("first.csv, line 3", "rule '= c': 'c' is no figure of the table"),
        ("second.csv", "has not the columns name, value, rule, source, or more than 20,000 rows"),
        ("third.csv", "is not there"),
    ]


def test_fhibes_steps_leave_images_unexplained():
    """28,703 - 6,868 - 5,855 = 15,980 holds; 15,980 - 3,848 = 12,132 are 1,814 more than the published 10,318."""
    found = run([FHIBE])
    broken = found[found["state"] != "holds"]
    assert broken[["name", "rule", "state"]].to_numpy().tolist() == [["images", "= left - suspicious", "broken"]]
    assert broken["apart"].tolist() == [10_318 - (28_703 - 6_868 - 5_855 - 3_848)] == [-1_814]
    assert len(found) > 20


def test_the_command_prints_what_and_where(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = table(tmp_path, "a,2,= 1 + 2,Table 3", "b,1,= 1,")
    assert cli.main(["numbers", "check", str(file)]) == 1
    assert capsys.readouterr().out == (
        "t.csv, line 2, a: broken: = 1 + 2 (Table 3)\n    2 should be = 3: 1 less\n"
        "2 rules: 1 hold, 1 broken, 0 undefined\n"
    )
    assert cli.main(["numbers", "check", str(table(tmp_path, "b,1,= 1,"))]) == 0


def test_no_tables_give_an_empty_one():
    assert run([]).empty
