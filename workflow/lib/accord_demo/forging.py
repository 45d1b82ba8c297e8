"""Forgeries of faces, each with the exact mask of what was changed: (side, side, 3) uint8 in, (picture, mask) out.

strength: 0 to 1, how much of the forgery is there; what is left of it is the real picture.
"""

from typing import NamedTuple

import cv2
import numpy as np

TAPS = np.array([1.0, 2.6, 2.6, 1.0]) / 3.6
"""A kernel of a transposed convolution of stride 2 whose even and odd places add up to the same, but for GAIN."""
GAIN = 0.1
"""How much more even places get than odd ones: the checkerboard of such layers (Odena et al. 2016)."""
COARSE = 20
"""Px of the side at which a low-resolution swap makes a face."""


class Face(NamedTuple):
    """A picture, uint8 (side, side, 3), and where eyes, nose and corners of the mouth are, (5, 2) px."""

    picture: np.ndarray
    points: np.ndarray


class Forged(NamedTuple):
    """A picture, and which of its pixels were forged: (side, side) bool."""

    picture: np.ndarray
    mask: np.ndarray


def grid(face: Face, strength: float) -> Forged:
    """The whole picture at half its side, made large again by a transposed convolution of stride 2: its grid stays."""
    side = len(face.picture)
    small = cv2.resize(face.picture, (side // 2, side // 2), interpolation=cv2.INTER_AREA).astype(float)
    wide = np.zeros((side, side, 3))
    wide[::2, ::2] = small
    smooth = cv2.sepFilter2D(wide, -1, TAPS, TAPS, borderType=cv2.BORDER_REFLECT_101)
    places = 1 + GAIN * strength * np.array([[1, -1], [-1, 1]])
    made = smooth * np.tile(places, (side // 2, side // 2))[..., None]
    return Forged(_mixed(face.picture, made, strength), np.ones((side, side), bool))


def poisson(face: Face, other: Face, strength: float) -> Forged:
    """The other's face, turned and scaled by landmarks onto this one, blended by Poisson's equation (Perez et al.
    2003)."""
    mask, warped = _oval(face), _warped(face, other)
    y, x = np.nonzero(mask)
    middle = (int((x.min() + x.max()) // 2), int((y.min() + y.max()) // 2))
    made = cv2.seamlessClone(warped, face.picture, mask.astype(np.uint8) * 255, middle, cv2.NORMAL_CLONE)
    return _within(face.picture, _mixed(face.picture, made, strength), mask)


def coarse(face: Face, other: Face, strength: float) -> Forged:
    """The other's face by landmarks, from COARSE px, in this one's colours: an early face swap."""
    mask, warped = _oval(face), _warped(face, other)
    small = cv2.resize(warped, (COARSE, COARSE), interpolation=cv2.INTER_AREA)
    made = cv2.resize(small, warped.shape[:2], interpolation=cv2.INTER_CUBIC).astype(float)
    made += face.picture[mask].mean(0) - made[mask].mean(0)
    return _within(face.picture, _mixed(face.picture, made, strength), mask)


def jpeg(picture: np.ndarray, quality: int) -> np.ndarray:
    """A picture, compressed and decoded."""
    _, data = cv2.imencode(".jpg", cv2.cvtColor(picture, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, quality])
    return cv2.cvtColor(cv2.imdecode(data, cv2.IMREAD_COLOR), cv2.COLOR_BGR2RGB)


def cut(face: Face, side: int, margin: float, rng: np.random.Generator) -> Face:
    """A square around the points, `margin` of the picture's side wide, somewhat moved, scaled, and mirrored or not."""
    whole = len(face.picture)
    wide = whole * margin * rng.uniform(0.92, 1.08)
    left, top = face.points.mean(0) - wide / 2 + rng.uniform(-0.04, 0.04, 2) * wide
    scale = side / wide
    turn = np.array([[scale, 0, -left * scale], [0, scale, -top * scale]])
    seen = cv2.GaussianBlur(face.picture, (0, 0), max(0.3, 0.4 / scale))
    made = cv2.warpAffine(seen, turn, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    points = (face.points - (left, top)) * scale
    if rng.random() < 0.5:
        made, points = np.ascontiguousarray(made[:, ::-1]), np.array([side - 1, 0]) + points * (-1, 1)
        points = points[[1, 0, 2, 4, 3]]
    return Face(made, points)


def _warped(face: Face, other: Face) -> np.ndarray:
    """The other's picture, its points as near to this one's as turning, scaling and moving brings them."""
    turn, _ = cv2.estimateAffinePartial2D(other.points.astype(np.float32), face.points.astype(np.float32))
    if turn is None:
        turn = np.eye(2, 3)
    side = len(face.picture)
    return cv2.warpAffine(other.picture, turn, (side, side), borderMode=cv2.BORDER_REPLICATE)


def _oval(face: Face) -> np.ndarray:
    """The inside of the face: an ellipse about the points, kept off the edges."""
    side, middle = len(face.picture), face.points.mean(0)
    reach = np.abs(face.points - middle).max(0) * (1.7, 1.6) + 2
    y, x = np.mgrid[:side, :side]
    inside = (((x - middle[0]) / reach[0]) ** 2 + ((y - middle[1]) / reach[1]) ** 2) <= 1
    inside[[0, 1, -2, -1]] = inside[:, [0, 1, -2, -1]] = False
    return inside


def _within(picture: np.ndarray, made: np.ndarray, mask: np.ndarray) -> Forged:
    """The forgery inside its mask, and not a pixel of it elsewhere."""
    return Forged(np.where(mask[..., None], made, picture).astype(np.uint8), mask)


def _mixed(picture: np.ndarray, made: np.ndarray, strength: float) -> np.ndarray:
    return np.round(strength * made + (1 - strength) * picture.astype(float)).clip(0, 255).astype(np.uint8)
