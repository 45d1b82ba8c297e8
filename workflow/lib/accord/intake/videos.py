"""One shard of the videos that vendors delivered: checked, with their files in one bundle."""

from pathlib import Path
from typing import NamedTuple

from pandera.typing import DataFrame

from accord.abuse import quarantine
from accord.engine import table
from accord.engine.parameter_types import Folder, Private, Sink
from accord.imaging.bundle import BundleWriter
from accord.intake import shard as of_images
from accord.intake.delivered import shares
from accord.intake.reading import videos
from accord.intake.reading.videos import VideoRecords
from accord.intake.tables import People, Refused, VideoBoxes, Videos


class VideoIntake(NamedTuple):
    """All that intake knows of a shard's videos; people without boxes, which change over time."""

    videos: DataFrame[Videos]
    people: DataFrame[People]
    boxes: DataFrame[VideoBoxes]
    refused: DataFrame[Refused]


def run(
    deliveries: list[Folder], schema: Path, bundle: Sink, *, shard: str, shards: int, vault: Private | None = None,
) -> VideoIntake:  # fmt: skip
    """The videos of the deliveries whose primary subjects live in `shard` (of `shards`), and all that is said of them.

    What isn't taken is a row of `refused` with a reason; no video is decoded. Files are copied piece by piece, so that
    memory doesn't grow with them. Raises AccordError, with all problems, where a delivery as a whole can't be read.
    """
    barred = quarantine.barred(vault) if vault else frozenset()
    records = VideoRecords()
    with BundleWriter(bundle) as writer:
        for one in of_images.load_all(deliveries, schema):
            share = one._replace(tables=shares.split(one.vendor, one.tables, shards)[shard])
            videos.collect(share, records, writer.copy, barred)
    return tables(records)


def tables(records: VideoRecords) -> VideoIntake:
    """The records as checked tables, sorted by their keys."""
    return VideoIntake(
        table.rows(sorted(records.videos), Videos),
        table.rows(sorted(records.people, key=lambda row: row[:2]), People),
        table.rows(sorted(records.boxes), VideoBoxes),
        table.rows(sorted(one.row for one in records.refused), Refused),
    )
