"""Where people are in a picture, and how large: what boxes, outlines and keypoints tell of each."""

import numpy as np
import pandas as pd

from accord.analyse.describing.measured import HEAD_KEYPOINTS
from accord.grouping import KEY

BOXED = ("person", "face")
SIDES = ("x", "y", "width", "height")


def placed(people: pd.DataFrame, pictures: pd.DataFrame, areas: pd.DataFrame, keypoints: pd.DataFrame) -> pd.DataFrame:
    """One row per person in an image and one column per feature; NaN where what it takes isn't known.

    *_share: area of the box inside the picture / of the picture; *_aspect: height / width of the box;
    *_centring: distance of the box's centre from the picture's, 1 in its corners; mask_share: area of the outline / of
    the picture; visible_keypoints: visible of the annotated ones, visible_face_keypoints: of the face.
    pictures: image, width, height, in_pixels (an image that isn't there is in px of unknown size); areas: image,
    subject, area.
    """
    sized = people.merge(pictures, on="image", how="left").merge(areas, on=KEY, how="left")
    found = sized[KEY].copy()
    for name in BOXED:
        x0, y0, x1, y1 = (ends := relative(sized, name)).T
        found[f"{name}_share"] = (x1 - x0) * (y1 - y0)
        found[f"{name}_aspect"] = _aspect(sized, name)
        found[f"{name}_centring"] = _centring(ends, sized)
    found["mask_share"] = sized["area"] / (sized["width"] * sized["height"])
    return found.merge(_visible(keypoints), on=KEY, how="left")


def relative(sized: pd.DataFrame, name: str) -> np.ndarray:
    """(n, 4) x0, y0, x1, y1 of the `person` or `face` boxes inside the picture, as shares of its sides; NaN: no box."""
    x, y, width, height = (sized[f"{name}_{side}"].to_numpy(float) for side in SIDES)
    across, down = (sized[side].to_numpy(float) for side in ("width", "height"))
    ends = np.stack([x / across, y / down, (x + width) / across, (y + height) / down], axis=1)
    return ends.clip(0, 1)


def _aspect(sized: pd.DataFrame, name: str) -> np.ndarray:
    width, height = (sized[f"{name}_{side}"].to_numpy(float) for side in ("width", "height"))
    known = (width > 0) & (height > 0) & sized["in_pixels"].ne(False).to_numpy(bool)
    return np.where(known, height / np.where(known, width, 1), np.nan)


def _centring(ends: np.ndarray, sized: pd.DataFrame) -> np.ndarray:
    """Half the diagonal is 1; relative coordinates take the picture for a square."""
    size = sized[["width", "height"]].to_numpy(float)
    off = ((ends[:, :2] + ends[:, 2:]) / 2 - 0.5) * size
    return np.hypot(*off.T) / (np.hypot(*size.T) / 2)


def _visible(keypoints: pd.DataFrame) -> pd.DataFrame:
    face = keypoints["visible"] & (keypoints["keypoint"] < HEAD_KEYPOINTS)
    named = {"visible_keypoints": keypoints["visible"].astype(float), "visible_face_keypoints": face.astype(float)}
    return keypoints[KEY].assign(**named).groupby(KEY, sort=True, as_index=False).sum()
