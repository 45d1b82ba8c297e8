"""AI-Face's metrics: by hand, against brute force over rows, and against scikit-learn."""

from itertools import combinations, product

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.metrics import accuracy_score, average_precision_score, confusion_matrix, roc_auc_score, roc_curve

from accord.analyse.scoring import individual as module
from accord.analyse.scoring.detection_quality import per_group, quality
from accord.analyse.scoring.fairness import confusion, fairness
from accord.analyse.scoring.individual import blocked, individual
from accord.errors import AccordError


@pytest.fixture
def faces(rng):
    n = 600
    groups = rng.choice(["dark", "light", "medium"], n, p=(0.2, 0.5, 0.3))
    labels = (rng.random(n) < np.where(groups == "dark", 0.4, 0.6)).astype(int)
    scores = np.clip(np.round(rng.beta(2, 2, n) + 0.3 * (labels - 0.5) - 0.1 * (groups == "dark"), 2), 0, 1)
    return labels, scores, groups


def test_the_group_metrics_by_hand():
    """a: real 8 right of 10, fake 6 right of 10; b: real 10 right of 10, fake 20 right of 30."""
    labels = np.repeat([0, 1, 0, 1], (10, 10, 10, 30))
    predicted = np.concatenate([np.arange(10) < 2, np.arange(10) < 6, np.zeros(10), np.arange(30) < 20]).astype(int)
    told = fairness(confusion(labels, predicted, np.repeat(["a", "b"], (20, 40))))
    fpr, tpr = 2 / 20, 26 / 40
    assert told.f_eo == pytest.approx(abs(0.2 - fpr) + abs(0.6 - tpr) + abs(0 - fpr) + abs(2 / 3 - tpr))
    assert told.f_oae == pytest.approx(30 / 40 - 14 / 20)
    assert told.f_dp == pytest.approx(20 / 40 - 8 / 20) and told.f_dp_floor == pytest.approx(0.75 - 0.5)
    assert told.f_meo == pytest.approx(0.2)
    assert (told.covered, told.left_out) == (("a", "b"), ())


def test_they_equal_a_count_of_rows(faces):
    labels, scores, groups = faces
    predicted = (scores >= 0.5).astype(int)
    told, names = fairness(confusion(labels, predicted, groups)), sorted(set(groups))

    def spread(share):
        return max(map(share, names)) - min(map(share, names))

    rate = {g: confusion_matrix(labels[groups == g], predicted[groups == g], normalize="true") for g in names}
    whole = confusion_matrix(labels, predicted, normalize="true")
    assert told.f_eo == pytest.approx(sum(abs(rate[g][y, 1] - whole[y, 1]) for g in names for y in (0, 1)))
    assert told.f_oae == pytest.approx(spread(lambda g: accuracy_score(labels[groups == g], predicted[groups == g])))
    assert told.f_dp == pytest.approx(max(spread(lambda g, q=q: (predicted[groups == g] == q).mean()) for q in (0, 1)))
    assert told.f_dp_floor == pytest.approx(fairness(confusion(labels, labels, groups)).f_dp)
    cells = product((0, 1), (0, 1))
    assert told.f_meo == pytest.approx(max(spread(lambda g, y=y, q=q: rate[g][y, q]) for y, q in cells))


def test_a_perfect_detector_is_fair_but_for_the_floor(faces):
    labels, _, groups = faces
    told = fairness(confusion(labels, labels, groups))
    assert told.f_eo == told.f_oae == told.f_meo == 0
    assert told.f_dp == pytest.approx(told.f_dp_floor) and told.f_dp > 0.1


def test_groups_of_one_label_are_left_out_and_named():
    labels, groups = np.array([0, 1, 0, 1, 1, 1]), np.array(["a", "a", "b", "b", "c", "c"])
    told = fairness(confusion(labels, np.array([0, 1, 1, 1, 0, 1]), groups))
    assert (told.covered, told.left_out) == (("a", "b"), ("c",))
    assert told.f_meo == 1 and told.f_oae == 0.5
    alone = fairness(confusion(labels[4:], labels[4:], groups[4:]))
    assert np.isnan([alone.f_eo, alone.f_oae, alone.f_dp, alone.f_meo]).all()


def test_renaming_groups_and_permuting_rows_changes_nothing(faces, rng):
    labels, scores, groups = faces
    predicted, order = (scores >= 0.5).astype(int), rng.permutation(len(labels))
    plain = fairness(confusion(labels, predicted, groups))
    renamed = np.array([{"dark": "z", "light": "a", "medium": "m"}[g] for g in groups])
    mixed = fairness(confusion(labels[order], predicted[order], renamed[order]))
    assert mixed[:5] == pytest.approx(plain[:5])


def test_what_is_no_class_is_refused():
    with pytest.raises(AccordError, match="predictions: must be 0 \\(real\\) or 1 \\(fake\\)"):
        confusion([0, 1], [0.2, 0.9], ["a", "a"])
    with pytest.raises(AccordError, match="labels: differ in number from predictions and groups"):
        confusion([0, 1], [0, 1], ["a"])


def test_individual_fairness_equals_the_double_loop(rng, monkeypatch):
    scores, points = rng.random(60), rng.normal(size=(60, 5))
    each = [
        max(0, abs(scores[i] - scores[j]) - 0.08 * np.linalg.norm(points[i] - points[j]))
        for i, j in combinations(range(60), 2)
    ]
    monkeypatch.setattr(module, "AT_ONCE", 700)
    told = individual(scores, points, "penultimate layer")
    assert told == (pytest.approx(np.mean(each)), 0, pytest.approx(sum(each)), 1770, "penultimate layer")
    drawn = individual(scores, points, "penultimate layer", every=1700)
    assert drawn.pairs == 1700 and drawn.f_ind == pytest.approx(np.mean(each), abs=4 * drawn.standard_error)
    assert drawn.standard_error == pytest.approx(np.std(each) / np.sqrt(1700), rel=0.2)
    assert np.isnan(individual(scores[:1], points[:1], "pixels").f_ind)


@pytest.mark.parametrize(("spread", "size"), [(0.1, 1100), (3, 1100), (1, 5)])
def test_blocks_of_pairs_give_what_all_of_them_give(rng, spread, size):
    """Beside a twin of each face, whose distance is all but lost in the difference of two squares, and ties."""
    scores = np.round(np.concatenate([rng.beta(0.3, 0.3, size)] * 2), 3)
    points = np.concatenate([5 + rng.normal(0, spread, (size, 8))] * 2) + rng.normal(0, 1e-3, (2 * size, 8))
    expected = np.triu(np.maximum(np.abs(scores[:, None] - scores) - 0.08 * cdist(points, points), 0), 1).sum()
    assert blocked(scores, points, 0.08) == pytest.approx(expected, rel=2e-6)


@pytest.mark.parametrize(("far", "every"), [(1e3, 2), (1e4, 2), (1e7, 2200), (1e25, 2), (1e200, 2)])
def test_clusters_far_from_each_other_and_one_far_face_cost_no_digits(rng, far, every):
    """The distances within a cluster are what counts, and are lost where far ones set the scale of the numbers."""
    scores, points = rng.random(2200), rng.normal(size=(2200, 3))
    points[::every] += far
    apart = np.abs(scores[:, None] - scores) - 0.08 * cdist(points, points)
    assert blocked(scores, points, 0.08) == pytest.approx(np.triu(np.maximum(apart, 0), 1).sum(), rel=2e-6)


@pytest.mark.parametrize("far", [30, 1e4, 1e25, 1e200])
def test_faces_out_of_reach_of_each_other_are_summed_apart(rng, monkeypatch, far):
    """One face far from all others doesn't slow the sum over them down; in the corners of a square nothing counts."""
    scores, points = rng.random(1500), rng.normal(size=(1500, 2))
    points[::3, 0] += far
    points[::5, 1] -= far
    apart = np.abs(scores[:, None] - scores) - 0.08 * cdist(points, points)
    monkeypatch.setattr(module, "_all", None)
    assert blocked(scores, points, 0.08) == pytest.approx(np.triu(np.maximum(apart, 0), 1).sum(), rel=2e-6)


def test_a_chain_of_faces_is_not_cut(rng):
    """Ends are far apart, neighbours are not."""
    scores, points = rng.random(1500), np.sort(rng.uniform(0, 1000, (1500, 1)), axis=0)
    assert len(module._clusters(points * 0.08, 1.0)) == 1
    apart = np.abs(scores[:, None] - scores) - 0.08 * cdist(points, points)
    assert blocked(scores, points, 0.08) == pytest.approx(np.triu(np.maximum(apart, 0), 1).sum(), rel=2e-6)


def test_many_pairs_are_taken_by_blocks(rng, monkeypatch):
    scores, points = rng.random(40), rng.normal(size=(40, 2))
    few = individual(scores, points, "x")
    monkeypatch.setattr(module, "FEW", 100)
    assert individual(scores, points, "x") == (
        pytest.approx(few.f_ind, rel=1e-6),
        0,
        pytest.approx(few.total),
        780,
        "x",
    )


def test_quality_equals_scikit_learn(faces):
    labels, scores, groups = faces
    told = per_group(labels, scores, groups).set_index("group")
    assert told.index.tolist() == ["all", "dark", "light", "medium"] and (told["note"] == "").all()
    for name, row in told.iterrows():
        inside = (groups == name) | (name == "all")
        y, s = labels[inside], scores[inside]
        said = (s >= 0.5).astype(int)
        assert row["auc"] == pytest.approx(roc_auc_score(y, s))
        assert row["ap"] == pytest.approx(average_precision_score(y, s))
        assert row["accuracy"] == pytest.approx(accuracy_score(y, said))
        assert row["fpr"] == pytest.approx(confusion_matrix(y, said, normalize="true")[0, 1])
        fpr, tpr, _ = roc_curve(y, s, drop_intermediate=False)
        fine = np.linspace(0, 1, 200_001)
        crossing = fine[np.argmin(np.abs(1 - np.interp(fine, fpr, tpr) - fine))]
        assert row["eer"] == pytest.approx(crossing, abs=2e-3)
        assert [row["faces"], row["fakes"]] == [inside.sum(), y.sum()]


def test_no_rounding_leads_out_of_0_to_1():
    """A sum of shares of fakes came to 1.0000000000000002 for about every eighth detector that tells all apart."""
    for fakes in range(1, 200):
        labels, scores = np.append(0, np.ones(fakes, int)), np.append(0.1, np.linspace(0.6, 0.99, fakes))
        told = quality(labels, scores)
        assert (told.ap, told.auc, told.eer) == (1, 1, 0)
        turned = quality(labels, 1 - scores)
        assert turned.auc == 0 and 0 <= turned.ap <= 1 and 0 <= turned.eer <= 1


def test_the_equal_error_rate_by_hand():
    """FNR and FPR at the thresholds: (1, 0), (1/2, 0), (1/2, 1/2) - they meet at 1/2; without errors at 0."""
    assert quality([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1]).eer == 0.5
    assert quality([0, 0, 1, 1], [0.1, 0.2, 0.8, 0.9]).eer == 0
    assert quality([1, 1, 0, 0], [0.1, 0.2, 0.8, 0.9]).eer == 1
    assert quality([0, 1], [0.5, 0.5]).eer == 0.5


def test_one_label_alone_is_undefined_and_said():
    told = quality([1, 1], [0.2, 0.9])
    assert told.note == "all faces are fake: undefined" and told.accuracy == 0.5 and told.faces == 2
    assert np.isnan([told.auc, told.ap, told.eer, told.fpr]).all()
    assert quality([0, 0], [0.2, 0.9]).fpr == 0.5 and quality([], []).note == "no faces: undefined"
