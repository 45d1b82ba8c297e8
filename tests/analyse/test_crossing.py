"""Intersections as numbers, against sets of names."""

from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.analyse.comparing import intersections as crossing
from accord.analyse.comparing.intersections import cross, crossings, intersections, single
from accord.errors import AccordError

PEOPLE = st.lists(st.tuples(*[st.sets(st.sampled_from("uvw"), max_size=3)] * 4), min_size=1, max_size=14)


def singles_of(drawn):
    """The marks of four attributes a, b, c, d; row n is in the groups drawn[n]."""
    key = pd.DataFrame({"image": [f"{n:03d}" for n in range(len(drawn))], "subject": "s"})
    tables = [
        key.assign(attribute=name, group=[sorted(row[k]) for row in drawn]).explode("group").dropna()
        for k, name in enumerate("abcd")
    ]
    keys = pd.MultiIndex.from_frame(key)
    return [single(keys, name, some.sample(frac=1, random_state=1)) for name, some in zip("abcd", tables, strict=True)]


@given(PEOPLE)
@settings(max_examples=25, deadline=None)
def test_all_intersections_of_up_to_four_are_those_of_sets(drawn):
    found = {marks.attribute: marks for marks in crossings(singles_of(drawn), 4)}
    expected = [" x ".join(names) for count in range(1, 5) for names in combinations("abcd", count)]
    assert sorted(found) == sorted(expected)
    for name, marks in found.items():
        columns = ["abcd".index(part) for part in name.split(" x ")]
        wanted = {
            (row, " x ".join(some))
            for row, sets in enumerate(drawn)
            for some in product(*[sets[column] for column in columns])
        }
        got = [(row, marks.names[group]) for row, group in zip(marks.rows.tolist(), marks.groups, strict=True)]
        assert len(got) == len(set(got)) and set(got) == wanted
        assert (np.diff(marks.rows) >= 0).all() and marks.sizes.sum() == len(wanted)


def test_a_group_can_t_be_larger_than_one_that_it_is_part_of(monkeypatch):
    """If rows were multiplied, as by a person who is listed twice, it would be noticed."""
    one, other = singles_of([({"u"}, {"v"}, set(), set())] * 3)[:2]
    twice = crossing.Marks(other.attributes, *(np.repeat(part, 2) for part in (other.rows, other.groups)), other.codes,
                           other.labels)  # fmt: skip
    assert cross(one, other).sizes.tolist() == [3]
    with pytest.raises(AssertionError):
        cross(one, twice)


def test_some_groups_are_kept_with_their_names():
    marks = next(m for m in crossings(singles_of([({"u"}, {"v", "w"}, {"u"}, {"u"})] * 2), 2) if len(m.codes) == 2)
    assert marks.names == ("u x v", "u x w") and marks.attribute == "a x b"
    kept = marks.only(np.array([1]))
    assert kept.names == ("u x w",) and kept.sizes.tolist() == [2] and kept.rows.tolist() == [0, 1]


def test_subjects_are_counted_once():
    marks = singles_of([({"u"}, set(), set(), set())] * 3 + [({"v", "u"}, set(), set(), set())])[0]
    assert marks.subject_counts(np.array([0, 0, 1, 1])).tolist() == [2, 1]


def test_too_many_memberships_are_refused_before_they_are_made(monkeypatch):
    key = pd.DataFrame({"image": list("abcd"), "subject": "s"})
    tables = [key.assign(attribute=name, group="g") for name in "xyz"]
    monkeypatch.setattr(crossing, "LARGEST", 11)
    with pytest.raises(AccordError, match="intersections of up to 2 of 3 attributes have more than 11 memberships"):
        intersections(tables, 2)
