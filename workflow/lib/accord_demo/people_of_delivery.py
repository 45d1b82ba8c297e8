"""People of a rendered delivery whose faces are seen clearly: what they say of themselves, and a picture of each."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
import pandas as pd

from accord.imaging import decode

SMALLEST, WINDOW = 60, 2.4
"""Least height of a face, px; side of the window around it, in longer sides of its box."""
GENDERS = {"0. She/her/hers": "Female", "1. He/him/his": "Male", "2. They/them/their": "Other"}
ADULT = 18
POINTS = ("2. Right eye", "5. Left eye", "0. Nose", "9. Mouth right", "10. Mouth left")
UNSEEN = (np.nan, np.nan)
SKINS = ("5", "4", "3", "2", "1", "0")
"""FHIBE's six colours of skin, by their numbers, from the lightest: Fitzpatrick's types I to VI here."""


class Person(NamedTuple):
    """Somebody: a number from 1, years, gender as Casual Conversations has it, skin type 1 to 6, a window around the
    face, uint8 RGB (side, side, 3), and where eyes, nose and corners of the mouth are in it, (5, 2) px, NaN where they
    aren't annotated."""

    number: int
    age: int
    gender: str
    skin: int
    picture: np.ndarray
    points: np.ndarray


def people(delivery: Path, most: int) -> list[Person]:
    """The first `most` adults with a face of SMALLEST px, in the order of their ids."""
    table = pd.read_csv(delivery / "people.csv", dtype=str, keep_default_na=False)
    told = table[(table["is_primary"] == "true") & (table["age"].astype(int) >= ADULT)]
    found: list[Person] = []
    for _, some in told.sort_values(["subject", "image"]).groupby("subject"):
        windows = (_window(delivery, row) for row in some.itertuples())
        row, window = some.iloc[0], next((window for window in windows if window is not None), None)
        if window is not None and len(found) < most:
            skin = 1 + SKINS.index(row["natural_skin_color"][0])
            gender = GENDERS[row["pronoun"].split("|")[0]]
            found.append(Person(len(found) + 1, int(row["age"]), gender, skin, *window))
    return found


def _window(delivery: Path, row: Any) -> tuple[np.ndarray, np.ndarray] | None:
    """The window around a person's face, and POINTS in it; None where the face is small or not annotated."""
    told = json.loads((delivery / f"annotations/{row.image}.json").read_text())
    found = next((one for one in told["people"] if one["subject"] == row.subject), None)
    box = found["face_bbox"] if found else None
    if not found or not box or min(box[2:]) < SMALLEST:
        return None
    picture = decode.decode((delivery / f"images/{row.image}.jpg").read_bytes())
    side = round(WINDOW * max(box[2:]))
    left, top = (round(box[axis] + box[axis + 2] / 2 - side / 2) for axis in (0, 1))
    around = cv2.copyMakeBorder(picture, side, side, side, side, cv2.BORDER_REPLICATE)
    window = np.ascontiguousarray(around[top + side : top + 2 * side, left + side : left + 2 * side])
    return window, np.array([found["keypoints"].get(name, UNSEEN)[:2] for name in POINTS]) - (left, top)
