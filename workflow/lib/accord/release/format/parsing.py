"""Face parsing masks in CelebAMask-HQ's format (Lee et al. 2020), drawn from FHIBE's segments.

FHIBE has no ears (they are skin there), no earrings and no necklaces of their own: jewelry counts as an earring above
the mouth of the aligned face and as a necklace below it; neckwear is cloth. Left and right are the person's own, as
in FHIBE. What has no label of a face (arms, masks, bags, gloves) is background.
"""

import numpy as np

from accord.vocabularies import FACE_PARTS

COMBINED = "combined"
JEWELRY = 27
OF_SEGMENT = {
    21: "cloth", 23: "cloth", 20: "cloth", 22: "cloth", 24: "cloth", 1: "neck", 6: "hair", 0: "skin", 11: "nose",
    14: "mouth", 12: "u_lip", 13: "l_lip", 7: "l_brow", 8: "r_brow", 19: "eye_g", 9: "l_eye", 10: "r_eye", 17: "hat",
}  # fmt: skip
ORDER = tuple(OF_SEGMENT)
"""From back to front: polygons have no holes, so what lies within another is drawn after it."""
MOUTH_HEIGHT = 0.75
"""Where FFHQ's square has the mouth: its centre is 0.9 of eyes-to-mouth above it, its side 3.6 of them."""
FINER = 5
"""OpenCV fills also what the outline touches: drawn 5 times larger and taken at the centres, a pixel is filled whose
centre lies in the polygon, or within 0.1 px of it."""
SUBPIXEL_BITS = 4
FAR = 1_000_000


def labels(segments: list[tuple[int, np.ndarray]], side: int) -> np.ndarray:
    """The labels (side, side) uint8 of an aligned face; `segments`: (FHIBE class, polygon (n, 2) in its px)."""
    drawn = np.zeros((side * FINER, side * FINER), np.uint8)
    for segment, polygon in sorted(segments, key=lambda item: _depth(item[0])):
        name = _label(segment, polygon, side)
        if name and len(polygon) > 2:
            _fill(drawn, polygon, FACE_PARTS.index(name))
    return np.ascontiguousarray(drawn[FINER // 2 :: FINER, FINER // 2 :: FINER])


def masks(labels: np.ndarray) -> dict[str, np.ndarray]:
    """Name -> mask: 0 and 255 for each label that occurs, the background too, and all labels in `combined`."""
    present = [int(label) for label in np.unique(labels)]
    single = {FACE_PARTS[label]: np.where(labels == label, 255, 0).astype(np.uint8) for label in present}
    return {**single, COMBINED: labels}


def _depth(segment: int) -> int:
    return ORDER.index(segment) if segment in OF_SEGMENT else len(ORDER)


def _label(segment: int, polygon: np.ndarray, side: int) -> str | None:
    if segment == JEWELRY:
        return "ear_r" if polygon[:, 1].mean() < MOUTH_HEIGHT * side else "neck_l"
    return OF_SEGMENT.get(segment)


def _fill(drawn: np.ndarray, polygon: np.ndarray, label: int) -> None:
    import cv2

    # OpenCV counts from the centres of pixels.
    points = np.clip(polygon * FINER - 0.5, -FAR, FAR) * 2**SUBPIXEL_BITS
    cv2.fillPoly(drawn, [np.rint(points).astype(np.int32)], label, shift=SUBPIXEL_BITS)
