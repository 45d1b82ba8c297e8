"""Videos: frames of mp4 files, at fixed times."""

from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from accord.scan.limits import Budget, Unopened
from accord.scan.parts import Inside, Picture
from accord.scan.reading import opened

KNOWN_TIMES = 5
"""Frames of a video by which it is known."""
SEEN_TIMES = 3 * KNOWN_TIMES
"""Frames of a video that are compared: those by which it would be known are among them, at (i + 0.5) / n of its length.
"""
STILLS = (b"heic", b"heix", b"heim", b"heis", b"mif1", b"msf1", b"avif", b"avis", b"crx ")
"""Brands of pictures in the same container."""


class Held(NamedTuple):
    """A video in memory, which is opened as a file is."""

    data: memoryview

    def open(self, mode: str = "rb") -> BinaryIO:
        """Its content, opened for reading."""
        return opened(self.data)


def is_video(data: memoryview) -> bool:
    return bytes(data[4:8]) == b"ftyp" and bytes(data[8:12]) not in STILLS


def frames(data: memoryview, budget: Budget) -> Iterator[Inside]:
    """Upright frames; what a video says in words lies open in its bytes. Sound is not listened to."""
    try:
        from accord.imaging import video
    except ImportError:
        raise Unopened("a video, for which the extra `video` is not installed; searched as raw bytes") from None
    limits = video.Limits(pixels=budget.limits.pixels)
    for frame in video.frames(Held(data), SEEN_TIMES, limits):  # pyrefly: ignore[bad-argument-type]
        budget.spend(frame.pixels.nbytes)
        yield Picture(f"{frame.seconds:.1f} s", frame.pixels)
