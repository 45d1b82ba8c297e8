"""Reading a shard of an unpacked FHIBE archive: the tables that `derive` makes of a delivery."""

from pathlib import Path

import pandas as pd

from accord.engine import table
from accord.engine.parameter_types import Folder, Sink
from accord.errors import Collector, all_problems
from accord.imaging.bundle import BundleWriter
from accord.release.archives import fhibe_tables, formats
from accord.release.archives.fhibe_pictures import Copier
from accord.release.format import parsed
from accord.release.format.face_geometry import geometries
from accord.release.format.fhibe import WHOLE_TABLE
from accord.release.format.parsed import Row
from accord.release.making.shard_tables import Derived, assemble
from accord.release.making.terms import of_archive
from accord.release.tables import Attributes, Checked, Keypoints, People, PublicImages, Segments


def run(archive: Folder, *, shard: str, shards: int, terms: dict, files: Sink) -> Derived:
    """The images of a shard, under FHIBE's own ids. No cell is evaluated, and no file outside the archive is read.

    terms: those of `release.archive.terms`. Raises AccordError with every cell and file that can't be read, and where
    the terms are more than FHIBE's licence allows.
    """
    stated = formats.terms("fhibe", terms)
    root = formats.root("fhibe", archive)
    rows = fhibe_tables.rows_of_shard(root, shard, shards)
    with all_problems() as problems:
        primary, said = _annotations([Row(cells, problems) for cells in rows], problems)
    with all_problems() as problems, BundleWriter(files) as writer:
        copier = Copier(root, writer, problems)
        _copy(root, primary, said, copier)
    allowed = of_archive(primary, stated)
    return assemble(derivatives=copier.files, faces=copier.homographies, terms=allowed, **said)


def _annotations(rows: list[Row], problems: Collector) -> tuple[dict[str, Row], dict[str, pd.DataFrame]]:
    """The row of each image's primary subject, and the tables."""
    people = [parsed.person(row) for row in rows]
    primary = {row.image: row for row, person in zip(rows, people, strict=True) if person[2]}
    for image in sorted({row.image for row in rows} - primary.keys()):
        problems.add(f"{WHOLE_TABLE}, image {image}", "has no primary subject", "is the archive whole?")
    return primary, {
        "people": table.rows(people, People),
        "attributes": table.rows((found for row in rows for found in parsed.attributes(row)), Attributes),
        "keypoints": table.rows((found for row in rows for found in parsed.keypoints(row)), Keypoints),
        "segments": table.rows((found for row in rows for found in parsed.segments(row)), Segments),
        "public": table.rows([parsed.public(row) for row in primary.values()], PublicImages),
        "aggregate": table.empty(Attributes),
        "checked": table.rows((found for row in rows for found in parsed.checked(row)), Checked),
    }


def _copy(root: Path, primary: dict[str, Row], said: dict[str, pd.DataFrame], copier: Copier) -> None:
    paths = {image: primary[image].cells["filepath"] for image in sorted(primary)}
    sizes = {image: copier.whole(image, path) for image, path in paths.items()}
    pairs = set(said["people"][["image", "subject"]].itertuples(index=False, name=None))
    aligned = fhibe_tables.faces(root, pairs)
    for image, faces in geometries(said["people"], said["keypoints"], sizes).items():
        for face in faces:
            copier.face(image, paths[image], face, aligned.get((image, face.subject)))
