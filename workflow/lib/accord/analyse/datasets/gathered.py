"""What an adapter gathers of a dataset, row by row, and the tables that it becomes."""

import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from accord.analyse.tables.composition import Areas, Pictures
from accord.analyse.tables.scores import Members
from accord.engine import table
from accord.grouping import KEY
from accord.release.archives.reading import LONGEST, Bounded, is_number
from accord.release.tables import Attributes, Keypoints, People
from accord.text.identity import identity
from accord.text.nouns import counted
from accord.vocabularies import age_group

Box = tuple[float, float, float, float]
ANNOTATED, STATED = "annotator", ""
UNDER_AGE = "under 18"
OLDEST = 120
NO_BOX = (None,) * 4
OUTSIDE = "boxes wholly outside their picture"
SPELLING = "names that differ only in Unicode forms, blanks or a last .0 look the same: spell each in one way"


class Dataset(NamedTuple):
    """The tables of a dataset, and how many things were left out for which reason."""

    people: pd.DataFrame
    pictures: pd.DataFrame
    attributes: pd.DataFrame
    keypoints: pd.DataFrame
    areas: pd.DataFrame
    left_out: dict[str, int]


class Gathered:
    """The rows of a dataset that is being read. Boxes are x, y, width, height."""

    def __init__(self, problems: Bounded):
        self.problems = problems
        self.left_out = Counter()
        self._file: Path | None = None
        self._files_of: dict[str, Path | None] = {}
        self._spelled: dict[str, str] = {}
        self._repeated: Counter[tuple[Path | None, Path | None]] = Counter()
        self._pictures: dict[str, tuple] = {}
        self._people: dict[tuple[str, str], dict] = {}
        self._said: dict[tuple, None] = {}
        self._points: dict[tuple, tuple] = {}
        self._areas: dict[tuple[str, str], float] = {}

    def __contains__(self, key: tuple[str, str]) -> bool:
        return key in self._people

    def read_from(self, file: Path) -> None:
        """The file whose people come next: an image of two files would be two pictures in one."""
        self._file = file

    def picture(self, where: str, image: Any, width: Any, height: Any, in_pixels: bool = True) -> None:
        """The size of an image. One that is told once more must be the same."""
        row = (width, height, in_pixels)
        if not (is_number(width) and is_number(height) and width > 0 and height > 0):
            self.problems.add(where, "has no image size")
        elif self._name(where, image) and self._pictures.setdefault(image, row) != row:
            self.problems.add(where, "contradicts an earlier size of the same image")

    def person(
        self,
        where: str,
        image: str,
        subject: str,
        person: Sequence[Any] | None = None,
        face: Sequence[Any] | None = None,
        age: int | None = None,
    ) -> bool:
        """Somebody in an image, once; False where that can't be."""
        key = (image, subject)
        if not (self._name(where, image) and self._name(where, subject)):
            return False
        if key in self._people:
            self.problems.add(where, "duplicates a person in an image")
            return False
        if (first := self._files_of.setdefault(image, self._file)) != self._file:
            self._repeated[first, self._file] += 1
        self._people[key] = {"person": NO_BOX, "face": NO_BOX, "age": None if age is None else int(age)}
        self.box(where, image, subject, "person", person)
        self.box(where, image, subject, "face", face)
        if age is not None:
            self.say(where, image, subject, "age_group", age_group(age) or UNDER_AGE, STATED)
        return True

    def box(self, where: str, image: str, subject: str, kind: str, given: Sequence[Any] | None) -> None:
        """The box of somebody who was told of: `kind` is person or face. One without area is counted, not kept."""
        if given is None:
            return
        if not all(is_number(value) for value in given):
            self.problems.add(where, f"has no box of the {kind}")
        elif self.is_outside(image, given):
            self.left_out[OUTSIDE] += 1
        elif given[2] > 0 and given[3] > 0:
            self._people[image, subject][kind] = tuple(given)
        else:
            self.left_out["boxes without area"] += 1

    def is_outside(self, image: str, box: Sequence[float]) -> bool:
        """Whether nothing of a box is in its picture, where the size of that is known in the box's unit."""
        width, height, in_pixels = self._pictures.get(image, (0, 0, False))
        x, y, wide, high = box
        is_beside = x >= width or y >= height or x + wide <= 0 or y + high <= 0
        return in_pixels and wide > 0 and high > 0 and is_beside

    def say(self, where: str, image: str, subject: str, attribute: str, value: str, by: str = ANNOTATED) -> None:
        """A value of an attribute; `subject` is "" for what holds for all in the image."""
        if self._text(where, value):
            self._said[image, subject, attribute, value, by] = None

    def point(self, image: str, subject: str, keypoint: int, x: float, y: float, visible: bool) -> None:
        """A keypoint in BlazePose's numbers."""
        self._points[image, subject, keypoint] = (float(x), float(y), visible)

    def area(self, image: str, subject: str, area: float) -> None:
        """The area of somebody's outline."""
        self._areas[image, subject] = float(area)

    def largest(self) -> dict[str, str]:
        """Image -> who has the largest box in it, by their person box, else their face box."""
        best: dict[str, tuple[float, str]] = {}
        for (image, subject), row in self._people.items():
            sides = row["person"] if row["person"][0] is not None else row["face"]
            size = 0.0 if sides[0] is None else sides[2] * sides[3]
            if image not in best or size > best[image][0]:
                best[image] = (size, subject)
        return {image: subject for image, (_, subject) in best.items()}

    def dataset(self) -> Dataset:
        """The tables, checked."""
        for (first, file), count in self._repeated.items():
            problem = f"has {counted(count, 'person')} in images of {first and first.name}: one picture, or two?"
            self.problems.add(
                str(file), problem, "give each picture one name over all files; or read each file by itself"
            )
        first = self.largest()
        people = [
            (*key, first[key[0]] == key[1], row["age"], *row["face"], *row["person"], "")
            for key, row in self._people.items()
        ]
        points = [(*key, *row, ANNOTATED) for key, row in self._points.items()]
        return Dataset(
            table.rows(people, People),
            table.rows([(image, *row) for image, row in self._pictures.items()], Pictures),
            table.rows(self._said, Attributes),
            table.rows(points, Keypoints),
            table.rows([(*key, area) for key, area in self._areas.items()], Areas),
            {reason: count for reason, count in sorted(self.left_out.items()) if count},
        )

    def _text(self, where: str, text: str) -> bool:
        fine = isinstance(text, str) and 0 < len(text) <= LONGEST and text.isprintable()
        if not fine:
            self.problems.add(where, f"has an empty or unprintable name or value, or one over {LONGEST} characters")
        return fine

    def _name(self, where: str, name: str) -> bool:
        """Whether a text can name an image or a person: in one spelling in all rows."""
        fine = self._text(where, name)
        if fine and self._spelled.setdefault(identity(name), name) != name:
            self.problems.add(where, "names an image or a person in other characters than an earlier row", SPELLING)
        return fine


def years(value: float | None) -> int | None:
    """A whole age in years that a person can have; None for anything else."""
    return math.floor(value) if value is not None and 0 <= value <= OLDEST else None


def members(dataset: Dataset) -> pd.DataFrame:
    """Members: the values of all attributes are groups; an image's hold for everyone in it."""
    said, people = dataset.attributes, dataset.people[KEY]
    own = said[said["subject"] != ""].merge(people, on=KEY)
    shared = said[said["subject"] == ""].drop(columns="subject").merge(people, on="image")
    named = pd.concat([own, shared]).rename(columns={"value": "group"})[[*KEY, "attribute", "group"]]
    return table.check(named.drop_duplicates(), Members, "members")
