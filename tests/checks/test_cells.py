"""Cells propose nearly all pairs that a comparison of all with all finds, and say nothing of them but what is exact."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from accord.checks.matching import looks, stored_looks, strangers
from accord.checks.matching.index import cells, close, proposing, searching
from accord.checks.matching.index.stored_vectors import whole_numbers
from accord.checks.matching.index.top_k import best_once
from accord.errors import AccordError
from accord.statistics.describing.medoids import close_cosines


def unit(values):
    return (values / np.linalg.norm(values, axis=-1, keepdims=True)).astype(np.float32)


@pytest.fixture(scope="module")
def clustered():
    """(900, 5, 48): bursts of near ties around 30 scenes, of five parts each."""
    rng = np.random.default_rng(3)
    scenes = rng.normal(size=(30, 1, 48))[rng.integers(0, 30, 900)]
    return unit(scenes + 0.6 * rng.normal(size=(900, 5, 48)))


def test_with_all_cells_close_pairs_are_all(clustered, monkeypatch):
    vectors = clustered[:, 0]
    truth = {(int(a), int(b)): c for one in close_cosines(vectors, 0.7) for a, b, c in zip(*one, strict=True)}
    monkeypatch.setattr(close, "SHARE", 1)
    monkeypatch.setattr(close, "ENOUGH", 10**6)
    [(left, right, cosine)] = close.close(vectors, 0.7)
    assert list(zip(left.tolist(), right.tolist(), strict=True)) == sorted(truth)
    assert cosine == pytest.approx([truth[pair] for pair in sorted(truth)], abs=1e-6)


@pytest.mark.parametrize("lost", [0.0005, 0.02, 0.2])
def test_it_takes_the_fewest_cells_that_lose_so_few_pairs(clustered, monkeypatch, lost):
    vectors, made = clustered[:, 0], cells.build(clustered[:, 0])
    monkeypatch.setattr(close, "LOST", lost)
    monkeypatch.setattr(close, "ENOUGH", 0)
    monkeypatch.setattr(close, "MOST", 10**6)
    cell = np.empty(900, int)
    cell[made.order] = np.repeat(np.arange(len(made.centres)), np.diff(made.starts))
    rank = np.argsort(np.argsort(-(vectors @ made.centres.T), axis=1), axis=1)
    left, right = np.nonzero(np.triu(vectors @ vectors.T >= 0.7, 1))
    ranks = np.minimum(rank[left, cell[right]], rank[right, cell[left]])
    fewest = min(n for n in range(1, len(made.centres) + 1) if (ranks >= n).mean() <= lost)
    assert close.needed(made, vectors, 0.7) == fewest
    [(found, _, _)] = close.close(vectors, 0.7)
    assert len(found) == (ranks < fewest).sum()


def test_few_pairs_say_nothing_of_how_many_are_lost(clustered):
    made = cells.build(clustered[:, 0])
    fewest = close.SHARE * len(made.centres)
    assert close.needed(made, clustered[:, 0], 0.7) < fewest <= close.needed(made, clustered[:, 0], 0.9999)


def test_the_same_vectors_give_the_same_cells(clustered):
    for one, other in zip(cells.build(clustered[:, 1]), cells.build(clustered[:, 1]), strict=True):
        assert np.array_equal(one, other)


def test_every_vector_lies_in_one_cell(clustered):
    made = cells.build(clustered[:, 0])
    assert np.array_equal(np.sort(made.order), np.arange(900))
    assert (made.starts[0], made.starts[-1]) == (0, 900)
    assert np.array_equal(made.vectors, clustered[made.order, 0])


def test_fewer_vectors_than_are_wanted_are_told(clustered):
    ids, cosines = cells.proposals(cells.build(clustered[:3, 0]), clustered[:2, 0], 5, 24)
    assert [sorted(row) for row in ids.tolist()] == [[-1, -1, 0, 1, 2]] * 2
    assert np.array_equal(np.isinf(cosines), ids < 0)


@pytest.mark.parametrize(("at_once", "piece"), [(64, 7), (64, 4096), (1 << 20, 4096)])
def test_proposals_are_the_nearest_of_all_that_are_in_the_cells(clustered, monkeypatch, at_once, piece):
    monkeypatch.setattr(cells, "AT_ONCE", at_once)
    monkeypatch.setattr(cells, "PIECE", piece)
    made = cells.build(clustered[:, 0])
    for probes in (3, 6, len(made.centres)):
        near = np.argsort(-(clustered[:50, 1] @ made.centres.T), axis=1)[:, :probes]
        cell = np.empty(900, int)
        cell[made.order] = np.repeat(np.arange(len(made.centres)), np.diff(made.starts))
        cosines = np.where(
            (cell[None, :, None] == near[:, None]).any(axis=2), clustered[:50, 1] @ clustered[:, 0].T, -1
        )
        ids, best = cells.proposals(made, clustered[:50, 1], 20, probes)
        assert np.sort(best) == pytest.approx(np.sort(cosines)[:, -20:], abs=1e-6)
        assert np.take_along_axis(cosines, ids.astype(int), axis=1) == pytest.approx(best, abs=1e-6)


def test_numbers_of_16_bits_have_room_for_what_is_rounded():
    made = whole_numbers(np.array([1.004, -1.004, 0.5]))
    assert made.tolist() == [30_120, -30_120, 15_000]
    assert np.abs(whole_numbers(np.array([2.0, -2.0]))).tolist() == [32_767, 32_767]


@pytest.mark.parametrize("count", [0, 1])
def test_hardly_anything_is_compared_with_nothing(clustered, count):
    [(left, _, _)] = close.close(clustered[:count, 0], 0.7)
    assert len(left) == 0


def test_of_many_faces_strangers_are_drawn_by_lot(clustered, monkeypatch):
    rows = [(f"i{n:03}", f"s{n % 7}", clustered[n, 0]) for n in range(60)]
    faces = pd.DataFrame(rows, columns=["image", "subject", "vector"])
    whole = np.concatenate(list(strangers.cosines_of_strangers(faces)))
    monkeypatch.setattr(strangers, "SAMPLED", 30)
    some = np.concatenate(list(strangers.cosines_of_strangers(faces)))
    # 7 faces with 59 others, without those of their own subject.
    assert 7 * (59 - 9) - 21 <= len(some) <= 7 * 59
    assert set(some.round(4)) <= set(whole.round(4))


@pytest.fixture
def tables(clustered, tmp_path):
    return written(clustered, tmp_path)


def written(vectors, folder):
    """The vectors as four tables Looks in which the pictures lie in any order, with one that isn't wanted in each."""
    order, paths = np.random.default_rng(4).permutation(len(vectors)), []
    for number, rows in enumerate(np.array_split(order, 4)):
        ids = [*(f"i{row:04}" for row in rows), f"other {number}"]
        flat = [*vectors[rows].reshape(len(rows), -1), np.zeros(vectors[0].size, np.float32)]
        paths.append(folder / f"{number}.parquet")
        table = pa.table({"image": ids, "subject": ids, "vector": pa.array(flat, pa.list_(pa.float32()))})
        pq.write_table(table, paths[-1])
    return paths


@pytest.mark.parametrize("at_once", [7, 10_000])
def test_pictures_that_are_not_held_in_memory_have_the_same_pairs(clustered, tables, monkeypatch, at_once):
    # All are proposed: only exact cosines decide.
    monkeypatch.setattr(looks, "PROPOSING", proposing.Proposing(48, wider=60, probes=10**6, compared=0))
    wanted = [f"i{row:04}" for row in range(120)]
    images, held, none, order = looks.likely(tables, [*wanted, "missing"], 10, 0.4, 121)
    monkeypatch.setattr(proposing, "ASKING", at_once)
    monkeypatch.setattr(proposing, "HELD", at_once // 2)
    monkeypatch.setattr(stored_looks, "ROWS", at_once)
    monkeypatch.setattr(searching, "AT_ONCE", at_once)
    monkeypatch.setattr(searching, "KEPT", 60)
    again, stored, [of_all, *of_few], along = looks.likely(tables, [*wanted, "missing"], 10, 0.4, 119)
    assert images.tolist() == again.tolist() == wanted
    assert order.tolist() == np.sort(along).tolist() == list(range(120))
    assert len(held) > 250 and stored.tolist() == held.tolist()
    assert none == [] and (of_all.images, of_all.drawn, [one.drawn for one in of_few]) == (120, 100, [6, 6])
    assert of_all.found == of_all.pairs > 0 and all(one.found == one.pairs for one in of_few)
    for few in (wanted[:1], ["missing"]):
        assert len(looks.likely(tables, few, 10, 0.4, 0).pairs) == 0
    assert len(looks.likely([], wanted, 10, 0.4, 0).pairs) == 0


def test_pairs_lie_near_each_other_in_the_order_of_cells(clustered, tables):
    found = looks.likely(tables, [f"i{row:04}" for row in range(len(clustered))], 10, 0.4, 0)
    assert np.sort(found.order).tolist() == list(range(len(clustered)))
    rank = np.argsort(found.order)[found.pairs]
    by_id, by_cells = (np.abs(np.diff(rows)).mean() for rows in (found.pairs, rank))
    assert by_cells < by_id / 2


def test_proposals_for_pictures_in_a_file_are_nearly_all_pairs(clustered, tables, monkeypatch):
    exact = {tuple(pair) for pair in looks.likely_pairs(clustered, 10, 0.4)}
    monkeypatch.setattr(looks, "PROPOSING", looks.PROPOSING._replace(short=32, compared=0))
    found = looks.likely(tables, [f"i{row:04}" for row in range(len(clustered))], 10, 0.4, 0)
    pairs = {tuple(pair) for pair in found.pairs.tolist()}
    assert len(exact & pairs) >= 0.999 * len(exact)
    assert len(pairs) <= 1.01 * len(exact)
    assert all(one.low < 0.999 < one.recall for one in found.recalls)


def test_plain_pictures_whose_parts_all_look_alike_have_as_many_others(tmp_path, monkeypatch):
    rng = np.random.default_rng(6)
    wholes = rng.normal(size=(30, 1, 48))[rng.integers(0, 30, 900)] + 0.6 * rng.normal(size=(900, 1, 48))
    plain = unit(wholes + 0.02 * rng.normal(size=(900, 5, 48)))
    monkeypatch.setattr(looks, "PROPOSING", looks.PROPOSING._replace(short=32, compared=0))
    found = looks.likely(written(plain, tmp_path), [f"i{row:04}" for row in range(len(plain))], 10, 0.4, 0)
    exact = {tuple(pair) for pair in looks.likely_pairs(plain, 10, 0.4)}
    assert len(exact & {tuple(pair) for pair in found.pairs.tolist()}) >= 0.999 * len(exact)


def test_blank_pictures_are_not_those_that_are_kept_least(clustered, tmp_path):
    vectors = clustered.copy()
    vectors[::8] = 0
    paths = written(vectors, tmp_path)
    found = looks.likely(paths, [f"i{row:04}" for row in range(len(vectors))], 10, 0.4, 0)
    assert [one.drawn for one in found.recalls] == [100, 45, 45]
    # A blank picture looks like nobody, and has no pairs.
    assert all(one.pairs == 10 * one.drawn for one in found.recalls[1:])


def test_of_few_cells_the_step_tells_that_much_is_missed(clustered, tables, monkeypatch):
    monkeypatch.setattr(looks, "PROPOSING", proposing.Proposing(4, wider=1, probes=2, compared=0))
    found = looks.likely(tables, [f"i{row:04}" for row in range(len(clustered))], 10, 0.4, 0)
    exact = {tuple(pair) for pair in looks.likely_pairs(clustered, 10, 0.4)}
    missed = 1 - len(exact & {tuple(pair) for pair in found.pairs.tolist()}) / len(exact)
    assert missed > 0.05
    assert found.recalls[0].low <= 1 - missed <= found.recalls[0].high


def test_of_what_is_proposed_more_than_once_the_best_cosine_counts():
    line, other = np.array([0, 0, 0, 0, 2, 2, 2]), np.array([7, 5, 7, 4, 5, 5, 9])
    cosines = np.array([0.2, 0.5, 0.9, 0.6, 0.1, 0.3, 0.2], np.float32)
    best = {(0, 7): 0.9, (0, 4): 0.6, (0, 5): 0.5, (2, 5): 0.3, (2, 9): 0.2}
    for most, wanted in {1: [(0, 7), (2, 5)], 2: [(0, 7), (0, 4), (2, 5), (2, 9)], 5: [*best]}.items():
        lines, others, alike = best_once(line, other, cosines, most)
        assert list(zip(lines, others, strict=True)) == wanted
        assert alike == pytest.approx([best[one] for one in wanted])
    assert not len(best_once(line[:0], other[:0], cosines[:0], 2)[0])


def test_few_vectors_are_compared_in_more_cells(clustered):
    few = cells.build(clustered[:, 0])
    assert len(few.centres) == 60
    assert [proposing._probes(few, 6, count) for count in (0, 90, 91, 900, 9000)] == [6, 6, 7, 60, 600]


@pytest.mark.parametrize("damaged", [np.full(48, np.nan, np.float32), np.zeros(48, np.float32), np.ones(3, np.float32)])
def test_vectors_of_faces_that_cannot_be_are_told(clustered, damaged):
    vectors = [*clustered[:3, 0], damaged]
    faces = pd.DataFrame({"image": list("abcd"), "subject": list("stuv"), "vector": vectors})
    with pytest.raises(AccordError, match=r"faces\.parquet: 1 of 4 vectors are not of length 1, or have more or fewer"):
        list(strangers.cosines_of_strangers(faces))
