"""A recognition service that is worse than others, and worst for dark skin: both are planted."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from accord.models.adapters.opencv import SFace, YuNet
from accord.models.face_services import PairedService
from accord.models.protocols import Boxes

DARK = 100.0
"""Mean luma (0..255, Rec. 709) of the middle of a face below which it is dark."""
SIDE, DARK_SIDE = 40, 10
"""px to which a face is shrunk, and a dark one: what is left of it is what the service sees."""
MIDDLE = (0.35, 0.65)
"""The part of a face square that is skin, of each side."""
LUMA = (0.2126, 0.7152, 0.0722)


class Worn:
    """Finds faces as YuNet does, and compares what is left of them as SFace does. weights: `faces` YuNet's, `net`
    SFace's."""

    def __init__(self, weights: dict[str, Path]):
        found, told_apart = (
            YuNet({"net": weights["faces"]}),
            SFace({"detector": weights["faces"], "net": weights["net"]}),
        )
        self._all = PairedService(found, told_apart, side=SIDE)
        self._dark = PairedService(found, told_apart, side=DARK_SIDE)

    def detect(self, pictures: Sequence[np.ndarray]) -> Sequence[Boxes]:
        return self._all.detect(pictures)

    def embed(self, pictures: Sequence[np.ndarray]) -> list[np.ndarray | None]:
        return [(self._dark if luma(one) < DARK else self._all).embed([one])[0] for one in pictures]

    def compare(self, left: Sequence[np.ndarray], right: Sequence[np.ndarray]) -> list[float | None]:
        return [(self._all).compare([one], [other])[0] for one, other in zip(left, right, strict=True)]


def luma(face: np.ndarray) -> float:
    """The mean luma of the middle of a face's square, (height, width, 3) uint8."""
    rows, columns = (slice(*(round(share * side) for share in MIDDLE)) for side in face.shape[:2])
    return float((face[rows, columns] @ np.array(LUMA)).mean())
