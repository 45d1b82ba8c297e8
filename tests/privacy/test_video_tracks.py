"""Tracks of boxes over time, and people who are known at a time, by hand."""

import numpy as np
import pytest

from accord.engine.table import rows
from accord.privacy.tables import KnownBoxes
from accord.privacy.videos.known import people
from accord.privacy.videos.tracks import Look, Track, boxes_at, joined, spans


def box(x, y=0, side=20):
    return [x, y, x + side, y + side]


def looks(*seen, every=0.25):
    """A look every quarter of a second; each is a list of boxes."""
    return [Look(every * number, np.array(boxes, float).reshape(-1, 4)) for number, boxes in enumerate(seen)]


def test_boxes_are_linear_between_two_looks_and_over_a_look_that_found_nothing():
    (track,) = joined(looks([box(0)], [], [box(20)]), gap=1)
    assert boxes_at([track], 0.125).tolist() == [[5, 0, 25, 20]]
    assert boxes_at([track], 0.25).tolist() == [[10, 0, 30, 20]]


def test_a_longer_gap_ends_a_track():
    first, second = joined(looks([box(0)], [], [], [box(0)]), gap=0.5)
    assert (first.seconds.tolist(), second.seconds.tolist()) == ([0], [0.75])
    assert boxes_at([first, second], 0.375).tolist() == []
    assert len(joined(looks([box(0)], [], [], [box(0)]), gap=0.75)) == 1


def test_two_who_cross_keep_their_ways():
    right, left = [0, 10, 20, 30, 40], [41, 31, 21, 11, 1]
    found = joined(looks(*([box(a), box(b)] for a, b in zip(right, left, strict=True))), gap=1)
    assert [track.boxes[:, 0].tolist() for track in found] == [right, left]


def test_the_order_in_which_boxes_are_found_does_not_matter():
    found = joined(looks([box(0), box(100)], [box(104), box(4)]), gap=1)
    assert [track.boxes[:, 0].tolist() for track in found] == [[0, 4], [100, 104]]


@pytest.mark.parametrize("there", [box(61), box(0, side=41), box(0, side=9)])
def test_what_is_too_far_or_of_another_size_is_somebody_else(there):
    # a box may be 3 sides away: 60 px, and twice as large or half as large
    assert len(joined(looks([box(0)], [there]), gap=1)) == 2


@pytest.mark.parametrize("there", [box(59), box(0, side=40), box(0, side=10)])
def test_what_is_nearly_so_far_or_so_large_is_the_same(there):
    assert len(joined(looks([box(0)], [there]), gap=1)) == 1


def test_who_leaves_is_held_and_carried_on_for_a_while():
    track = Track(np.array([1.0, 1.5]), np.array([box(0), box(10)], float))  # 20 px a second
    assert track.at(1.75, pad=0.25).tolist() == [10, 0, 35, 20]
    assert track.at(1.76, pad=0.25) is None


def test_who_enters_is_painted_before_they_are_found():
    track = Track(np.array([1.0, 1.5]), np.array([box(0), box(10)], float))
    assert track.at(0.75, pad=0.25).tolist() == [-5, 0, 20, 20]
    assert track.at(0.74, pad=0.25) is None


def test_who_is_found_once_is_held():
    track = Track(np.array([1.0]), np.array([box(7)], float))
    assert [track.at(seconds, 0.5).tolist() for seconds in (0.5, 1.0, 1.5)] == [[7, 0, 27, 20]] * 3


def test_no_looks_and_no_boxes_are_no_tracks():
    assert joined([], 1) == [] and joined(looks([], []), 1) == []
    assert boxes_at([], 0.0).shape == (0, 4)


def test_people_are_known_between_their_boxes_alone():
    told = [
        ("a", "face", 0, 0),
        ("a", "face", 1, 10),
        ("a", "face", 3, 10),
        ("a", "person", 0, 50),
        ("b", "face", 1, 90),
    ]
    known = people(rows([(*one, 0, 20, 20) for one in reversed(told)], KnownBoxes), gap=1)

    def at(seconds):
        found = known.at(seconds, (40, 60))
        assert found.regions.shape == (40, 60) and not found.regions.any()
        return sorted(found.faces[:, 0].tolist()), found.persons[:, 0].tolist()

    assert at(0.5) == ([5], [])
    assert at(0) == ([0], [50])
    assert at(1) == ([10, 90], [])
    assert at(2) == ([], []) and at(3) == ([10], []) and at(3.1) == ([], [])


def test_spans_tell_when_any_track_is_painted():
    """By what boxes_at says at a thousand times."""
    tracks = [_still(start, end) for start, end in ((0.2, 1.0), (1.5, 2.0), (5.0, 5.0))]
    found = spans(tracks, 0.5)
    assert found == [(0.0, 2.5), (4.5, 5.5)] and spans([], 0.5) == []
    for seconds in np.linspace(0.0005, 7, 1000):
        inside = any(begin <= seconds <= end for begin, end in found)
        assert inside == bool(len(boxes_at(tracks, seconds, 0.5)))


def _still(start, end):
    times = np.unique([start, end])
    return Track(times, np.array([[0.0, 0, 9, 9]] * len(times)))
