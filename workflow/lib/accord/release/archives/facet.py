"""FACET's table of people, `annotations.csv`: a row for each person, with how many annotators said what of them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from accord.release.archives import reading, shared
from accord.release.archives.reading import Bounded
from accord.release.format.literals import literal

FILES = ("annotations.csv", "annotations/annotations.csv")
CLASSES = (
    "astronaut", "backpacker", "ballplayer", "bartender", "basketball_player", "boatman", "carpenter", "cheerleader",
    "climber", "computer_user", "craftsman", "dancer", "disk_jockey", "doctor", "drummer", "electrician", "farmer",
    "fireman", "flutist", "gardener", "guard", "guitarist", "gymnast", "hairdresser", "horseman", "judge", "laborer",
    "lawman", "lifeguard", "machinist", "motorcyclist", "nurse", "painter", "patient", "prayer", "referee", "repairman",
    "reporter", "retailer", "runner", "sculptor", "seller", "singer", "skateboarder", "soccer_player", "soldier",
    "speaker", "student", "teacher", "tennis_player", "trumpeter", "waiter",
)  # fmt: skip
"""The classes of people: 52, by Gustafson et al. (2023)."""

GENDERS = {"masc": shared.MALE, "fem": shared.FEMALE, "non_binary": shared.OTHER, "na": shared.UNKNOWN}
AGES = {"young": "young", "middle": "middle", "older": "older", "na": shared.UNKNOWN}
TONES = tuple(map(str, range(1, shared.TONES + 1)))
NEEDED = (
    *("person_id", "filename", "bounding_box", "class1"),
    *(f"gender_presentation_{name}" for name in GENDERS),
    *(f"age_presentation_{name}" for name in AGES),
    *(f"skin_tone_{name}" for name in (*TONES, "na")),
)
FAMILIES = ("hair_color_", "hairtype_", "has_", "visible_", "lighting_")
"""Beginnings of columns of counts that are read where they are there: `hair_color_brown` is hair_color = brown."""


class Person(NamedTuple):
    """A row: its place, the name of the picture's file, the person_id, the box (x, y, width, height, px), class1 and
    class2 ("" for none), and column -> how many annotators said it."""

    where: str
    image: str
    subject: str
    box: list[float]
    classes: tuple[str, str]
    votes: dict[str, float]


def people(file: Path, problems: Bounded) -> Iterator[Person]:
    """The rows of a file; what can't be read is told to `problems`."""
    for where, row in reading.table(file, NEEDED, problems):
        counts = {name: _count(cell) for name, cell in row.items() if name.startswith(_STARTS)}
        votes = {name: count for name, count in counts.items() if count is not None}
        wrong = [name for name in counts if name not in votes]
        box = _box(row["bounding_box"])
        if wrong:
            problems.add(where, f"columns {', '.join(wrong)} are not counts: whole numbers")
        elif box is None:
            problems.add(where, "bounding_box is not a JSON object with the numbers x, y, width, height")
        else:
            classes = _class(row["class1"]), _class(row.get("class2", ""))
            yield Person(where, row["filename"], row["person_id"], box, classes, votes)


def gender(votes: dict[str, float]) -> str:
    """The gender that most annotators named; unknown where most could not tell, or as many named another."""
    return GENDERS.get(_winner(named(votes, "gender_presentation_", GENDERS)), shared.UNKNOWN)


def age(votes: dict[str, float]) -> str:
    """The age that most annotators named, as `gender`."""
    return AGES.get(_winner(named(votes, "age_presentation_", AGES)), shared.UNKNOWN)


def skin(votes: dict[str, float]) -> str:
    """The third of Monk's tones with the most votes, as `gender`.

    An annotator may name several tones. Where all ten were named, the widest third would win: that is unknown.
    """
    tones = named(votes, "skin_tone_", TONES)
    if all(tones.values()):
        return shared.UNKNOWN
    thirds = dict.fromkeys((shared.LIGHT, shared.MEDIUM, shared.DARK), 0.0)
    for tone, count in tones.items():
        thirds[shared.monk(int(tone))] += count
    return _winner(thirds | {shared.UNKNOWN: votes["skin_tone_na"]}) or shared.UNKNOWN


def most(votes: dict[str, float], start: str) -> str:
    """What most annotators named of the columns that begin so; unknown where several have as many, "" where there are
    no such columns."""
    found = {name.removeprefix(start): count for name, count in votes.items() if name.startswith(start)}
    best = _winner(found) if found else ""
    return (shared.UNKNOWN if best in ("", "na") else best) if found else ""


def named(votes: dict[str, float], start: str, names: tuple[str, ...] | dict[str, str]) -> dict[str, float]:
    """Name -> how many annotators named it, of columns `<start><name>`."""
    return {name: votes[f"{start}{name}"] for name in names}


def _winner(votes: dict[str, float]) -> str:
    """What has the most votes; "" where nothing has one, or several have equally many."""
    most = max(votes.values())
    best = [name for name, count in votes.items() if count == most]
    return best[0] if most and len(best) == 1 else ""


def _count(cell: str) -> float | None:
    """How many annotators said something, of an empty cell nobody; None for what is no whole number from 0 on."""
    count = reading.number(cell or "0")
    return count if count is not None and count >= 0 and count.is_integer() else None


def _class(cell: str) -> str:
    return "" if cell.strip().lower() in ("none", "nan") else cell.strip()


def _box(cell: str) -> list[float] | None:
    try:
        found = json.loads(cell)
    except (ValueError, RecursionError):
        try:
            found = literal(cell)
        except ValueError:
            return None
    return reading.numbers([found.get(key) for key in ("x", "y", "width", "height")]) if type(found) is dict else None


_STARTS = ("gender_presentation_", "age_presentation_", "skin_tone_", *FAMILIES)
