"""Over time: does a service refuse the same person more or less often than before? Nothing uncertain is claimed."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from accord.analyse.faces.trials import Trials, thresholds, true_accepts
from accord.analyse.identities import service_curves
from accord.analyse.identities.scored_pairs import ScoredPairs, once
from accord.analyse.identities.service_curves import How
from accord.analyse.identities.simultaneous import Change, Rate, intervals
from accord.analyse.identities.tables import FELL, OPEN, PICTURES, ROSE, VERSION
from accord.grouping import WHOLE
from accord.statistics.distinct import distinct
from accord.statistics.resampling import half_unseen
from accord.statistics.seeds import generator
from accord.text.nouns import counted, fewer

OLD, NEW = "old", "new"
"""Pictures of the first test, and those that were found for the second."""
SETS = (OLD, NEW)
NOTHING = dict.fromkeys(("fnmr_before", "fnmr_after", "change"), np.nan)
UNSCORED = "no pair has a score on both sides"
NOW, EARLIER = "now", "before"
"""What versions are called that say no name."""


class Side(NamedTuple):
    """One of the two sides of a comparison: the version of a service, or the pictures, and what was said there."""

    name: str
    pairs: ScoredPairs


class Comparison(NamedTuple):
    """Two sides that differ in one thing alone; held: what they have in common, "" where there is nothing else;
    note: why they can't be compared."""

    service: str
    changed: str
    held: str
    before: Side
    after: Side
    note: str = ""


def comparisons(service: str, before: pd.DataFrame, after: pd.DataFrame, faces: pd.DataFrame) -> Iterator[Comparison]:
    """Two versions on each set of pictures; two sets of pictures shown to each version.

    before, after: `Confidences` of a service; faces: face, query, and `pictures` (old or new) unless they are one set.
    A change that is there on the old pictures is the service's; one between pictures under one version is theirs.
    """
    of = faces["pictures"] if "pictures" in faces else pd.Series("", faces.index)
    where = dict(zip(faces["face"], of, strict=True))
    here = before[before["left"].isin(where) & before["right"].isin(where)]
    former, latter = _version(before, EARLIER), _version(after, NOW)
    versions = {former if former != latter else f"{former} (earlier)": here, latter: after}
    shared = dict(zip(versions, _aligned(here, after), strict=True))
    for held in dict.fromkeys(some for some in ("", *SETS) if some in set(of)):
        then, now = (Side(name, ScoredPairs(faces, _shown(some, where, held))) for name, some in shared.items())
        yield Comparison(service, VERSION, held, then, now)
    for name, some in versions.items() if set(SETS) <= set(of) else ():
        old, new = (Side(held, ScoredPairs(faces, _shown(some, where, held))) for held in SETS)
        yield Comparison(service, PICTURES, name, old, new)


def rows(
    compared: Sequence[Comparison], labels: Mapping[str, np.ndarray], groups: pd.DataFrame, how: How
) -> Iterator[dict]:
    """The rows of `ServiceChanges`; arguments as of `service_curves.rows`."""
    for source, said in labels.items():
        found = [one for some in compared for one in _changes(some, said == 1, groups, how)]
        known = [one for _, one in found if one is not None]
        bounds = iter(intervals(known))
        for row, one in found:
            low, high = next(bounds) if one is not None else (np.nan, np.nan)
            yield {"labels": source} | row | {"low": low, "high": high, "verdict": _verdict(low, high)}


def not_compared(before: pd.DataFrame, after: pd.DataFrame, faces: pd.DataFrame) -> Iterator[str]:
    """What is in one of two tests alone (before, after: `Confidences`), and which pairs and queries both have."""
    for some, other, where in ((after, before, "an earlier test"), (before, after, "today's test")):
        for name in sorted(set(some["service"]) - set(other["service"])):
            yield f"service {name} has no scores of {where}: it is not compared"
    unknown = set(before["left"]).union(before["right"]).difference(faces["face"])
    if unknown:
        verb = "is" if len(unknown) == 1 else "are"
        yield f"{counted(len(unknown), 'face')} of the earlier test {verb} not among today's"
    of = faces.set_index("face")["query"]
    here = before[before["left"].isin(of.index) & before["right"].isin(of.index)]
    for name in sorted(set(before["service"]) & set(after["service"])):
        shared = _aligned(here[here["service"] == name], after[after["service"] == name])[1]
        queries = of.loc[pd.unique(shared[["left", "right"]].to_numpy().ravel())].nunique()
        every = int(once(after[(after["service"] == name) & after["score"].notna()]).shape[0])
        if len(shared) < every:
            yield (
                f"service {name}: {len(shared):,} of {counted(every, 'pair')} were scored before, too, "
                f"of {queries} of {counted(of.nunique(), 'query')}"
            )


def _version(some: pd.DataFrame, otherwise: str) -> str:
    return next(iter(some["version"][some["version"] != ""]), otherwise)


def _aligned(before: pd.DataFrame, after: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The pairs that both versions gave a score, whichever face is left, in one order."""
    known = [once(some[some["score"].notna()]) for some in (before, after)]
    named = [some.set_axis(pd.MultiIndex.from_arrays(np.sort(some[["left", "right"]].to_numpy(str), axis=1).T))
             for some in known]  # fmt: skip
    shared = named[0].index.intersection(named[1].index, sort=True)
    one, other = (some.loc[shared].reset_index(drop=True) for some in named)
    return one, other


def _shown(pairs: pd.DataFrame, where: Mapping[str, str], name: str) -> pd.DataFrame:
    """The pairs of two faces of one set of pictures."""
    return pairs[(pairs["left"].map(where) == name) & (pairs["right"].map(where) == name)]


def _changes(
    some: Comparison, positive: np.ndarray, groups: pd.DataFrame, how: How
) -> Iterator[tuple[dict, Change | None]]:
    """Rows without their intervals, each with what an interval is made of; None where there is no figure."""
    sides = some.before.pairs, some.after.pairs
    key = {"service": some.service, "changed": some.changed, "held": some.held}
    key |= {"before": some.before.name, "after": some.after.name}
    if some.note or not all(len(side.scores) for side in sides):
        whole = {"attribute": WHOLE, "group": WHOLE, **dict.fromkeys(("queries", "genuine", "impostor"), 0)}
        yield from ((key | whole | {"fmr": rate} | NOTHING | {"note": some.note or UNSCORED}, None) for rate in how.fmr)
        return
    weights = half_unseen.weights(sides[0].queries.max() + 1, how.bootstraps, generator(how.seed, "over time"))
    everyone = np.ones(weights.shape[1], bool)
    whole = [service_curves.trials(side, positive, everyone) for side in sides]
    # Each version has thresholds of its own, which are estimates too: they are set anew in each resample.
    limits = [{rate: service_curves.threshold(one, rate) for rate in how.fmr} for one in whole]
    redrawn = [thresholds(one, how.fmr, weights) for one in whole]
    for attribute, group, members in service_curves.grouped(groups, weights.shape[1]):
        mine = whole if group == WHOLE else [service_curves.trials(side, positive, members) for side in sides]
        replicates = [true_accepts(one, moved, weights) for one, moved in zip(mine, redrawn, strict=True)]
        for place, rate in enumerate(how.fmr):
            row = _figures(mine, [one[rate] for one in limits], rate, how.min_queries)
            accepted = [some[:, place] for some in replicates]
            known = None if row["note"] else _change(row, mine, [one[rate] for one in limits], accepted, weights)
            yield key | {"attribute": attribute, "group": group} | row, known


def _figures(sides: Sequence[Trials], limits: Sequence[float], rate: float, least: int) -> dict:
    queries = min(len(distinct(one.owner)) for one in sides)
    genuine, impostor = (min(len(getattr(one, name)) for one in sides) for name in ("genuine", "impostor"))
    row = {"fmr": rate, "queries": queries, "genuine": genuine, "impostor": impostor}
    if queries < least:
        return row | NOTHING | {"note": fewer(queries, "query", least)}
    if np.isnan(limits).any():
        return row | NOTHING | {"note": f"too few impostor pairs for an FMR of {rate}"}
    before, after = (float((one.genuine < limit).mean()) for one, limit in zip(sides, limits, strict=True))
    return row | {"fnmr_before": before, "fnmr_after": after, "change": after - before, "note": ""}


def _change(
    row: dict, sides: Sequence[Trials], limits: Sequence[float], accepted: Sequence[np.ndarray], weights: np.ndarray
) -> Change:
    """What the interval of a row is made of. accepted: TAR of each side in each resample."""
    rates = []
    for side, limit, some in zip(sides, limits, accepted, strict=True):
        refused = side.genuine < limit
        hits, sizes = (np.bincount(side.owner[kind], minlength=weights.shape[1]) for kind in (refused, slice(None)))
        rates.append(Rate(float(refused.mean()), 1 - some, weights @ sizes, hits, sizes))
    before, after = rates
    return Change(before, after, row["queries"])


def _verdict(low: float, high: float) -> str:
    if np.isnan(low):
        return ""
    return FELL if high < 0 else ROSE if low > 0 else OPEN
