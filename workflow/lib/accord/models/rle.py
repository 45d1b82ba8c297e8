"""Masks as COCO's run lengths, from files that nobody vouches for: checked before any C code reads them.

Run lengths (Lin et al., COCO): columns first, starting with how many pixels are false. In the compressed form each
number is written in groups of 5 bits, lowest first, as characters from `0`; a sixth bit says that more follow, the
fifth bit of the last one is the sign; from the fourth number on, what is written is the difference from the one two
places before.
"""

from typing import Any

import numpy as np

FIRST, MORE, SIGN, BITS = 48, 0x20, 0x10, 5
MOST_GROUPS = 7
"""Groups of one number: 35 bits, more than any picture has pixels."""


def encode(mask: np.ndarray) -> str:
    """COCO's compressed run lengths of a (height, width) bool mask."""
    from pycocotools import mask as coco

    return coco.encode(np.asfortranarray(mask, dtype=np.uint8))["counts"].decode("ascii")


def decode(counts: str, height: int, width: int) -> np.ndarray:
    """The (height, width) bool mask that compressed run lengths stand for."""
    runs = lengths(counts)
    return np.repeat(np.arange(len(runs)) % 2 == 1, runs).reshape(width, height).T


def checked(value: Any, height: int, width: int) -> tuple[str, int]:
    """Compressed run lengths, and how many pixels are true, of a mask that came in a file.

    value: {"size": [height, width], "counts": text or list of lengths}, or rows of true and false (or 1 and 0).
    Raises ValueError where it is none of these, or not of this size.
    """
    if isinstance(value, dict):
        return _of_lengths(value, height, width)
    if not isinstance(value, list):
        raise ValueError("has a mask that is neither run lengths nor rows of true and false")
    mask = _array(value)
    if mask.shape != (height, width):
        raise ValueError(f"has a mask of {_size(mask.shape)} for a picture of {_size((height, width))}")
    if mask.dtype != bool and not (mask.dtype.kind in "iu" and np.isin(mask, (0, 1)).all()):
        raise ValueError("has a mask whose pixels are not true and false")
    return encode(mask), int(mask.sum())


def lengths(text: str) -> np.ndarray:
    """The run lengths (n,) int64 that a compressed text stands for. Raises ValueError where it is none."""
    codes = np.frombuffer(text.encode("utf-8"), dtype=np.uint8).astype(np.int64) - FIRST
    if codes.size and (codes.min() < 0 or codes.max() >= 2 * MORE):
        raise ValueError("has run lengths with an invalid character")
    last = (codes & MORE) == 0
    if codes.size and not last[-1]:
        raise ValueError("has truncated run lengths")
    number = np.concatenate([[0], np.cumsum(last)[:-1]]) if codes.size else np.zeros(0, np.int64)
    starts = np.flatnonzero(np.diff(number, prepend=-1))
    place = np.arange(codes.size) - starts[number] if codes.size else number
    if codes.size and place.max() >= MOST_GROUPS:
        raise ValueError("has a run length of more than 35 bits")
    values = np.zeros(int(last.sum()), dtype=np.int64)
    np.add.at(values, number, (codes & (MORE - 1)) << (BITS * place))
    ends = np.flatnonzero(last)
    negative = (codes[ends] & SIGN) != 0
    values -= np.where(negative, np.int64(1) << (BITS * (place[ends] + 1)), 0)
    # The differences reach two places back from the fourth number on.
    values[1::2], values[2::2] = np.cumsum(values[1::2]), np.cumsum(values[2::2])
    return values


def _of_lengths(value: dict, height: int, width: int) -> tuple[str, int]:
    size, counts = value.get("size"), value.get("counts")
    if size != [height, width]:
        raise ValueError(f"has run lengths of a size that is not [height, width] = [{height}, {width}]")
    if isinstance(counts, str):
        runs = lengths(counts)
    elif isinstance(counts, list) and all(type(count) is int and 0 <= count <= height * width for count in counts):
        runs = np.array(counts, dtype=np.int64)
    else:
        raise ValueError("has run lengths whose counts are neither a text nor a list of lengths")
    if (runs < 0).any() or (runs > height * width).any() or runs.sum() != height * width:
        raise ValueError(f"has run lengths that do not fill {height} x {width} pixels")
    return (counts if isinstance(counts, str) else _compressed(runs, height, width)), int(runs[1::2].sum())


def _compressed(runs: np.ndarray, height: int, width: int) -> str:
    from pycocotools import mask as coco

    given = {"size": [height, width], "counts": runs.tolist()}
    return coco.frPyObjects(given, height, width)["counts"].decode("ascii")


def _array(value: list) -> np.ndarray:
    try:
        return np.asarray(value)
    except (ValueError, OverflowError):
        raise ValueError("has a mask with rows of different lengths") from None


def _size(shape: tuple[int, ...]) -> str:
    return " x ".join(map(str, shape))
