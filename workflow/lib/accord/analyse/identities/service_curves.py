"""How often services refuse the same person, at a share of strangers that they accept: by labels, group, threshold."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from accord.analyse.faces import curves
from accord.analyse.faces.rates import negatives_needed, threshold_at
from accord.analyse.faces.trials import Trials, thresholds
from accord.analyse.identities.scored_pairs import ScoredPairs
from accord.analyse.identities.tables import COMMON, OWN
from accord.grouping import WHOLE
from accord.statistics.distinct import distinct
from accord.statistics.permuting import larger_share
from accord.statistics.resampling import half_unseen
from accord.statistics.seeds import generator

CALLED = {"subjects": "queries", "subject": "query", "pictures": "labelled faces", "FAR": "FMR", "dataset": "test"}
"""What notes of verification call things -> what this test calls them."""


@dataclass(frozen=True)
class How:
    """fmr: where curves are read; min_queries: of a group, with fewer there are no figures; bootstraps: of queries."""

    fmr: tuple[float, ...] = (0.01, 0.001)
    min_queries: int = 10
    bootstraps: int = 400
    seed: int = 1


def rows(
    name: str, pairs: ScoredPairs, labels: Mapping[str, np.ndarray], groups: pd.DataFrame, how: How
) -> Iterator[dict]:
    """The rows of `ServiceCurves` of one service.

    labels: whose -> (faces,) int, 1, 0 or -1; groups: attribute, group, query (int). Genuine pairs are of two faces of
    one query that are labelled 1, impostor pairs of two queries of one group; everyone's of any two queries.
    """
    rng = generator(how.seed, "queries", name)
    weights = half_unseen.weights(pairs.queries.max() + 1, how.bootstraps, rng)
    count = weights.shape[1]
    for source, said in labels.items():
        positive, left_out = said == 1, said == -1
        whole = trials(pairs, positive, np.ones(count, bool))
        limits = {rate: threshold(whole, rate) for rate in how.fmr}
        # The common threshold is an estimate, too: taken as given, intervals would be too narrow.
        redrawn = thresholds(whole, how.fmr, weights)
        for attribute, group, members in grouped(groups, count):
            mine = whole if group == WHOLE else trials(pairs, positive, members)
            queries = len(distinct(np.concatenate([mine.owner, mine.left, mine.right])))
            missed = _unlabelled(pairs, left_out, members)
            told = {
                OWN: curves.own(mine, queries, how.fmr, weights, how.min_queries),
                COMMON: curves.given(mine, queries, limits, weights, how.min_queries, redrawn),
            }
            key = {"service": name, "labels": source, "attribute": attribute, "group": group}
            for threshold_of, found in told.items():
                lot = whole if threshold_of == COMMON and group != WHOLE else None
                dealt = [float("nan") if lot is None else _by_lot(lot, row, members, rng) for row in found]
                yield from (key | {"threshold_of": threshold_of} | _row(row, missed) | {"p": p}
                            for row, p in zip(found, dealt, strict=True))  # fmt: skip


def grouped(groups: pd.DataFrame, queries: int) -> Iterator[tuple[str, str, np.ndarray]]:
    """Attribute, group and members (queries,) bool; first everyone."""
    yield WHOLE, WHOLE, np.ones(queries, bool)
    for (attribute, group), some in groups.groupby(["attribute", "group"], sort=True):
        yield str(attribute), str(group), np.isin(np.arange(queries), some["query"])


def trials(pairs: ScoredPairs, positive: np.ndarray, members: np.ndarray) -> Trials:
    """The pairs of faces labelled 1 whose queries are all among `members` (queries,) bool, if they have a score."""
    left, right = pairs.queries[pairs.left], pairs.queries[pairs.right]
    usable = positive[pairs.left] & positive[pairs.right] & members[left] & members[right] & ~np.isnan(pairs.scores)
    same, others = (usable & some for some in (pairs.within, ~pairs.within))
    rows = [np.stack([pairs.left[some], pairs.right[some]], axis=1) for some in (same, others)]
    return Trials(pairs.scores[same], left[same], pairs.scores[others], left[others], right[others], *rows)


def threshold(trials: Trials, rate: float) -> float:
    """That which accepts a share of the impostor pairs; NaN where they are too few to tell."""
    if len(trials.impostor) < negatives_needed(rate):
        return float("nan")
    return threshold_at(trials.impostor, rate)


def _unlabelled(pairs: ScoredPairs, left_out: np.ndarray, members: np.ndarray) -> int:
    """Pairs of faces of one query of which at least one has no label: any of them may be genuine."""
    found = 0
    for query in np.nonzero(members)[0]:
        some = left_out[pairs.queries == query]
        known = int((~some).sum())
        found += len(some) * (len(some) - 1) // 2 - known * (known - 1) // 2
    return found


def _by_lot(whole: Trials, row: dict, members: np.ndarray, rng: np.random.Generator) -> float:
    """The chance that as many queries by lot would be refused so much more often than all others; NaN of no figure."""
    if row["note"]:
        return float("nan")
    refused, every = (np.bincount(whole.owner[some], minlength=len(members))
                      for some in (whole.genuine < row["threshold"], slice(None)))  # fmt: skip
    return larger_share.p_value(refused, every, members, rng)


def _row(row: dict, missed: int) -> dict:
    """A row of rates as `analyse.faces.curves` gives it, as FNMR = 1 - TAR, with its bounds."""
    genuine, tar = row["positives"], row["tar"]
    told: dict[str, object] = {name: row[name] for name in ("threshold", "reached", "reached_low", "reached_high")}
    told |= {"fmr": row["far"], "fnmr": 1 - tar, "low": 1 - row["high"], "high": 1 - row["low"]}
    told |= {"wilson_low": 1 - row["wilson_high"], "wilson_high": 1 - row["wilson_low"]}
    refused = (1 - tar) * genuine
    whole = genuine + missed
    bounds = [refused / whole, (refused + missed) / whole] if whole and tar == tar else [np.nan, np.nan]
    told |= dict(zip(("bound_low", "bound_high"), bounds, strict=True))
    counts = {"queries": row["subjects"], "genuine": genuine, "impostor": row["negatives"]}
    note = row["note"]
    for word, better in CALLED.items():
        note = note.replace(word, better)
    return told | counts | {"note": note}
