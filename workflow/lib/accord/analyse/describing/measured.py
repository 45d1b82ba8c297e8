"""What annotations and pixels measure of a person in an image: sizes, shapes, what is visible, light, sharpness."""

import numpy as np
import pandas as pd

from accord.grouping import KEY

HEAD_KEYPOINTS = 11
"""Keypoints 0-10 of BlazePose are those of the face."""

SEEN = {6: "visible_head_hair", 17: "visible_headwear", 18: "visible_mask", 19: "visible_eyewear"}
"""Segment class -> whether any of it was outlined."""


def numbers(
    people: pd.DataFrame, keypoints: pd.DataFrame, derivatives: pd.DataFrame, fingerprints: pd.DataFrame
) -> pd.DataFrame:
    """One row per person in an image, one column per measure; NaN where what it takes is not annotated.

    age: years; visible_keypoints of 33, visible_face_keypoints of 11; *_share: area of the box / of the image;
    *_aspect: height / width; face_height: px at the size of the release; brightness: mean grey level, 0-255,
    sharpness: variance of the Laplacian at 512 px, both of the whole delivered image.
    """
    size = derivatives.loc[derivatives["kind"] == "downsampled", ["image", "width", "height"]]
    made = people.merge(size, on="image", how="left")
    made = made.merge(fingerprints[["image", "brightness", "sharpness"]], on="image", how="left")
    made = made.merge(_visible(keypoints), on=KEY, how="left")
    face, person, image = (_area(made, start) for start in ("face_", "person_", ""))
    return made[KEY].assign(
        age=made["age"].astype("Float64").to_numpy(float, na_value=np.nan),
        visible_keypoints=made["visible_keypoints"],
        visible_face_keypoints=made["visible_face_keypoints"],
        face_height=made["face_height"],
        face_share=face / image,
        person_share=person / image,
        face_aspect=made["face_height"] / made["face_width"].where(face > 0),
        person_aspect=made["person_height"] / made["person_width"].where(person > 0),
        image_aspect=made["height"] / made["width"],
        brightness=made["brightness"],
        sharpness=made["sharpness"],
    )


def seen(people: pd.DataFrame, segments: pd.DataFrame) -> pd.DataFrame:
    """image, subject, feature, label (yes or no): whether hair, headwear, a mask, eyewear was outlined.

    Of those of whom any segment was outlined: who has no visible head hair is bald or covered.
    """
    outlined = segments[[*KEY, "segment"]].drop_duplicates().merge(people[KEY], on=KEY)
    everyone = outlined[KEY].drop_duplicates()
    parts = []
    for number, name in SEEN.items():
        some = outlined.loc[outlined["segment"] == number, KEY].assign(label="yes")
        parts.append(everyone.merge(some, on=KEY, how="left").fillna({"label": "no"}).assign(feature=name))
    return pd.concat(parts)


def _visible(keypoints: pd.DataFrame) -> pd.DataFrame:
    counted = keypoints[KEY].assign(
        visible_keypoints=keypoints["visible"].astype(float),
        visible_face_keypoints=(keypoints["visible"] & (keypoints["keypoint"] < HEAD_KEYPOINTS)).astype(float),
    )
    return counted.groupby(KEY, sort=True, as_index=False).sum()


def _area(made: pd.DataFrame, start: str) -> pd.Series:
    return made[f"{start}width"] * made[f"{start}height"]
