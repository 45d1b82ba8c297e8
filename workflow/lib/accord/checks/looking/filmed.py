"""What is seen in one video: a match with a list of known abuse material first, then what people have to look at."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from accord.checks.deciding.limits import Finding, failed, passed
from accord.checks.looking import frames
from accord.checks.looking.frames import How, Sight
from accord.checks.looking.known import Listed, Match
from accord.imaging import fingerprint, video
from accord.imaging.bundle import Window
from accord.imaging.video import Frame, VideoRefusedError

DECODE = "decode"


class Seen(NamedTuple):
    """What was found in a video: matches with lists, what people have to look at, and findings."""

    matches: list[Match]
    sights: list[Sight]
    findings: list[Finding]


def look(image: str, file: Window, listed: Listed, how: Callable[[], How], count: int) -> Seen:
    """Look at `count` frames of a video at fixed times.

    What is on a list, or can't be decoded, is looked at no further. how: asked for where it is needed: it loads models.
    """
    matches = list(listed.of_file(image, lambda kind: _digest(file, kind)))
    sights: list[Sight] = []
    looked = 0
    try:
        for frame in () if matches else _distinct(video.frames(file, count)):
            matches += _matches(image, frame, listed)
            if matches:
                break
            sights += frames.look(image, frame._replace(index=looked), how())
            looked += 1
    except VideoRefusedError as error:
        return Seen([], [], [failed(image, DECODE, f"the video {error.problems[0].what}")])
    if matches:
        return Seen(matches, [], [])
    decoded = passed(image, DECODE, "can be decoded")
    return Seen([], sights, [decoded, *frames.findings(image, sights, looked)])


def _digest(file: Window, kind: str) -> str:
    with file.open() as opened:
        return hashlib.file_digest(opened, lambda: hashlib.new(kind, usedforsecurity=False)).hexdigest()


def _matches(image: str, frame: Frame, listed: Listed) -> Iterator[Match]:
    if listed.pictures:
        yield from listed.of_picture(image, *fingerprint.pdq(fingerprint.thumbnail(frame.pixels)))


def _distinct(shown: Iterator[Frame]) -> Iterator[Frame]:
    """Frames of which each differs from the one before: one that stays for several of the times is looked at once."""
    before = None
    for frame in shown:
        if before is None or not np.array_equal(before, frame.pixels):
            yield frame
        before = frame.pixels
