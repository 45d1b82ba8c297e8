"""The files of a shard's pictures in one bundle, one picture in memory at a time: made, or taken over as they were."""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from accord.engine import kept
from accord.engine.parameter_types import Former, Kept
from accord.imaging import bundle as bundles
from accord.release.format.face_geometry import FaceGeometry
from accord.release.format.geometry import Size
from accord.release.making.renditions import Face, Sides, files
from accord.release.tables import Derivatives, Faces

FILES = "files"
"""The name of the bundle among the outputs."""


class Past(NamedTuple):
    """What the last run wrote: the bundle, the rows of Derivatives and of Faces; files_of: image -> the rows of each of
    its files, in order."""

    files: Path | None
    derivatives: kept.Memory
    faces: kept.Memory
    files_of: dict[str, list[list[Any]]]

    @classmethod
    def of(cls, former: Former) -> "Past":
        """As far as it is there."""
        derivatives, faces = kept.memory(former, "derivatives", Derivatives), kept.memory(former, "faces", Faces)
        files_of: dict[str, list[list[Any]]] = {}
        rows = derivatives.rows.sort_values("offset", kind="stable").itertuples(index=False)
        for (image, _), same in groupby(rows, lambda row: (row.image, row.offset)):
            files_of.setdefault(image, []).append(list(same))
        return cls(former.get(FILES), derivatives, faces, files_of)

    def members(self, image: str, digest: str) -> list[tuple[list[Any], bytes]] | None:
        """The rows and the content of each file that was made from the same, in order; None where one isn't there."""
        if self.files is None or not (self.derivatives.holds(image, digest) and self.faces.holds(image, digest)):
            return None
        found = [(same, bundles.unchanged(self.files, same[0])) for same in self.files_of.get(image, [])]
        whole = [(same, data) for same, data in found if data is not None]
        return whole if found and len(whole) == len(found) else None


def derived(
    pictures: pd.DataFrame,
    bundle: Path,
    faces_of: dict[str, list[FaceGeometry]],
    segments: pd.DataFrame,
    sides: Sides,
    past: Past,
    writer: bundles.BundleWriter,
) -> dict[str, Kept]:
    """Tables Derivatives and Faces, as `derivatives` and `faces`; the files go into the bundle of `writer`.

    pictures: table Pictures, in `bundle`; segments: in px of the downsampled pictures.
    """
    basis, outlines = kept.basis("release.making.renditions", list(sides)), _outlines(segments)
    made_from, held, places, homographies = {}, set(), [], []
    for row in pictures.sort_values("image").itertuples():
        faces = [Face(one, outlines.get((row.image, one.subject), [])) for one in faces_of.get(row.image, [])]
        digest = made_from[row.image] = kept.digest(basis, row.sha256, row.width, row.height, _told(faces))
        members = past.members(row.image, digest)
        if members is not None:
            held.add(row.image)
            places += [place for same, data in members for place in _moved(same, data, writer)]
            continue
        for file in files(bundles.read(bundle, row), Size(row.width, row.height), faces, sides):
            member = writer.add(f"{row.image}/{file.name}", file.data)
            places += [(row.image, *kind, *member, row.sha256, *file.size) for kind in file.kinds]
            if file.homography is not None:
                homographies.append((row.image, *file.kinds[0][:2], file.homography))
    # Where a file lies depends on the others: its row is made anew, whoever made the file.
    return {
        "derivatives": kept.joined(past.derivatives.only(()), Derivatives, made_from, places),
        "faces": kept.joined(past.faces.only(held), Faces, made_from, homographies),
    }


def _moved(rows: list[Any], data: bytes, writer: bundles.BundleWriter) -> Iterator[tuple]:
    """The rows of a file, once it is written to another bundle."""
    member = writer.add(rows[0].member, data)
    return (row._replace(**member._asdict()) for row in rows)


def _outlines(segments: pd.DataFrame) -> dict[tuple[str, str], list[tuple]]:
    """(image, subject) -> (segment, polygon) of all that is outlined."""
    people = segments.groupby(["image", "subject"])
    return {pair: [(row.segment, row.polygon) for row in rows.itertuples()] for pair, rows in people}


def _told(faces: list[Face]) -> list[Any]:
    """All of faces that pictures of them are made from, as JSON can say it."""
    told = []
    for (subject, window, rectangle), outlines in faces:
        drawn = [] if rectangle is None else [[int(segment), [*map(float, polygon)]] for segment, polygon in outlines]
        told.append([subject, window, rectangle, drawn])
    return told
