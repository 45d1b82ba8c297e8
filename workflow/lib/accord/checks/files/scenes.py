"""Whether a photograph was taken indoors or in the open air: what a classifier of ImageNet sees, and how bright it was.

Each weighs in units of certainty: over 1 is enough to say open air, under -1 to say indoors; in between none can tell.
docs/checks-consistency.md says how often either is wrong.
"""

from __future__ import annotations

import csv
from functools import cache

import numpy as np

from accord.engine import resources

CLASSES = 1000
STRONGEST, SURE = 20, 0.7
"""How many of the strongest classes of either place are averaged, and the difference, in logits, that tells. Chosen on
535 photographs with known places (COCO, SUN): the first that is wrong for no more than one in 200 of them."""
DAYLIGHT, STEP = 8.0, 2.0
DARK, BRIGHT = -0.5, 1.5
"""EV at ISO 100 from which light speaks for the open air, and how many more make that certain: rooms are at 4 to 8, an
overcast day is at 12. A dark picture says little, since streets at night are as dark as rooms; a window makes a room
bright, which pixels that show a room outweigh."""


@cache
def _places() -> tuple[np.ndarray, np.ndarray]:
    """Numbers of ImageNet's classes that are met in the open air, and of those that are met in rooms.

    Ours: things that stay where they are (landscapes, buildings, vehicles, furniture, kitchens, shops), and animals of
    the wild; clothes, pets, food and what is carried about are in neither.
    """
    with (resources.beside(__name__) / "scenes.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    outdoors, indoors = (
        np.array([int(row["class"]) for row in rows if row["where"] == where]) for where in ("outdoors", "indoors")
    )
    return outdoors, indoors


def seen_outdoors(logits: np.ndarray) -> float:
    """How far a picture looks like the open air (over 0) or a room (under 0); `logits`: (1000,) of ImageNet's classes.

    The difference between the means of the 20 strongest classes of either place, over the difference that tells.
    """
    strongest = [np.sort(logits[classes])[-STRONGEST:].mean() for classes in _places()]
    return float(strongest[0] - strongest[1]) / SURE


def lit_outdoors(level: float) -> float:
    """How far the light was that of the open air; `level`: EV at ISO 100. NaN where that is unknown."""
    return float(np.clip((level - DAYLIGHT) / STEP, DARK, BRIGHT))
