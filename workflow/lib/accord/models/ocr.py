"""Reads what is written in a picture: PP-OCRv6's small detector and recogniser, offline, on one thread.

The two networks (Apache-2.0) come with the package rapidocr. Text is found by differentiable binarisation (Liao et al.
2020) and read by CTC (Graves et al. 2006). Only what was found is read, at the picture's own resolution.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from accord.models.packaged import Packaged, weights

DETECTOR = Packaged(
    "rapidocr",
    "models/PP-OCRv6_det_small.onnx",
    "090f04abcd9d9a7498bc4ebf677e4cb9bdce1fe4197ddb7e529f1ef44e1ff94f",
)
READER = Packaged(
    "rapidocr",
    "models/PP-OCRv6_rec_small.onnx",
    "6f327246b50388f3c176ae304bd95767ea6dc0c9ae92153ef8cbe210b3c14884",
)
STRIDE = 32
INK, FOUND, UNCLIP, SMALLEST = 0.3, 0.5, 1.6, 3
HEIGHT, STEP, WIDEST, TOGETHER = 48, 80, 1280, 8
UPRIGHT = 1.5
BLANK = 0


class Line(NamedTuple):
    """A line of text. corners: float (4, 2), px, clockwise from where the text begins; score: 0 to 1."""

    corners: np.ndarray
    text: str
    score: float


def read(picture: np.ndarray, side: int, at_most: int) -> list[Line]:
    """The lines of text in a picture, uint8 RGB (H, W, 3); only those in which something is read.

    The picture is searched with its longer side brought down to `side` px. `at_most`: only so many places are read,
    the surest ones, so that a page of print costs no more than a street.
    """
    lines = [line for line in _spoken(picture, find(picture, side)[:at_most]) if line.text.strip()]
    return sorted(lines, key=lambda line: line.corners[:, ::-1].min(axis=0).tolist())


def find(picture: np.ndarray, side: int) -> list[np.ndarray]:
    """Where text is in a picture: the corners (4, 2) of each line, px, the surest first."""
    import cv2

    height, width = picture.shape[:2]
    scale = min(1.0, side / max(height, width))
    size = [max(STRIDE, round(length * scale / STRIDE) * STRIDE) for length in (width, height)]
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    ink = _run(DETECTOR, _normalised(small)[None])[0, 0]
    factor = np.array([width / size[0], height / size[1]])
    places = [(score, corners * factor) for score, corners in _rectangles(ink)]
    return [corners for _, corners in sorted(places, key=lambda place: (-place[0], place[1].tolist()))]


def decoded(probabilities: np.ndarray, characters: list[str]) -> tuple[str, float]:
    """What a CTC output (T, classes) says, and the mean probability of its characters; class 0 is the blank.

    Of equal classes in a row the first counts. Nothing is said with probability 0.
    """
    best = probabilities.argmax(axis=1)
    new = (best != BLANK) & np.r_[True, best[1:] != best[:-1]]
    if not new.any():
        return "", 0.0
    text = "".join(characters[index - 1] for index in best[new])
    return text, float(np.clip(probabilities.max(axis=1)[new].mean(), 0, 1))


def _rectangles(ink: np.ndarray) -> list[tuple[float, np.ndarray]]:
    """Score and corners, px of the map, of each line in a map of how likely each pixel is text, float (H, W)."""
    import cv2

    mask = cv2.dilate((ink > INK).astype(np.uint8), np.ones((2, 2), np.uint8))
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    found = []
    for outline in outlines:
        middle, sides, angle = cv2.minAreaRect(outline)
        score = _mean_inside(ink, outline)
        if min(sides) >= SMALLEST and score >= FOUND:
            # The network learnt shrunk lines: grown back by area / perimeter (Liao et al. 2020, eq. 10).
            away = sides[0] * sides[1] * UNCLIP / (2 * (sides[0] + sides[1]))
            grown = cv2.boxPoints((middle, (sides[0] + 2 * away, sides[1] + 2 * away), angle))
            found.append((score, _in_order(np.asarray(grown, float))))
    return found


def _mean_inside(ink: np.ndarray, outline: np.ndarray) -> float:
    import cv2

    left, top, width, height = cv2.boundingRect(outline)
    mask = np.zeros((height, width), np.uint8)
    cv2.fillPoly(mask, [outline - (left, top)], 1)
    return float(ink[top : top + height, left : left + width][mask.astype(bool)].mean())


def _in_order(corners: np.ndarray) -> np.ndarray:
    """Corners clockwise from the upper left one."""
    around = corners - corners.mean(axis=0)
    turned = corners[np.argsort(np.arctan2(around[:, 1], around[:, 0]), kind="stable")]
    return np.roll(turned, -int(turned.sum(axis=1).argmin()), axis=0)


def _spoken(picture: np.ndarray, places: list[np.ndarray]) -> list[Line]:
    """What each place says; one that stands upright is read both ways, and the surer way counts."""
    ways = [(index, corners) for index, place in enumerate(places) for corners in _ways(place)]
    said = _said([_strip(picture, corners) for _, corners in ways])
    best: dict[int, Line] = {}
    for (index, corners), (text, score) in zip(ways, said, strict=True):
        if index not in best or score > best[index].score:
            best[index] = Line(corners, text, score)
    return list(best.values())


def _ways(corners: np.ndarray) -> list[np.ndarray]:
    """The corners, or, of what is higher than wide, those from which the text runs upwards and downwards."""
    wide, high = _sides(corners)
    return [np.roll(corners, shift, axis=0) for shift in (1, -1)] if high >= UPRIGHT * wide else [corners]


def _said(strips: list[np.ndarray]) -> list[tuple[str, float]]:
    """What each strip says, and how sure that is. Strips of one width are read together."""
    said: list[tuple[str, float]] = [("", 0.0)] * len(strips)
    widths = [strip.shape[2] for strip in strips]
    for width in sorted(set(widths)):
        alike = [index for index, own in enumerate(widths) if own == width]
        for start in range(0, len(alike), TOGETHER):
            batch = alike[start : start + TOGETHER]
            for index, row in zip(batch, _run(READER, np.stack([strips[i] for i in batch])), strict=True):
                said[index] = decoded(row, _characters())
    return said


def _strip(picture: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """A line cut out and laid flat: float32 (3, HEIGHT, width), padded with zeros to a multiple of STEP px."""
    import cv2

    wide, high = _sides(corners)
    width = int(np.clip(np.ceil(HEIGHT * wide / max(high, 1.0)), 16, WIDEST))
    flat = np.array([[0, 0], [width, 0], [width, HEIGHT], [0, HEIGHT]], np.float32)
    turn = cv2.getPerspectiveTransform(corners.astype(np.float32), flat)
    cut = cv2.warpPerspective(picture, turn, (width, HEIGHT), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.pad(_normalised(cut), ((0, 0), (0, 0), (0, -width % STEP)))


def _sides(corners: np.ndarray) -> tuple[float, float]:
    """How wide and high a line is, px."""
    return float(np.linalg.norm(corners[1] - corners[0])), float(np.linalg.norm(corners[3] - corners[0]))


def _normalised(picture: np.ndarray) -> np.ndarray:
    """uint8 RGB (H, W, 3) as the networks want it: float32 BGR (3, H, W), -1 to 1."""
    return np.ascontiguousarray(picture[..., ::-1].transpose(2, 0, 1), np.float32) / 127.5 - 1


def _run(model: Packaged, batch: np.ndarray) -> np.ndarray:
    network = _network(model)
    return network.run(None, {network.get_inputs()[0].name: batch})[0]


@cache
def _network(model: Packaged):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(str(weights(model)), options, providers=["CPUExecutionProvider"])


@cache
def _characters() -> list[str]:
    """The characters of classes 1, 2, ...; the last one is the space."""
    return [*_network(READER).get_modelmeta().custom_metadata_map["character"].splitlines(), " "]
