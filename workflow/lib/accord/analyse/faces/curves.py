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
    counts = counted(trials, subjects)
    notes = {far: _few(counts, least) or _unresolved(far, threshold) for far, threshold in limits.items()}
    known = {far: limits[far] for far, note in notes.items() if not note}
    moved = {} if redrawn is None else dict(zip(limits, redrawn.T, strict=True))
    reached, rows = _reached(trials, known, weights, [moved[far] for far in known] if moved else None), []
    for far, note in notes.items():
        row = NOTHING | {"note": note}
        if not note:
            some = resampled.true_accepts(trials, moved[far][:, np.newaxis], weights)[:, 0] if moved else None
            row |= {"threshold": limits[far]} | reached[far] | _accepted(trials, limits[far], weights, some)
        rows.append(counts | {"far": far} | row)
    return rows


def _unresolved(far: float, threshold: float) -> str:
    return f"the whole dataset can't resolve a FAR of {far}" if np.isnan(threshold) else ""


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


def _reached(
    trials: Trials, limits: dict[float, float], weights: np.ndarray, moved: list[np.ndarray] | None
) -> dict[float, dict[str, float]]:
    """The share of impostor pairs that each of the thresholds accepts."""
    if not len(trials.impostor) or not limits:
        return {far: {} for far in limits}
    bounds = resampled.impostor_intervals(trials, [*limits.values()], weights, moved)
    told = {}
    for (far, limit), (low, high) in zip(limits.items(), bounds, strict=True):
        share = float((trials.impostor >= limit).mean())
        told[far] = {"reached": share, "reached_low": low, "reached_high": high}
    return told
