"""Queries out of a release: a person's own pictures, and some of other people's, as a search for a name would find."""

from collections import deque
from collections.abc import Iterator, Sequence

import pandas as pd

from accord.statistics.seeds import generator


def mixed(pictures: pd.DataFrame, impostors: float, min_faces: int, seed: int) -> pd.DataFrame:
    """The rows of `Queries`. pictures: image, subject; impostors: pictures of others for each own one of a query.

    A subject with at least `min_faces` pictures is a query; the others lend theirs. Where these are too few, subjects
    drawn at random become lenders too, as long as one query stays. A picture is in one query alone, so that no pair of
    two queries shows one person by design. Pictures that nobody needs are left out.
    """
    own = {subject: list(some["image"]) for subject, some in pictures.sort_values("image").groupby("subject")}
    asking = [subject for subject in own if len(own[subject]) >= min_faces]
    rng = generator(seed, "queries")
    asking = [asking[place] for place in rng.permutation(len(asking))]
    lending = [subject for subject in own if subject not in set(asking)]
    while len(asking) > 1 and _wanted(own, asking, impostors) > sum(len(own[subject]) for subject in lending):
        lending.append(asking.pop())
    rows = [(query, image, query) for query in asking for image in own[query]]
    lent = [(image, lending[place]) for place in rng.permutation(len(lending)) for image in own[lending[place]]]
    wanted = {query: round(impostors * len(own[query])) for query in sorted(asking)}
    return pd.DataFrame([*rows, *_dealt(lent, wanted)], columns=["query", "image", "subject"])


def _wanted(own: dict[str, list], asking: Sequence[str], impostors: float) -> int:
    return sum(round(impostors * len(own[query])) for query in asking)


def _dealt(lent: Sequence[tuple[str, str]], wanted: dict[str, int]) -> Iterator[tuple[str, str, str]]:
    """Pictures dealt out one by one: those of one lender, which follow each other, come into different queries."""
    left, turn = dict(wanted), deque(query for query, count in wanted.items() if count)
    for image, subject in lent:
        if not turn:
            return
        query = turn.popleft()
        yield query, image, subject
        left[query] -= 1
        if left[query]:
            turn.append(query)
