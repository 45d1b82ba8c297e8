"""Scores of a service that finds no faces for itself, and calls a pair invalid where a picture doesn't show one face.

Source: "A Rapid Test for Accuracy and Bias of Face Recognition Technology", the algorithm for such a service.
"""

import math
from collections.abc import Callable, Generator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from accord.statistics.seeds import generator

Pair = tuple[str, str]
Said = float | None
"""The score of a pair; None where the service says "invalid", NaN where it gave no answer, which tells nothing."""


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


def settled(pairs: Sequence[Pair], compare: Callable[[str, str], Said]) -> Settled:
    """What comparing pairs one after the other tells.

    A pair with a picture that is known to be invalid isn't asked. A picture that was valid stays it.
    """
    return settled_together({"": pairs}, lambda some: [compare(*pair) for pair in some])[""]


def settled_together(
    pairs: Mapping[str, Sequence[Pair]], compare: Callable[[list[Pair]], Sequence[Said]]
) -> dict[str, Settled]:
    """`settled` of each query: pairs of one query come one after the other, those of different queries together."""
    running = {query: _settling(some) for query, some in pairs.items()}
    found: dict[str, Settled] = {}
    said: dict[str, Said] = dict.fromkeys(running)
    asked: dict[str, Pair] = {}
    while said:
        answers, asked = said, {}
        for query, answer in answers.items():
            try:
                asked[query] = running[query].send(answer)
            except StopIteration as ended:
                found[query] = ended.value
        said = dict(zip(asked, compare(list(asked.values())), strict=True)) if asked else {}
    return found


def _settling(pairs: Sequence[Pair]) -> Generator[Pair, Said, Settled]:
    """Yields the next pair to ask, is sent what was said of it, and returns what that settles."""
    scores: dict[Pair, float] = {}
    valid: set[str] = set()
    invalid: set[str] = set()
    for left, right in pairs:
        if {left, right} & invalid:
            continue
        score = yield left, right
        if score is None and len({left, right} & valid) == 1:
            invalid |= {left, right} - valid
        if score is not None and not math.isnan(score):
            scores[left, right] = score
            valid |= {left, right}
    every = {picture for pair in pairs for picture in pair}
    return Settled(scores, *map(frozenset, (valid, invalid, every - valid - invalid)))
