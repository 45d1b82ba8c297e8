"""Axes and marks of intervals."""

import math

from hypothesis import given
from hypothesis import strategies as st

from accord.pages import shell
from accord.pages.ranges import Point, axis, marks

NUMBERS = st.floats(-1e6, 1e6).map(lambda number: round(number, 6))


@given(st.lists(NUMBERS, max_size=20))
def test_an_axis_holds_all_values_between_round_ticks(values):
    on = axis(values)
    assert all(on.low <= value <= on.high or math.isclose(value, on.low, abs_tol=1e-6) or
               math.isclose(value, on.high, abs_tol=1e-6, rel_tol=1e-6) for value in values)  # fmt: skip
    assert 2 <= len(on.ticks) <= 9
    assert (on.ticks[0][1], on.ticks[-1][1]) == (0, 100)
    assert len({text for text, _ in on.ticks}) == len(on.ticks)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=9))
def test_an_axis_of_shares_stays_within_0_and_1(values):
    on = axis(values)
    assert on.low >= -1e-9 and on.high <= 1 + 1e-9


def test_unknown_values_are_passed_over():
    assert axis([None, float("nan"), 0.2, 0.8]) == axis([0.2, 0.8])
    assert [text for text, _ in axis([]).ticks] == ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]


def test_marks_stand_where_their_values_are_and_never_beyond_the_axis():
    on = axis([0.0, 1.0])
    [mark] = marks([Point(0.5, 0.25, 1.75, "worst", "a group")], on)
    assert (mark.start, mark.at, mark.end) == (25, 50, 100)
    [alone] = marks([Point(0.5, None, float("nan"), "best", "")], on)
    assert (alone.start, alone.at, alone.end) == (50, 50, 50)


def test_a_page_allows_its_own_style_and_script_alone():
    parts = shell.parts()
    assert parts["policy"].startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in parts["policy"] and "http" not in parts["policy"]
