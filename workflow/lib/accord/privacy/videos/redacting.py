"""One video without everybody unknown, written and proven, or not there at all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from accord.errors import all_problems
from accord.findings import FAIL
from accord.imaging import video
from accord.imaging.video import Openable, VideoRefusedError
from accord.privacy.videos import bystanders, proofs, proving, writing
from accord.privacy.videos.bystanders import Bystanders, How
from accord.privacy.videos.known import People
from accord.privacy.videos.tracks import Track, spans
from accord.privacy.videos.writing import Picture


class Redacted(NamedTuple):
    """What was found in the written video (records of Findings), whom it was painted over, by detector, and its size:
    height, width."""

    findings: list[dict]
    tracks: dict[str, list[Track]]
    shape: tuple[int, int] = (0, 0)

    @property
    def proven(self) -> bool:
        """Whether no finding fails."""
        return all(one["verdict"] != FAIL for one in self.findings)

    @property
    def all_tracks(self) -> list[Track]:
        """The tracks of all detectors."""
        return [track for tracks in self.tracks.values() for track in tracks]

    def passages(self, pad: float) -> list[tuple[float, float]]:
        """From when to when, in seconds, somebody is painted over."""
        return spans(self.all_tracks, pad)


def redact(name: str, file: Openable, allowed: People, painted: Path, how: How) -> Redacted:
    """Write a video without anybody who isn't allowed in it, and prove it; findings name it `name`.

    Nothing unproven is left, by an error neither.
    """
    tracks: dict[str, list[Track]] = {}
    made = None
    painted.unlink(missing_ok=True)
    try:
        strangers = bystanders.found(file, allowed, how)
        tracks = strangers.tracks
        writing.write(painted, _pictures(file, strangers, how.pad), strangers.unit)
        found = [proving.finding(name, proofs.READ, None, None, False, "can be read")]
        found += proving.findings(name, painted, strangers, allowed, how)
        made = Redacted(found, tracks, strangers.shape)
    except VideoRefusedError as error:
        return Redacted([proving.finding(name, proofs.READ, None, None, True, error.problems[0].what)], tracks)
    finally:
        if made is None or not made.proven:
            painted.unlink(missing_ok=True)
    return made


def check(how: How) -> None:
    """Raises AccordError with all settings that make no sense."""
    with all_problems() as problems:
        if not 0 < how.smallest_face <= 1:
            problems.add("--smallest-face", "must be more than 0 and at most 1", "it is a share of the longer side")
        for name, seconds in (("every", how.every), ("gap", how.gap), ("pad", how.pad)):
            if not 0 < seconds < float("inf"):
                problems.add(f"--{name}", "must be more than 0 seconds")
        if how.every > min(how.gap, how.pad):
            problems.add("--every", "must not be more than --gap or --pad", "somebody could be seen between two looks")


def _pictures(file: Openable, strangers: Bystanders, pad: float) -> Iterator[Picture]:
    for stored in video.every(file):
        boxes = strangers.at(stored.seconds, pad)
        yield Picture(stored.ticks, stored.duration, writing.painted(stored.pixels(), boxes))
