"""What the rules of the Rapid Test make of queries of one person, of two in like numbers, and of strangers alone.

    python benchmarks/rapid_two_people.py [--queries 60] [--seed 1]

The statistics are those of recognisers: vectors of the demo's rendered people, as they were recorded. A made person is
a random mixture of the recorded ones, with their mean and covariance; a made face adds what a recorded face differs by
from its own person. All services share the mixtures and the faces, so that they err together where they did. Each test
has as many ordinary queries (10 own faces and 4 others) as queries of one kind; pairs are those of a run; calibration
is `across`.
"""

import argparse
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from accord.analyse.identities import labelling
from accord.analyse.identities.labelling import Rules
from accord.analyse.identities.scored_pairs import ScoredPairs
from accord.evaluate.serving import pairing

sys.path.insert(0, str(Path(__file__).parents[1] / "tests/demo"))
import rapid_answers

SETS = {"three services": ("yunet_sface", "mtcnn_dlib", "blazeface_sface_48"), "worn alone": ("worn",)}
KINDS = (((10,), 4), ((12,), 20), ((20,), 60), ((9, 3), 3), ((12, 4), 4), ((10, 5), 4), ((10, 8), 6), ((8, 7), 4),
         ((7, 7), 5), ((14, 13), 10), ((), 60))  # fmt: skip
ORDINARY = ((10,), 4)
RULES = (labelling.PUBLISHED, labelling.STRANGERS)
FEWEST = 6
"""Recorded faces that a person needs."""


class Recorded(NamedTuple):
    """Vectors of a service: the mean of each person (people, d), and what faces differ by from it (faces, d)."""

    means: np.ndarray
    differences: np.ndarray


class Outcome(NamedTuple):
    """Queries of a test that a rule kept, the share of their labels that is right, and those that were undecided."""

    kept: int
    right: float
    undecided: int


def recorded(names: tuple[str, ...]) -> dict[str, Recorded]:
    """The people of whom all services have enough faces; the faces and people of all are the same."""
    told = rapid_answers.Recorded()
    every = {name: told.templates(name).set_index("image") for name in names}
    who = pd.Series({one.image: one.person for one in told.planned if one.planted in ("", "doubled")})
    who = who[who.index.isin(set.intersection(*(set(some.index) for some in every.values())))]
    who = who[who.groupby(who).transform("size") >= FEWEST].sort_index()
    people, owner = np.unique(who, return_inverse=True)
    sizes = np.bincount(owner)
    made = {}
    for name, some in every.items():
        vectors = np.stack(some.loc[who.index, "vector"].to_list())
        means = np.array([vectors[owner == one].mean(axis=0) for one in range(len(people))])
        widened = np.sqrt(sizes / (sizes - 1))[owner, np.newaxis]
        made[name] = Recorded(means, (vectors - means[owner]) * widened)
    return made


def simulated(
    services: dict[str, Recorded], kind: tuple[tuple[int, ...], int], queries: int, rng: np.random.Generator
) -> tuple[dict[str, ScoredPairs], np.ndarray]:
    """A test: what services say, and whom each face shows: 0, 1 the query's people, from 2 on others. First come the
    ordinary queries, then those of the kind."""
    of_query = [_shown(*ORDINARY)] * queries + [_shown(*kind)] * queries
    shows, query = np.concatenate(of_query), np.repeat(np.arange(2 * queries), [len(one) for one in of_query])
    owner = np.unique(np.stack([query, shows]), axis=1, return_inverse=True)[1].ravel()
    some = next(iter(services.values()))
    mixture = rng.normal(size=(owner.max() + 1, len(some.means))) / np.sqrt(len(some.means) - 1)
    drawn = rng.integers(len(some.differences), size=len(owner))
    names = np.array([f"f{number:06d}" for number in range(len(owner))])
    faces = pd.DataFrame({"face": names, "query": [f"q{number:03d}" for number in query]})
    compared = pairing.pairs(faces, pd.DataFrame(columns=["attribute", "group", "query"]), int(rng.integers(2**31)))
    left, right = (np.searchsorted(names, compared[side]) for side in ("left", "right"))
    made = {}
    for name, service in services.items():
        scores = _cosines(service, owner, mixture, drawn, left, right)
        made[name] = ScoredPairs(faces, compared[["left", "right"]].assign(score=scores))
    return made, shows


def _shown(counts: tuple[int, ...], others: int) -> np.ndarray:
    """Whom the faces of a query show."""
    return np.concatenate([np.repeat(np.arange(len(counts)), counts), 2 + np.arange(others)]).astype(int)


def _cosines(
    service: Recorded, owner: np.ndarray, mixture: np.ndarray, drawn: np.ndarray, left: np.ndarray, right: np.ndarray
) -> np.ndarray:
    middle = service.means.mean(axis=0)
    vectors = (middle + mixture @ (service.means - middle))[owner] + service.differences[drawn]
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.einsum("pd,pd->p", vectors[left], vectors[right])


def outcome(services: dict[str, ScoredPairs], shows: np.ndarray, rule: str, queries: int, seed: int) -> Outcome:
    """What a rule makes of the queries of the kind."""
    how = Rules(rule, labelling.ACROSS, seed=seed)
    scales = {name: labelling.modes(pairs, how) for name, pairs in services.items()}
    said = labelling.label(services, scales, how).drop_duplicates("face").set_index("face")
    pairs = next(iter(services.values()))
    of_kind = pairs.queries >= queries
    faces = said.loc[pairs.names[of_kind]]
    kept = (faces["reason"] == "").to_numpy()
    right = (faces["majority"] == 1).to_numpy()[kept] == (shows[of_kind] == 0)[kept]
    size = len(faces) // queries
    undecided = faces["reason"].str.startswith(labelling.UNDECIDED) & ~faces["reason"].str.contains(";")
    return Outcome(int(kept.sum()) // size, right.mean() if len(right) else np.nan, int(undecided.sum()) // size)


def main() -> None:
    """Print a line for each kind of query and set of services."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--queries", type=int, default=60, help="queries of each kind (default: 60)")
    parser.add_argument("--seed", type=int, default=1, help="random seed (default: 1)")
    flags = parser.parse_args()
    print(f"{flags.queries} queries a line; `right`: of the labels of kept queries")
    for title, names in SETS.items():
        print(f"{title}\nown + others        published: kept, right   strangers: kept, right, undecided")
        services = recorded(names)
        for number, (counts, others) in enumerate(KINDS):
            rng = np.random.default_rng([flags.seed, number])
            said, shows = simulated(services, (counts, others), flags.queries, rng)
            first, second = (outcome(said, shows, rule, flags.queries, flags.seed) for rule in RULES)
            kind = f"{' and '.join(map(str, counts)) or '0'} + {others}"
            figures = f"{first.kept:10} {first.right:7.1%} {second.kept:18} {second.right:7.1%} {second.undecided:6}"
            print(f"{kind:20}{figures}", flush=True)


if __name__ == "__main__":
    main()
