"""Rendering of planned pictures: a JPEG file, and a record of what is on it, for each.

A record is JSON: `tracing.trace`'s annotations, and what the attributes are made from (`light`, `looks`, ...).
A picture depends on the delivery's settings and its own plan alone, not on which process renders it, or when.
"""

import io
from dataclasses import asdict
from typing import NamedTuple

import numpy as np

from accord.errors import AccordError, Problem
from accord_demo.cohort import Looks, Subject
from accord_demo.devices import exif
from accord_demo.draft import SIZE
from accord_demo.picture import Frame, Picture, seed_of

QUALITY = 85
GPS_SPREAD = 0.03
"""Degrees: pictures are taken within some 3 km of their place."""
ATTEMPTS = 12


class Order(NamedTuple):
    """What a process needs to render a picture. size: longest side of the delivery's pictures, px."""

    picture: Picture
    looks: tuple[Looks, ...]
    seed: int
    size: int


def order(picture: Picture, subjects: dict[str, Subject], seed: int, size: int) -> Order:
    """The order for a picture."""
    return Order(picture, tuple(subjects[reference].looks for reference in picture.subjects), seed, size)


def take(order: Order) -> tuple[bytes, dict]:
    """The JPEG of a picture, and its record."""
    from accord_demo.tracing import trace

    picture, frame = order.picture, order.picture.frame
    photograph = _photograph(order)
    rng = np.random.default_rng([seed_of(order.seed, picture.reference), 505])
    record = trace(photograph, rng, order.size / SIZE)
    for person, shown in zip(record["people"], photograph.people, strict=False):
        person["looks"] = _looks(shown.person)
    record["light"], record["towards_light"] = photograph.light, [round(v, 3) for v in photograph.light_direction]
    assert photograph.head_yaw is not None and photograph.head_pitch is not None  # somebody is in every picture
    record["pose"], record["yaw"] = photograph.pose, round(float(photograph.head_yaw), 1)
    record["pitch"] = round(float(photograph.head_pitch), 1)
    pixels = _blurred(photograph.pixels, frame.blur)
    return encode(pixels, picture, exif_of(picture, order.seed)), record


def exif_of(picture: Picture, seed: int) -> bytes:
    """The EXIF block of a picture; empty where it has none."""
    if not picture.has_exif:
        return b""
    own = seed_of(seed, picture.reference)
    north, east = np.random.default_rng([own, 606]).uniform(-GPS_SPREAD, GPS_SPREAD, 2)
    at = picture.place.latitude + north, picture.place.longitude + east
    return exif(picture.device, picture.taken, *at, picture.frame.setting, picture.orientation, own)


def encode(pixels: np.ndarray, picture: Picture, block: bytes) -> bytes:
    """A JPEG of upright pixels, stored in the picture's orientation (1, or 6: turned a quarter to the left)."""
    from PIL import Image

    image = Image.fromarray(pixels)
    if picture.orientation == 6:
        image = image.transpose(Image.Transpose.ROTATE_90)
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=QUALITY, optimize=True, **({"exif": block} if block else {}))
    return buffer.getvalue()


def _photograph(order: Order):
    """The rendered picture. Where objects find no room beside the people, another try with other poses.

    Raises AccordError where none succeeds.
    """
    from accord_demo.render import Shot, photograph, sample_person

    picture, frame = order.picture, order.picture.frame
    people = tuple(sample_person(**asdict(looks)) for looks in order.looks)
    reason = ""
    for attempt in range(ATTEMPTS):
        seed = seed_of(order.seed, picture.reference, str(attempt))
        shot = Shot(people, seed, **_arguments(frame))
        try:
            return photograph(shot)
        except ValueError as error:
            reason = str(error)
    raise AccordError(Problem(picture.reference, reason, "choose another seed or a larger size"))


def _arguments(frame: Frame) -> dict:
    return {name: value for name, value in frame._asdict().items() if name != "blur"}


def _blurred(pixels: np.ndarray, sigma: float) -> np.ndarray:
    from PIL import Image, ImageFilter

    if not sigma:
        return pixels
    return np.asarray(Image.fromarray(pixels).filter(ImageFilter.GaussianBlur(sigma)))


def _looks(person) -> dict:
    """What annotators see of a person."""
    return {
        "tone": round(float(person.tone), 2), "hair": person.hair, "hair_colour": person.hair_colour,
        "beard": person.beard, "eye_colour": person.eye_colour, "makeup": bool(person.makeup),
    }  # fmt: skip
