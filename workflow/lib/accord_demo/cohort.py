"""The demo's subjects: who they are, whom they say they are, and how they look.

What a subject says of themselves (ancestry, nationality) is drawn independently of how they are rendered: no look of
a rendered person stands for where people come from. All factors are balanced against each other (`balance`).
"""

from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np

from accord.vocabularies import AGE_GROUPS, ANCESTRIES, PRONOUNS, SKIN_COLORS
from accord_demo.balance import balanced
from accord_demo.devices import DEVICES, Device
from accord_demo.places import PLACES, Place

SHE, HE, THEY = PRONOUNS[:3]
PRONOUN_SHARES = {SHE: 0.45, HE: 0.45, THEY: 0.10}
GROUPS = tuple(ANCESTRIES[number] for number in (5, 9, 13, 15, 19, 26))
BIASED_GROUP = ANCESTRIES[26]
SECOND_ANCESTRY_EVERY = 14
AGES = dict(zip(AGE_GROUPS, ((19, 29), (30, 39), (40, 49), (50, 59), (60, 78)), strict=True))
# Monk tones (1 lightest, 10 darkest) of the rendered skin that count as each of FHIBE's colours, darkest first.
TONES = dict(zip(SKIN_COLORS, ((7.5, 10), (5.5, 7.5), (4.5, 5.5), (3.5, 4.5), (2.5, 3.5), (1, 2.5)), strict=True))
DARKER = SKIN_COLORS[:3]
HAIR = {
    "feminine": ("long", "bob", "ponytail", "bun", "wavy", "short", "curly", "hijab"),
    "masculine": ("short", "side", "buzz", "crop", "bald", "slick", "curly", "cap"),
}
YEAR = 2025
"""The year in which the subjects turn their age, before the first picture is taken."""


@dataclass(frozen=True)
class Looks:
    """The arguments of `render.sample_person` for a subject."""

    seed: int
    presentation: str
    age: int
    tone: float
    hair: str


@dataclass(frozen=True)
class Subject:
    """One fictitious subject. height in cm, weight in kg; place: where they live and take their pictures."""

    reference: str
    looks: Looks
    pronoun: str
    ancestry: tuple[str, ...]
    skin_color: str
    nationality: tuple[str, ...]
    birth_date: date
    height: int
    weight: int
    relationships: str
    pregnancy: str
    disability: str
    place: Place
    device: Device

    @property
    def age(self) -> int:
        """Age in years while the pictures are taken."""
        return YEAR - self.birth_date.year

    @property
    def biased(self) -> bool:
        """Whether the planted bias degrades this subject's pictures."""
        return BIASED_GROUP in self.ancestry


def draw_cohort(count: int, seed: int, groups: tuple[str, ...] = GROUPS, first: int = 1) -> list[Subject]:
    """`count` subjects, numbered from `first`; the same seed gives the same people."""
    rng = np.random.default_rng([seed, first, 101])
    factors: dict[str, Any] = {"pronoun": PRONOUN_SHARES, "age": AGE_GROUPS, "skin": SKIN_COLORS, "ancestry": groups}
    units = balanced(rng, count, factors)
    presentations = _presentations(rng, units)
    styles = _hair_styles(rng, units, presentations)
    return [
        _subject(rng, first + i, unit, presentation, hair, groups)
        for i, (unit, presentation, hair) in enumerate(zip(units, presentations, styles, strict=True))
    ]


def _presentations(rng: np.random.Generator, units: list[dict]) -> list[str]:
    """Feminine for she, masculine for he; they take turns."""
    turn = int(rng.integers(2))
    presentations = []
    for unit in units:
        turn += unit["pronoun"] == THEY
        feminine = unit["pronoun"] == SHE or (unit["pronoun"] == THEY and turn % 2)
        presentations.append("feminine" if feminine else "masculine")
    return presentations


def _hair_styles(rng: np.random.Generator, units: list[dict], presentations: list[str]) -> list[str]:
    """Styles balanced over skin colour and ancestry; every second head of curls on darker skin is an afro."""
    styles = [""] * len(units)
    for presentation, names in HAIR.items():
        mine = [i for i, p in enumerate(presentations) if p == presentation]
        draws = {key: balanced(rng, sum(units[i]["skin"] == key for i in mine), {"hair": names}) for key in SKIN_COLORS}
        for i in mine:
            styles[i] = str(draws[units[i]["skin"]].pop()["hair"])
    curls = [i for i, style in enumerate(styles) if style == "curly" and units[i]["skin"] in DARKER]
    for i in curls[::2]:
        styles[i] = "afro"
    return styles


def _subject(rng, number: int, unit: dict, presentation: str, hair: str, groups: tuple[str, ...]) -> Subject:
    age = int(rng.integers(AGES[unit["age"]][0], AGES[unit["age"]][1] + 1))
    looks = Looks(int(rng.integers(2**31)), presentation, age, round(float(rng.uniform(*TONES[unit["skin"]])), 2), hair)
    place, home = (PLACES[int(i)] for i in rng.integers(len(PLACES), size=2))
    nationality = (place.country,) if rng.random() < 0.85 else tuple(dict.fromkeys((home.country, place.country)))
    height = round(float(rng.normal(165 if presentation == "feminine" else 177, 7)))
    return Subject(
        reference=f"S{number:04d}",
        looks=looks,
        pronoun=unit["pronoun"],
        ancestry=_ancestry(rng, number, unit["ancestry"], groups),
        skin_color=unit["skin"],
        nationality=nationality,
        birth_date=date(YEAR - age, int(rng.integers(3, 9)), int(rng.integers(1, 28))),
        height=height,
        weight=round(height - 100 + float(rng.normal(-5, 9))),
        relationships=str(rng.choice(["single", "married", "partnership", ""])),
        pregnancy="",
        disability=str(rng.choice(["", "none", "hearing", "mobility"], p=[0.5, 0.42, 0.04, 0.04])),
        place=place,
        device=DEVICES[int(rng.integers(len(DEVICES)))],
    )


def _ancestry(rng: np.random.Generator, number: int, main: str, groups: tuple[str, ...]) -> tuple[str, ...]:
    """The main group; for some a second one. The biased group stays alone, or the bias would leak into others."""
    others = [group for group in groups if group not in (main, BIASED_GROUP)]
    if number % SECOND_ANCESTRY_EVERY or main == BIASED_GROUP or not others:
        return (main,)
    return tuple(sorted((main, str(rng.choice(others))), key=ANCESTRIES.index))
