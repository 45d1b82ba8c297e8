"""A delivery that is being planned: the planting functions add to it; nothing is rendered yet."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta

import numpy as np

from accord_demo.cohort import BIASED_GROUP, GROUPS, Subject, draw_cohort
from accord_demo.picture import Frame, Picture

SIZE = 768
FIRST_DAY = date(2025, 9, 3)
FULL_SCOPES = ("collect", "publish_image", "publish_attr:*", "aggregate_attr:*", "biometric")
UNBIASED = tuple(group for group in GROUPS if group != BIASED_GROUP)
FRAMINGS = ("face", "bust", "full")
SHAPES = ((1, 1), (5 / 6, 1), (1, 5 / 6))
"""Width and height of the pictures, as shares of the size."""


@dataclass(frozen=True)
class Settings:
    """What a delivery is made from. size: longest side of a picture, px; rounds: how often each fault is planted;
    unseen: whether faults are planted that only looking at pictures can find."""

    subjects: int
    images_per_subject: int
    seed: int
    size: int = SIZE
    defects: bool = True
    bias: bool = True
    rounds: int = 1
    unseen: bool = False

    def px(self, length: float) -> float:
        """A length given for the standard size, px, at this size."""
        return length * self.size / SIZE


@dataclass(frozen=True)
class Grant:
    """What a subject agreed to. expires_on: "" for never; evidence and copyright: whether those forms are there."""

    consent: bool = True
    scopes: tuple[str, ...] = FULL_SCOPES
    expires_on: str = ""
    evidence: bool = True
    copyright: bool = True


@dataclass(frozen=True)
class Defect:
    """Something planted, and what is expected of the pipeline: the images that must not be released, those of which
    either is right, and the check that says so."""

    id: str
    kind: str
    images: tuple[str, ...]
    subjects: tuple[str, ...]
    stopped: tuple[str, ...]
    room: str
    check: str
    note: str = ""
    either: tuple[str, ...] = ()


@dataclass
class Draft:
    """The plan so far. Subjects and pictures are numbered in the order in which they are added.

    days: subject -> first day on which the next picture may be taken; web: pictures that were on the web before.
    """

    settings: Settings
    subjects: dict[str, Subject] = field(default_factory=dict)
    pictures: dict[str, Picture] = field(default_factory=dict)
    grants: dict[str, Grant] = field(default_factory=dict)
    defects: list[Defect] = field(default_factory=list)
    later_withdrawals: list[str] = field(default_factory=list)
    web: list[str] = field(default_factory=list)
    days: dict[str, date] = field(default_factory=dict)
    rng: np.random.Generator = field(init=False)

    def __post_init__(self):
        self.rng = np.random.default_rng([self.settings.seed, 303])

    def add_cohort(self, count: int, groups: tuple[str, ...] = GROUPS) -> list[Subject]:
        """`count` more subjects, who agree to everything."""
        added = draw_cohort(count, self.settings.seed, groups, first=len(self.subjects) + 1)
        for subject in added:
            self.subjects[subject.reference] = subject
            self.grants[subject.reference] = Grant()
            self.days[subject.reference] = FIRST_DAY + timedelta(days=int(self.rng.integers(0, 20)))
        return added

    def add_subject(self) -> Subject:
        """One more subject, whom the planted bias does not concern."""
        return self.add_cohort(1, UNBIASED)[0]

    def add_picture(self, subject: Subject, frame: Frame, secondary: str = "", **changes) -> Picture:
        """One more picture, taken at least three days after all that show the same people."""
        people = [subject.reference, *([secondary] if secondary else [])]
        reference = f"IMG_{len(self.pictures) + 1:06d}"
        day = max(self.days[person] for person in people)
        for person in people:
            self.days[person] = day + timedelta(days=int(self.rng.integers(3, 12)))
        at = time(int(self.rng.integers(8, 19)), int(self.rng.integers(60)), int(self.rng.integers(60)))
        orientation = 6 if self.rng.random() < 0.08 else 1
        picture = Picture(
            reference, subject.reference, datetime.combine(day, at), subject.place, subject.device, frame,
            secondary=secondary, orientation=orientation,
        )  # fmt: skip
        self.pictures[reference] = replace(picture, **changes)
        return self.pictures[reference]

    def frame(self, framing: str, setting: str = "", shape: int | None = None) -> Frame:
        """A frame of the delivery's size; what is not given is drawn."""
        wide, high = SHAPES[int(self.rng.integers(len(SHAPES))) if shape is None else shape]
        drawn = str(self.rng.choice(["indoor", "outdoor"]))
        return Frame(framing, setting or drawn, round(self.settings.size * wide), round(self.settings.size * high))

    def change(self, picture: Picture, **changes) -> Picture:
        """Replace fields of a picture."""
        self.pictures[picture.reference] = replace(picture, **changes)
        return self.pictures[picture.reference]

    def plant(
        self, kind: str, images: Iterable[Picture], stopped: Iterable[Picture], check: str, note: str = "",
        either: Iterable[Picture] = (),
    ) -> None:  # fmt: skip
        """Record a defect. check: `room.name`, as the pipeline calls it."""
        images = tuple(images)
        people = sorted({person for picture in images for person in picture.subjects})
        named = [tuple(picture.reference for picture in some) for some in (images, stopped, either)]
        room = check.partition(".")[0] if "." in check else "checks"
        number = f"D{len(self.defects) + 1:02d}"
        self.defects.append(Defect(number, kind, named[0], tuple(people), named[1], room, check, note, either=named[2]))

    def clean(self, *, free: bool = False) -> list[Picture]:
        """Pictures that must be released; with `free`, those without anything planted that the bias does not touch."""
        touched = {
            reference
            for defect in self.defects
            for reference in (defect.images if free else defect.stopped + defect.either)
        }
        pictures = [p for reference, p in self.pictures.items() if reference not in touched]
        if not free:
            return pictures
        return [p for p in pictures if not self.subjects[p.subject].biased and not p.copy and not p.secondary]
