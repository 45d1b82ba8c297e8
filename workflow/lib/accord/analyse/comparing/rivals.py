"""How much of a difference between two groups goes away among people who are alike in another attribute."""

import numpy as np
from scipy import sparse

from accord.analyse.comparing.family import Family
from accord.analyse.explaining.explained import MOST, SOME
from accord.analyse.explaining.fixed import Pair, gap
from accord.grouping import BETWEEN
from accord.statistics.permuting.exchangeable import strata_of

Claim = tuple[Family, str, str]
"""A family with a difference that is claimed: the worse and the better of two of its groups."""


def rivals(claims: list[Claim]) -> list[str]:
    """What each difference must be told with: the claimed attributes of the same test that make a part of it, a fifth
    or more; "" for none.

    Single attributes alone; how people are spread over the groups of the other is made equal (`fixed.gap`).
    """
    single = [claim for claim in claims if BETWEEN not in claim[0].attribute]
    return [_shared_note(claim, [rival for rival in single if rival[0].test == claim[0].test]) for claim in claims]


def _shared_note(claim: Claim, same_test: list[Claim]) -> str:
    parts = []
    for rival in same_test:
        if BETWEEN in claim[0].attribute or rival is claim or (share := share_lost(claim, rival[0])) < SOME:
            continue
        name = rival[0].attribute
        if min(share, share_lost(rival, claim[0])) >= MOST:
            parts.append(f"can't be distinguished from {name}")
        else:
            parts.append(f"{min(share, 1):.0%} of the difference goes away among subjects of the same {name}")
    return "; ".join(parts)


def share_lost(claim: Claim, rival: Family) -> float:
    """The share of the difference of means that goes away among people of the same groups of another family."""
    family, worse, better = claim
    cohort, names = family.cohort, list(family.cohort.groups)
    sides = [cohort.member[:, [names.index(name)]].toarray().ravel() > 0 for name in (worse, better)]
    once = np.ones((1, len(cohort.counts)), int)
    pair = Pair(family.sign * cohort.values, cohort.units, sides[0], sides[1], once)
    whole, conditioned = gap(pair)[0], gap(pair, strata_of(sparse.csr_array(rival.cohort.member)), of_worst=True)[0]
    return 1 - conditioned / whole if whole > 0 and np.isfinite(conditioned) else 0.0
