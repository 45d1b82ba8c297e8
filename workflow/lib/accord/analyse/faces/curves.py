"""Curves of verification: TAR over FAR, at a group's own thresholds or at given ones, with intervals by subjects."""

import numpy as np

from accord.analyse.faces import trials as resampled
from accord.analyse.faces.rates import negatives_needed, threshold_at, wilson
from accord.analyse.faces.trials import Trials
from accord.statistics.resampling import half_unseen
from accord.text.nouns import fewer

FARS = (0.1, 0.03, 0.01, 0.003, 0.001, 0.0003, 0.0001, 0.00001)
FIGURES = ("threshold", "reached", "reached_low", "reached_high", "tar", "low", "high", "wilson_low", "wilson_high")
NOTHING = dict.fromkeys(FIGURES, np.nan) | {"note": ""}


def grid(far: float) -> tuple[float, ...]:
    """The FARs of a curve, falling: fixed ones, and `far`."""
    return tuple(sorted({*FARS, far}, reverse=True))


def own(trials: Trials, subjects: int, fars: tuple[float, ...], weights: np.ndarray, least: int) -> list[dict]:
    """One row per FAR: TAR at the group's own threshold, which moves as other impostors would move it (`thresholds`).

    subjects: how many the group has; of fewer than `least`, or without a genuine pair, there are no figures, and a FAR
    that the impostor pairs can't resolve has none: the row says so. weights: (draws, m) of `half_unseen`.
    """
    counts = counted(trials, subjects)
    notes = {far: obstacle(counts, far, least) for far in fars}
    resolved = tuple(far for far in fars if not notes[far])
    told = {far: NOTHING | {"note": notes[far]} for far in fars}
    if resolved:
        limits = [threshold_at(trials.impostor, far) for far in resolved]
        moved = resampled.thresholds(trials, resolved, weights)
        replicates = resampled.true_accepts(trials, moved, weights)
        for far, limit, some in zip(resolved, limits, replicates.T, strict=True):
            reached = {"threshold": limit, "reached": float((trials.impostor >= limit).mean())}
            told[far] |= reached | _accepted(trials, limit, weights, some)
    return [counts | {"far": far} | row for far, row in told.items()]


def given(
    trials: Trials,
    subjects: int,
    limits: dict[float, float],
    weights: np.ndarray,
    least: int,
    redrawn: np.ndarray | None = None,
) -> list[dict]:
    """One row per FAR: TAR and the share of impostor pairs accepted at the thresholds `limits`.

    redrawn: these in each resample (draws, FARs), where they are themselves estimated from subjects that have
    `weights`; None: they are taken as given. A threshold of NaN is none.
    """
    counts, rows = counted(trials, subjects), []
    why = _few(counts, least)
    for place, (far, threshold) in enumerate(limits.items()):
        note = why or ("" if threshold == threshold else f"the whole dataset can't resolve a FAR of {far}")
        row = NOTHING | {"note": note}
        if not note:
            moved = None if redrawn is None else redrawn[:, place]
            some = None if moved is None else resampled.true_accepts(trials, moved[:, np.newaxis], weights)[:, 0]
            row |= {"threshold": threshold} | _reached(trials, threshold, weights, moved)
            row |= _accepted(trials, threshold, weights, some)
        rows.append(counts | {"far": far} | row)
    return rows


def counted(trials: Trials, subjects: int) -> dict[str, int]:
    """How many subjects and pairs there are."""
    return {"subjects": subjects, "positives": len(trials.genuine), "negatives": len(trials.impostor)}


def obstacle(counts: dict[str, int], far: float, least: int) -> str:
    """Why TAR at a FAR can't be said; "" where it can."""
    needed = negatives_needed(far)
    if counts["subjects"] >= least and counts["negatives"] < needed:
        return f"{counts['negatives']:,} impostor pairs, fewer than the {needed:,} that resolve a FAR of {far}"
    return _few(counts, least)


def _few(counts: dict[str, int], least: int) -> str:
    if counts["subjects"] < least:
        return fewer(counts["subjects"], "subject", least)
    return "" if counts["positives"] else "no subject has two pictures"


def _accepted(trials: Trials, threshold: float, weights: np.ndarray, replicates: np.ndarray | None) -> dict[str, float]:
    is_hit = trials.genuine >= threshold
    hits, count = int(is_hit.sum()), len(is_hit)
    bounds = (*half_unseen.of_pairs(trials.owner, is_hit, weights, replicates), *wilson(hits, count))
    return {"tar": hits / count} | dict(zip(("low", "high", "wilson_low", "wilson_high"), bounds, strict=True))


def _reached(trials: Trials, threshold: float, weights: np.ndarray, moved: np.ndarray | None) -> dict[str, float]:
    if not len(trials.impostor):
        return {}
    low, high = resampled.impostor_interval(trials, threshold, weights, moved)
    return {"reached": float((trials.impostor >= threshold).mean()), "reached_low": low, "reached_high": high}
