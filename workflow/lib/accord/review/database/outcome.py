"""The outcome of an item: what follows from all that was said of it. Nothing else decides."""

from collections.abc import Iterable
from itertools import combinations
from typing import NamedTuple

from accord.review.drawn import outlines

VOTE, ADJUDICATION = "vote", "adjudication"
OPEN, DISPUTED, SETTLED = "open", "disputed", "settled"
UPHOLD = "uphold"


class Said(NamedTuple):
    """One record of what somebody said of an item. `entry`: its hash in the chain; `regions`: outlines.encode's."""

    seq: int
    entry: str
    recorded_at: str
    item: str
    reviewer: str
    role: str
    act: str
    decision: str
    regions: str
    note: str
    asked: str
    votes: int
    replaces: str


class Question(NamedTuple):
    """What is asked of people: the digest of what they see, the region that is proposed, how many votes are asked
    for, and the ids of those who were asked. `apart`: nobody settles where votes differ, each of them counts."""

    asked: str
    polygon: tuple[float, ...]
    votes: int
    reviewers: frozenset[str]
    apart: bool = False


class Outcome(NamedTuple):
    """What follows: the state, the entry that settled it ("" for none), and the vote of each reviewer that counts."""

    state: str
    entry: str
    counted: dict[str, Said]


def of(question: Question, history: Iterable[Said]) -> Outcome:
    """The outcome of an item, given all that was said of it, oldest first.

    A later vote of a person stands for their earlier ones. What was said when something else was asked doesn't count.
    """
    valid = [said for said in history if said.asked == question.asked]
    votes = {said.reviewer: said for said in valid if said.act == VOTE and said.reviewer in question.reviewers}
    rulings = [said for said in valid if said.act == ADJUDICATION]
    if rulings:
        return Outcome(SETTLED, rulings[-1].entry, votes)
    if len(votes) < max(question.votes, len(question.reviewers)):
        return Outcome(OPEN, "", votes)
    pairs = [] if question.apart else combinations(votes.values(), 2)
    if not all(agree(one, other, question.polygon) for one, other in pairs):
        return Outcome(DISPUTED, "", votes)
    return Outcome(SETTLED, max(votes.values()).entry, votes)


def agree(one: Said, other: Said, proposed: tuple[float, ...]) -> bool:
    """Whether two people said the same: the same decision, and where regions are upheld, an IoU of at least 0.5."""
    if one.decision != other.decision:
        return False
    if one.decision != UPHOLD or one.regions == other.regions:
        return True
    return outlines.overlap(upheld(one, proposed), upheld(other, proposed)) >= outlines.SAME


def upheld(said: Said, proposed: tuple[float, ...]) -> list[tuple[float, ...]]:
    """The polygons that somebody upheld: those that they drew, else the proposed one."""
    drawn = [tuple(region.polygon) for region in outlines.decode(said.regions) if region.polygon]
    return drawn or [proposed] * bool(proposed)
