"""Rates and shares of images whose subjects are the units that were drawn: variances over subjects."""

from typing import NamedTuple

import numpy as np
from scipy import special

from accord.statistics.describing.proportions import newcombe

OUTSIDE = 0.05


class Change(NamedTuple):
    """A share before and after something was taken away, their difference, and its 95% interval."""

    before: float
    after: float
    change: float
    low: float
    high: float


class Risk(NamedTuple):
    """The risk of a group and of the others, their ratio and difference with 95% intervals, and a two-sided p.

    What can't be said is NaN: the ratio where one of the risks is 0, p where nobody or everybody is taken.
    """

    inside: float
    outside: float
    ratio: float
    ratio_low: float
    ratio_high: float
    difference: float
    difference_low: float
    difference_high: float
    p_value: float


def change_of_share(members: np.ndarray, images: np.ndarray, members_left: np.ndarray, left: np.ndarray) -> Change:
    """How the share of a group changes when images are taken away; each (S,), counts of each subject's images.

    members, images: of the group, and all, before; members_left, left: of those that stay. What stays is a part of what
    was, so the two shares go together: the interval is of their difference, linearised in the sums over subjects
    (u = (m' - p' l) / L - (m - p n) / N; variance S / (S - 1) sum u^2), with Student's t of S - 1. NaN where nothing
    stays or there are fewer than two subjects.
    """
    total, total_left, subjects = images.sum(), left.sum(), len(images)
    if not total or not total_left or subjects < 2:
        return Change(*(np.nan,) * 5)
    before, after = members.sum() / total, members_left.sum() / total_left
    influence = (members_left - after * left) / total_left - (members - before * images) / total
    half = _t(subjects) * np.sqrt(_variance(influence))
    return Change(float(before), float(after), float(after - before), *_clip(after - before, half, before))


def risk(taken: np.ndarray, members: np.ndarray, taken_members: np.ndarray, images: np.ndarray) -> Risk:
    """The risk of an image to be taken, in a group against all others; each (S,), counts of each subject's images.

    taken: of all its images; members: of its images in the group; taken_members: both. The ratio has Katz's interval
    with the variance of its logarithm over subjects; the difference Newcombe's, each side with as many trials as have
    the variance of its rate over subjects. With one image each these are the ordinary ones but for S / (S - 1), and
    Student's t for the normal distribution. p compares subjects, not images.
    """
    others, taken_others = images - members, taken - taken_members
    n, m, subjects = members.sum(), others.sum(), len(images)
    if not n or not m or subjects < 2:
        return Risk(*(np.nan,) * 9)
    inside, outside = taken_members.sum() / n, taken_others.sum() / m
    mine, theirs = (taken_members - inside * members) / n, (taken_others - outside * others) / m
    ratio, ratio_low, ratio_high = _ratio(inside, outside, mine, theirs)
    trials = (independent(inside, members, mine), independent(outside, others, theirs))
    bounds = newcombe(inside * trials[0], trials[0], outside * trials[1], trials[1])
    p_value = _apart(taken, members, images)
    return Risk(*map(float, (inside, outside, ratio, ratio_low, ratio_high, inside - outside, *bounds, p_value)))


def independent(rate: float, images: np.ndarray, influence: np.ndarray) -> float:
    """Independent trials that give a rate its variance over subjects: never more than there are images, nor, where all
    or none are taken, than there are subjects. influence: (S,) of each subject on the rate."""
    if len(images) < 2:
        return float((images > 0).sum())
    variance = _variance(influence)
    if rate in (0, 1) or not variance:
        return float((images > 0).sum())
    return float(min(images.sum(), rate * (1 - rate) / variance))


def _ratio(inside: float, outside: float, mine: np.ndarray, theirs: np.ndarray) -> tuple[float, float, float]:
    if not inside or not outside:
        return (np.nan,) * 3
    error = np.sqrt(_variance(mine / inside - theirs / outside))
    ratio, reach = inside / outside, np.exp(_t(len(mine)) * error)
    return ratio, ratio / reach, ratio * reach


def _apart(taken: np.ndarray, members: np.ndarray, images: np.ndarray) -> float:
    """p of no correlation over subjects between the share of their images in the group and how many more of them are
    taken than of everybody's: Pearson's test, which is the t approximation of dealing out what was taken to subjects
    at random (Pitman, 1937). Unlike a variance within groups it doesn't fail where one loses nothing."""
    excess = taken - images * (taken.sum() / images.sum())
    share = members / images
    if len(images) < 3 or not np.ptp(excess) or not np.ptp(share):
        return np.nan
    r = np.clip(np.corrcoef(share, excess)[0, 1], -1, 1)
    free = len(images) - 2
    return float(2 * special.stdtr(free, -abs(r) * np.sqrt(free / max(1 - r * r, np.finfo(float).tiny))))


def _variance(influence: np.ndarray) -> float:
    """Of a sum over subjects."""
    subjects = len(influence)
    return float(subjects / (subjects - 1) * np.sum((influence - influence.mean()) ** 2))


def _t(subjects: int) -> float:
    return float(special.stdtrit(subjects - 1, 1 - OUTSIDE / 2))


def _clip(change: float, half: float, before: float) -> tuple[float, float]:
    return float(max(change - half, -before)), float(min(change + half, 1 - before))
