"""One object: what opens it, what doesn't, and what its size tells."""

import math
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.backup.archive import sealing
from accord.backup.archive.sealing import Secret, TamperedError

SECRET = Secret("b" * 32, b"g" * 32, {"1": b"1" * 32, "2": b"2" * 32})


@given(payload=st.binary(max_size=9000))
def test_it_opens_to_what_was_put_in(payload):
    sealed = sealing.seal(SECRET, "name", payload)
    assert sealing.unseal(SECRET, "name", sealed) == payload
    assert sealing.seal(SECRET, "name", payload) != sealed


@pytest.mark.parametrize("other", [
    SECRET._replace(keys={"1": b"1" * 32}), SECRET._replace(keys={}), SECRET._replace(general=b"h" * 32),
    SECRET._replace(keys={"1": b"1" * 32, "2": b"3" * 32}), SECRET._replace(backup="c" * 32),
])  # fmt: skip
def test_it_needs_every_key_and_its_own_backup(other):
    sealed = sealing.seal(SECRET, "name", b"secret")
    with pytest.raises(TamperedError):
        sealing.unseal(other, "name", sealed)
    assert sealing.name(other, b"secret") != sealing.name(SECRET, b"secret")


def test_it_stands_for_no_other_object():
    with pytest.raises(TamperedError):
        sealing.unseal(SECRET, "other", sealing.seal(SECRET, "name", b"secret"))


@given(payload=st.binary(max_size=100), data=st.data())
def test_every_flipped_bit_and_every_cut_is_noticed(payload, data):
    sealed = bytearray(sealing.seal(SECRET, "name", payload))
    bit = data.draw(st.integers(0, len(sealed) * 8 - 1))
    cut = bytes(sealed[: data.draw(st.integers(0, len(sealed) - 1))])
    sealed[bit // 8] ^= 1 << bit % 8
    for broken in (bytes(sealed), cut, cut + b"\0"):
        with pytest.raises(TamperedError):
            sealing.unseal(SECRET, "name", broken)


@given(size=st.integers(2, 2**40))
def test_padded_sizes_are_those_of_padme(size):
    exponent = math.floor(math.log2(size))
    step = 2 ** (exponent - (math.floor(math.log2(exponent)) + 1 if exponent else 0))
    found = sealing.padme(size)
    assert found == -(-size // step) * step
    assert size <= found <= size * 1.12


def test_small_objects_are_all_of_one_size():
    sizes = {len(sealing.seal(SECRET, "name", os.urandom(size))) for size in range(0, 4000, 97)}
    assert len(sizes) == 1
