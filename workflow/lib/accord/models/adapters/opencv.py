"""OpenCV's face models: YuNet (Wu et al. 2023) finds faces, SFace (Zhong et al. 2021) tells them apart."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np

from accord.models.adapters.nets import yunet_nets
from accord.models.adapters.nets.remembered import Remembered
from accord.models.protocols import Boxes


class YuNet:
    """Detector of faces; pictures whose longest side is above `longest_side` px are shrunk to it."""

    def __init__(self, weights: dict[str, Path], min_score: float = 0.5, longest_side: int = 1024):
        self._net = yunet(weights["net"], min_score)
        self._longest_side = longest_side

    def detect(self, pictures: Sequence[np.ndarray]) -> list[Boxes]:
        return [self._one(picture) for picture in pictures]

    def _one(self, picture: np.ndarray) -> Boxes:
        faces = find_faces(self._net, picture, self._longest_side)
        corners = np.concatenate([faces[:, :2], faces[:, :2] + faces[:, 2:4]], axis=1)
        return Boxes(corners, np.clip(faces[:, 14], 0, 1), ["face"] * len(faces))


class SFace:
    """Embedder of aligned faces: YuNet's five points align the face once more, as SFace was trained.

    A face that one model of a process has had embedded is not embedded again for the next one.
    """

    def __init__(self, weights: dict[str, Path], min_score: float = 0.5, longest_side: int = 320):
        self._embedded = _embedder(weights["detector"], weights["net"], min_score, longest_side)

    def embed(self, pictures: Sequence[np.ndarray]) -> list[np.ndarray | None]:
        return [None if found is None else found[0].copy() for found in map(self._embedded, pictures)]


@cache
def _embedder(detector: Path, net: Path, min_score: float, longest_side: int) -> Remembered:
    """Picture -> its face's vector; None where no face is found."""
    import cv2

    from accord.models.adapters.nets import sface_nets

    finder, network = yunet(detector, min_score), sface_nets.SFace(net)
    aligner = cv2.FaceRecognizerSF.create(str(net), "")

    def embed(picture: np.ndarray) -> list[np.ndarray] | None:
        faces = find_faces(finder, picture, longest_side)
        if not len(faces):
            return None
        # An aligned face is the largest in its picture; a bystander behind it can score higher.
        face = faces[np.argmax(faces[:, 2] * faces[:, 3])]
        bgr = np.ascontiguousarray(picture[:, :, ::-1])
        return [network.feature(aligner.alignCrop(bgr, face.astype(np.float32)))]

    return Remembered(embed)


def yunet(path: Path, min_score: float) -> yunet_nets.YuNet:
    """YuNet, on one thread."""
    import cv2

    cv2.setNumThreads(1)
    return yunet_nets.YuNet(path, min_score)


def find_faces(net: yunet_nets.YuNet, picture: np.ndarray, longest_side: int) -> np.ndarray:
    """(n, 15) float64: x, y, width, height, five points x, y, score; px of the picture; best first."""
    import cv2

    height, width = picture.shape[:2]
    scale = min(longest_side / max(height, width), 1.0)
    size = (max(round(width * scale), 1), max(round(height * scale), 1))
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA) if scale < 1 else picture
    found = net.detect(small[:, :, ::-1]).astype(np.float64)
    found[:, :14] *= np.tile([width / size[0], height / size[1]], 7)
    return found[np.argsort(-found[:, 14], kind="stable")]
