"""How far raters agree on the skin of people: Krippendorff's alpha and shares of equal pairs, with intervals."""

from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.casual.scales import Scale
from accord.analyse.casual.tables import VoteAgreement, Votes
from accord.engine.table import rows
from accord.statistics.describing.krippendorff import NOMINAL, ORDINAL, alpha, coincidences
from accord.statistics.describing.ratios import ratio
from accord.statistics.resampling import bootstrap
from accord.statistics.seeds import generator
from accord.text.nouns import fewer

FIGURES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "alpha_nominal": lambda met: alpha(met, NOMINAL),
    "alpha_ordinal": lambda met: alpha(met, ORDINAL),
    "pairs_equal": lambda met: _near(met, 0),
    "pairs_within_one": lambda met: _near(met, 1),
}
"""Name -> the figure of coincidences (draws, values, values): (draws,). Those of pairs are shares of coincidences."""
SAME = "all votes are the same, so agreement by chance is not known"


def vote_agreement(
    votes: DataFrame[Votes], scale: Scale, *, min_subjects: int, bootstraps: int, seed: int
) -> DataFrame[VoteAgreement]:
    """Agreement of all votes, and of those that were certain, on types and on their groups; subjects are drawn again.

    Subjects with fewer than two votes say nothing.
    """
    of_group = {name: number for number, name in enumerate(dict.fromkeys(scale.groups))}
    coded = {"types": votes["type"] - 1, "groups": votes["type"].map(lambda value: of_group[scale.groups[value - 1]])}
    values = {"types": len(scale.labels), "groups": len(of_group)}
    made = []
    for which, kept in {"all": votes["type"] > 0, "certain": ~votes["uncertain"]}.items():
        for on, codes in coded.items():
            key = {"scale": scale.name, "votes": which, "compared": on}
            some = votes.assign(code=codes)[kept]
            made += _figures(key, some, values[on], min_subjects, generator(seed, "votes", *key.values()), bootstraps)
    return rows(made, VoteAgreement)


def _figures(
    key: dict, votes: pd.DataFrame, values: int, min_subjects: int, rng: np.random.Generator, bootstraps: int
) -> Iterator[dict]:
    units = [some.to_numpy(int) for _, some in votes.groupby("subject", sort=True)["code"] if len(some) > 1]
    met = coincidences(units, values)
    key = key | {"subjects": len(units), "raters": int(votes["rater"].nunique())}
    nothing = {"value": np.nan, "low": np.nan, "high": np.nan}
    if len(units) < min_subjects:
        yield from (key | {"metric": name} | nothing | {"note": fewer(len(units), "subject", min_subjects)} 
                    for name in FIGURES)  # fmt: skip
        return
    drawn = _sums(met, bootstrap.resampled(len(units), bootstraps, rng))
    for name, figure in FIGURES.items():
        value = float(figure(met.sum(axis=0)[np.newaxis])[0])
        low, high = bootstrap.interval(figure(drawn), len(units))
        told = {"value": value, "low": low, "high": high, "note": ""}
        yield key | {"metric": name} | (nothing | {"note": SAME} if np.isnan(value) else told)


def _sums(met: np.ndarray, drawn: np.ndarray | bootstrap.Draws) -> np.ndarray:
    """The coincidences of the subjects in each draw: (draws, values, values)."""
    parts = [np.einsum("ds,sij->dij", some.astype(float), met, optimize=False) for some in bootstrap.blocks(drawn)]
    return np.concatenate(parts)


def _near(met: np.ndarray, apart: int) -> np.ndarray:
    """The share of coincidences of values that lie at most so far apart."""
    numbers = np.arange(met.shape[-1])
    close = np.abs(numbers[:, np.newaxis] - numbers) <= apart
    return ratio((met * close).sum(axis=(-2, -1)), met.sum(axis=(-2, -1)))
