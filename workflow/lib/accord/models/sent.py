"""What goes to a service: pictures without metadata, and keys of the environment."""

import os

import numpy as np

from accord.errors import AccordError, Problem

QUALITY = 92


def jpeg(picture: np.ndarray, side: int) -> bytes:
    """A picture, (height, width, 3) uint8 RGB, as a JPEG without metadata, its longer side at `side` px or less."""
    import cv2

    height, width = picture.shape[:2]
    scale = min(1.0, side / max(height, width))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA) if scale < 1 else picture
    made, data = cv2.imencode(".jpg", small[:, :, ::-1], [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    if not made:
        raise ValueError("the picture can't be encoded")
    return data.tobytes()


def key(name: str, where: str) -> str:
    """The value of an environment variable. Raises AccordError where it is not set."""
    if not (found := os.environ.get(name, "")):
        hint = "export it in the shell that runs the workflow; it is written to no file"
        raise AccordError(Problem(where, f"the environment variable {name} is not set", hint))
    return found
