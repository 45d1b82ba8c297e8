"""Reading a shard of an archive in AI-Face's format: faces that are cut out already, taken as they are."""

from pathlib import PurePosixPath
from typing import Any, NamedTuple

from pandera.typing import DataFrame

from accord.engine.parameter_types import Folder, Sink
from accord.errors import AccordError, Collector, all_problems
from accord.imaging import decode
from accord.imaging.bundle import BundleWriter
from accord.release.archives import archive_files, formats
from accord.release.source_tables import FacePrints, Listed, Sources
from accord.release.sources import assembled
from accord.release.sources.assembled import NO_BOX, Taken
from accord.release.tables import (
    Attributes,
    Checked,
    Derivatives,
    Faces,
    Keypoints,
    People,
    PublicImages,
    Segments,
    Terms,
)

HINT = "is the archive whole and unchanged?"


class Imported(NamedTuple):
    """The tables of a shard, as `shard_tables.Derived`; the sources of its pictures, and their fingerprints."""

    derivatives: DataFrame[Derivatives]
    faces: DataFrame[Faces]
    people: DataFrame[People]
    attributes: DataFrame[Attributes]
    keypoints: DataFrame[Keypoints]
    segments: DataFrame[Segments]
    public: DataFrame[PublicImages]
    aggregate: DataFrame[Attributes]
    checked: DataFrame[Checked]
    terms: DataFrame[Terms]
    sources: DataFrame[Sources]
    prints: DataFrame[FacePrints]


def run(listed: DataFrame[Listed], *, archive: Folder, terms: dict, files: Sink) -> Imported:
    """The pictures of a shard's list, one in memory at a time. An image is a picture, named by its path.

    terms: those of `release.archive.terms`, within which each source's own hold. files: a bundle of the pictures.
    Raises AccordError with every picture that is missing or can't be decoded.
    """
    root = formats.root("ai_face", archive)
    with all_problems() as problems, BundleWriter(files) as writer:
        taken = [one for row in listed.itertuples(index=False) for one in _taken(root, row, writer, problems)]
    derived, sources, prints = assembled.assembled(listed, taken, terms)
    return Imported(*derived, sources, prints)


def _taken(root: Any, row: Any, writer: BundleWriter, problems: Collector) -> list[Taken]:
    """The picture of a row, decoded once to see that it can be; none where it can't."""
    try:
        data = archive_files.read(root, row.file)
        pixels = decode.decode(data)
    except ValueError as error:
        problems.add(f"image {row.image}", str(error), HINT)
    except AccordError as error:
        problems.add(f"image {row.image}", error.problems[0].what, HINT)
    else:
        member = writer.add(assembled.member_of(row.image, PurePosixPath(row.file).suffix.lower()), data)
        height, width = pixels.shape[:2]
        return [Taken(row.image, member, width, height, NO_BOX, assembled.prints(pixels))]
    return []
