"""Curves of verification: TAR over FAR, at a group's own thresholds or at given ones, with intervals by subjects."""

from collections.abc import Callable

import numpy as np

from accord.analyse.faces import trials as resampled
from accord.analyse.faces.rates import negatives_needed, threshold_at, wilson
from accord.analyse.faces.trials import Trials
from accord.statistics.describing.clustered import independent, interval
from accord.statistics.resampling import half_unseen
from accord.text.nouns import fewer

FARS = (0.1, 0.03, 0.01, 0.003, 0.001, 0.0003, 0.0001, 0.00001)
FIGURES = ("threshold", "reached", "reached_low", "reached_high", "tar", "low", "high", "wilson_low", "wilson_high")
Bounds = Callable[[Trials, np.ndarray, np.ndarray | None], list[tuple[float, float]]]
"""Intervals of TAR at thresholds (f,), which are (draws, f) in each resample; None: they are taken as given."""
NOTHING = dict.fromkeys(FIGURES, np.nan) | {"note": ""}


def grid(far: float) -> tuple[float, ...]:
    """The FARs of a curve, falling: fixed ones, and `far`."""
    return tuple(sorted({*FARS, far}, reverse=True))


def by_spread(drawn: np.ndarray, subjects: int) -> Bounds:
    """Intervals of as many independent pairs as spread like the resamples of subjects (`clustered.interval`)."""

    def bounds(trials: Trials, limits: np.ndarray, moved: np.ndarray | None) -> list[tuple[float, float]]:
        owners, units = len(np.unique(trials.owner)), independent(trials.owner, trials.owner)
        if moved is None:
            replicates = [resampled.genuine_share(trials.genuine >= limit, trials.owner, drawn) for limit in limits]
        else:
            replicates = list(resampled.true_accepts(trials, moved, drawn).T)
        shares = [float((trials.genuine >= limit).mean()) for limit in limits]
        return [interval(share, len(trials.genuine), some, min(subjects, owners), units)
                for share, some in zip(shares, replicates, strict=True)]  # fmt: skip

    return bounds


def by_half_unseen(weights: np.ndarray) -> Bounds:
    """Intervals of resamples that weigh subjects, (draws, m) float, with half a subject more (`half_unseen`)."""

    def bounds(trials: Trials, limits: np.ndarray, moved: np.ndarray | None) -> list[tuple[float, float]]:
        sizes = np.bincount(trials.owner, minlength=weights.shape[1])
        of_draws = np.broadcast_to(limits, (len(weights), len(limits))) if moved is None else moved
        replicates = resampled.true_accepts(trials, of_draws, weights)
        return [half_unseen.interval(float((trials.genuine >= limit).mean()), some, weights @ sizes, sizes)
                for limit, some in zip(limits, replicates.T, strict=True)]  # fmt: skip

    return bounds


def own(
    trials: Trials,
    subjects: int,
    fars: tuple[float, ...],
    drawn: np.ndarray,
    least: int,
    bounds: Bounds | None = None,
) -> list[dict]:
    """One row per FAR: TAR at the group's own threshold, which is set anew in each resample of subjects `drawn`.

    subjects: how many the group has; of fewer than `least`, or without a genuine pair, there are no figures, and a FAR
    that the impostor pairs can't resolve has none: the row says so. bounds: of intervals; None: `by_spread`.
    """
    counts = counted(trials, subjects)
    notes = {far: obstacle(counts, far, least) for far in fars}
    resolved = tuple(far for far in fars if not notes[far])
    told = {far: NOTHING | {"note": notes[far]} for far in fars}
    if resolved:
        limits = np.array([threshold_at(trials.impostor, far) for far in resolved])
        of = (bounds or by_spread(drawn, subjects))(trials, limits, resampled.thresholds(trials, resolved, drawn))
        for far, limit, (low, high) in zip(resolved, limits.tolist(), of, strict=True):
            reached = {"threshold": limit, "reached": float((trials.impostor >= limit).mean())}
            told[far] |= reached | _accepted(trials, limit) | {"low": low, "high": high}
    return [counts | {"far": far} | row for far, row in told.items()]


def given(
    trials: Trials,
    subjects: int,
    limits: dict[float, float],
    drawn: np.ndarray,
    least: int,
    redrawn: np.ndarray | None = None,
    bounds: Bounds | None = None,
) -> list[dict]:
    """One row per FAR: TAR and the share of impostor pairs accepted at the thresholds `limits`.

    redrawn: these in each resample (draws, FARs), where they are themselves estimated from subjects that `drawn` draws;
    None: they are taken as given. A threshold of NaN is none. bounds: as of `own`.
    """
    counts, rows = counted(trials, subjects), []
    why = _few(counts, least)
    for place, (far, threshold) in enumerate(limits.items()):
        note = why or ("" if threshold == threshold else f"the whole dataset can't resolve a FAR of {far}")
        row = NOTHING | {"note": note}
        if not note:
            moved = None if redrawn is None else redrawn[:, [place]]
            row |= {"threshold": threshold} | _reached(trials, threshold, moved, drawn, subjects)
            [(low, high)] = (bounds or by_spread(drawn, subjects))(trials, np.array([threshold]), moved)
            row |= _accepted(trials, threshold) | {"low": low, "high": high}
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


def _accepted(trials: Trials, threshold: float) -> dict[str, float]:
    hits, count = int((trials.genuine >= threshold).sum()), len(trials.genuine)
    return {"tar": hits / count} | dict(zip(("wilson_low", "wilson_high"), wilson(hits, count), strict=True))


def _reached(
    trials: Trials, threshold: float, moved: np.ndarray | None, drawn: np.ndarray, subjects: int
) -> dict[str, float]:
    hits = trials.impostor >= threshold
    if not len(hits):
        return {}
    if moved is None:
        replicates = resampled.impostor_share(hits, trials.left, trials.right, drawn)
    else:
        replicates = resampled.false_accepts(trials, moved, drawn)[:, 0]
    share = float(hits.mean())
    low, high = interval(share, len(hits), replicates, subjects, independent(trials.left, trials.right))
    return {"reached": share, "reached_low": low, "reached_high": high}
