"""Paints everybody out of one video but the people who may stay in it, and proves it on the written file.

A tool for one video, which a person runs alone: no rule does, since deliveries hold no videos.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from pandera.typing import DataFrame

from accord.engine import table
from accord.engine.parameter_types import Sink
from accord.errors import all_problems
from accord.findings import FAIL, Findings
from accord.imaging import video
from accord.imaging.video import VideoRefusedError
from accord.privacy.tables import KnownBoxes, VideoTracks
from accord.privacy.videos import bystanders, proving, writing
from accord.privacy.videos.bystanders import Bystanders, How
from accord.privacy.videos.known import People, people
from accord.privacy.videos.tracks import Track
from accord.privacy.videos.writing import Picture

NAME = 16


class PaintedVideo(NamedTuple):
    """What was found in the painted video, and whom it was painted over."""

    findings: DataFrame[Findings]
    tracks: DataFrame[VideoTracks]


def run(
    file: Path,
    known: DataFrame[KnownBoxes],
    painted: Sink,
    *,
    smallest_face: float = 0.03,
    every: float = 0.2,
    gap: float = 1.0,
    pad: float = 0.5,
) -> PaintedVideo:
    """One mp4 video without everybody but `known`: its frames alone, upright, grey where others are, without sound.

    Faces (YuNet) and trunks (BlazePose) that no known box explains are looked for `every` so many seconds, joined to
    tracks over at most `gap` seconds without one, and painted with the likely body in each frame, from `pad` seconds
    before the first to `pad` after the last. smallest_face: width of the smallest face, as a share of a frame's longer
    side. Known boxes are linear between two of a person at most `gap` seconds apart. What is written is read again
    (accord.privacy.videos.proving). Where it is not proven, or the video can't be read, a finding fails, and `painted`
    is an empty file. Raises AccordError where a setting makes no sense. Findings name the video by the beginning of its
    sha256.
    """
    how = How(smallest_face, every, gap, pad)
    _check(how)
    with file.open("rb") as data:
        name = hashlib.file_digest(data, "sha256").hexdigest()[:NAME]
    found, strangers = _painted(name, file, people(known, gap), painted, how)
    if any(one["verdict"] == FAIL for one in found):
        painted.unlink(missing_ok=True)
        painted.touch()
    return PaintedVideo(table.rows(found, Findings), table.rows(_rows(strangers), VideoTracks))


def _painted(
    name: str, file: Path, allowed: People, painted: Path, how: How
) -> tuple[list[dict], dict[str, list[Track]]]:
    """Findings (records) on the painted file, and whom it was painted over. Nothing unproven is left by an error."""
    tracks: dict[str, list[Track]] = {}
    proven = False
    painted.unlink(missing_ok=True)
    try:
        strangers = bystanders.found(file, allowed, how)
        tracks = strangers.tracks
        writing.write(painted, _pictures(file, strangers, how.pad), strangers.unit)
        found = [proving.finding(name, proving.READ, None, None, False, "can be read")]
        found += proving.findings(name, painted, strangers, allowed, how)
        proven = True
    except VideoRefusedError as error:
        return [proving.finding(name, proving.READ, None, None, True, error.problems[0].what)], tracks
    finally:
        if not proven:
            painted.unlink(missing_ok=True)
    return found, tracks


def _check(how: How) -> None:
    with all_problems() as problems:
        if not 0 < how.smallest_face <= 1:
            problems.add("--smallest-face", "must be more than 0 and at most 1", "it is a share of the longer side")
        for name, seconds in (("every", how.every), ("gap", how.gap), ("pad", how.pad)):
            if not 0 < seconds < float("inf"):
                problems.add(f"--{name}", "must be more than 0 seconds")
        if how.every > min(how.gap, how.pad):
            problems.add("--every", "must not be more than --gap or --pad", "somebody could be seen between two looks")


def _pictures(file: Path, strangers: Bystanders, pad: float) -> Iterator[Picture]:
    for stored in video.every(file):
        boxes = strangers.at(stored.seconds, pad)
        yield Picture(stored.ticks, stored.duration, writing.painted(stored.pixels(), boxes))


def _rows(tracks: dict[str, list[Track]]) -> list[tuple]:
    """Rows of VideoTracks."""
    return [
        (number, check, float(seconds), left, top, right - left, bottom - top)
        for number, (check, track) in enumerate((check, track) for check in tracks for track in tracks[check])
        for seconds, (left, top, right, bottom) in zip(track.seconds, track.boxes.tolist(), strict=True)
    ]
