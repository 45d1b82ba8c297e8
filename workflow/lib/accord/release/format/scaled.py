"""Annotations in coordinates of the downsampled picture."""

import numpy as np
import pandas as pd

from accord.intake.tables import FACE, PERSON
from accord.release.format.fhibe import camera_distance
from accord.release.format.geometry import DECIMALS, Size, bounding_box, factors


def factor_table(sizes: dict[str, tuple[Size, Size]]) -> pd.DataFrame:
    """Columns x and y by image: by what coordinates are multiplied; `sizes`: image -> (size, downsampled size)."""
    found = {image: factors(*pair) for image, pair in sizes.items()}
    return pd.DataFrame.from_dict(found, orient="index", columns=["x", "y"], dtype=float)


def keypoints(table: pd.DataFrame, by: pd.DataFrame) -> pd.DataFrame:
    """Keypoints of the images in `by`, scaled."""
    table = table[table["image"].isin(by.index)]
    scale = by.loc[table["image"]].to_numpy()
    xy = (table[["x", "y"]].to_numpy() * scale).round(DECIMALS)
    return table.assign(x=xy[:, 0], y=xy[:, 1])


def segments(table: pd.DataFrame, by: pd.DataFrame) -> pd.DataFrame:
    """Segments of the images in `by`, scaled."""
    table = table[table["image"].isin(by.index)]
    scales = by.loc[table["image"]].to_numpy()
    pairs = zip(table["polygon"], scales, strict=True)
    polygons = [(np.reshape(polygon, (-1, 2)) * scale).round(DECIMALS).ravel() for polygon, scale in pairs]
    return table.assign(polygon=pd.Series(polygons, index=table.index, dtype=object))


def people(table: pd.DataFrame, segments: pd.DataFrame, by: pd.DataFrame) -> pd.DataFrame:
    """People of the images in `by`, scaled; the box of a person with (scaled) segments is the smallest around them."""
    table = table[table["image"].isin(by.index)].copy()
    scale = np.tile(by.loc[table["image"]].to_numpy(), 2)
    for box in (FACE, PERSON):
        table[box] = (table[box].to_numpy(float) * scale).round(DECIMALS)
    around = person_boxes(segments)
    keys = table[["image", "subject"]].itertuples(index=False, name=None)
    boxes = [around.get(key, box) for key, box in zip(keys, table[PERSON].to_numpy(), strict=True)]
    table[PERSON] = np.reshape(boxes, (-1, 4))
    return table


def person_boxes(segments: pd.DataFrame) -> dict[tuple[str, str], np.ndarray]:
    """(image, subject) -> the smallest box around the union of the person's segments."""
    grouped = segments.groupby(["image", "subject"], sort=False)["polygon"]
    return {key: bounding_box(np.concatenate(list(polygons)).reshape(-1, 2)) for key, polygons in grouped}


def distances(people: pd.DataFrame, attributes: pd.DataFrame) -> pd.DataFrame:
    """Attribute rows for the camera distance of each face (px of the original), where nobody gave any."""
    given = attributes[attributes["attribute"] == "camera_distance"]
    given = set(given[["image", "subject"]].itertuples(index=False, name=None))
    columns = people[["image", "subject", "face_height"]].itertuples(index=False, name=None)
    found = [(image, subject, camera_distance(height)) for image, subject, height in columns]
    made = [(i, s, "camera_distance", label, "") for i, s, label in found if label and (i, s) not in given]
    return pd.DataFrame(made, columns=["image", "subject", "attribute", "value", "annotator"])
