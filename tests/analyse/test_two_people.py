"""Queries of two people in like numbers, and what strangers look like to a service: both limit the rule `strangers`."""

import numpy as np
import pandas as pd
import pytest

from accord.analyse.identities import labelling, rules
from accord.analyse.identities.labelling import Rules
from accord.analyse.identities.rules import Chance
from accord.analyse.identities.scored_pairs import ScoredPairs
from accord.analyse.identities.two_people import undecided
from accord.evaluate.serving import pairing

NO_GROUPS = pd.DataFrame(columns=["attribute", "group", "query"])


def shown(*sizes: int) -> np.ndarray:
    """Confidences of people with so many faces each."""
    owner = np.repeat(np.arange(len(sizes)), sizes)
    return np.where(owner[:, np.newaxis] == owner, 1.0, 0.0)


# Of 13 faces, 8 or more are of one of two people in 0.29 of cases; of 12 in 0.19.
@pytest.mark.parametrize(
    ("sizes", "said"),
    [((8, 5, 1), True), ((8, 4, 1), False), ((7, 7, 1, 1, 1), True), ((9, 3, 3), False), ((12,), False),
     ((5, 3, 1), True), ((1, 1, 1), False)],
)  # fmt: skip
def test_a_query_is_undecided_where_a_sign_test_does_not_part_its_people(sizes, said):
    assert undecided(shown(*sizes), lambda _: Chance(0.0, 2.0)) is said


def test_who_is_second_is_held_against_as_many_strangers_as_are_left():
    asked = []

    def chance(size: int) -> Chance:
        asked.append(size)
        return Chance(0.0, 6.0)

    assert not undecided(shown(7, 6, 1), chance)
    assert asked == [7]


def simulated(*sizes: int, queries: int = 12) -> ScoredPairs:
    """Queries of people with so many faces each, and single strangers; noise is small."""
    owner = np.tile(np.repeat(np.arange(len(sizes)), sizes), queries)
    query = np.repeat(np.arange(queries), sum(sizes))
    names = np.array([f"f{number:03d}" for number in range(len(owner))])
    faces = pd.DataFrame({"face": names, "query": [f"q{number:02d}" for number in query]})
    pairs = pairing.pairs(faces, NO_GROUPS, 1)
    left, right = (np.searchsorted(names, pairs[side]) for side in ("left", "right"))
    same = (query[left] == query[right]) & (owner[left] == owner[right])
    score = np.random.default_rng(1).normal(np.where(same, 0.8, 0.1), 0.02)
    return ScoredPairs(faces, pairs[["left", "right"]].assign(score=score))


def test_undecided_queries_have_no_labels_and_say_which_service():
    how = Rules(labelling.STRANGERS, labelling.ACROSS)
    for sizes, reason in (((5, 2, 1, 1, 1), "undecided between two people by a"), ((7, 2, 1, 1), "")):
        services = {"a": simulated(*sizes)}
        said = labelling.label(services, {"a": labelling.modes(services["a"], how)}, how)
        assert set(said["reason"]) == {reason} and set(said["k"]) == {1}
        assert set(said["majority"]) == ({-1} if reason else {1, 0})


def test_blocks_of_strangers_are_compared_all_with_all_and_are_few():
    faces = pd.DataFrame({"face": [f"f{n:03d}" for n in range(240)], "query": [f"q{n // 12:02d}" for n in range(240)]})
    pairs = pairing.pairs(faces, NO_GROUPS, 1)
    within = (pairs["pairs"] == "within").sum()
    blocks = list(pairing._of_strangers({str(q): [f"{q}f{n}" for n in range(12)] for q in range(20)}, within // 4,
                                        np.random.default_rng(1)))  # fmt: skip
    assert len(blocks) == within // 4 // 66 * 66
    for start in range(0, len(blocks), 66):
        some = {face for pair in blocks[start : start + 66] for face in pair}
        assert len(some) == len({face.split("f")[0] for face in some}) == 12


def test_what_strangers_have_in_common_is_part_of_what_chance_makes():
    """A service finds half of all people alike, and the other half. In a block of strangers that is one large
    eigenvalue, which single pairs can't show."""
    faces = pd.DataFrame({"face": [f"f{n:03d}" for n in range(480)], "query": [f"q{n // 12:02d}" for n in range(480)]})
    pairs = pairing.pairs(faces, NO_GROUPS, 1)
    side = np.where(np.arange(480) // 12 % 2, 1.0, -1.0)
    left, right = (pairs[name].str[1:].astype(int).to_numpy() for name in ("left", "right"))
    asked = ScoredPairs(faces, pairs[["left", "right"]].assign(score=0.3 * side[left] * side[right]))
    found = rules.chance(asked.of_strangers(12, 1, "a"))
    assert found.eigenvalue == pytest.approx(0.3 * 11)
