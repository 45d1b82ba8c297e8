"""Labels of faces by the agreement of services: whom does a face show, the person who was searched for or another?"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from accord.analyse.identities import calibration, rules
from accord.analyse.identities.calibration import Modes, calibrated
from accord.analyse.identities.matrices import complete
from accord.analyse.identities.rules import AS_PUBLISHED, Chance, Identity, Limits
from accord.analyse.identities.scored_pairs import ScoredPairs
from accord.analyse.identities.two_people import undecided
from accord.statistics.distinct import distinct
from accord.statistics.seeds import generator
from accord.text.nouns import counted

PUBLISHED, STRANGERS = "published", "strangers"
MIXTURE, ACROSS = "mixture", "across"
NOBODY, SEVERAL = "nobody found by", "several people found by"
UNSCORED = "no score for a pair by"
REVERSED = "pairs of one query are less alike than pairs of two: its scores may be distances"
UNDECIDED = "undecided between two people by"


@dataclass(frozen=True)
class Rules:
    """How faces are labelled. rule: `published` or `strangers`; calibration: `mixture` or `across`; min_faces: of a
    query, min_positive: of its person, for every service."""

    rule: str = PUBLISHED
    calibration: str = MIXTURE
    min_faces: int = 8
    min_positive: int = 5
    limits: Limits = AS_PUBLISHED
    seed: int = 1


def modes(pairs: ScoredPairs, how: Rules) -> Modes:
    """Where a service's scores lie, by the calibration that was chosen.

    The mixture is of all scores within queries and of as many between them at most, as published: else pairs of
    strangers, which grow with the square of the queries, crowd the few pairs of one person out.
    """
    for name, scores in {"of one query": pairs.own, "of two queries": pairs.strangers}.items():
        if not len(scores):
            return Modes(np.nan, np.nan, np.nan, f"it has no score of a pair {name}")
    if pairs.own.mean() < pairs.strangers.mean():
        return Modes(np.nan, np.nan, np.nan, REVERSED)
    if how.calibration == ACROSS:
        return calibration.across(pairs.own, pairs.strangers)
    most = min(len(pairs.own), len(pairs.strangers))
    some = generator(how.seed, "mixture").choice(pairs.strangers, most, replace=False)
    return calibration.mixture(np.concatenate([pairs.own, some]))


def label(services: Mapping[str, ScoredPairs], scales: Mapping[str, Modes], how: Rules) -> pd.DataFrame:
    """Columns of `Identities`, of all faces and services; the services share their faces.

    A query counts if every service finds just one person in it, among at least 8 faces that all services compared, with
    at least 5 of that person; else its faces get -1. A face's label is that of more than half of the services.
    """
    some = next(iter(services.values()))
    by_chance = _Chances(services, scales, how)
    made = []
    for query in distinct(some.queries):
        names = some.names[some.queries == query]
        made += _query(names, {name: pairs.of_query(query) for name, pairs in services.items()}, scales, by_chance, how)
    return pd.DataFrame(made, columns=["face", "service", "k", "z", "label", "majority", "reason"])


class _Chances:
    """What strangers make by chance, by service and number of faces: worked out once each."""

    def __init__(self, services: Mapping[str, ScoredPairs], scales: Mapping[str, Modes], how: Rules):
        self.services, self.scales, self.how = services, scales, how
        self.known: dict[tuple[str, int], Chance] = {}

    def __call__(self, name: str, size: int) -> Chance:
        if (name, size) not in self.known:
            drawn = self.services[name].of_strangers(size, self.how.seed, name)
            self.known[name, size] = rules.chance(calibrated(drawn, self.scales[name], clipped=False))
        return self.known[name, size]


def _query(
    names: pd.Index, found: dict[str, np.ndarray], scales: Mapping[str, Modes], chance: _Chances, how: Rules
) -> list[dict]:
    """The rows of a query's faces."""
    rows = complete(np.where(np.any([np.isnan(one) for one in found.values()], axis=0), np.nan, 0.0))
    blank = {name: Identity(0, np.zeros(len(rows), bool), np.full(len(rows), np.nan)) for name in found}
    if len(rows) < how.min_faces:
        reason = f"fewer than {how.min_faces} faces that all services compared"
        said = blank
    else:
        said = {
            name: _identity(one[np.ix_(rows, rows)], scales[name], name, chance, how) for name, one in found.items()
        }
        reason = _obstacle(said, how)
    votes = np.sum([one.member for one in said.values()], axis=0)
    majority = np.where(2 * votes > len(said), 1, 0)
    made = []
    for name, one in said.items():
        for place, row in enumerate(rows):
            own = {"label": int(one.member[place]), "majority": int(majority[place])}
            own = dict.fromkeys(own, -1) if reason else own
            made.append({"face": names[row], "service": name, "k": one.k, "z": one.z[place], "reason": reason} | own)
    for row in sorted(set(range(len(names))) - set(rows.tolist())):
        silent = [name for name, one in found.items() if np.isnan(one[row, [*rows]]).any()] or sorted(found)
        told = f"{UNSCORED} {', '.join(sorted(silent))}"
        lost = {"k": 0, "z": np.nan, "label": -1, "majority": -1, "reason": reason or told}
        made += [{"face": names[row], "service": name} | lost for name in found]
    return made


def _identity(matrix: np.ndarray, scale: Modes, name: str, chance: _Chances, how: Rules) -> Identity:
    if how.rule == PUBLISHED:
        moved = calibrated(matrix, scale)
        np.fill_diagonal(moved, 1.0)
        return rules.published(moved, how.limits)
    moved = calibrated(matrix, scale, clipped=False)
    found = rules.strangers(moved, chance(name, len(matrix)), how.min_positive, how.limits)
    return found._replace(undecided=found.k == 1 and undecided(moved, partial(chance, name)))


def _obstacle(said: Mapping[str, Identity], how: Rules) -> str:
    """Why a query is left out; "" where it counts. All services that stand in the way are named."""
    none = [name for name, one in said.items() if one.k == 0]
    several = [name for name, one in said.items() if one.k > 1]
    few = [name for name, one in said.items() if one.k == 1 and one.member.sum() < how.min_positive]
    alike = [name for name, one in said.items() if one.undecided]
    told = [(none, NOBODY), (several, SEVERAL), (alike, UNDECIDED)]
    told.append((few, f"fewer than {counted(how.min_positive, 'face')} of one person by"))
    return "; ".join(f"{why} {', '.join(sorted(names))}" for names, why in told if names)
