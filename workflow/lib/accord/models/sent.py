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
    """The value of an environment variable, without spaces and line breaks around it.

    Raises AccordError, which doesn't tell it, where it is not set, or can't stand in a header.
    """
    if not (found := os.environ.get(name, "").strip()):
        hint = "export it in the shell that runs the workflow; it is written to no file"
        raise AccordError(Problem(where, f"the environment variable {name} is not set", hint))
    if not (found.isascii() and found.isprintable()):
        what = f"the environment variable {name} has a line break, or a character that isn't ASCII"
        raise AccordError(Problem(where, what, "export the key alone"))
    return found
