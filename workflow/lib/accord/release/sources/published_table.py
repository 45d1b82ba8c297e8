"""The published table of AI-Face: what is said of each picture, in both forms in which it is described.

Columns Image Path, Target, and Gender, Age, Skin Tone, Intersection, each of which may be called `Predicted ...` or be
left out. Ages are numbered 0 to 4, or 0, 1, 3, 4, 5.
"""

from pathlib import Path, PurePath
from typing import NamedTuple

from accord.release.archives import reading, shared
from accord.release.archives.reading import Bounded
from accord.release.sources.described import AGES, FILE

FILES = ("annotations.csv", "train.csv", "test.csv")
"""One table, or the two in which it is published."""
IMAGE, TARGET = "Image Path", "Target"
GENDER, AGE, TONE, INTERSECTION = "Gender", "Age", "Skin Tone", "Intersection"
PREDICTED = "Predicted "
GENDERS = (shared.FEMALE, shared.MALE)
AGE_GROUPS = ("0-14", "15-24", "25-44", "45-64", "65+")
BINS = (shared.LIGHT, shared.MEDIUM, shared.DARK)
HIGHEST = {GENDER: 1, AGE: 5, TONE: shared.TONES, INTERSECTION: 5, TARGET: 1}
LOWEST = {TONE: 1}


class Said(NamedTuple):
    """What the table says of a picture: `where` it does; target: 0 real, 1 made, None where that can't be read; gender,
    age group, tone of Monk's scale ("1" to "10") and its bin, each "" where nothing is said."""

    where: str
    image: str
    target: int | None
    gender: str
    age: str
    tone: str
    skin: str


def read(folder: Path, ages: tuple[int, ...] | None, problems: Bounded) -> list[Said]:
    """All rows of the tables that are there. ages: the five codes, None where the values must tell which they are."""
    lines = [line for file in reading.several(folder, FILES, problems, needed=False) for line in _lines(file, problems)]
    codes = ages or _codes({age for *_, cells in lines if (age := cells[AGE]) is not None}, folder, problems)
    found, seen = [], {}
    for where, image, cells in lines:
        if image in seen:
            other = PurePath(seen[image]).name
            problems.add(where, f"has the picture of {other} again", "each picture is in one row of one table")
        seen.setdefault(image, where)
        found.append(_said(where, image, cells, codes, problems))
    return found


def _lines(file: Path, problems: Bounded) -> list[tuple[str, str, dict[str, int | None]]]:
    """Place, picture and numbers of each row."""
    found = []
    for number, (where, row) in enumerate(reading.table(file, (IMAGE, TARGET), problems)):
        if not number:
            for name in HIGHEST:
                if name in row and PREDICTED + name in row:
                    problems.add(
                        f"{file}, line 1", f"has both {name} and {PREDICTED}{name}", "keep the one that counts"
                    )
        image = row[IMAGE].removeprefix("./")
        found.append((where, image, {name: _number(row, name, where, problems) for name in HIGHEST}))
    return found


def _number(row: dict[str, str], name: str, where: str, problems: Bounded) -> int | None:
    text = row.get(name, row.get(PREDICTED + name, "")).strip()
    if not text and name != TARGET:
        return None
    value, low, high = reading.number(text), LOWEST.get(name, 0), HIGHEST[name]
    if value is None or value != int(value) or not low <= value <= high:
        problems.add(where, f"{name} is not a whole number from {low} to {high}")
        return None
    return int(value)


def _codes(values: set[int], folder: Path, problems: Bounded) -> tuple[int, ...]:
    """The codes of the age groups that the values show: only one form has a 2, and only the other a 5."""
    if {2, 5} <= values:
        problems.add(str(folder), "numbers ages both 0 to 4 and 0, 1, 3, 4, 5", "a table has one of these forms")
    elif not {2, 5} & values and values - {0, 1}:
        hint = f"say in {FILE} which it is: ages: [0, 1, 2, 3, 4], or ages: [0, 1, 3, 4, 5]"
        problems.add(str(folder), "has ages 3 or 4, but neither 2 nor 5, which would tell how they are numbered", hint)
    return AGES[1] if 5 in values else AGES[0]


def _said(where: str, image: str, cells: dict[str, int | None], codes: tuple[int, ...], problems: Bounded) -> Said:
    gender, age, tone, crossed = (cells[name] for name in (GENDER, AGE, TONE, INTERSECTION))
    if age is not None and age not in codes:
        problems.add(where, f"Age {age} is none of {', '.join(map(str, codes))}")
        age = None
    skin = "" if tone is None else shared.monk(tone)
    if crossed is not None:
        told, within = GENDERS[crossed // len(BINS)], BINS[crossed % len(BINS)]
        if (gender is not None and GENDERS[gender] != told) or (skin and skin != within):
            problems.add(
                where, "Intersection is not that of Gender and Skin Tone", "0-2 female, 3-5 male: 1-3, 4-6, 7-10"
            )
        gender, skin = GENDERS.index(told), within
    return Said(
        where, image, cells[TARGET],
        "" if gender is None else GENDERS[gender],
        "" if age is None else AGE_GROUPS[codes.index(age)],
        "" if tone is None else str(tone),
        skin,
    )  # fmt: skip
