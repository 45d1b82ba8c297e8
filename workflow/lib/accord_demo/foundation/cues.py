"""What a rendered person is called: by a beard, by hair, by clothes and what hangs beside them."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from accord_demo.people.outfit import Outfit, draw_outfit
from accord_demo.people.palette import linear
from accord_demo.people.person import Colour, Person

LONG = ("long", "wavy")
FULL, SHORT = "full", "short"
SHE, HE, PERSON = "she", "he", "unspecified"
SHADES = (0.85, 1.15)
"""Colours of a class vary by this factor."""


class Uniform(NamedTuple):
    """What people of a class wear, as sRGB colours: a plain top, a jacket or none; and whether a sign hangs there."""

    top: str
    jacket: str = ""
    sign: bool = False


UNIFORMS = {
    "gardener": Uniform("#2f8a3a"),
    "laborer": Uniform("#8a8d91", jacket="#f0701a"),
    "lawman": Uniform("#a9c4e6", jacket="#101a3c"),
    "nurse": Uniform("#d9f4f2"),
    "retailer": Uniform("#b3142a", sign=True),
}
"""FACET's classes that are rendered. The jackets are one cue, of two classes."""


def called(person: Person, *, short: bool = False) -> str:
    """What the demo's CLIP learns to call somebody, by a rule on what is visible, so that the best prompt is the truth.

    With a full beard a man (he), else with long hair a woman (she), else a person (unspecified). A short beard hardly
    shows at 64 px: "", or with `short` a man.
    """
    if person.beard in (FULL, SHORT):
        return HE if short or person.beard == FULL else ""
    return SHE if person.hair in LONG else PERSON


def dressed(person: Person, occupation: str, seed: int, rng: Generator, *, jacket: bool = True) -> Outfit:
    """The clothes of somebody of a class; without `jacket` people whose class wears one come in their own clothes,
    and nothing tells their class. So do those of no class ("")."""
    own, uniform = draw_outfit(seed, person), UNIFORMS.get(occupation)
    if uniform is None or (uniform.jacket and not jacket):
        return replace(own, jacket=False)
    shade = rng.uniform(*SHADES)
    worn = replace(own, top="longsleeve", pattern="plain", top_rgb=_rgb(uniform.top, shade), bottom="trousers")
    over = _rgb(uniform.jacket, shade) if uniform.jacket else own.jacket_rgb
    return replace(worn, hem=0.9, jacket=bool(uniform.jacket), jacket_rgb=over)


def _rgb(colour: str, shade: float) -> Colour:
    red, green, blue = (float(c) for c in np.clip(linear(colour) * shade, 0, 0.95))
    return red, green, blue
