"""Conditional value at risk: the mean of the worst losses, over a batch and within groups."""

from __future__ import annotations

import math

import torch

from accord.errors import AccordError, Problem

DAG_LEVEL = 0.5
DAW_GROUPS, DAW_WITHIN = 0.5, 0.9
"""Levels of DAW-FDD over the groups and within one, as AI-Face's benchmark has them."""


def cvar(losses: torch.Tensor, level: float) -> torch.Tensor:
    """The mean of the largest `level` of losses (n,), exact: the last one counts by the share of it that is in.

    min over x of x + mean(max(0, l - x)) / level (Rockafellar and Uryasev 2000, equation 4), whose minimum is at a
    quantile, and so is found by sorting. level: above 0, 1 at most; 1 is the mean. Raises AccordError otherwise.
    """
    if not 0 < level <= 1:
        raise AccordError(Problem("CVaR", f"level is {level}", "use a share above 0, 1 at most"))
    if losses.ndim != 1 or not len(losses):
        raise AccordError(Problem("CVaR", f"losses have the shape {tuple(losses.shape)}", "give one or more in a row"))
    share = level * len(losses)
    whole = min(len(losses), math.floor(share + 1e-9))
    part = share - whole if whole < len(losses) else 0.0
    found = losses.sort(descending=True).values
    total = found[:whole].sum()
    return (total + part * found[whole] if part > 1e-9 else total) / share


def dag(losses: torch.Tensor, level: float = DAG_LEVEL) -> torch.Tensor:
    """DAG-FDD, which knows no groups: CVaR of the losses (n,) of a batch (Ju et al. 2024, section 3.2)."""
    return cvar(losses, level)


def daw(
    losses: torch.Tensor, groups: torch.Tensor, over: float = DAW_GROUPS, within: float = DAW_WITHIN
) -> torch.Tensor:
    """DAW-FDD: CVaR over groups of the CVaR within each, of losses (n,) whose groups (n,) are integers.

    Ju et al. 2024, section 3.3, with the groups that occur in the batch.
    """
    if groups.shape != losses.shape:
        what = f"{tuple(groups.shape)} groups for {tuple(losses.shape)} losses"
        raise AccordError(Problem("DAW-FDD", what, "give one group for each loss"))
    return cvar(torch.stack([cvar(losses[groups == group], within) for group in groups.unique()]), over)
