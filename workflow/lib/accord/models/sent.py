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
    """`optional_key`. Raises AccordError also where it is not set."""
    if not (found := optional_key(name, where)):
        hint = "export it in the shell that runs the workflow; it is written to no file"
        raise AccordError(Problem(where, f"the environment variable {name} is not set", hint))
    return found


def optional_key(name: str, where: str) -> str:
    """The value of an environment variable, without spaces and line breaks around it; "" where it is not set.

    Raises AccordError as `in_header`.
    """
    return in_header(os.environ.get(name, "").strip(), f"the environment variable {name}", where)


def in_header(value: str, name: str, where: str) -> str:
    """A value that goes into a header. Raises AccordError, which doesn't tell it, where it can't stand there: Python's
    own error would."""
    if not (value.isascii() and value.isprintable()):
        what = f"{name} has a line break, or a character that isn't ASCII"
        raise AccordError(Problem(where, what, "export the key alone"))
    return value
