"""What is looked for in frames of videos, as in pictures: nudity, offensive words, personal data, logos.

People are not: those who may not be seen are painted out of every frame, which privacy proves.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd

from accord.checks.brands.detectors import View
from accord.checks.deciding.limits import Finding, passed
from accord.checks.looking import logos, personal_data, texts
from accord.checks.looking.logos import Detectors
from accord.checks.tables.findings import Texts
from accord.engine import table
from accord.findings import REVIEW
from accord.imaging.video import Frame
from accord.models import nudity
from accord.text.listed_words import Words, holds
from accord.text.nouns import counted

NUDITY, TEXT = "safety_nudity", "safety_text"
CHECKS = {NUDITY: "nudity", TEXT: "a listed word", personal_data.CHECK: "personal data", logos.CHECK: "a logo"}
"""What is looked for, by the name of the check, as findings say it."""


class How(NamedTuple):
    """What frames are looked at with: offensive words, detectors of logos, and limits as the checks of pictures have
    them."""

    words: Words
    logos: Detectors
    text_side: int
    min_text_score: float
    max_nudity: float


class Sight(NamedTuple):
    """Something in a frame that a person has to look at: a row of FramesSeen."""

    image: str
    check: str
    frame: int
    seconds: float
    kind: str
    polygon: list[float]
    score: float
    threshold: float
    reason: str


def look(image: str, frame: Frame, how: How) -> Iterator[Sight]:
    """All that is seen in a frame of a video, above the limits."""
    at = (frame.index, round(frame.seconds, 3))
    nude = nudity.scorer().score(frame.pixels)
    if nude > how.max_nudity:
        yield Sight(image, NUDITY, *at, "", [], nude, how.max_nudity, "may show nudity")
    read = table.rows(texts.lines(image, frame.pixels, how.text_side), Texts)
    listed = sum(holds(text, how.words) for text in read["text"])
    if listed:
        yield Sight(image, TEXT, *at, "", [], float(listed), 0.0, f"a listed word in {counted(listed, 'line')} of text")
    for check, seen in _things(frame.pixels, read, how):
        yield Sight(image, check, *at, seen.kind, list(seen.polygon), seen.score, seen.threshold, seen.reason)


def _things(pixels: np.ndarray, read: pd.DataFrame, how: How) -> Iterator[tuple]:
    """(check, Seen) of personal data and logos."""
    if len(read):
        yield from ((personal_data.CHECK, one) for one in personal_data.things(pixels, read, how.min_text_score))
    detectors = (*how.logos.reading, *how.logos.looking)
    found = (one for detector in detectors for one in detector.detect(View(pixels, read)))
    yield from ((logos.CHECK, one) for one in logos.apart(one for one in found if one.score >= one.threshold))


def findings(image: str, sights: list[Sight], looked: int) -> Iterator[Finding]:
    """A finding of each check on a video of which `looked` frames were looked at: what was seen waits for a person."""
    for check, what in CHECKS.items():
        own = [sight for sight in sights if sight.check == check]
        frames = len({sight.frame for sight in own})
        if not own:
            yield passed(image, check, f"nothing in {counted(looked, 'frame')}")
        else:
            best = max(own, key=lambda sight: sight.score)
            reason = f"possibly {what} in {frames} of {counted(looked, 'frame')}, first at {own[0].seconds:.1f} s"
            yield Finding(image, check, best.score, best.threshold, REVIEW, reason)
