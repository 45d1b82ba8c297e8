"""Losses and SAM against references that are computed in another way."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment, minimize_scalar
from scipy.special import log_softmax, softmax
from torch import nn

from accord.errors import AccordError
from accord.train.losses.margins import Cosines, am_softmax, ldam, ldam_margins, vector_scaling
from accord.train.losses.sam import SAM
from accord.train.losses.sinkhorn import divergence
from accord.train.losses.tail import cvar, dag, daw

LOSSES = st.lists(st.floats(0, 10, width=32), min_size=1, max_size=12)
LEVELS = st.floats(0.05, 1)
RNG = np.random.default_rng(0)


def double(values) -> torch.Tensor:
    return torch.tensor(np.asarray(values), dtype=torch.float64)


@given(LOSSES, LEVELS)
def test_cvar_is_the_minimum_that_defines_it(losses, level):
    """Of a function that is convex and linear between the losses: its minimum is at one of them."""
    values = np.array(losses)
    expected = min(x + np.maximum(values - x, 0).mean() / level for x in values)
    assert float(cvar(double(losses), level)) == pytest.approx(expected, abs=1e-7)


def test_cvar_is_the_mean_of_the_worst():
    losses = double([5.0, 1.0, 4.0, 2.0])
    assert float(cvar(losses, 0.5)) == 4.5
    assert float(cvar(losses, 1.0)) == 3.0
    assert float(cvar(losses, 0.01)) == 5.0
    assert float(cvar(losses, 0.625)) == pytest.approx((5 + 4 + 0.5 * 2) / 2.5)
    assert float(dag(losses)) == 4.5
    found = minimize_scalar(lambda x: x + np.maximum(losses.numpy() - x, 0).mean() / 0.625, bounds=(0, 6))
    assert float(cvar(losses, 0.625)) == pytest.approx(found.fun, abs=1e-4)


def test_the_gradient_of_cvar_is_the_share_of_each_loss():
    losses = double([5.0, 1.0, 4.0, 2.0]).requires_grad_()
    cvar(losses, 0.625).backward()
    assert losses.grad.tolist() == pytest.approx([0.4, 0, 0.4, 0.2])


def test_daw_weighs_the_worst_groups_by_their_worst_pictures():
    losses, groups = double([1.0, 3.0, 10.0, 2.0, 2.0]), torch.tensor([0, 0, 1, 4, 4])
    assert float(daw(losses, groups, over=1 / 3, within=0.5)) == pytest.approx(10)
    assert float(daw(losses, groups, over=2 / 3, within=0.5)) == pytest.approx((10 + 3) / 2)
    assert float(daw(losses, groups, over=1, within=1)) == pytest.approx((2 + 10 + 2) / 3)


@pytest.mark.parametrize("level", [0, -1, 1.01, math.nan])
def test_a_level_that_is_no_share_is_refused(level):
    with pytest.raises(AccordError, match="use a share above 0, 1 at most"):
        cvar(double([1.0]), level)


def test_losses_without_pictures_and_groups_of_others_are_refused():
    with pytest.raises(AccordError, match="give one or more in a row"):
        cvar(double([]), 0.5)
    with pytest.raises(AccordError, match="give one group for each loss"):
        daw(double([1.0, 2.0]), torch.tensor([0]))


def test_am_softmax_by_its_formula():
    cosines, labels = RNG.uniform(-1, 1, (5, 3)), [0, 1, 2, 1, 0]
    own = np.exp(30 * (cosines[range(5), labels] - 0.45))
    others = np.exp(30 * cosines).sum(1) - np.exp(30 * cosines[range(5), labels])
    got = am_softmax(double(cosines), torch.tensor(labels))
    assert got.numpy() == pytest.approx(-np.log(own / (own + others)))


def test_cosines_are_cosines():
    torch.manual_seed(0)
    layer, features = Cosines(4, 2), torch.randn(3, 4)
    expected = [[float(nn.functional.cosine_similarity(f, w, dim=0)) for w in layer.weight.detach()] for f in features]
    assert layer(features).detach().numpy() == pytest.approx(np.array(expected), abs=1e-6)


def test_ldam_by_its_formula():
    margins = ldam_margins(torch.tensor([16, 81, 10000]))
    assert margins.tolist() == pytest.approx([0.5, 0.5 * 2 / 3, 0.5 * 2 / 10])
    cosines, labels = RNG.uniform(-1, 1, (4, 3)), np.array([0, 1, 2, 1])
    moved = cosines.copy()
    for row, label in enumerate(labels):
        moved[row, label] -= [0.5, 1 / 3, 0.1][label]
    expected = -log_softmax(30 * moved, axis=1)[range(4), labels]
    got = ldam(double(cosines), torch.tensor(labels), margins.double())
    assert got.numpy() == pytest.approx(expected, rel=1e-5)


def test_vector_scaling_by_its_formula():
    scores, labels, counts = RNG.normal(size=(4, 3)), np.array([0, 1, 2, 1]), np.array([10, 40, 50])
    inside = (counts / 50) ** 0.2 * scores + 1.5 * np.log(counts / 100)
    expected = -np.log(softmax(inside, axis=1))[range(4), labels]
    got = vector_scaling(double(scores), torch.tensor(labels), torch.tensor(counts), 0.2, 1.5)
    assert got.numpy() == pytest.approx(expected)


def test_of_equal_classes_vector_scaling_is_cross_entropy():
    scores, labels = double(RNG.normal(size=(4, 3))), torch.tensor([0, 1, 2, 1])
    expected = nn.functional.cross_entropy(scores, labels, reduction="none")
    assert torch.allclose(vector_scaling(scores, labels, torch.tensor([7, 7, 7])), expected)


def test_a_class_without_pictures_is_refused():
    with pytest.raises(AccordError, match="a class has no picture"):
        ldam_margins(torch.tensor([3, 0]))


class Quadratic(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Parameter(double([3.0])), nn.Parameter(double([2.0]))

    def forward(self):
        return (2 * self.a**2 + self.b**2) / 2


def stepped(ball: str) -> list[float]:
    net = Quadratic()
    optimiser = SAM(net, torch.optim.SGD(net.parameters(), lr=0.1), radius=0.5, ball=ball)

    def closure():
        optimiser.zero_grad()
        loss = net().sum()
        loss.backward()
        return loss.detach()

    assert float(optimiser.step(closure)) == 11
    return [net.a.item(), net.b.item()]


def test_sam_by_hand_on_a_quadratic():
    """Gradient (6, 2) at (3, 2); the step goes by the gradient (2 a, b) at (3, 2) + e."""
    norm = math.sqrt(40)
    assert stepped("euclidean") == pytest.approx([3 - 0.2 * (3 + 3 / norm), 2 - 0.1 * (2 + 1 / norm)])
    assert stepped("sign") == pytest.approx([3 - 0.2 * 3.5, 2 - 0.1 * 2.5])


def test_batch_norms_learn_their_statistics_once_a_step():
    torch.manual_seed(0)
    net, pixels = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4)), torch.randn(8, 3)
    other = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4))
    other.load_state_dict(net.state_dict())
    other(pixels)
    optimiser = SAM(net, torch.optim.SGD(net.parameters(), lr=0.1))

    def closure():
        optimiser.zero_grad()
        loss = net(pixels).square().sum()
        loss.backward()
        return loss

    optimiser.step(closure)
    assert torch.equal(net[1].running_mean, other[1].running_mean)
    assert int(net[1].num_batches_tracked) == 1


def test_sam_refuses_what_it_cannot_do():
    net = Quadratic()
    base = torch.optim.SGD(net.parameters(), lr=0.1)
    with pytest.raises(AccordError, match="unknown ball 'cube'"):
        SAM(net, base, ball="cube")
    with pytest.raises(AccordError, match="has no closure"):
        SAM(net, base).step()


def test_with_little_entropy_the_divergence_is_the_best_assignment():
    x, y = RNG.normal(size=(6, 2)), RNG.normal(size=(6, 2)) + 1
    costs = ((x[:, None] - y[None]) ** 2).sum(-1) / 2
    expected = costs[linear_sum_assignment(costs)].mean()
    assert float(divergence(double(x), double(y), 1e-4)) == pytest.approx(expected, rel=1e-3)


def test_clouds_that_are_equal_diverge_by_nothing_and_others_by_something():
    x = double(RNG.normal(size=(5, 3)))
    assert float(divergence(x, x.flip(0), 0.1)) == pytest.approx(0, abs=1e-6)
    assert float(divergence(x, x + 0.5, 0.1)) == pytest.approx(0.375, rel=1e-2)


def test_the_gradient_of_the_divergence_is_that_of_differences():
    x, y = double(RNG.normal(size=(4, 2))).requires_grad_(), double(RNG.normal(size=(3, 2)))
    divergence(x, y, 0.5).backward()
    moved = torch.zeros_like(x)
    moved[1, 0] = 1e-5
    difference = (divergence(x + moved, y, 0.5) - divergence(x - moved, y, 0.5)) / 2e-5
    assert float(x.grad[1, 0]) == pytest.approx(float(difference.detach()), rel=1e-4)
