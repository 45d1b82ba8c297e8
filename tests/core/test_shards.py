"""Shards: names, and whose home they are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.shards import SHARD, names, shard_of


@given(st.text(), st.sampled_from([1, 2, 64, 256, 257, 1000, 4096, 65_536]))
def test_everybody_lives_in_a_shard_that_has_a_name(subject, count):
    assert shard_of(subject, count) in set(names(count))


@pytest.mark.parametrize(("count", "last"), [(1, "00"), (256, "ff"), (257, "0100"), (65_536, "ffff")])
def test_names_are_as_many_and_as_long_as_they_must_be(count, last):
    found = names(count)
    assert (len(set(found)), found[-1]) == (count, last)
    assert found == sorted(found)
    assert {len(name) for name in found} == {len(last)}
    assert all(map(SHARD.fullmatch, found))


@pytest.mark.parametrize("count", [0, -1, 65_537])
def test_other_counts_are_refused(count):
    with pytest.raises(ValueError, match="between 1 and 65536"):
        names(count)


@pytest.mark.parametrize("other", ["", "0", "abc", "00000", "FF", "g0", "00\n"])
def test_what_is_no_name_of_a_shard_is_told_from_one(other):
    assert not SHARD.fullmatch(other)
