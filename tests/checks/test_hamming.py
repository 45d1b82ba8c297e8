"""The band join finds exactly the pairs that comparing all with all finds."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.imaging import hamming
from accord.imaging.hamming import close_across, close_pairs, distances, nearest, transposed, words


def brute(hashes, radius, offset=0):
    """left, right, distance of all close pairs, bit by bit."""
    bits = np.unpackbits(np.ascontiguousarray(hashes).view(np.uint8), axis=1).astype(int)
    mask = np.unpackbits(np.full((1, 4), offset, np.uint64).view(np.uint8), axis=1).astype(int)
    left, right = np.triu_indices(len(hashes), 1)
    distance = np.abs((bits[left] + bits[right] + mask) % 2).sum(axis=1)
    close = distance <= radius
    return left[close], right[close], distance[close]


def planted(rng, count, copies, most):
    """Random hashes, and copies of some with up to `most` bits turned."""
    bits = rng.integers(0, 2, (count, 256), dtype=np.uint8)
    again = bits[rng.integers(0, count, copies)].copy()
    for row in again:
        row[rng.choice(256, rng.integers(0, most + 1), replace=False)] ^= 1
    return np.packbits(np.concatenate([bits, again]), axis=1).view(np.uint64)


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    radius=st.integers(0, 33),
    blocks=st.sampled_from([3, 64, 1 << 20]),
    gives_up=st.sampled_from([0, 1, 1 << 40]),
)
def test_the_join_equals_brute_force(seed, radius, blocks, gives_up):
    hashes = planted(np.random.default_rng(seed), 40, 30, radius + 3)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hamming, "CANDIDATES_AT_ONCE", blocks)
        patch.setattr(hamming, "PROPOSED", gives_up)
        found = close_pairs(hashes, radius)
    for ours, reference in zip(found, brute(hashes, radius), strict=True):
        assert np.array_equal(ours, reference)


def test_the_join_reaches_its_radius_however_the_bits_lie():
    rng = np.random.default_rng(3)
    base = rng.integers(0, 2, 256, dtype=np.uint8)
    spread, packed, beyond = base.copy(), base.copy(), base.copy()
    spread[np.arange(31) * 8] ^= 1  # two bits in nearly every band of sixteen, one in the last
    packed[:31] ^= 1
    beyond[np.arange(32) * 8] ^= 1
    hashes = np.packbits([base, spread, packed, beyond], axis=1).view(np.uint64)
    pairs = close_pairs(hashes, 31)
    assert {(0, 1), (0, 2)} <= set(zip(pairs.left, pairs.right, strict=True))
    assert (0, 3) not in set(zip(pairs.left, pairs.right, strict=True))


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32), radius=st.integers(0, 33), gives_up=st.sampled_from([0, 1 << 40]))
def test_the_join_of_two_sets_equals_brute_force(seed, radius, gives_up):
    hashes = planted(np.random.default_rng(seed), 40, 30, radius + 3)
    left, right = hashes[:50], hashes[20:]
    apart = np.bitwise_count(left[:, None] ^ right[None]).sum(axis=2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hamming, "PROPOSED", gives_up)
        found = close_across(left, right, radius)
    assert np.argwhere(apart <= radius).tolist() == np.column_stack([found.left, found.right]).tolist()
    assert found.distance.tolist() == apart[apart <= radius].tolist()


@pytest.mark.parametrize("radius", [7, 15, 23, 31])
def test_pairs_at_the_radius_are_found_however_the_differing_bits_are_shared(radius):
    """As many bits in each of the eight words as it may have at most, and one more in one: no word is spared."""
    for crowded in range(8):
        turned = np.zeros((2, 8, 32), np.uint8)
        for word in range(8):
            turned[1, word, : radius // 8 + (word == crowded)] = 1
        turned[1, crowded, 0] = 0
        hashes = np.packbits(turned.reshape(2, 256), axis=1).view(np.uint64)
        assert close_pairs(hashes, radius).distance.tolist() == [8 * (radius // 8)]


@pytest.mark.parametrize("bits", [0, 3])
def test_hashes_that_are_all_alike_are_compared_and_no_more(monkeypatch, bits):
    """Else each pair is found by a hundred keys: 3,000 flat pictures took minutes."""
    proposed = []
    real = hamming._close

    def counted(lefts, rights, rows, columns, radius):
        proposed.append(len(rows))
        return real(lefts, rights, rows, columns, radius)

    monkeypatch.setattr(hamming, "_close", counted)
    hashes = planted(np.random.default_rng(0), 1, 299, bits)
    found = close_pairs(hashes, 31)
    assert len(found.left) == 300 * 299 // 2 and sum(proposed) <= len(found.left) / hamming.PROPOSED


def test_many_found_pairs_are_merged_on_the_way(monkeypatch):
    monkeypatch.setattr(hamming, "PROPOSED", 0)
    monkeypatch.setattr(hamming, "FOUND_AT_ONCE", 10)
    pairs = close_pairs(np.zeros((20, 4), np.uint64), 31)
    assert len(pairs.left) == 190


def test_transposing_moves_the_bit_of_row_and_column():
    square = np.zeros((16, 16), np.uint8)
    square[2, 7] = square[15, 0] = 1
    hash_ = words([np.packbits(square).tobytes().hex()])
    assert transposed(hash_).tolist() == words([np.packbits(square.T).tobytes().hex()]).tolist()
    assert transposed(transposed(hash_)).tolist() == hash_.tolist()


@pytest.mark.parametrize("count", [0, 1])
def test_few_hashes_make_no_pairs(count):
    assert [len(part) for part in close_pairs(np.zeros((count, 4), np.uint64), 31)] == [0, 0, 0]


def test_hashes_are_read_bit_by_bit():
    one, other = "f" + "0" * 63, "0" * 63 + "1"
    assert distances(*words([one, other])) == 5
    assert [hex(word) for word in words(["0123456789abcdef" + "0" * 48])[0]] == [
        "0x123456789abcdef",
        "0x0",
        "0x0",
        "0x0",
    ]


def test_the_nearest_is_found_over_blocks():
    rng = np.random.default_rng(8)
    references = planted(rng, 50, 0, 0)
    queries = references[[49, 3]] ^ np.uint64(1)
    position, distance = nearest(queries, references, block=7)
    assert position.tolist() == [49, 3]
    assert distance.tolist() == [4, 4]


def test_without_references_nothing_is_near():
    position, distance = nearest(np.zeros((2, 4), np.uint64), np.empty((0, 4), np.uint64))
    assert position.tolist() == [-1, -1]
    assert (distance > 256).all()
