"""One person under two queries: told by most services, and one of the two is left out."""

import numpy as np
import pandas as pd
import pytest

from accord.analyse.identities import doubles, inputs, rapid_test
from accord.analyse.identities.calibration import Modes
from accord.analyse.identities.labelling import Rules
from accord.analyse.identities.scored_pairs import ScoredPairs
from accord.analyse.identities.service_curves import How
from accord.analyse.identities.tables import HandLabels, QueryGroups
from accord.engine.table import rows

SCALE = Modes(0.0, 1.0, 0.1)


def scored(counts: dict[str, int], alike: set[str], missing: float = 0.0) -> ScoredPairs:
    """All pairs of queries' faces: 0.9 within them and between two that are `alike` ("ab"), else 0.1."""
    faces = pd.DataFrame([(f"{q}{n}", q) for q, count in counts.items() for n in range(count)],
                         columns=["face", "query"])  # fmt: skip
    left, right = np.triu_indices(len(faces), 1)
    names, queries = faces["face"].to_numpy(), faces["query"].to_numpy()
    both = [one == other or one + other in alike for one, other in zip(queries[left], queries[right], strict=True)]
    scores = np.where(both, 0.9, 0.1)
    scores[: round(missing * len(scores))] = np.nan
    return ScoredPairs(faces, pd.DataFrame({"left": names[left], "right": names[right], "score": scores}))


def told(services: dict[str, ScoredPairs], own=None) -> list[tuple]:
    some = next(iter(services.values()))
    own = np.ones(len(some.names), bool) if own is None else own
    found = doubles.doubled(services, dict.fromkeys(services, SCALE), own)
    return [(row["query"], row["other"], row["left_out"], row["services"], row["pairs"]) for row in found]


COUNTS = {"a": 5, "b": 6, "c": 5, "d": 5}


def test_the_query_with_fewer_faces_is_left_out():
    service = scored(COUNTS, {"ab"})
    assert told({"s": service}) == [(0, 1, 0, 1, 30)]
    assert told({"s": scored(COUNTS, {"cd"})}) == [(2, 3, 3, 1, 25)]
    assert told({"s": scored(COUNTS, set())}) == []


def test_most_services_must_find_them_alike():
    alike, apart = scored(COUNTS, {"ab"}), scored(COUNTS, set())
    assert told({"s": alike, "t": apart}) == []
    assert told({"s": alike, "t": alike, "u": apart}) == [(0, 1, 0, 2, 30)]


def test_of_three_names_of_a_person_one_stays_and_no_chain_is_followed():
    assert [row[:3] for row in told({"s": scored(COUNTS, {"ab", "ac", "bc"})})] == [(0, 1, 0), (1, 2, 2), (0, 2, 2)]
    # b, the largest, takes a and c, which are not alike themselves; d is alike to c alone, which is gone: d stays.
    assert [row[:3] for row in told({"s": scored(COUNTS, {"ab", "bc", "cd"})})] == [(0, 1, 0), (1, 2, 2), (2, 3, 2)]


def test_faces_of_others_and_too_few_pairs_tell_nothing():
    service = scored(COUNTS, {"ab"})
    assert told({"s": service}, ~service.names.str.startswith("a")) == []
    few = service.names.isin(["a0", "b0", "b1"])  # two pairs of the two queries' people
    assert told({"s": service}, few) == []
    assert [row[:3] for row in told({"s": service}, few | (service.names == "b2"))] == [(0, 1, 0)]


@pytest.fixture(scope="module")
def tested():
    """Eight queries of eight faces of their people, and two of others; q03 and q07 are one person."""
    rng = np.random.default_rng(4)
    names = [f"q{number:02d}" for number in range(8)]
    faces = pd.DataFrame([(f"{q}f{n:02d}", q) for q in names for n in range(10)], columns=["face", "query"])
    own = np.tile(np.arange(10) < 8, 8)
    person = np.where(own, faces["query"].replace("q07", "q03"), faces["face"])
    left, right = np.triu_indices(len(faces), 1)
    named = faces["face"].to_numpy()
    pairs = {"left": named[left], "right": named[right], "version": "1", "status": ""}
    score = np.where(person[left] == person[right], 0.8, 0.1)
    said = [pd.DataFrame({"service": service, "score": rng.normal(score, 0.1), **pairs}) for service in "abc"]
    groups = rows([(name, "g", "x") for name in names], QueryGroups)
    hand = rows(list(zip(faces["face"], own.astype(int), strict=True)), HandLabels)
    given = inputs.typed(inputs.Inputs(pd.concat(said), faces, groups, hand))
    return rapid_test.run(given, rapid_test.Settings(Rules(), How(min_queries=4, bootstraps=50)))


def test_a_doubled_person_is_left_out_of_every_rate_and_told(tested):
    assert tested.doubles[["query", "other", "left_out"]].to_numpy().tolist() == [["q03", "q07", "q07"]]
    gone = tested.identities[tested.identities["query"] == "q07"]
    assert set(gone["reason"]) == {doubles.REASON} and set(gone["majority"]) == {-1}
    whole = tested.coverage[tested.coverage["attribute"] == "all"].set_index("reason")
    assert whole.loc[doubles.REASON, ["queries", "faces"]].tolist() == [1, 10]
    # 1 in 100 of the impostor pairs is accepted, none of them a genuine pair in truth: the threshold stays low.
    curves = tested.curves[(tested.curves["attribute"] == "all") & (tested.curves["fmr"] == 0.01)]
    assert set(curves["queries"]) == {7} and curves["threshold"].max() < 0.5
    assert tested.agreement.set_index(["hand", "estimated"])["faces"][1, -1] == 8
