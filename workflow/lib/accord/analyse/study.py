"""How good annotations of faces are, by what people who were not told them take the faces for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.scoring.detectors import strata
from accord.analyse.scoring.detectors.drawn import ends
from accord.analyse.tables.fakes import StudyAccuracy, StudyAgreement
from accord.engine import table
from accord.engine.parameter_types import Private
from accord.evaluate.tables.annotations import Studied
from accord.queues import LOOKED_AT
from accord.review.database.rated_votes import look_votes, majorities, of_vault
from accord.review.tables import LookVotes
from accord.statistics.describing.krippendorff import alpha, coincidences
from accord.statistics.resampling import bootstrap

FEWEST = 2
ANNOTATOR, ARCHIVE = "annotator", "archive"
SAME = "all votes are the same: agreement by chance is not known"
NOBODY, NO_TWO = "nobody has voted yet", "no face has two votes"


class Study(NamedTuple):
    """How often annotators, and the archive's labels, are what most people say; and how well people agree."""

    accuracy: DataFrame[StudyAccuracy]
    agreement: DataFrame[StudyAgreement]


def run(studied: DataFrame[Studied], *, vault: Private, bootstraps: int = 1000, seed: int = 1) -> Study:
    """Figures of the faces that more than half of two or more votes on the review page take for one value.

    vault: with the votes. By stratum (a subset, and whether annotator and archive differ, agree, or the archive has no
    label), of all faces that were drawn, which says nothing of the archive, and weighted by the sizes of strata, which
    does. Raises AccordError where a vote is not as it was recorded.
    """
    votes = _votes(vault, set(studied["item"]))
    most = majorities(votes, "value", FEWEST)
    made = []
    for (annotator, attribute), rows in studied.groupby(["annotator", "attribute"], sort=True):
        for who, column in ((ANNOTATOR, "said"), (ARCHIVE, "labelled")):
            some = rows[rows[column] != ""]
            made += [(annotator, attribute, who, *one) for one in _accuracies(some, most, column, bootstraps, seed)]
    agreed = [_agreement(str(name), part, votes, most, bootstraps, seed) for name, part in
              studied.drop_duplicates("item").groupby("attribute", sort=True)]  # fmt: skip
    return Study(table.rows(made, StudyAccuracy), table.rows(agreed, StudyAgreement))


def _votes(vault: Private, items: set[str]) -> pd.DataFrame:
    found = of_vault(vault, look_votes, LookVotes)
    return found[found["item"].isin(items)]


def _accuracies(
    rows: pd.DataFrame, most: pd.Series, column: str, bootstraps: int, seed: int
) -> Iterator[strata.Accuracy]:
    names = rows["subset"] + ", " + rows["drawn"]
    sizes = dict(zip(names, rows["size"], strict=True))
    judged = rows["item"].isin(most.index)
    some, names = rows[judged], names[judged]
    units, known = pd.factorize(some["subject"], sort=True)
    drawn = bootstrap.held(bootstrap.resampled(len(known), bootstraps, np.random.default_rng(seed)))
    right = (some[column].to_numpy() == most[some["item"]].to_numpy()) if len(some) else np.zeros(0, bool)
    yield from strata.accuracies(strata.Judged(right, pd.Categorical(names), units, sizes), drawn)


def _agreement(
    attribute: str, items: pd.DataFrame, votes: pd.DataFrame, most: pd.Series, bootstraps: int, seed: int
) -> tuple:
    values = LOOKED_AT[attribute]
    of = votes[votes["item"].isin(items["item"])]
    coded = of.assign(code=of["value"].map(values.index)).groupby("item", sort=True)["code"]
    units = [some.to_numpy(int) for _, some in coded if len(some) >= FEWEST]
    counts = len(items), int(of["rater"].nunique()), len(units)
    decided = int(items["item"].isin(most.index).sum())
    met = coincidences(units, len(values))
    value = float(alpha(met.sum(axis=0)[np.newaxis])[0]) if units else np.nan
    if np.isnan(value):
        note = NOBODY if of.empty else SAME if units else NO_TWO
        return attribute, *counts, decided, np.nan, np.nan, np.nan, np.nan, note
    drawn = bootstrap.resampled(len(units), bootstraps, np.random.default_rng(seed))
    sums = [np.einsum("ds,sij->dij", some.astype(float), met, optimize=False) for some in bootstrap.blocks(drawn)]
    low, high = ends(alpha(np.concatenate(sums)), len(units))
    same = float(np.mean([len(set(unit.tolist())) == 1 for unit in units]))
    return attribute, *counts, decided, same, value, low, high, strata.ALIKE if np.isnan(low) else ""
