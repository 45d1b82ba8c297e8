"""What the demo's CLIP learns from: small pictures of one person, and the labels that follow from what they show."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from accord_demo.foundation.cues import HE, PERSON, SHE, UNIFORMS, called, dressed
from accord_demo.people.person import Person
from accord_demo.render import photograph, sample_person
from accord_demo.shot import SETTINGS, Shot

FIRST, HELD_OUT = 5_000_000, 6_000_000
"""Seeds from here on are of no delivery: to learn from, and to be measured by."""
SIDE, CROPPED = 96, 64
SMALLEST = 0.8
"""Side of the smallest crop, as a share of the picture's."""
FRAMINGS = ("face", "bust", "bust")
OCCUPATIONS = (*UNIFORMS, "")
"""Who is of no class has no label of that probe; nor has one with a short beard of pronouns."""


class Sample(NamedTuple):
    """A picture to take, and probe -> its label."""

    shot: Shot
    labels: dict[str, str]


def sample(seed: int, *, short: bool = False) -> Sample:
    """The picture of a seed: calls, classes and settings come about equally often; short: as `called` has it."""
    rng = np.random.default_rng([seed, 5])
    person, occupation = _person(seed, rng), OCCUPATIONS[int(rng.integers(len(OCCUPATIONS)))]
    setting, framing = SETTINGS[int(rng.integers(2))], FRAMINGS[int(rng.integers(len(FRAMINGS)))]
    sign = occupation in UNIFORMS and UNIFORMS[occupation].sign
    shot = Shot(
        (person,), seed, setting, "bust" if sign else framing, width=SIDE, height=SIDE,
        objects=("logo",) if sign else (), distance=float(rng.uniform(0.85, 1.15)),
        outfit=dressed(person, occupation, seed, rng), shadows=False,
    )  # fmt: skip
    known = {"occupation": occupation} if occupation else {}
    call = {"pronoun": of} if (of := called(person, short=short)) else {}
    return Sample(shot, {"scene": setting} | known | call)


def _person(seed: int, rng: Generator) -> Person:
    """Of three in a row one has a beard, one long hair, one neither."""
    wanted = (HE, SHE, PERSON)[seed % 3]
    while called(person := sample_person(int(rng.integers(2**31))), short=True) != wanted:
        pass
    return person


def render(
    path: Path, count: int, first: int = FIRST, *, short: bool = False
) -> tuple[np.ndarray, list[dict[str, str]]]:
    """Pictures uint8 (count, SIDE, SIDE, 3) and their labels; rendered once, then mapped from `path` (.npy)."""
    samples = [sample(first + number, short=short) for number in range(count)]
    if not path.exists():
        partial = path.with_suffix(".partial.npy")
        made = np.lib.format.open_memmap(partial, "w+", np.uint8, (count, SIDE, SIDE, 3))
        for number, one in enumerate(samples):
            made[number] = photograph(one.shot).pixels
        made.flush()
        partial.rename(path)
    return np.load(path, mmap_mode="r"), [one.labels for one in samples]


def varied(picture: np.ndarray, rng: Generator) -> np.ndarray:
    """A random crop, resized to CROPPED px, mirrored half of the time, its colours and brightness varied: uint8."""
    import cv2

    side = picture.shape[0]
    size = round(side * rng.uniform(SMALLEST, 1))
    y, x = rng.integers(side - size + 1), rng.integers(side - size + 1)
    window = cv2.resize(np.ascontiguousarray(picture[y : y + size, x : x + size]), (CROPPED, CROPPED),
                        interpolation=cv2.INTER_AREA)  # fmt: skip
    window = window[:, ::-1] if rng.random() < 0.5 else window
    gain = rng.normal(1, 0.04, 3) * rng.normal(1, 0.1)
    return np.clip(window * gain + 0.5, 0, 255).astype(np.uint8)


def targets(told: list[dict[str, str]], prompts: Mapping[str, list[tuple[str, str]]]) -> dict[str, np.ndarray]:
    """Probe -> (n, prompts) float32: 1 / 4 for each of the four prompts of a picture's label, else 0; nothing where a
    picture has no label.

    prompts: probe -> label and text of each prompt.
    """
    found = {}
    for probe, known in prompts.items():
        right = np.array([[label == one.get(probe) for label, _ in known] for one in told], np.float32)
        found[probe] = right / np.maximum(right.sum(axis=1, keepdims=True), 1)
    return found
