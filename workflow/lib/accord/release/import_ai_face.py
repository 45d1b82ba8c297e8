"""Reading a shard of an archive in AI-Face's format: faces that are cut out already, taken as they are."""

import hashlib
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from pandera.typing import DataFrame

from accord.engine import kept
from accord.engine.parameter_types import Folder, Former, Sink
from accord.errors import AccordError, Collector, all_problems
from accord.imaging import decode
from accord.imaging.bundle import BundleWriter
from accord.release.archives import archive_files, formats
from accord.release.source_tables import FacePrints, Listed, Sources
from accord.release.sources import assembled
from accord.release.sources.assembled import NO_BOX, Taken
from accord.release.sources.past import Past, remembered
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

KEPT = {"derivatives": Derivatives, "prints": FacePrints}
"""Tables that say from what they were made."""
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


class Importing(NamedTuple):
    """Where pictures are read, and what the last run took of them."""

    root: Path
    past: Past
    basis: str


def run(listed: DataFrame[Listed], *, archive: Folder, terms: dict, files: Sink, former: Former) -> Imported:
    """The pictures of a shard's list, one in memory at a time. An image is a picture, named by its path.

    terms: those of `release.archive.terms`, within which each source's own hold. files: a bundle of the pictures. Those
    whose bytes are as they were are not decoded again. Raises AccordError with every picture that is missing or can't
    be decoded.
    """
    basis = kept.basis("release.import_ai_face", [])
    importing = Importing(formats.root("ai_face", archive), Past.of(former, KEPT), basis)
    taken, made_from = [], {}
    with all_problems() as problems, BundleWriter(files) as writer:
        for row in listed.itertuples(index=False):
            one, digest = _taken(importing, row, writer, problems)
            taken += [one] if one else []
            made_from[row.image] = digest
    derived, sources, prints = assembled.assembled(listed, taken, terms)
    told = remembered({"derivatives": derived.derivatives, "prints": prints}, made_from)
    return Imported(**{**derived._asdict(), "sources": sources, **told})


def _taken(importing: Importing, row: Any, writer: BundleWriter, problems: Collector) -> tuple[Taken | None, str]:
    """The picture of a row, and the digest of what is said of it; no picture where it can't be decoded."""
    try:
        data = archive_files.read(importing.root, row.file)
        digest = kept.digest(importing.basis, hashlib.sha256(data).hexdigest())
        width, height, prints = _held(importing.past, row.image, digest) or _seen(data)
    except ValueError as error:
        problems.add(f"image {row.image}", str(error), HINT)
    except AccordError as error:
        problems.add(f"image {row.image}", error.problems[0].what, HINT)
    else:
        member = writer.add(assembled.member_of(row.image, PurePosixPath(row.file).suffix.lower()), data)
        return Taken(row.image, member, width, height, NO_BOX, prints), digest
    return None, ""


def _held(past: Past, image: str, digest: str) -> tuple[int, int, tuple] | None:
    """Width, height and fingerprints of a picture, as the last run saw it."""
    rows = past.of_image(image, digest)
    if not rows or rows.keys() != KEPT.keys():
        return None
    return rows["derivatives"].width, rows["derivatives"].height, tuple(rows["prints"])[1:]


def _seen(data: bytes) -> tuple[int, int, tuple]:
    """Width, height and fingerprints of a picture, decoded once to see that it can be."""
    pixels = decode.decode(data)
    height, width = pixels.shape[:2]
    return width, height, assembled.prints(pixels)
