"""People of a shard whose person box is annotated, with the pictures that they are in: what pose models are asked."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from accord.evaluate.asking import pictures


def boxed(derivatives: pd.DataFrame, people: pd.DataFrame) -> pd.DataFrame:
    """`pictures.person_boxes` of those in a downsampled picture, by image and subject."""
    boxes = pictures.person_boxes(people)
    whole = pictures.of_kind(derivatives, "downsampled")
    return boxes[boxes["image"].isin(whole["image"])].sort_values(["image", "subject"])


def stream(
    files: Path, derivatives: pd.DataFrame, asked: pd.DataFrame, size: int
) -> Iterator[tuple[list[Any], list[np.ndarray], list[np.ndarray]]]:
    """Batches of rows of `asked` (of `boxed`), each one's picture, and their boxes (4,) x0, y0, x1, y1; a batch has all
    people of at most `size` pictures."""
    whole = pictures.of_kind(derivatives, "downsampled")
    whole = whole[whole["image"].isin(asked["image"])]
    persons = {image: list(group.itertuples(index=False)) for image, group in asked.groupby("image")}
    for some, images in pictures.stream(files, whole, size):
        pairs = [(person, picture) for row, picture in zip(some, images, strict=True) for person in persons[row.image]]
        who, where = [person for person, _ in pairs], [picture for _, picture in pairs]
        yield who, where, [np.array([person.x0, person.y0, person.x1, person.y1]) for person in who]
