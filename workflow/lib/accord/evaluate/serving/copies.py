"""The same picture twice in a query: the whole, or the face that was annotated in it, has nearly the same PDQ hash."""

import hashlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from accord.imaging.face_squares import square
from accord.imaging.fingerprint import MIN_QUALITY, pdq, thumbnail
from accord.imaging.hamming import distances, words

PARTS = ("picture", "face")
MISSING = 257
"""Bits to a hash that is not there: more than any two differ by."""


class Seen(NamedTuple):
    """What is compared of a picture: a digest of its pixels; the hash of the whole and of the face, "" where there is
    none, or too flat to be told from others."""

    image: str
    digest: str
    hashes: tuple[str, str]


class Copy(NamedTuple):
    """A picture that is left out, the one that stays, in what they are alike, and by how many bits they differ."""

    image: str
    kept: str
    found_by: str
    distance: int


def seen(image: str, picture: np.ndarray, face: np.ndarray | None) -> Seen:
    """What is compared of a picture (height, width, 3) uint8 RGB; face: (4,) x0, y0, x1, y1, None for none."""
    digest = hashlib.sha256(repr(picture.shape).encode() + np.ascontiguousarray(picture).tobytes()).hexdigest()
    return Seen(image, digest, (_hash(thumbnail(picture)), "" if face is None else _hash(square(picture, face))))


def copies(some: Sequence[Seen], most: int) -> Iterator[Copy]:
    """The copies among the pictures of one query; most: bits by which two hashes of copies differ.

    The picture with the most copies stays, then that with the first id; none is left out but for one that stays, so
    that chains of small steps are not followed.
    """
    ordered = sorted(some, key=lambda one: one.image)
    apart = np.array([_apart(ordered, part) for part in range(len(PARTS))])
    same = np.array([[one.digest == other.digest for other in ordered] for one in ordered], bool)
    apart[0][same.reshape(apart[0].shape)] = 0
    near = np.any(apart <= most, axis=0) & ~np.eye(len(ordered), dtype=bool)
    stays: list[int] = []
    for place in np.argsort(-near.sum(axis=1), kind="stable"):
        kept = [one for one in stays if near[place, one]]
        if not kept:
            stays.append(int(place))
            continue
        part = int(apart[0, place, kept].min() > most)
        other = kept[apart[part, place, kept].argmin()]
        yield Copy(ordered[place].image, ordered[other].image, PARTS[part], int(apart[part, place, other]))


def _hash(pixels: np.ndarray) -> str:
    found, quality = pdq(pixels)
    return found if quality >= MIN_QUALITY else ""


def _apart(some: Sequence[Seen], part: int) -> np.ndarray:
    """(n, n) bits between the hashes of a part."""
    none = np.array([not one.hashes[part] for one in some], bool)
    made = words([one.hashes[part] or "0" * 64 for one in some])
    return np.where(none[:, np.newaxis] | none, MISSING, distances(made[:, np.newaxis], made))
