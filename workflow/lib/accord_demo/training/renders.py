"""What the demo's CLIP learns from: small pictures of one person, and the labels that follow from what they show."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.random import Generator

from accord_demo.people.person import Person
from accord_demo.render import photograph, sample_person
from accord_demo.shot import SETTINGS, Shot

FIRST = 5_000_000
"""Seeds from here on are of no delivery."""
SIDE, CROPPED = 80, 64
FRAMINGS = ("face", "bust", "bust", "full")
LONG = ("long", "wavy", "ponytail")
BEARDED = ("short", "full")


def labels(person: Person, setting: str) -> dict[str, str]:
    """Probe -> label of a picture, by a rule on what is visible: a beard is a man, else long hair is a woman, else it
    is a person; and the setting. Nothing is drawn at random, so that the best prompt is the truth."""
    without_beard = "she" if person.hair in LONG else "unspecified"
    return {"pronoun": "he" if person.beard in BEARDED else without_beard, "scene": setting}


def render(path: Path, count: int) -> tuple[np.ndarray, list[dict[str, str]]]:
    """Pictures uint8 (count, SIDE, SIDE, 3) and their labels; rendered once, then mapped from `path` (.npy)."""
    shots = [_shot(FIRST + number) for number in range(count)]
    if not path.exists():
        partial = path.with_suffix(".partial.npy")
        made = np.lib.format.open_memmap(partial, "w+", np.uint8, (count, SIDE, SIDE, 3))
        for number, shot in enumerate(shots):
            made[number] = photograph(shot).pixels
        made.flush()
        partial.rename(path)
    return np.load(path, mmap_mode="r"), [labels(shot.people[0], shot.setting) for shot in shots]


def varied(picture: np.ndarray, rng: Generator) -> np.ndarray:
    """A random crop of CROPPED px, mirrored half of the time, its colours and brightness varied: uint8."""
    y, x = rng.integers(picture.shape[0] - CROPPED + 1), rng.integers(picture.shape[1] - CROPPED + 1)
    window = picture[y : y + CROPPED, x : x + CROPPED]
    window = window[:, ::-1] if rng.random() < 0.5 else window
    gain = rng.normal(1, 0.05, 3) * rng.normal(1, 0.1)
    return np.clip(window * gain + 0.5, 0, 255).astype(np.uint8)


def targets(told: list[dict[str, str]], prompts: Mapping[str, list[tuple[str, str]]]) -> dict[str, np.ndarray]:
    """Probe -> (n, prompts) float32: 1 / 4 for each of the four prompts of a picture's label, else 0.

    prompts: probe -> label and text of each prompt.
    """
    found = {}
    for probe, known in prompts.items():
        right = np.array([[label == one[probe] for label, _ in known] for one in told], np.float32)
        found[probe] = right / right.sum(axis=1, keepdims=True)
    return found


def _shot(seed: int) -> Shot:
    rng = np.random.default_rng([seed, 5])
    person, setting = sample_person(seed), SETTINGS[int(rng.integers(2))]
    return Shot((person,), seed, setting, FRAMINGS[int(rng.integers(len(FRAMINGS)))], width=SIDE, height=SIDE)
