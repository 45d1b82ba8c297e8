"""Look at frames of a shard's videos: for known abuse material first, then for what people have to look at."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.abuse import hash_lists
from accord.checks.deciding.limits import Finding, failed, passed
from accord.checks.looking import frames, known, logos
from accord.checks.looking.frames import How, Sight
from accord.checks.looking.known import Listed, Match
from accord.checks.personal import offensive
from accord.checks.tables.findings import Findings
from accord.checks.tables.videos import FramesSeen
from accord.engine import table
from accord.engine.parameter_types import Folder, Private
from accord.findings import FAIL
from accord.imaging import fingerprint, video
from accord.imaging.bundle import Window, window
from accord.imaging.video import Frame, VideoRefusedError
from accord.intake.tables import Videos

DECODE = "decode"


class Looked(NamedTuple):
    """The videos that privacy may open, what was seen in their frames, and the findings on all."""

    videos: DataFrame[Videos]
    seen: DataFrame[FramesSeen]
    findings: DataFrame[Findings]


class Video(NamedTuple):
    """What was found in one: matches with lists, what people have to look at, and findings."""

    matches: list[Match]
    sights: list[Sight]
    findings: list[Finding]


def run(
    videos: DataFrame[Videos],
    bundle: Path,
    lists: list[Path],
    words: list[Path],
    gallery: list[Path],
    brands: Path,
    *,
    video_frames: int,
    text_side: int,
    min_text_score: float,
    max_nudity: float,
    logo_score: float,
    models: dict,
    weights: Folder,
    vault: Private,
) -> Looked:
    """Findings decode, safety_known, safety_nudity, safety_text, personal_data and logo of each video.

    `video_frames` frames of each, at fixed times, are looked at one by one, as pictures are. What is on one of the
    `lists` of known abuse material (the file, or a frame), or can't be decoded, is looked at no further, and no later
    step opens it; a match is in the vault before anything else happens, and takes out all videos of its subject. What
    else is seen waits for a person. lists, words, gallery, brands: files of the user's; models: `logo`, an entry of
    models.yaml, or none. Raises AccordError where the bundle is not as it was written, a list or a model is broken.
    """
    listed = known.listed(hash_lists.read(lists))
    by = logos.detectors(gallery, brands, logo_score, weights, models["logo"])
    how = How(offensive.read(words), by, text_side, min_text_score, max_nudity)
    matches, sights, findings = [], [], []
    for row in videos.sort_values("image").itertuples(index=False):
        one = _video(row, window(bundle, row), listed, how, video_frames)
        known.record(one.matches, videos, vault)
        matches += one.matches
        sights += one.sights
        findings += one.findings
    of_known = known.findings_of(videos, matches, are_listed=bool(lists), vault=vault)
    made = pd.concat([part for part in (table.rows(findings, Findings), of_known) if len(part)] or [of_known])
    stopped = set(made.loc[made["verdict"] == FAIL, "image"])
    cleared = videos[~videos["image"].isin(stopped)].sort_values("image", ignore_index=True)
    seen = [sight for sight in sights if sight.image not in stopped]
    return Looked(cleared, table.rows(seen, FramesSeen), made.sort_values(["image", "check"], ignore_index=True))


def _video(row: Any, file: Window, listed: Listed, how: How, count: int) -> Video:
    matches = list(listed.of_file(row.image, lambda kind: _digest(file, kind)))
    sights: list[Sight] = []
    looked = 0
    try:
        for frame in () if matches else _distinct(video.frames(file, count)):
            matches += _matches(row.image, frame, listed)
            if matches:
                break
            sights += frames.look(row.image, frame._replace(index=looked), how)
            looked += 1
    except VideoRefusedError as error:
        return Video([], [], [failed(row.image, DECODE, f"the video {error.problems[0].what}")])
    if matches:
        return Video(matches, [], [])
    decoded = passed(row.image, DECODE, "can be decoded")
    return Video([], sights, [decoded, *frames.findings(row.image, sights, looked)])


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
