"""People of a shard whose person box is annotated, with the pictures that they are in: what pose models are asked."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from accord.evaluate.asking import pictures


def boxed(derivatives: pd.DataFrame, people: pd.DataFrame) -> pd.DataFrame:
    """`pictures.person_boxes` of those in a downsampled picture, by image and subject."""
    boxes = pictures.person_boxes(people)
    whole = pictures.of_kind(derivatives, "downsampled")
    return boxes[boxes["image"].isin(whole["image"])].sort_values(["image", "subject"])


def pictured(derivatives: pd.DataFrame, boxed: pd.DataFrame) -> pd.DataFrame:
    """The downsampled pictures that show somebody `boxed`."""
    whole = pictures.of_kind(derivatives, "downsampled")
    return whole[whole["image"].isin(boxed["image"])]


def each(
    boxed: pd.DataFrame, some: Sequence[Any], images: Sequence[np.ndarray]
) -> tuple[list[Any], list[np.ndarray], list[np.ndarray]]:
    """All people of some pictures (rows of `pictured`): their rows of `boxed`, each one's picture, and their boxes (4,)
    x0, y0, x1, y1."""
    shown = boxed[boxed["image"].isin([row.image for row in some])]
    persons = {image: list(group.itertuples(index=False)) for image, group in shown.groupby("image")}
    pairs = [(person, picture) for row, picture in zip(some, images, strict=True) for person in persons[row.image]]
    who, where = [person for person, _ in pairs], [picture for _, picture in pairs]
    return who, where, [np.array([person.x0, person.y0, person.x1, person.y1]) for person in who]
