"""Training, validation and test, 6:2:2 by source and identity: no person is in two of them."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from hashlib import blake2b

TRAIN, VALIDATION, TEST, NONE = "train", "validation", "test", "none"
SPLITS = (TRAIN, VALIDATION, TEST, NONE)
SHARES = ((TRAIN, 0.6), (VALIDATION, 0.8), (TEST, 1.0))
"""Split -> where its part of the unit interval ends."""
LARGEST_CIRCLE = 10
"""People who are shown together, directly or through others, are drawn together up to so many. FaceForensics++ has
circles of two; where everybody was swapped with everybody (Celeb-DF), one circle would be the whole source."""


def splits(groups: Sequence[Sequence[str]]) -> list[str]:
    """The split of each picture, by the people whom it shows (at least one name each, of its own if nobody is known).

    A circle of people is drawn as one, by a digest of its first name: other circles play no part, so a picture that
    comes or goes moves nobody outside of its own. In a larger circle each person is drawn alone, and a picture of
    people of different splits is in none. The shares are those of circles, and expected ones.
    """
    drawn = {person: _drawn(person, circle) for circle in circles(groups) for person in circle}
    return [_one({drawn[person] for person in group}) for group in groups]


def circles(groups: Iterable[Sequence[str]]) -> list[list[str]]:
    """People connected by being shown together: each circle sorted, and the circles by their first."""
    parent: dict[str, str] = {}

    def top(person: str) -> str:
        parent.setdefault(person, person)
        while parent[person] != person:
            parent[person] = parent[parent[person]]
            person = parent[person]
        return person

    for group in groups:
        first = top(group[0])
        for other in group[1:]:
            parent[top(other)] = first
    found = defaultdict(list)
    for person in parent:
        found[top(person)].append(person)
    return sorted(sorted(circle) for circle in found.values())


def shares(found: Iterable[str]) -> dict[str, int]:
    """Pictures in each split."""
    counts = Counter(found)
    return {split: counts[split] for split in SPLITS}


def _drawn(person: str, circle: list[str]) -> str:
    name = circle[0] if len(circle) <= LARGEST_CIRCLE else person
    at = int.from_bytes(blake2b(name.encode(), digest_size=8, person=b"split").digest(), "big") / 2**64
    return next(split for split, end in SHARES if at < end)


def _one(found: set[str]) -> str:
    return found.pop() if len(found) == 1 else NONE
