"""Scores of a service that finds no faces for itself, and calls a pair invalid where a picture doesn't show one face.

Source: "A Rapid Test for Accuracy and Bias of Face Recognition Technology", the algorithm for such a service.
"""

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import NamedTuple

from accord.statistics.seeds import generator

Pair = tuple[str, str]


class Settled(NamedTuple):
    """scores: of the pairs that were compared; valid: pictures that show one face; invalid: those that don't;
    unsettled: those of which neither is known. Only the valid ones go on."""

    scores: dict[Pair, float]
    valid: frozenset[str]
    invalid: frozenset[str]
    unsettled: frozenset[str]


def pairs_of(pictures: Sequence[str], seed: int) -> list[Pair]:
    """All pairs of pictures, in an order that the seed alone decides: what is settled depends on it."""
    every = list(combinations(sorted(set(pictures)), 2))
    return [every[number] for number in generator(seed, "without_detection").permutation(len(every))]


def settled(pairs: Sequence[Pair], compare: Callable[[str, str], float | None]) -> Settled:
    """What comparing pairs one after the other tells. compare: the score, None where the service says "invalid".

    A pair with a picture that is known to be invalid isn't asked. A picture that was valid stays it.
    """
    scores: dict[Pair, float] = {}
    valid: set[str] = set()
    invalid: set[str] = set()
    for left, right in pairs:
        if {left, right} & invalid:
            continue
        score = compare(left, right)
        if score is not None:
            scores[left, right] = score
            valid |= {left, right}
        elif len({left, right} & valid) == 1:
            invalid |= {left, right} - valid
    every = {picture for pair in pairs for picture in pair}
    return Settled(scores, *map(frozenset, (valid, invalid, every - valid - invalid)))
