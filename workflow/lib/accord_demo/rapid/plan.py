"""Who is photographed for the demo of the Rapid Test, and what is planted: known before anything is rendered."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from accord.vocabularies import PRONOUNS, SKIN_COLORS
from accord_demo.cohort import TONES
from accord_demo.picture import seed_of

QUERIES, LENDERS = 24, 46
GROUPS = (SKIN_COLORS[5], SKIN_COLORS[3], SKIN_COLORS[2], SKIN_COLORS[0])
"""Natural skin colours of the queries, a quarter each; the last is the one that the worn service is worse for."""
OWN, LENT = (9, 10, 11), 2
"""Pictures of a query's own, in turn; of each person who lends theirs."""
PRESENTATIONS = {"feminine": PRONOUNS[0], "masculine": PRONOUNS[1]}
STRANGERS, TWO_PEOPLE, DOUBLED = (4, 9), 14, (3, 19)
"""Queries (by number) of strangers alone; of two people; and two that are one person under two names."""
COPIES = {8: "recompressed", 12: "cropped", 13: "framed", 16: "recompressed", 17: "cropped", 21: "framed"}
"""Query -> how a further picture of it is made from its first one."""
TWO_FACES = (0, 5, 10, 15)
TURNED = (1, 6, 11, 20)
"""Queries with a further picture in which somebody else stands, too; whose head is turned away."""


@dataclass(frozen=True)
class Planned:
    """A picture before it is rendered. subject: whose it is said to be; person: who is in it (the seed of their looks);
    beside: who else is, "" for nobody; copy: how it is made from `source`; planted: what is wrong, "" for nothing."""

    image: str
    subject: str
    person: str
    presentation: str
    skin: str
    beside: str = ""
    turned: bool = False
    source: str = ""
    copy: str = ""
    planted: str = ""


def plan(seed: int) -> list[Planned]:
    """All pictures, those of one subject together."""
    queries = (one for number in range(QUERIES) for one in _query(number))
    lent = (one for number in range(LENDERS) for one in _lender(number))
    return [*queries, *lent]


def tone(person: str, skin: str, seed: int) -> float:
    """A person's tone on Monk's scale, within those of their natural skin colour."""
    low, high = TONES[skin]
    rng = np.random.default_rng([seed_of(seed, person), 801])
    # The middle of the range: a neighbour's tone would make a person's group look like another's.
    return round(float(rng.uniform(low + (high - low) / 4, high - (high - low) / 4)), 2)


def _query(number: int) -> Iterator[Planned]:
    subject = f"s{number:03d}"
    presentation, skin = tuple(PRESENTATIONS)[number // len(GROUPS) % 2], GROUPS[number % len(GROUPS)]
    own = OWN[number % len(OWN)]
    for place in range(own):
        who, what = _person(number, place, own)
        yield Planned(f"{subject}i{place:02d}", subject, who, presentation, skin, planted=what)
    whole = Planned(f"{subject}i{own:02d}", subject, f"p{number:03d}", presentation, skin)
    if number in TWO_FACES:
        yield replace(whole, beside=f"b{number:03d}", planted="two_faces")
    if number in TURNED:
        yield replace(whole, turned=True, planted="turned")
    if number in COPIES:
        yield replace(whole, source=f"{subject}i00", copy=COPIES[number], planted="copy")


def _person(number: int, place: int, own: int) -> tuple[str, str]:
    """Who is in a query's picture, and what is planted there."""
    if number in STRANGERS:
        return f"x{number:03d}n{place:02d}", "strangers"
    if number == TWO_PEOPLE:
        return (f"p{number:03d}" if place < (own + 1) // 2 else f"t{number:03d}"), "two_people"
    if number in DOUBLED:
        return f"p{DOUBLED[0]:03d}", "doubled"
    return f"p{number:03d}", ""


def _lender(number: int) -> Iterator[Planned]:
    subject = f"s{QUERIES + number:03d}"
    presentation, skin = tuple(PRESENTATIONS)[number % 2], GROUPS[number // 2 % len(GROUPS)]
    for place in range(LENT):
        yield Planned(f"{subject}i{place:02d}", subject, f"l{number:03d}", presentation, skin)
