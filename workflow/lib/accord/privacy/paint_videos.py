"""Paints everybody out of a shard's videos but their consenting subjects, and proves it on the written files."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
from pandera.typing import DataFrame

from accord.engine import table
from accord.engine.parameter_types import Sink
from accord.findings import Findings
from accord.imaging.bundle import BundleWriter, window
from accord.intake.tables import VideoBoxes, Videos
from accord.privacy.tables import PaintedVideos, Passages
from accord.privacy.videos import redacting
from accord.privacy.videos.bystanders import How
from accord.privacy.videos.known import people
from accord.privacy.videos.tracks import spans


class Painted(NamedTuple):
    """The videos that were painted and proven, where in them somebody is painted over, and the findings on all."""

    videos: DataFrame[PaintedVideos]
    passages: DataFrame[Passages]
    findings: DataFrame[Findings]


def run(
    videos: DataFrame[Videos],
    boxes: DataFrame[VideoBoxes],
    bundle: Path,
    painted: Sink,
    *,
    smallest_face: float,
    every: float,
    gap: float,
    pad: float,
) -> Painted:
    """The videos without everybody but the subjects whose boxes are known: frames alone, upright, without sound.

    videos: those that passed consent and checks, so everyone who has boxes in them consents. Painting, proof and the
    settings are those of privacy.video. A video that can't be read, or isn't proven, is in no bundle, and a finding
    fails. Raises AccordError where a setting makes no sense, or a file in the bundle was changed.
    """
    how = How(smallest_face, every, gap, pad)
    redacting.check(how)
    known = boxes.rename(columns={"subject": "person"})
    made, found, passages = [], [], []
    # Beside the bundle, and removed with it if the job is killed.
    file = painted.with_name(f"{painted.name}.mp4")
    with BundleWriter(painted) as writer:
        for row in videos.sort_values("image").itertuples(index=False):
            one = _of_video(row, bundle, known[known["image"] == row.image], file, how)
            found += one.findings
            if one.proven:
                made.append(_kept(row, file, one, writer))
                every_track = [track for tracks in one.tracks.values() for track in tracks]
                passages += [(row.image, *passage) for passage in spans(every_track, pad)]
    tables = table.rows(made, PaintedVideos), table.rows(passages, Passages)
    return Painted(*tables, table.rows(found, Findings))


def _of_video(row: Any, bundle: Path, known: pd.DataFrame, file: Path, how: How) -> redacting.Redacted:
    return redacting.redact(row.image, window(bundle, row), people(known, how.gap), file, how)


def _kept(row: Any, file: Path, one: redacting.Redacted, writer: BundleWriter) -> tuple:
    """The row of a written video, which moves into the bundle."""
    with file.open("rb") as opened:
        member = writer.copy(f"{row.image}.mp4", opened, file.stat().st_size)
    file.unlink()
    height, width = one.shape
    return row.image, row.subject, *member, row.sha256, width, height, sum(map(len, one.tracks.values()))
