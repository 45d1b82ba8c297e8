"""Collecting a shard of an archive of sources: one face is cut out of each of its pictures, and frames of videos."""

import hashlib
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
from pandera.typing import DataFrame

from accord.engine import kept, table
from accord.engine.parameter_types import Folder, Former, Sink
from accord.errors import AccordError
from accord.imaging.bundle import BundleWriter
from accord.models import loading
from accord.release.archives import archive_files, formats
from accord.release.source_tables import CutFaces, FacePrints, Listed, Sources
from accord.release.sources import assembled, cutting
from accord.release.sources.assembled import Taken
from accord.release.sources.cutting import How, Looked
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

KEPT = {"derivatives": Derivatives, "prints": FacePrints, "cut": CutFaces}
"""Tables that say from what they were made."""


class Collected(NamedTuple):
    """The tables of a shard, as `import_ai_face.Imported`, of the pictures that have a face; and each that was looked
    at, those without a face too."""

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
    cut: DataFrame[CutFaces]


class Source(NamedTuple):
    """A file of the archive: a picture's content, or where a video lies, and its sha256; or why it can't be read."""

    content: bytes | Path
    sha256: str
    why: str = ""


class Looking(NamedTuple):
    """What all pictures are looked at with: the archive, the detector, made when it is first needed, the square, what
    the last run took, and the digest of all that rows depend on besides their pictures."""

    root: Path
    finder: Any
    how: How
    past: Past
    basis: str


def run(
    listed: DataFrame[Listed],
    *,
    archive: Folder,
    terms: dict,
    detector: dict,
    weights: Folder,
    files: Sink,
    former: Former,
    margin: float = 1.3,
    side: int = 256,
) -> Collected:
    """A square crop of the largest face of each picture of a shard's list, and of each frame of a video of it.

    A picture without a face, or that can't be read, is refused: a row of `cut` says why. In memory is one picture, or
    the crops of one video. detector: an entry of models.yaml as JSON, task face_localization; files: a bundle of PNGs.
    Crops of files whose bytes are as they were are taken over from the last run. AI-Face (Lin et al., 2025) cuts faces
    out with RetinaFace, and states no margin.
    """
    finder = cache(lambda: loading.load(detector, weights, "detect"))
    how, past = How(margin, side), Past.of(former, KEPT)
    basis = kept.basis("release.sources.cutting", [detector, *how])
    looking = Looking(formats.root("ai_face", archive), finder, how, past, basis)
    cut, taken, made_from = [], [], {}
    with BundleWriter(files) as writer:
        for digest, looked in _looked_at(listed, looking):
            cut.append(looked.row)
            made_from[looked.row[0]] = digest
            taken += [_taken(looked, writer)] if looked.png else []
    derived, sources, prints = assembled.assembled(listed, taken, terms)
    told = {"derivatives": derived.derivatives, "prints": prints, "cut": table.rows(sorted(cut), CutFaces)}
    return Collected(**{**derived._asdict(), "sources": sources, **remembered(told, made_from)})


def _looked_at(listed: pd.DataFrame, looking: Looking) -> Iterator[tuple[str, Looked]]:
    """Each picture and frame, with the digest of what it was made from."""
    ordered = listed.sort_values(["file", "image"]).itertuples(index=False)
    for file, some in groupby(ordered, key=lambda row: row.file):
        rows = list(some)
        source = _opened(looking.root, file, is_video=not pd.isna(rows[0].index))
        digests = {row.image: _digest(looking.basis, source, row) for row in rows}
        held = {image: one for image, digest in digests.items() if (one := _held(looking.past, image, digest))}
        made = {one.row[0]: one for one in _made(source, [row for row in rows if row.image not in held], looking)}
        yield from ((digest, (held | made)[image]) for image, digest in digests.items())


def _opened(root: Path, file: str, *, is_video: bool) -> Source:
    try:
        if is_video:
            path = archive_files.inside(root, file)
            with path.open("rb") as opened:
                return Source(path, hashlib.file_digest(opened, "sha256").hexdigest())
        data = archive_files.read(root, file)
        return Source(data, hashlib.sha256(data).hexdigest())
    except ValueError as error:
        return Source(b"", "", str(error))


def _digest(basis: str, source: Source, row: Any) -> str:
    which = [] if pd.isna(row.index) else [int(row.index), int(row.frames)]
    return kept.digest(basis, source.sha256, source.why, which)


def _held(past: Past, image: str, digest: str) -> Looked | None:
    """What the last run made of the same picture; None where it made nothing, or the crop isn't there any more."""
    rows = past.of_image(image, digest)
    if rows is None or "cut" not in rows:
        return None
    if not rows["cut"].found:
        return cutting.without(image, rows["cut"].note)
    png = past.content(rows["derivatives"]) if rows.keys() == KEPT.keys() else None
    return None if png is None else Looked(tuple(rows["cut"]), png, tuple(rows["prints"])[1:])


def _made(source: Source, rows: list[Any], looking: Looking) -> list[Looked]:
    """Of a video all or none."""
    if not rows:
        return []
    if source.why:
        return [cutting.without(row.image, source.why) for row in rows]
    try:
        if isinstance(source.content, bytes):
            return [cutting.of_picture(rows[0].image, source.content, looking.finder(), looking.how)]
        wanted = {row.index: row.image for row in rows}
        return list(cutting.of_video(source.content, wanted, int(rows[0].frames), looking.finder(), looking.how))
    except (AccordError, ValueError) as error:
        why = error.problems[0].what if isinstance(error, AccordError) else str(error)
        return [cutting.without(row.image, why) for row in rows]


def _taken(looked: Looked, writer: BundleWriter) -> Taken:
    image, _, _, _, _, width, height, _, side, scale = looked.row
    member = writer.add(assembled.member_of(image, ".png"), looked.png)
    width, height = width * scale, height * scale
    box = ((side - width) / 2, (side - height) / 2, width, height)
    return Taken(image, member, side, side, box, looked.prints)
