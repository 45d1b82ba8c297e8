"""dlib's networks of age and gender (Cydral 2021), as ONNX graphs, on faces that its five-point predictor aligns."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from accord.models.adapters.onnx import Session
from accord.models.protocols import Look

AGE_SIDE, GENDER_SIDE = 64, 32
PADDING = 0.2
MEAN = np.array([122.782, 117.001, 104.298], np.float32)
"""Of RGB, as in dlib's layer input_rgb_image_sized."""
YEARS = np.array([0.25, *range(1, 81)])
"""The age that each of 81 classes stands for."""
GENDERS = ("female", "male")


class DlibAgeGender:
    """weights: `points`, the predictor of five points; `age` and `gender`, graphs that end in probabilities.

    The age is the mean over all classes; dlib's example rounds it to whole years, which is not done here.
    """

    GPU = "onnxruntime-gpu"

    def __init__(self, weights: dict[str, Path]):
        import dlib

        self._points = dlib.shape_predictor(str(weights["points"]))
        self._age, self._gender = (Session({"net": weights[name]}) for name in ("age", "gender"))

    def look(self, pictures: Sequence[np.ndarray], boxes: Sequence[np.ndarray]) -> list[Look]:
        chips = [self._chips(picture, box) for picture, box in zip(pictures, boxes, strict=True)]
        ages, genders = (
            _probabilities(net, [pair[place] for pair in chips]) for place, net in enumerate((self._age, self._gender))
        )
        said = genders.argmax(1)
        return [
            Look(float(age @ YEARS), GENDERS[which], float(gender[which]))
            for age, gender, which in zip(ages, genders, said, strict=True)
        ]

    def _chips(self, picture: np.ndarray, box: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The aligned face in the sides that the two networks want, each cut from the picture itself."""
        import dlib

        whole = np.ascontiguousarray(picture)
        left, top, right, bottom = (round(float(value)) for value in box)
        points = self._points(whole, dlib.rectangle(left, top, right - 1, bottom - 1))
        return _chip(dlib, whole, points, AGE_SIDE), _chip(dlib, whole, points, GENDER_SIDE)


def _chip(dlib: Any, picture: np.ndarray, points: Any, side: int) -> np.ndarray:
    return dlib.extract_image_chip(picture, dlib.get_face_chip_details(points, side, PADDING))


def _probabilities(net: Session, chips: Sequence[np.ndarray]) -> np.ndarray:
    """(n, classes) float64."""
    batch = (np.stack(chips).astype(np.float32) - MEAN) / np.float32(256)
    [found] = net(batch.transpose(0, 3, 1, 2)).values()
    return found.astype(np.float64)
