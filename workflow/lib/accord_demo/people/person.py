"""One fictitious person: the looks that stay the same from picture to picture."""

from dataclasses import dataclass

from accord_demo.people.body import Build

PRESENTATIONS = ("feminine", "masculine")
HAIR_STYLES = {
    "feminine": ("long", "bob", "ponytail", "bun", "wavy", "short", "curly", "afro", "hijab"),
    "masculine": ("short", "side", "buzz", "crop", "bald", "curly", "slick", "afro", "cap"),
}
BEARDS = ("none", "stubble", "short", "full")

Colour = tuple[float, float, float]  # linear RGB


@dataclass(frozen=True)
class Skin:
    """What skin shows besides its tone; strengths from 0, lengths in decimetres."""

    undertone: Colour
    ruddy: float
    under_eye: float
    freckles: float
    moles: tuple[tuple[float, float, float], ...]  # canonical x, y and radius
    lip: Colour  # relative to the skin
    lipstick: Colour | None
    eye_shadow: Colour | None
    lash: float
    stubble: float


@dataclass(frozen=True)
class Brow:
    """Eyebrows: shifts in decimetres, thickness and density relative to 1."""

    raised: float
    arch: float
    thick: float
    dense: float


@dataclass(frozen=True)
class Person:
    """The stable looks of one person. `tone` is on the Monk scale (1..10), `age` in years.

    `dataclasses.replace(person, tone=...)` changes the tone alone: lips and make-up are relative to it.
    """

    seed: int
    presentation: str  # of PRESENTATIONS
    age: int
    tone: float
    hair: str  # of HAIR_STYLES
    hair_colour: str  # of palette.HAIR
    eye_colour: str  # of palette.EYES
    beard: str  # of BEARDS
    glasses: bool
    makeup: bool
    build: Build
    skin: Skin
    brow: Brow
    hair_rgb: Colour
    brow_rgb: Colour
    eye_rgb: Colour
    receding: float  # decimetres
    iris: float  # radius, radians on the eyeball
    lids: float  # how far the lids droop, 0..1
