"""Merkle trees: the published vectors of Certificate Transparency, and RFC 9162's definitions written out."""

import hashlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.sealing import merkle

DATA = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
SIZES = st.integers(1, 130)


def sha(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def split(n: int) -> int:
    """The largest power of two below n."""
    k = 1
    while k * 2 < n:
        k *= 2
    return k


def mth(data: list[bytes]) -> bytes:
    """Section 2.1.1, word for word."""
    if not data:
        return sha(b"")
    if len(data) == 1:
        return sha(b"\x00" + data[0])
    k = split(len(data))
    return sha(b"\x01" + mth(data[:k]) + mth(data[k:]))


def path(m: int, data: list[bytes]) -> list[bytes]:
    """Section 2.1.3.1, word for word."""
    if len(data) == 1:
        return []
    k = split(len(data))
    return [*path(m, data[:k]), mth(data[k:])] if m < k else [*path(m - k, data[k:]), mth(data[:k])]


def proof(m: int, data: list[bytes], b: bool = True) -> list[bytes]:
    """Section 2.1.4.1, word for word."""
    if m == len(data):
        return [] if b else [mth(data)]
    k = split(len(data))
    if m <= k:
        return [*proof(m, data[:k], b), mth(data[k:])]
    return [*proof(m - k, data[k:], False), mth(data[:k])]


def leaves(n: int) -> list[bytes]:
    return [b"leaf %d" % i for i in range(n)]


def hashes(data: list[bytes]) -> list[bytes]:
    return [merkle.leaf_hash(each) for each in data]


@pytest.mark.parametrize("n", range(1, 9))
def test_the_published_roots(n):
    assert merkle.root(hashes([bytes.fromhex(text) for text in DATA[:n]])).hex() == ROOTS[n - 1]


def test_the_empty_tree_is_sha256_of_nothing():
    assert merkle.root([]).hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


@settings(max_examples=40, deadline=None)
@given(SIZES, st.data())
def test_inclusion_is_the_rfcs_and_verifies_for_every_leaf_and_no_other(n, draw):
    data = leaves(n)
    tree, found = mth(data), hashes(data)
    for m in range(n):
        assert merkle.inclusion(found, m) == path(m, data)
        assert merkle.includes(tree, n, found[m], m, path(m, data))
    m, other = draw.draw(st.integers(0, n - 1)), draw.draw(st.integers(0, n - 1))
    assert merkle.includes(tree, n, found[other], m, path(m, data)) == (other == m)
    assert merkle.includes(tree, n, found[m], other, path(m, data)) == (other == m)
    assert not merkle.includes(tree, n, found[m], m, [*path(m, data), b"\0" * 32])
    assert not any(merkle.includes(tree, n, found[m], at, path(m, data)) for at in (-1, n, n + m))
    assert n == 1 or not merkle.includes(tree, n, found[m], m, path(m, data)[:-1])


@settings(max_examples=60, deadline=None)
@given(SIZES, st.data())
def test_consistency_is_the_rfcs_and_no_other_history_passes(n, draw):
    data = leaves(n)
    m = draw.draw(st.integers(1, n))
    shown = merkle.consistency(hashes(data), m)
    assert shown == proof(m, data)
    assert merkle.consistent(m, mth(data[:m]), n, mth(data), shown)
    assert not merkle.consistent(m, mth([*data[: m - 1], b"rewritten"]), n, mth(data), shown)
    assert not merkle.consistent(m, mth(data[:m]), n, mth([*data[:-1], b"rewritten"]), shown)
    assert not merkle.consistent(m, mth(data[:m]), n, mth(data), [*shown, b"\0" * 32])
    assert not shown or not merkle.consistent(m, mth(data[:m]), n, mth(data), shown[:-1])
    assert not merkle.consistent(n + 1, mth(data[:m]), n, mth(data), shown)
    assert m == n or not merkle.consistent(0, mth([]), n, mth(data), shown)


def test_a_node_is_no_leaf():
    one, two = hashes(leaves(2))
    assert merkle.root([one, two]) != merkle.leaf_hash(one + two)


@pytest.mark.parametrize(("ask", "what"), [((merkle.inclusion, 3), "no leaf 3"), ((merkle.consistency, 4), "of 4")])
def test_what_a_tree_has_not_is_an_error(ask, what):
    make, index = ask
    with pytest.raises(IndexError, match=what):
        make(hashes(leaves(3)), index)


@given(st.lists(st.binary(min_size=32, max_size=32), max_size=70))
def test_a_growing_tree_has_the_root_of_all_its_leaves(hashes):
    grown = merkle.Growing()
    for number, digest in enumerate(hashes):
        assert (grown.size, grown.root()) == (number, merkle.root(hashes[:number]))
        grown.add(digest)
    assert (grown.size, grown.root()) == (len(hashes), merkle.root(hashes))
