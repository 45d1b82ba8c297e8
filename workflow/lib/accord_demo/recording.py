"""Short videos of one picture: it moves a little, its light flickers, and it is compressed as a camera would."""

import io
import math
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np

from accord.files import replace
from accord_demo.people_of_delivery import Person

SIDE, FRAMES, RATE, BITS = 128, 20, 10, 400_000
"""Of a video: px, frames, frames a second, bits a second. Every fifth frame is shown twice as long as the others."""
SWAY, ZOOM, FLICKER, DARKNESS, NOISE = 0.04, 0.05, 0.06, 0.35, 2.0
"""Largest shift and zoom in shares of the picture; flicker, and light in the dark, in shares of its light; noise."""


def record(path: Path, person: Person, *, dark: bool, turned: int, rng: np.random.Generator) -> None:
    """Write a video of a person. turned: degrees by which players turn it (its frames lie the other way)."""
    path.parent.mkdir(parents=True, exist_ok=True)
    file = io.BytesIO()
    with av.open(file, "w", format="mp4") as container:
        stream = container.add_stream("mpeg4", rate=RATE)
        stream.width = stream.height = SIDE
        stream.pix_fmt, stream.codec_context.bit_rate = "yuv420p", BITS
        stream.codec_context.time_base = Fraction(1, RATE)
        stream.codec_context.thread_count = 1
        if turned:
            stream.set_display_rotation(turned)
        for number, pixels in enumerate(_moving(person.picture, dark, rng)):
            lying = np.ascontiguousarray(np.rot90(pixels, -turned // 90))
            frame = av.VideoFrame.from_ndarray(lying, format="rgb24")
            frame.pts, frame.time_base = number + number // 5, Fraction(1, RATE)
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    replace(path, file.getvalue())


def _moving(picture: np.ndarray, dark: bool, rng: np.random.Generator) -> Iterator[np.ndarray]:
    """The frames, upright: (SIDE, SIDE, 3) uint8 RGB."""
    small = cv2.resize(picture, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    phases = rng.uniform(0, 2 * math.pi, 4)
    for number in range(FRAMES):
        across, down, near, light = np.sin(phases + 2 * math.pi * number / FRAMES * np.array([1, 2, 1, 3]))
        zoom = 1 + ZOOM * near
        rest = (1 - zoom) * SIDE / 2
        shift = np.array([[zoom, 0, rest + SWAY * across * SIDE], [0, zoom, rest + SWAY * down * SIDE]])
        moved = cv2.warpAffine(small, shift, (SIDE, SIDE), borderMode=cv2.BORDER_REPLICATE)
        lit = moved * (DARKNESS if dark else 1.0) * (1 + FLICKER * light) + rng.normal(0, NOISE, moved.shape)
        yield np.clip(lit, 0, 255).astype(np.uint8)
