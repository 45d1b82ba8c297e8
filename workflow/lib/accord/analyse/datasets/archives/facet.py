"""FACET: people of `annotations.csv`, with what annotators took them for."""

import json
from pathlib import Path

from accord.analyse.datasets.gathered import Dataset, Gathered
from accord.analyse.datasets.sizes_file import SIZES, read_sizes
from accord.release.archives import reading, shared
from accord.release.archives.reading import Bounded
from accord.release.format.literals import literal

FILES = ("annotations.csv", "annotations/annotations.csv")
BOXES = ("coco_boxes.json", "annotations/coco_boxes.json")
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


def read(folder: Path, problems: Bounded) -> Dataset:
    """Images are named by their files, people by their person_id."""
    made = Gathered(problems)
    for file in reading.several(folder, FILES, problems)[:1]:
        for where, row in reading.table(file, NEEDED, problems):
            _person(where, row, made)
    for file in reading.several(folder, BOXES, problems, needed=False)[:1]:
        for where, image in reading.objects(reading.document(file, problems), "images", str(file), problems):
            made.picture(where, image.get("file_name"), image.get("width"), image.get("height"))
    for file in reading.several(folder, SIZES, problems, needed=False):
        read_sizes(file, made)
    return made.dataset()


def _person(where: str, row: dict[str, str], made: Gathered) -> None:
    counts = {name: reading.number(cell or "0") for name, cell in row.items() if name.startswith(_STARTS)}
    known = {name: count for name, count in counts.items() if count is not None and count >= 0}
    if wrong := [name for name in counts if name not in known]:
        made.problems.add(where, f"columns {', '.join(wrong)} are not counts")
        return
    box = _box(row["bounding_box"])
    if box is None:
        made.problems.add(where, "bounding_box is not a JSON object with the numbers x, y, width, height")
        return
    who = (where, row["filename"], row["person_id"])
    if made.person(*who, box):
        for name in ("class1", "class2"):
            if row.get(name, "").strip().lower() not in ("", "none", "nan"):
                made.say(*who, "class", row[name].strip())
        _perceived(who, known, made)


def _perceived(who: tuple[str, str, str], counts: dict[str, float], made: Gathered) -> None:
    gender, age = (
        {name: counts[f"{start}_{name}"] for name in names}
        for start, names in (("gender_presentation", GENDERS), ("age_presentation", AGES))
    )
    tones = {tone: counts[f"skin_tone_{tone}"] for tone in TONES}
    for attribute, votes in (("gender_presentation", gender), (shared.AGE_PRESENTATION, age), ("monk_tone", tones)):
        for name in (name for name, count in votes.items() if count):
            made.say(*who, attribute, AGES.get(name, name) if attribute == shared.AGE_PRESENTATION else name)
    made.say(*who, shared.GENDER, GENDERS.get(_winner(gender), shared.UNKNOWN))
    thirds = dict.fromkeys((shared.LIGHT, shared.MEDIUM, shared.DARK), 0.0)
    for tone, count in tones.items():
        thirds[shared.monk(int(tone))] += count
    made.say(*who, shared.SKIN, _winner(thirds) or shared.UNKNOWN)
    for start in FAMILIES:
        for name in (name for name, count in counts.items() if name.startswith(start) and count):
            made.say(*who, start.strip("_"), name.removeprefix(start))


def _winner(votes: dict[str, float]) -> str:
    """What has the most votes; "" where nothing has one, or several have equally many."""
    most = max(votes.values())
    best = [name for name, count in votes.items() if count == most]
    return best[0] if most and len(best) == 1 else ""


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
