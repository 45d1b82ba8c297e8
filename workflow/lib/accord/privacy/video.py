"""Paints everybody out of one video but the people who may stay in it, and proves it on the written file.

A tool for one video, which a person runs alone; a run paints the videos of deliveries by privacy.paint_videos.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import NamedTuple

from pandera.typing import DataFrame

from accord.engine import table
from accord.engine.parameter_types import Sink
from accord.findings import Findings
from accord.privacy.tables import KnownBoxes, VideoTracks
from accord.privacy.videos import redacting
from accord.privacy.videos.bystanders import How
from accord.privacy.videos.known import people
from accord.privacy.videos.tracks import Track

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
    redacting.check(how)
    with file.open("rb") as data:
        name = hashlib.file_digest(data, "sha256").hexdigest()[:NAME]
    made = redacting.redact(name, file, people(known, gap), painted, how)
    if not made.proven:
        painted.touch()
    return PaintedVideo(table.rows(made.findings, Findings), table.rows(_rows(made.tracks), VideoTracks))


def _rows(tracks: dict[str, list[Track]]) -> list[tuple]:
    """Rows of VideoTracks."""
    return [
        (number, check, float(seconds), left, top, right - left, bottom - top)
        for number, (check, track) in enumerate((check, track) for check in tracks for track in tracks[check])
        for seconds, (left, top, right, bottom) in zip(track.seconds, track.boxes.tolist(), strict=True)
    ]
