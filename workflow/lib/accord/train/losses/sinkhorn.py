"""The Sinkhorn divergence between two clouds of features, in the logarithmic domain."""

from __future__ import annotations

import math

import torch

ENTROPY = 1e-4
ROUNDS = 200


def divergence(x: torch.Tensor, y: torch.Tensor, entropy: float = ENTROPY, rounds: int = ROUNDS) -> torch.Tensor:
    """S(x, y) = OT(x, y) - OT(x, x) / 2 - OT(y, y) / 2 of points (n, width), (m, width), each of the same weight.

    Feydy et al. 2019, equation 3, with the cost |x - y|^2 / 2; entropy: the regularisation; 0 for equal clouds.
    """
    return (
        _transport(x, y, entropy, rounds) - (_transport(x, x, entropy, rounds) + _transport(y, y, entropy, rounds)) / 2
    )


def _transport(x: torch.Tensor, y: torch.Tensor, entropy: float, rounds: int) -> torch.Tensor:
    """Regularised cost of transport, by its semi-dual (Peyre and Cuturi 2019, section 5.3).

    In the first half of the rounds the entropy falls from the largest cost to its own, so that few suffice. The
    potential is found without gradients: at the maximum, the gradient is that with the potential held fixed.
    """
    cost = torch.cdist(x, y, compute_mode="donot_use_mm_for_euclid_dist").square() / 2
    with torch.no_grad():
        g, highest = cost.new_zeros(len(y)), max(float(cost.max()), entropy)
        for number in range(1, rounds + 1):
            now = highest * (entropy / highest) ** min(1.0, 2 * number / rounds)
            g = _soft_minimum(cost.T - _soft_minimum(cost - g, now), now)
    return _soft_minimum(cost - g, entropy).mean() + g.mean()


def _soft_minimum(costs: torch.Tensor, entropy: float) -> torch.Tensor:
    """Of each row: -entropy log mean exp(-cost / entropy)."""
    return -entropy * (torch.logsumexp(-costs / entropy, dim=1) - math.log(costs.shape[1]))
