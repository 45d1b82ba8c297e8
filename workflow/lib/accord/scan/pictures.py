"""Pictures of the person: whole, resized, encoded again, cropped, or in a figure among others."""

import hashlib
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from accord.imaging.fingerprint import MIRROR, pdq, thumbnail
from accord.imaging.hamming import distances, words
from accord.scan.dossier import Print

CLOSE, MIN_QUALITY = 31, 50
"""PDQ: bits that may differ of 256, and the quality from which hashes are trusted, both as its authors advise."""
MIN_INLIERS = 15
RATIO = 0.75  # Lowe 2004
MIN_CORRELATION, MIN_OVERLAP, MIN_SHARE = 0.8, 100, 0.2
"""Of a match of features: how alike the pixels must be, on how many, and the least share of a picture. Measured:
crops correlate at 0.89 and more, and pasted parts are 30% and more of the picture; other people in the same shirt
correlate at 0.5, and the shirt is 3% of it; before the same sign on a wall, 13%."""
KNOWN_SIDE, SEEN_SIDE, CONFIRM_SIDE = 768, 1600, 160
KNOWN_FEATURES, SEEN_FEATURES = 800, 3000
MIN_TILE = 40


class Match(NamedTuple):
    """How a picture was known, and how well: bits apart, or inliers."""

    how: str
    score: float


class Seen(NamedTuple):
    """A picture that is compared: its luma, and the points and descriptors of its features."""

    luma: np.ndarray
    points: np.ndarray
    descriptors: np.ndarray


def print_of(pixels: np.ndarray) -> Print:
    """What an upright picture, (height, width, 3) uint8 RGB, is known by."""
    hashed, quality = pdq(thumbnail(pixels))
    luma, points, descriptors = features(pixels, KNOWN_SIDE, KNOWN_FEATURES)
    scale = min(1.0, CONFIRM_SIDE / max(luma.shape))
    return Print(digest(pixels), hashed, quality, points, descriptors, _resized(luma, scale), scale)


def digest(pixels: np.ndarray) -> str:
    """The sha256 of a picture's pixels."""
    return hashlib.sha256(np.ascontiguousarray(pixels).data).hexdigest()


def features(pixels: np.ndarray, side: int, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The luma of the picture, its longer side at most `side`, and SIFT on it: points (n, 2) float32, descriptors
    (n, 128) uint8."""
    import cv2

    luma = _resized(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), min(1.0, side / max(pixels.shape[:2])))
    points, descriptors = cv2.SIFT_create(nfeatures=count).detectAndCompute(luma, None)
    if descriptors is None:
        return luma, np.zeros((0, 2), np.float32), np.zeros((0, 128), np.uint8)
    return luma, np.array([p.pt for p in points], np.float32), descriptors.astype(np.uint8)


def _resized(luma: np.ndarray, scale: float) -> np.ndarray:
    import cv2

    size = [max(1, round(side * scale)) for side in luma.shape[::-1]]
    return cv2.resize(luma, size, interpolation=cv2.INTER_AREA) if scale < 1 else luma


class Pictures:
    """The pictures of a dossier."""

    def __init__(self, prints: tuple[Print, ...]):
        self._exact = {known.pixels for known in prints}
        self._hashes = words(known.pdq for known in prints if known.quality >= MIN_QUALITY)
        self._prints = [known for known in prints if len(known.points) >= MIN_INLIERS]

    def match(self, pixels: np.ndarray, sha256: str) -> Match | None:
        """How an upright picture, (height, width, 3) uint8 RGB with its `digest`, shows one of them; None for not."""
        if sha256 in self._exact:
            return Match("the same pixels", 1.0)
        return self._whole(pixels) or self._tile(pixels) or self._part(pixels)

    def near(self, digests: list[str]) -> int | None:
        """The fewest bits between hashes of 64 hexadecimal digits and those of the dossier, if they are few."""
        least = self._apart(digests)
        return least if least <= CLOSE else None

    def _whole(self, pixels: np.ndarray) -> Match | None:
        if min(pixels.shape[:2]) < MIN_TILE or not len(self._hashes):
            return None
        hashed, quality = pdq(thumbnail(pixels))
        apart = self._apart([hashed]) if quality >= MIN_QUALITY else 256
        return Match("PDQ", float(apart)) if apart <= CLOSE else None

    def _tile(self, pixels: np.ndarray) -> Match | None:
        found = (self._whole(pixels[rows, columns]) for rows, columns in tiles(pixels))
        best = min((match.score for match in found if match), default=None)
        return None if best is None else Match("PDQ of a part", best)

    def _part(self, pixels: np.ndarray) -> Match | None:
        """By geometry: features that agree on one shift, turn and scale."""
        if not self._prints or min(pixels.shape[:2]) < MIN_TILE:
            return None
        seen = Seen(*features(pixels, SEEN_SIDE, SEEN_FEATURES))
        if len(seen.points) < MIN_INLIERS:
            return None
        best = max(inliers(seen, known) for known in self._prints)
        return Match("SIFT", float(best)) if best >= MIN_INLIERS else None

    def _apart(self, hashes: list[str]) -> int:
        """Bits between the closest two of these and the dossier's, also mirrored."""
        seen = words(hashes)
        pairs = [distances(seen, known, offset) for known in self._hashes for offset in (0, MIRROR)]
        return min((int(away.min(initial=256)) for away in pairs), default=256)


def tiles(pixels: np.ndarray) -> Iterator[tuple[slice, slice]]:
    """The panels of a figure: what is left between rows, then columns, that have the colour of its corner."""
    red, green, blue = (pixels[..., channel] != pixels[0, 0, channel] for channel in range(3))
    ink = red | green | blue  # twelve times as fast as any(2)
    for rows in _runs(ink.any(1)):
        columns = list(_runs(ink[rows].any(0)))
        if rows != slice(0, len(ink)) or columns != [slice(0, ink.shape[1])]:
            yield from ((rows, column) for column in columns)


def _runs(filled: np.ndarray) -> Iterator[slice]:
    edges = np.flatnonzero(np.diff(np.concatenate([[False], filled, [False]]).astype(np.int8)))
    yield from (slice(int(a), int(b)) for a, b in edges.reshape(-1, 2) if b - a >= MIN_TILE)


def inliers(seen: Seen, known: Print) -> int:
    """How many features of a known picture lie in the seen one as one similarity puts them (RANSAC, 4 px).

    0 where the pixels, laid over each other so, are not alike: two people can wear the same shirt.
    """
    import cv2

    ours, theirs = _pairs(seen.descriptors.astype(np.float32), known.descriptors.astype(np.float32))
    if len(ours) < MIN_INLIERS:
        return 0
    onto, agreed = cv2.estimateAffinePartial2D(known.points[theirs], seen.points[ours], ransacReprojThreshold=4.0)
    count = 0 if onto is None else int(agreed.sum())
    if count < MIN_INLIERS:
        return 0
    agreeing = known.points[theirs[agreed[:, 0] == 1]]
    return count if alike(seen.luma, known, onto, agreeing) >= MIN_CORRELATION else 0


def _pairs(seen: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Positions of features that are each other's match: nearer than RATIO times the next, each seen one once."""
    squared = (target**2).sum(1)[:, None] + (seen**2).sum(1) - 2 * target @ seen.T
    nearest = np.argpartition(squared, 1, axis=1)[:, :2]
    first, second = np.sort(np.take_along_axis(squared, nearest, 1), 1).T
    good = np.flatnonzero(first < RATIO**2 * second)
    ours, once = np.unique(squared[good].argmin(1), return_index=True)
    return ours, good[once]


def alike(luma: np.ndarray, known: Print, onto: np.ndarray, agreeing: np.ndarray) -> float:
    """The correlation of a known picture and what lies in a seen one where `onto`, (2, 3), puts it; 0 for flat ones.

    Of all that overlaps, or of what lies between the `agreeing` points (n, 2), if that is enough of either picture:
    only a part of the known picture may have been pasted in, but a print on a shirt is no such part.
    """
    import cv2

    matrix = onto.copy()
    matrix[:, :2] /= known.scale
    shrink = np.sqrt(abs(np.linalg.det(matrix[:, :2])))
    smooth = cv2.GaussianBlur(luma, (0, 0), shrink / 2) if shrink > 1 else luma
    size, flags = known.luma.shape[::-1], cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    laid = cv2.warpAffine(smooth, matrix, size, flags=flags)
    overlap = cv2.warpAffine(np.full_like(luma, 255), matrix, size, flags=flags) == 255
    hull = cv2.convexHull((agreeing * known.scale).astype(np.int32))
    between = overlap & (cv2.fillConvexPoly(np.zeros_like(known.luma), hull, 1) == 1)
    enough = MIN_SHARE * min(known.luma.size, luma.size / shrink**2)
    parts = [overlap, *([between] if between.sum() >= enough else [])]
    return max(_correlation(laid[part], known.luma[part]) for part in parts)


def _correlation(left: np.ndarray, right: np.ndarray) -> float:
    if len(left) < MIN_OVERLAP or min(left.std(), right.std()) < 1:
        return 0.0
    return float(np.corrcoef(left.astype(np.float64), right)[0, 1])
