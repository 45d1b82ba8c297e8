"""Drawn pictures are compared with all: what was not proposed is told, by how much, and for those kept least, too."""

import numpy as np
import pytest
from scipy.stats import beta

from accord.checks.matching.index import recall
from accord.checks.matching.index.alike import alike_with
from accord.checks.matching.index.recall import Kept, recalls
from accord.checks.matching.index.stored_vectors import Store

COUNT = 90


def unit(values):
    return (values / np.linalg.norm(values, axis=-1, keepdims=True)).astype(np.float32)


@pytest.fixture(scope="module")
def vectors():
    return unit(np.random.default_rng(5).normal(size=(COUNT, 5, 12)) + 1)


@pytest.fixture
def store(vectors):
    made = Store()
    made.add(vectors)
    yield made
    made.close()


def alike(vectors):
    """(n, n) by the definition: the best cosine of a whole picture with any part of the other."""
    whole_part = np.einsum("id,jrd->ijr", vectors[:, 0], vectors).max(axis=2)
    both = np.maximum(whole_part, whole_part.T)
    np.fill_diagonal(both, -np.inf)
    return both


def nearest(vectors, one, most, least):
    row = alike(vectors)[one]
    return [other for other in np.argsort(-row)[:most].tolist() if row[other] >= least]


def sorted_pairs(pairs):
    return np.array(sorted({tuple(sorted(pair)) for pair in pairs}), np.int64).reshape(-1, 2)


def kept(places=None):
    """Of pictures that lose equally much."""
    return Kept(np.ones(COUNT), np.ones(COUNT), np.arange(COUNT) if places is None else places)


def test_a_picture_is_as_much_like_another_as_its_whole_is_like_any_part(vectors):
    made = alike_with(vectors[:7], vectors, np.ascontiguousarray(vectors[:, 0]))
    made[np.arange(7), np.arange(7)] = -np.inf
    assert made == pytest.approx(alike(vectors)[:7], abs=1e-6)


@pytest.mark.parametrize("block", [1000, 7, 1])
def test_what_was_not_proposed_is_missed(vectors, store, monkeypatch, block):
    monkeypatch.setattr(recall, "BLOCK", block)
    monkeypatch.setattr(recall, "DRAWN", COUNT)
    # Numbers, by which vectors lie, are not positions, by which pairs are told.
    places = np.random.default_rng(6).permutation(COUNT)
    of = {one: nearest(vectors, one, 4, 0.8) for one in range(COUNT)}
    assert 0 < sum(map(len, of.values())) < 4 * COUNT
    every = [(places[one], places[other]) for one, others in of.items() for other in others]
    lost = sorted_pairs(every)[::9]
    left = np.array([pair for pair in sorted_pairs(every).tolist() if pair not in lost.tolist()])
    found = recalls(store, kept(places), left, 4, 0.8)[0]
    missed = sum(sorted(pair) in lost.tolist() for pair in every)
    assert missed > 5
    assert found[:5] == ("all", COUNT, COUNT, len(every), len(every) - missed)
    assert found.recall == pytest.approx(1 - missed / len(every))
    assert found.low < found.recall < found.high
    all_found = recalls(store, kept(places), sorted_pairs(every), 4, 0.8)[0]
    assert all_found.recall == all_found.high == 1 > all_found.low
    none = recalls(store, kept(places), np.empty((0, 2), np.int64), 4, 0.8)[0]
    assert none.found == none.recall == none.low == 0 < none.high


def test_with_one_pair_of_each_picture_the_interval_is_clopper_and_pearsons(vectors, store, monkeypatch):
    monkeypatch.setattr(recall, "DRAWN", COUNT)
    every = [(one, nearest(vectors, one, 1, -1)[0]) for one in range(COUNT)]
    made = recalls(store, kept(), sorted_pairs(every)[6:], 1, -1)[0]
    k, n = made.found, made.pairs
    assert n == COUNT and 0 < n - k < 20
    assert made.low == pytest.approx(beta.ppf(0.025, k, n - k + 1), rel=0.005)
    assert made.high == pytest.approx(beta.ppf(0.975, k + 1, n - k), rel=0.005)


def test_those_kept_least_are_told_apart(vectors, store):
    places, few, near = np.random.default_rng(7).permutation(COUNT), [3, 40, 71, 80, 88], [5, 6, 7, 40, 50]
    lost, apart = np.full(COUNT, 0.1), np.full(COUNT, 0.5)
    lost[few], apart[near] = 0.8, 0.01
    every = [(one, other) for one in range(COUNT) for other in nearest(vectors, one, 3, -1)]
    left = sorted_pairs((places[a], places[b]) for a, b in every if 40 not in (a, b))
    everyone, least, of_near = recalls(store, Kept(lost, apart, places), left, 3, -1)
    assert everyone.images == everyone.drawn == COUNT
    for made, name, those in ((least, "least kept", few), (of_near, "least kept of near ones", near)):
        assert (made.drawn_from, made.images, made.drawn, made.pairs) == (name, 5, 5, 15)
        others = [nearest(vectors, one, 3, -1) for one in those if one != 40]
        assert made.found == 12 - sum(40 in one for one in others)


def test_who_is_drawn_does_not_depend_on_how_pictures_lie(vectors, monkeypatch):
    monkeypatch.setattr(recall, "DRAWN", 20)
    lost = np.random.default_rng(8).random(COUNT)
    every = sorted_pairs((one, other) for one in range(COUNT) for other in nearest(vectors, one, 3, -1))[::2]
    told = []
    for order in (np.arange(COUNT), np.random.default_rng(9).permutation(COUNT)):
        made = Store()
        made.add(vectors[order])
        told.append(recalls(made, Kept(lost[order], np.ones(COUNT), order), every, 3, -1))
        made.close()
    assert told[0] == told[1] and told[0][0].found < told[0][0].pairs


def test_of_others_that_are_as_near_any_are_as_good():
    made = Store()
    made.add(unit(np.r_[np.tile(np.eye(8)[:1], (30, 1)), np.eye(8)[1:3]])[:, None].repeat(5, axis=1))
    pairs = sorted_pairs((one, (one + step) % 30) for one in range(30) for step in (1, 2, 3))
    kept = Kept(np.ones(32), np.ones(32), np.arange(32))
    assert recalls(made, kept, pairs, 4, 0.4)[0][2:5] == (32, 120, 120)
    fewer = sorted_pairs((one, (one + 1) % 30) for one in range(30))
    assert recalls(made, kept, fewer, 4, 0.4)[0][2:5] == (32, 120, 60)
    made.close()


def test_nothing_alike_has_no_recall(vectors, store):
    for made in recalls(store, kept(), np.empty((0, 2), np.int64), 3, 1.5):
        assert (made.pairs, made.found) == (0, 0)
        assert np.isnan([made.recall, made.low, made.high]).all()
