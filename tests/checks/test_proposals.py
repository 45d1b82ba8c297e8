"""Regions that detectors propose: what annotators cover already, and who is asked about the rest."""

import hypothesis.strategies as st
import pandas as pd
import pytest
from hypothesis import given, settings

from accord.checks.personal.proposals import Seen, box, is_open, proposals, questions
from accord.engine import table
from accord.imaging.masks import covered
from accord.intake.tables import Regions


def seen(polygon, score=0.9, threshold=0.6, detector="ocr", kind="logo"):
    return Seen(kind, polygon, detector, score, threshold, "looks like a brand")


def regions(*rows):
    return table.rows(
        [
            {"image": image, "region": str(at), "kind": "logo", "polygon": list(shape), "annotator": ""}
            for at, (image, shape) in enumerate(rows)
        ],
        Regions,
    )


@pytest.mark.parametrize(
    ("others", "share"),
    [
        ([], 0.0),
        ([box(0, 0, 100, 40)], 1.0),
        ([box(0, 0, 50, 40)], 0.5),
        ([box(0, 0, 50, 40), box(25, 0, 75, 40)], 0.75),
        ([box(200, 200, 300, 300)], 0.0),
        ([(0, 0, 100, 0, 0, 40)], 0.5),
    ],
)
def test_the_covered_share_is_that_of_the_union(others, share):
    assert covered(box(0, 0, 100, 40), others) == pytest.approx(share, abs=0.02)


@given(st.lists(st.integers(-50, 5000), min_size=4, max_size=4), st.integers(0, 100))
@settings(max_examples=40, deadline=None)
def test_a_polygon_covers_itself_wherever_and_however_small_it_is(corners, grow):
    left, right, top, bottom = min(corners[:2]), max(corners[:2]), min(corners[2:]), max(corners[2:])
    own = box(left, top, right, bottom)
    assert covered(own, [own]) == 1.0
    assert covered(own, [box(left - grow, top - grow, right + grow, bottom + grow)]) == 1.0


def test_what_is_below_its_threshold_is_not_proposed_and_twins_are_one():
    found = proposals(
        {"a": [seen(box(0, 0, 10, 10), 0.59), seen(box(20, 0, 30, 10), 0.6), seen(box(20.2, 0, 30, 10), 0.8)]},
        regions(),
    )
    assert found["score"].tolist() == [0.8]
    assert found["covered"].tolist() == [0.0]


def test_the_same_place_has_the_same_id_in_every_run_and_another_in_another_image():
    shape = box(1, 2, 30, 40)
    first = proposals({"a": [seen(shape)], "b": [seen(shape)]}, regions())
    again = proposals({"b": [seen(shape, 0.7)]}, regions())
    assert len(set(first["region"])) == 2
    assert first.set_index("image")["region"]["b"] == again["region"][0]


def test_only_what_no_annotator_drew_is_asked_about():
    found = proposals(
        {"a": [seen(box(0, 0, 100, 10))], "b": [seen(box(0, 0, 10, 10), 0.7), seen(box(50, 50, 60, 60), 0.8, 0.5)]},
        regions(("a", box(0, 0, 95, 10)), ("b", box(50, 50, 53, 60)), ("c", box(0, 0, 10, 10))),
    )
    asked = questions(["c", "b", "a"], found, "logo", "logos")
    assert asked["verdict"].tolist() == ["pass", "review", "pass"]
    assert (asked["score"][1], asked["threshold"][1]) == (0.8, 0.5)
    assert asked["reason"][1] == "2 possible logos outside the annotated regions"
    assert pd.isna(asked["score"][0])


def test_half_of_a_thing_is_not_enough_but_of_a_face():
    drawn = regions(("a", box(0, 0, 60, 40)))
    told = proposals({"a": [seen(box(0, 0, 100, 40)), seen(box(0, 0, 100, 40), kind="bystander")]}, drawn)
    assert is_open(told).tolist() == [kind == "logo" for kind in told["kind"]]


def test_each_part_has_to_be_covered():
    whole = seen(box(0, 0, 100, 100))._replace(parts=(box(0, 0, 100, 10), box(0, 90, 100, 100)))
    assert proposals({"a": [whole]}, regions(("a", box(0, 0, 100, 88))))["covered"].tolist() == [0]
    assert proposals({"a": [whole]}, regions(("a", box(0, 0, 100, 12)), ("a", box(0, 88, 100, 100))))["covered"][0] == 1
