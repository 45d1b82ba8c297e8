"""Curves of verification: TAR over FAR, at a group's own thresholds or at given ones, with intervals by subjects."""

import numpy as np

from accord.analyse.faces import trials as resampled
from accord.analyse.faces.rates import negatives_needed, threshold_at, wilson
from accord.analyse.faces.trials import Trials
from accord.statistics.describing.clustered import independent, interval
from accord.text.nouns import fewer

FARS = (0.1, 0.03, 0.01, 0.003, 0.001, 0.0003, 0.0001, 0.00001)
FIGURES = ("threshold", "reached", "reached_low", "reached_high", "tar", "low", "high", "wilson_low", "wilson_high")
NOTHING = dict.fromkeys(FIGURES, np.nan) | {"note": ""}


def grid(far: float) -> tuple[float, ...]:
    """The FARs of a curve, falling: fixed ones, and `far`."""
    return tuple(sorted({*FARS, far}, reverse=True))


def own(trials: Trials, subjects: int, fars: tuple[float, ...], drawn: np.ndarray, least: int) -> list[dict]:
    """One row per FAR: TAR at the group's own threshold, which is set anew in each resample of subjects `drawn`.

    subjects: how many the group has; of fewer than `least`, or without a genuine pair, there are no figures, and a FAR
    that the impostor pairs can't resolve has none: the row says so.
    """
    counts = counted(trials, subjects)
    notes = {far: obstacle(counts, far, least) for far in fars}
    resolved = tuple(far for far in fars if not notes[far])
    told = {far: NOTHING | {"note": notes[far]} for far in fars}
    if resolved:
        limits = resampled.thresholds(trials, resolved, drawn)
        replicates = resampled.true_accepts(trials, limits, drawn)
        for far, column in zip(resolved, replicates.T, strict=True):
            threshold = threshold_at(trials.impostor, far)
            reached = {"threshold": threshold, "reached": float((trials.impostor >= threshold).mean())}
            told[far] |= reached | _accepted(trials, threshold, column, subjects)
    return [counts | {"far": far} | row for far, row in told.items()]


def given(
    trials: Trials,
    subjects: int,
    limits: dict[float, float],
    drawn: np.ndarray,
    least: int,
    redrawn: np.ndarray | None = None,
) -> list[dict]:
    """One row per FAR: TAR and the share of impostor pairs accepted at the thresholds `limits`.

    redrawn: these in each resample (draws, FARs), where they are themselves estimated from subjects that `drawn` draws;
    None: they are taken as given. A threshold of NaN is none.
    """
    counts, rows = counted(trials, subjects), []
    why = _few(counts, least)
    for place, (far, threshold) in enumerate(limits.items()):
        note = why or ("" if threshold == threshold else f"the whole dataset can't resolve a FAR of {far}")
        row = NOTHING | {"note": note}
        if not note:
            row |= {"threshold": threshold} | _reached(trials, threshold, subjects, drawn)
            moved = None if redrawn is None else redrawn[:, [place]]
            replicates = _replicates(trials, threshold, moved, drawn)
            row |= _accepted(trials, threshold, replicates, subjects)
        rows.append(counts | {"far": far} | row)
    return rows


def _replicates(trials: Trials, threshold: float, moved: np.ndarray | None, drawn: np.ndarray) -> np.ndarray:
    """TAR in each resample, at the threshold or at that of each resample, `moved` (draws, 1)."""
    if moved is None:
        return resampled.genuine_share(trials.genuine >= threshold, trials.owner, drawn)
    return resampled.true_accepts(trials, moved, drawn)[:, 0]


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


def _accepted(trials: Trials, threshold: float, replicates: np.ndarray, subjects: int) -> dict[str, float]:
    hits, count = int((trials.genuine >= threshold).sum()), len(trials.genuine)
    owners = min(subjects, len(np.unique(trials.owner)))
    low, high = interval(hits / count, count, replicates, owners, independent(trials.owner, trials.owner))
    naive = dict(zip(("wilson_low", "wilson_high"), wilson(hits, count), strict=True))
    return {"tar": hits / count, "low": low, "high": high} | naive


def _reached(trials: Trials, threshold: float, subjects: int, drawn: np.ndarray) -> dict[str, float]:
    hits = trials.impostor >= threshold
    if not len(hits):
        return {}
    replicates = resampled.impostor_share(hits, trials.left, trials.right, drawn)
    share = float(hits.mean())
    low, high = interval(share, len(hits), replicates, subjects, independent(trials.left, trials.right))
    return {"reached": share, "reached_low": low, "reached_high": high}
