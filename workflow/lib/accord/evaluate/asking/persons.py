"""People of a shard whose person box is annotated, with the pictures that they are in: what pose models are asked."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from accord.evaluate.asking import pictures, preparing
from accord.evaluate.asking.preparing import Prepare


def boxed(derivatives: pd.DataFrame, people: pd.DataFrame) -> pd.DataFrame:
    """`pictures.person_boxes` of those in a downsampled picture, by image and subject."""
    boxes = pictures.person_boxes(people)
    whole = pictures.of_kind(derivatives, "downsampled")
    return boxes[boxes["image"].isin(whole["image"])].sort_values(["image", "subject"])


def pictured(derivatives: pd.DataFrame, boxed: pd.DataFrame) -> pd.DataFrame:
    """The downsampled pictures that show somebody `boxed`."""
    whole = pictures.of_kind(derivatives, "downsampled")
    return whole[whole["image"].isin(boxed["image"])]


def by_image(boxed: pd.DataFrame) -> dict[str, list[Any]]:
    """Image -> the rows of its people."""
    return {str(image): list(group.itertuples(index=False)) for image, group in boxed.groupby("image")}


def each(
    people: Mapping[str, list[Any]], some: Sequence[Any], images: Sequence[Any]
) -> tuple[list[Any], list[Any], list[np.ndarray]]:
    """All people of some pictures (rows of `pictured`): their rows, each one's picture (or what was `prepared` for each
    of them), and their boxes (4,) x0, y0, x1, y1."""
    who = [person for row in some for person in people[row.image]]
    where = []
    for row, image in zip(some, images, strict=True):
        where += image if isinstance(image, list) else [image] * len(people[row.image])
    return who, where, [_box(person) for person in who]


def prepared(people: Mapping[str, list[Any]]) -> Prepare:
    """What prepares a picture once for each of its people, by the adapter's `prepare(picture, box)`."""
    return lambda adapter, row, picture: [
        preparing.prepared(adapter, picture, _box(person)) for person in people[row.image]
    ]


def _box(person: Any) -> np.ndarray:
    return np.array([person.x0, person.y0, person.x1, person.y1])
