"""The pixels of a network's input: how the picture is resized to where it is placed."""

from collections.abc import Callable
from typing import Any

import numpy as np

from accord.models.adapters.declaring.placing import Placing


def sampled(picture: np.ndarray, placing: Placing, pad: int = 0, sampling: str = "averaged") -> np.ndarray:
    """The input's pixels, (height, width, 3) uint8; `pad` where the picture doesn't reach.

    sampling: averaged, opencv or pillow (the functions below say what each is).
    """
    return SAMPLINGS[sampling](picture, placing, pad)


def averaged(picture: np.ndarray, placing: Placing, pad: int) -> np.ndarray:
    """Bilinear; a picture that shrinks a lot is first averaged, so that fine texture doesn't alias."""
    import cv2

    small, scale = _shrunk(picture, placing.scale)
    found = _warped(small, scale, placing, borderMode=cv2.BORDER_REPLICATE)
    x0, y0, x1, y1 = placing.inside()
    canvas = np.full_like(found, pad)
    canvas[y0:y1, x0:x1] = found[y0:y1, x0:x1]
    return canvas


def opencv(picture: np.ndarray, placing: Placing, pad: int) -> np.ndarray:
    """What OpenCV gives, bilinear without averaging: `resize` where the picture fills whole pixels of the input,
    `warpAffine` with a border of `pad` elsewhere. Fine texture that shrinks a lot aliases."""
    import cv2

    cv2.setNumThreads(1)
    (x0, y0), (x1, y1) = ends = np.round(placing.ends()).astype(int)
    columns, rows = placing.size[::-1]
    whole = np.abs(placing.ends() - ends).max() < 1e-6 and 0 <= x0 < x1 <= columns and 0 <= y0 < y1 <= rows
    if not whole:
        return _warped(picture, placing.scale, placing, borderMode=cv2.BORDER_CONSTANT, borderValue=(pad,) * 3)
    canvas = np.full((rows, columns, 3), pad, dtype=np.uint8)
    canvas[y0:y1, x0:x1] = cv2.resize(np.ascontiguousarray(picture), (int(x1 - x0), int(y1 - y0)))
    return canvas


def pillow(picture: np.ndarray, placing: Placing, pad: int) -> np.ndarray:
    """What Pillow gives (and torchvision of its pictures): a triangle as wide as the pixels that become one."""
    from PIL import Image

    x0, y0, x1, y1 = placing.inside()
    canvas = np.full((*placing.size, 3), pad, dtype=np.uint8)
    if x0 < x1 and y0 < y1:
        height, width = placing.picture
        box = np.clip(placing.to_picture(np.array([[x0, y0], [x1, y1]])), 0, (width, height)).ravel()
        shown = Image.fromarray(np.ascontiguousarray(picture))
        made = shown.resize((int(x1 - x0), int(y1 - y0)), Image.Resampling.BILINEAR, box=tuple(box.tolist()))
        canvas[y0:y1, x0:x1] = np.asarray(made)
    return canvas


SAMPLINGS: dict[str, Callable[[np.ndarray, Placing, int], np.ndarray]] = {
    "averaged": averaged,
    "opencv": opencv,
    "pillow": pillow,
}


def _warped(picture: np.ndarray, scale: np.ndarray, placing: Placing, **border: Any) -> np.ndarray:
    """The input through OpenCV's warpAffine, bilinear; scale: of the picture as it is now."""
    import cv2

    cv2.setNumThreads(1)
    height, width = placing.size
    # OpenCV counts from the centre of the first pixel, we from its corner.
    back = (0.5 - placing.shift) / scale - 0.5
    matrix = np.array([[1 / scale[0], 0, back[0]], [0, 1 / scale[1], back[1]]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return cv2.warpAffine(np.ascontiguousarray(picture), matrix, (width, height), flags=flags, **border)


def _shrunk(picture: np.ndarray, scale: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A picture averaged over whole pixels as far as it shrinks, and the scale that is left to the input."""
    import cv2

    height, width = picture.shape[:2]
    less = np.maximum((1 / scale).astype(int), 1)
    if (less == 1).all():
        return picture, scale
    reduced = max(width // int(less[0]), 1), max(height // int(less[1]), 1)
    small = cv2.resize(np.ascontiguousarray(picture), reduced, interpolation=cv2.INTER_AREA)
    return small, scale * (width / reduced[0], height / reduced[1])
