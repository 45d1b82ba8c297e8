"""Paints everybody out of a shard's videos but their consenting subjects, and proves it on the written files."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
from pandera.typing import DataFrame

from accord.engine.parameter_types import Former, Sink
from accord.findings import Findings
from accord.imaging.bundle import BundleWriter, window
from accord.intake.tables import VideoBoxes, Videos
from accord.privacy.tables import PaintedVideos, Passages
from accord.privacy.videos import copies, redacting
from accord.privacy.videos.bystanders import How
from accord.privacy.videos.known import people


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
    former: Former,
    *,
    smallest_face: float,
    every: float,
    gap: float,
    pad: float,
) -> Painted:
    """The videos without everybody but the subjects whose boxes are known: frames alone, upright, without sound.

    videos: those that passed consent and checks, so everyone who has boxes in them consents. Painting, proof and the
    settings are those of privacy.video. A video that can't be read, or isn't proven, is in no bundle, and a finding
    fails. Those of the last run are taken over as accord.privacy.videos.copies says. Raises AccordError where a setting
    makes no sense, or a file in the bundle was changed.
    """
    how = How(smallest_face, every, gap, pad)
    redacting.check(how)
    past, made_from = copies.Past.of(former), copies.digests(videos, boxes, how)
    known = boxes.rename(columns={"subject": "person"})
    held: set[str] = set()
    made: dict[str, list] = {name: [] for name in copies.TABLES}
    # Beside the bundle, and removed with it if the job is killed.
    file = painted.with_name(f"{painted.name}.mp4")
    with BundleWriter(painted) as writer:
        for row in videos.sort_values("image").itertuples(index=False):
            moved = past.moved(row.image, made_from[row.image], writer)
            if moved is not None:
                held.add(row.image)
                made["videos"] += moved
                continue
            one = _of_video(row, bundle, known[known["image"] == row.image], file, how)
            made["findings"] += one.findings
            if one.proven:
                made["videos"].append(_written(row, file, one, writer))
                made["passages"] += [(row.image, *passage) for passage in one.passages(pad)]
    return Painted(**copies.tables(past, made_from, held, made))


def _of_video(row: Any, bundle: Path, known: pd.DataFrame, file: Path, how: How) -> redacting.Redacted:
    return redacting.redact(row.image, window(bundle, row), people(known, how.gap), file, how)


def _written(row: Any, file: Path, one: redacting.Redacted, writer: BundleWriter) -> tuple:
    """The row of a written video, which moves into the bundle."""
    with file.open("rb") as opened:
        member = writer.copy(f"{row.image}.mp4", opened, file.stat().st_size)
    file.unlink()
    height, width = one.shape
    return row.image, row.subject, *member, row.sha256, width, height, len(one.all_tracks)
