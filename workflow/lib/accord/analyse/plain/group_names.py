"""What is odd about groups, in sentences: several spellings of one, attributes with one group, people without any."""

from collections.abc import Mapping, Sequence

import pandas as pd

from accord.analyse.plain import cells
from accord.statistics.cohort import PERSON
from accord.text.identity import clashes, near
from accord.text.nouns import counted, listed
from accord.text.references import skeleton

SHOWN = 5


def one_group(table: pd.DataFrame, names: Sequence[str], separator: str) -> list[str]:
    """A sentence on each attribute that writes a group in several ways, which count as one. As `cells.labels`."""
    remarks = []
    for name in names:
        if several := cells.spellings(table[name], separator):
            shown = listed([ascii(text) for text in several[0][:SHOWN]])
            groups = counted(len(several), "group")
            remarks.append(f"{name!r} has {groups} in several spellings, such as {shown}: each counts as one group.")
    return remarks


def alike(members_of: Mapping[str, pd.DataFrame]) -> list[str]:
    """A sentence on each attribute with groups that are near one another.

    members_of: attribute -> its Members.
    """
    remarks = []
    for name, members in members_of.items():
        if several := [label for same in clashes(map(str, members["group"].unique()), _look) for label in same]:
            shown = listed([repr(text) for text in sorted(several)[:SHOWN]])
            remarks.append(
                f"{name!r} has {len(several):,} groups that differ from another only in capitals, blanks, signs that "
                f"look alike or leading zeros, such as {shown}. If they are one group, write them in one way."
            )
    return remarks


def near_people(key: pd.DataFrame, column: str) -> list[str]:
    """A sentence where ids of people are near one another. key: image, subject of rows; column: "" for no ids."""
    several = sum(map(len, clashes(map(str, key["subject"].unique()), _look))) if column else 0
    sentence = (
        f"{several:,} people in {column!r} differ from another only in capitals, blanks, signs that look alike or "
        "leading zeros. If they"
    )
    return [f"{sentence} are one, write them in one way: else they count as several."] if several else []


def single(members_of: Mapping[str, pd.DataFrame]) -> list[str]:
    """A sentence on the attributes that have one group, by which nothing is compared. As `alike`."""
    names = [repr(name) for name, members in members_of.items() if members["group"].nunique() == 1]
    have, them = ("has one value only", "it") if len(names) == 1 else ("have one value each", "them")
    return [f"{listed(names)} {have}, so nothing is compared by {them}."] if names else []


def without(members_of: Mapping[str, pd.DataFrame], people: int) -> list[str]:
    """A sentence on each attribute of which not all people of images have a group. As `alike`.

    people: how many there are, each counted once in each image.
    """
    have = {name: members[PERSON].nunique() for name, members in members_of.items()}
    return [
        f"{people - known:,} of {people:,} rows have no {name!r}: they are in none of its groups, but in the whole."
        for name, known in have.items()
        if known < people
    ]


def _look(text: str) -> str:
    """What names share that are near one another (`accord.text.identity`), or look alike (`accord.text.references`)."""
    return skeleton(near(text))
