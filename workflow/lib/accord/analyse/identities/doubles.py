"""One person under two queries: their pairs count as impostors, though they show one face, and spoil FMR."""

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from accord.analyse.identities.calibration import Modes, calibrated
from accord.analyse.identities.rules import LEAST_MEAN
from accord.analyse.identities.scored_pairs import ScoredPairs

FEWEST = 3
"""Scored pairs of two queries' people that a service must have to tell whether they are one."""
REASON = "one person under two queries"


def doubled(services: Mapping[str, ScoredPairs], scales: Mapping[str, Modes], own: np.ndarray) -> list[dict]:
    """Rows of `Doubles`: pairs of queries of one person. own (faces,) bool: those of the queries' people, as labelled.

    Two queries are of one person if for more than half of the services the median confidence of their people's faces,
    of at least 3 pairs, is nearer to that of one person than to that of strangers. Of each pair the query with fewer
    such faces is left out, the later one where they are alike, unless the other is left out already.
    """
    every = [_medians(pairs, scales[name], own) for name, pairs in services.items()]
    told = pd.concat(every).groupby(["query", "other"]).agg(
        services=("alike", "sum"), pairs=("pairs", "min"), score=("score", "median")
    )  # fmt: skip
    one_person = told[2 * told["services"] > len(services)].reset_index()
    some = next(iter(services.values()))
    return list(_left_out(one_person, np.bincount(some.queries[own], minlength=some.queries.max() + 1)))


def without(said: pd.DataFrame, faces: pd.DataFrame, found: pd.DataFrame) -> pd.DataFrame:
    """`Identities` (but for the query) without labels for the queries that `found` (`Doubles`) leaves out.

    faces: face, query.
    """
    gone = said["face"].isin(faces.loc[faces["query"].isin(set(found["left_out"])), "face"])
    none = {"label": -1, "majority": -1, "reason": REASON}
    return said.assign(**{name: said[name].mask(gone, value) for name, value in none.items()})


def _medians(pairs: ScoredPairs, scale: Modes, own: np.ndarray) -> pd.DataFrame:
    """query, other, pairs, score (the median, calibrated), alike: of each two queries with pairs enough."""
    found = _across(pairs, own)
    score = calibrated(found["score"].to_numpy(), scale, clipped=False)
    return found.assign(score=score, alike=score >= LEAST_MEAN)


def _across(pairs: ScoredPairs, own: np.ndarray) -> pd.DataFrame:
    usable = own[pairs.left] & own[pairs.right] & ~pairs.within & ~np.isnan(pairs.scores)
    ends = np.sort(np.stack([pairs.queries[pairs.left], pairs.queries[pairs.right]])[:, usable], axis=0)
    some = pd.DataFrame({"query": ends[0], "other": ends[1], "score": pairs.scores[usable]})
    found = some.groupby(["query", "other"])["score"].agg(pairs="size", score="median").reset_index()
    return found[found["pairs"] >= FEWEST]


def _left_out(found: pd.DataFrame, faces: np.ndarray) -> Iterator[dict]:
    """The pairs, those of the queries with the most faces first, each with the query that is left out for it."""
    gone: set[int] = set()
    ends = [sorted((row.query, row.other), key=lambda one: (-faces[one], one)) for row in found.itertuples()]
    rows = zip(ends, found.itertuples(), strict=True)
    for (stays, goes), row in sorted(rows, key=lambda one: (-faces[one[0][0]], *one[0])):
        if stays not in gone:
            gone.add(goes)
        out = goes if goes in gone else stays
        told = {"services": int(row.services), "pairs": int(row.pairs), "score": float(row.score)}
        yield {"query": min(stays, goes), "other": max(stays, goes), "left_out": out} | told
