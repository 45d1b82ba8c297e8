"""Proves, on a painted video as it is written, that it holds pictures alone, and in no frame anybody unknown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from accord.checks.personal import bystanders
from accord.findings import FAIL, PASS
from accord.imaging import video
from accord.imaging.video import VideoRefusedError
from accord.models.detectors import BLAZEFACE_SIDE, THRESHOLDS, faces_blazeface
from accord.privacy.videos import container
from accord.privacy.videos.bystanders import Bystanders, How
from accord.privacy.videos.known import People
from accord.privacy.videos.proofs import FACES, FILLED, FRAMES, METADATA
from accord.privacy.videos.writing import FILL

EDGE = 4
"""Px at the edge of a painted box that compression may blend with what is beside it."""
FAR = 24
"""Levels of 255 by which compression may change the fill inside."""
MAX_UNFILLED = 0.01
"""Share of a painted box that may differ by more."""


class Seen(NamedTuple):
    """What is seen in the frames of a written video: how many they are, whether each is shown when it should be; the
    largest share of a box that isn't filled; the best score of a face of nobody known, in how many frames there is one,
    and in which second first."""

    frames: int = 0
    in_time: bool = True
    unfilled: float = 0.0
    score: float = 0.0
    faces: int = 0
    first: float = 0.0


def findings(image: str, written: Path, strangers: Bystanders, people: People, how: How) -> Iterator[dict]:
    """Findings (records) on a written video, which fail where it is not proven.

    All is read from the file: its boxes, the time of each frame, the fill in each painted box, and faces, which
    BlazeFace looks for in each whole frame; it is not the detector that the bystanders were found with.
    """
    found = container.violations(written)
    reason = "; ".join(found) if found else "the file contains only pictures"
    yield finding(image, METADATA, float(len(found)), 0.0, bool(found), reason)
    try:
        seen = _seen(written, strangers, people, how)
    except VideoRefusedError as error:
        yield finding(image, FRAMES, None, None, True, f"the painted video {error.problems[0].what}")
        return
    whole = len(strangers.ticks)
    lost = seen.frames != whole or not seen.in_time
    reason = f"{seen.frames} of {whole} frames are shown" + (", not all in their time" if lost else " in their time")
    yield finding(image, FRAMES, float(seen.frames), float(whole), lost, reason)
    left = seen.unfilled > MAX_UNFILLED
    reason = f"{seen.unfilled:.0%} of a painted box is not filled" if left else "all painted boxes are filled"
    yield finding(image, FILLED, seen.unfilled, MAX_UNFILLED, left, reason)
    again = f"a face of nobody known is in {seen.faces} frames, first at {seen.first:.1f} s"
    reason = again if seen.faces else f"finds nobody unknown in {seen.frames} frames"
    yield finding(image, FACES, seen.score, THRESHOLDS[FACES], seen.faces > 0, reason)


def finding(image: str, check: str, score: float | None, threshold: float | None, failed: bool, reason: str) -> dict:
    """A record of Findings."""
    values = {"score": score, "threshold": threshold, "verdict": FAIL if failed else PASS, "reason": reason}
    return {"image": image, "check": check, **values}


def _seen(written: Path, strangers: Bystanders, people: People, how: How) -> Seen:
    seen = Seen()
    for stored in video.every(written):
        pixels = stored.pixels()
        in_time = stored.index < len(strangers.ticks) and stored.ticks == strangers.ticks[stored.index]
        unfilled = max((_unfilled(pixels, box) for box in strangers.at(stored.seconds, how.pad)), default=0.0)
        score = max(_strangers(pixels, stored.seconds, people, how.smallest_face), default=0.0)
        seen = Seen(
            stored.index + 1,
            seen.in_time and bool(in_time),
            max(seen.unfilled, unfilled),
            max(seen.score, score),
            seen.faces + (score > 0),
            stored.seconds if score and not seen.faces else seen.first,
        )
    return seen


def _unfilled(pixels: np.ndarray, box: np.ndarray) -> float:
    """Share of a box, without its edge, that is not the fill."""
    left, top, right, bottom = box
    part = pixels[top + EDGE : bottom - EDGE, left + EDGE : right - EDGE].astype(int)
    return float((np.abs(part - FILL).max(-1) > FAR).mean()) if part.size else 0.0


def _strangers(pixels: np.ndarray, seconds: float, people: People, smallest: float) -> list[float]:
    """Scores of faces in a frame that nobody known has."""
    times = bystanders.FACE_PIXELS / (BLAZEFACE_SIDE * smallest)
    found = list(bystanders.in_tiles(pixels, faces_blazeface, times))
    return [one.score for one in bystanders.unknown(found, people.at(seconds, pixels.shape), pixels.shape)]
