"""Counts of what is never told per person."""

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from accord.release import aggregates


def rows(counts: dict[str, int]) -> pd.DataFrame:
    people = [("disability", value, f"{value}-{n}") for value, count in counts.items() for n in range(count)]
    return pd.DataFrame(people, columns=["attribute", "value", "subject"])


def shown(counts: dict[str, int]) -> dict[str, int]:
    return aggregates.counts(rows(counts)).set_index("value")["subjects"].to_dict()


def test_counts_are_rounded_and_small_ones_hidden():
    assert shown({"a": 33, "b": 12, "c": 9, "d": 3}) == {"a": 35, "b": 10}


def test_a_value_that_would_be_hidden_alone_takes_another_with_it():
    assert shown({"a": 33, "b": 12, "c": 9}) == {"a": 35}
    assert shown({"a": 33, "b": 12}) == {"a": 35, "b": 10}


def test_people_are_counted_once_however_many_images():
    twice = pd.concat([rows({"a": 11})] * 2)
    assert aggregates.counts(twice)["subjects"].tolist() == [10]


def test_without_answers_there_are_no_counts():
    assert len(aggregates.counts(rows({}))) == 0


@given(st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 40)))
def test_what_is_hidden_is_small_or_not_alone(counts):
    found = shown(counts)
    hidden = set(counts) - set(found)
    assert all(counts[value] >= 10 and abs(counts[value] - number) <= 2 for value, number in found.items())
    assert len(hidden) != 1 or len(counts) == 1
