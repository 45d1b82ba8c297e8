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
SKINS = ("5", "4", "3", "2", "1", "0")
"""FHIBE's six colours of skin, by their numbers, from the lightest: Fitzpatrick's types I to VI here."""


class Person(NamedTuple):
    """Somebody: a number from 1, years, gender as Casual Conversations has it, skin type 1 to 6, and a window around
    the face, uint8 RGB (side, side, 3)."""

    number: int
    age: int
    gender: str
    skin: int
    picture: np.ndarray


def people(delivery: Path, most: int) -> list[Person]:
    """The first `most` adults with a face of SMALLEST px, in the order of their ids."""
    table = pd.read_csv(delivery / "people.csv", dtype=str, keep_default_na=False)
    told = table[(table["is_primary"] == "true") & (table["age"].astype(int) >= ADULT)]
    found: list[Person] = []
    for _, some in told.sort_values(["subject", "image"]).groupby("subject"):
        windows = (_window(delivery, row) for row in some.itertuples())
        row, picture = some.iloc[0], next((window for window in windows if window is not None), None)
        if picture is not None and len(found) < most:
            skin = 1 + SKINS.index(row["natural_skin_color"][0])
            gender = GENDERS[row["pronoun"].split("|")[0]]
            found.append(Person(len(found) + 1, int(row["age"]), gender, skin, picture))
    return found


def _window(delivery: Path, row: Any) -> np.ndarray | None:
    """The window around a person's face; None where the face is small or not annotated."""
    told = json.loads((delivery / f"annotations/{row.image}.json").read_text())
    box = next((one["face_bbox"] for one in told["people"] if one["subject"] == row.subject), None)
    if not box or min(box[2:]) < SMALLEST:
        return None
    picture = decode.decode((delivery / f"images/{row.image}.jpg").read_bytes())
    side = round(WINDOW * max(box[2:]))
    left, top = (round(box[axis] + box[axis + 2] / 2 - side / 2) for axis in (0, 1))
    around = cv2.copyMakeBorder(picture, side, side, side, side, cv2.BORDER_REPLICATE)
    return np.ascontiguousarray(around[top + side : top + 2 * side, left + side : left + 2 * side])
