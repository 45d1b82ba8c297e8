"""Casual Conversations v1: the videos of `CasualConversations.json`, and what is said of who speaks in them."""

from pathlib import Path
from typing import Any

from accord.analyse.datasets.gathered import STATED, Dataset, Gathered, years
from accord.release.archives import reading, shared
from accord.release.archives.reading import Bounded

FILES = ("CasualConversations.json", "*/CasualConversations.json")
GENDERS = {"Male": shared.MALE, "Female": shared.FEMALE, "Other": shared.OTHER}
NOT_GIVEN = "N/A"


def read(folder: Path, problems: Bounded) -> Dataset:
    """An image is a video, named by its path; people are named by their number."""
    made = Gathered(problems)
    for file in reading.several(folder, FILES, problems)[:1]:
        given = reading.document(file, problems)
        if not isinstance(given, dict):
            problems.add(str(file), "is not a JSON object of people")
            continue
        for place, (subject, told) in enumerate(given.items(), start=1):
            _person(f"{file}, entry {place}", subject, told, made)
    return made.dataset()


def _person(where: str, subject: str, told: Any, made: Gathered) -> None:
    said: dict[str, Any] = told if isinstance(told, dict) else {}
    label, files, dark = said.get("label"), said.get("files"), said.get("dark_files", [])
    if not (isinstance(label, dict) and isinstance(files, list) and _are_texts(files) and _are_texts(dark)):
        made.problems.add(where, "has no label, files and dark_files")
        return
    skin = _skin(label.get("skin-type"))
    if skin is None and label.get("skin-type") not in (None, NOT_GIVEN):
        made.problems.add(where, "has a skin-type that is not one of 1 to 6")
        return
    gender, age = label.get("gender"), years(reading.number(str(label.get("age"))))
    for file in files:
        if made.person(where, file, subject, age=age):
            made.say(where, file, subject, "lighting", "dark" if file in dark else "bright")
            made.say(where, file, subject, shared.GENDER, GENDERS.get(str(gender), shared.UNKNOWN), STATED)
            if skin:
                made.say(where, file, subject, "fitzpatrick", shared.ROMAN[skin - 1])
                for name, value in shared.fitzpatrick(skin).items():
                    made.say(where, file, subject, name, value)


def _skin(value: Any) -> int | None:
    text = str(value)
    return int(text) if text.isdecimal() and len(text) == 1 and 1 <= int(text) <= shared.TYPES else None


def _are_texts(given: Any) -> bool:
    return isinstance(given, list) and all(isinstance(one, str) for one in given)
