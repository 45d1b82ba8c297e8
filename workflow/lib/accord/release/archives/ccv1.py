"""Casual Conversations' annotations, `CasualConversations.json`: who is in which videos, and what is said of them."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from accord.release.archives import reading, shared
from accord.release.archives.reading import Bounded

FILES = ("CasualConversations.json", "*/CasualConversations.json")
GENDERS = {"Male": shared.MALE, "Female": shared.FEMALE, "Other": shared.OTHER}
NOT_GIVEN = "N/A"
OLDEST = 120
DARK, BRIGHT = "dark", "bright"


class Person(NamedTuple):
    """An entry: its place, the person's number, whole years (None where not given), gender, skin type 1-6 (None where
    not given), paths of videos, and those recorded in the dark."""

    where: str
    subject: str
    age: int | None
    gender: str
    skin: int | None
    videos: list[str]
    dark: frozenset[str]

    def lighting(self, video: str) -> str:
        """dark or bright: a video that isn't listed as dark is bright."""
        return DARK if video in self.dark else BRIGHT


def people(file: Path, problems: Bounded) -> Iterator[Person]:
    """The people of a file; what can't be read is told to `problems`, by the entry's place, without ids."""
    given = reading.document(file, problems)
    if given is None:  # told
        return
    if not isinstance(given, dict):
        problems.add(str(file), "is not a JSON object of people")
        return
    for place, (subject, told) in enumerate(given.items(), start=1):
        found = _person(f"{file}, entry {place}", subject, told, problems)
        if found is not None:
            yield found


def said(person: Person, video: str) -> Iterator[tuple[str, str, bool]]:
    """Attribute, value, and whether annotators said it (else the person did), of a video and who is seen in it."""
    yield "lighting", person.lighting(video), True
    yield shared.GENDER, person.gender, False
    if person.skin:
        yield "fitzpatrick", shared.ROMAN[person.skin - 1], True
        for name, value in shared.fitzpatrick(person.skin).items():
            yield name, value, True


def _person(where: str, subject: str, told: Any, problems: Bounded) -> Person | None:
    about: dict[str, Any] = told if isinstance(told, dict) else {}
    label: Any = about.get("label")
    files, dark = _texts(about.get("files")), _texts(about.get("dark_files", []))
    if not isinstance(label, dict) or files is None or dark is None:
        problems.add(where, "has no label, files and dark_files")
        return None
    skin = _skin(label.get("skin-type"))
    if skin is None and label.get("skin-type") not in (None, NOT_GIVEN):
        problems.add(where, "has a skin-type that is not one of 1 to 6")
        return None
    age = reading.number(str(label.get("age")))
    years = math.floor(age) if age is not None and 0 <= age <= OLDEST else None
    gender = GENDERS.get(str(label.get("gender")), shared.UNKNOWN)
    return Person(where, subject, years, gender, skin, files, frozenset(dark))


def _skin(value: Any) -> int | None:
    text = str(value)
    return int(text) if text.isdecimal() and len(text) == 1 and 1 <= int(text) <= shared.TYPES else None


def _texts(given: Any) -> list[str] | None:
    """A list of texts; None of anything else."""
    return given if isinstance(given, list) and all(isinstance(one, str) for one in given) else None
