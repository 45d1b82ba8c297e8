"""Axes and marks of intervals."""

from hypothesis import example, given
from hypothesis import strategies as st

from accord.pages import shell
from accord.pages.ranges import Point, axis, marks

TINY = 5e-324
NUMBERS = st.floats(-1e6, 1e6).map(lambda number: round(number, 6))


@given(st.lists(NUMBERS, max_size=20))
@example([1e-05, -25001.0])
def test_an_axis_holds_all_values_between_round_ticks(values):
    on = axis(values)
    slack = 1e-8 * (on.high - on.low)
    assert all(on.low - slack <= value <= on.high + slack for value in values)
    assert 2 <= len(on.ticks) <= 9
    assert (on.ticks[0][1], on.ticks[-1][1]) == (0, 100)
    assert len({text for text, _ in on.ticks}) == len(on.ticks)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=9))
@example([TINY])
@example([0.0, TINY])
@example([1.0, 1.0 - 1e-16])
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
