"""A shard's files of the next version: pictures, annotations, videos, and its part of what lists all files."""

from pathlib import Path
from typing import NamedTuple

from pandera.typing import DataFrame

from accord.engine import table
from accord.engine.parameter_types import Folder, Private, Sink
from accord.files import temporary
from accord.findings import PASS
from accord.privacy.tables import Edits
from accord.release.claims import c2pa
from accord.release.format import videos
from accord.release.format.fhibe import FACE_COLUMNS, WHOLE_COLUMNS
from accord.release.format.sheet import Sheet
from accord.release.making import content, planned
from accord.release.making.public_videos import published
from accord.release.making.views import Passing
from accord.release.seal import identity, leaves, versions
from accord.release.seal.identity import Ids
from accord.release.tables import Packed
from accord.release.tree import pieces, tree, video_packing
from accord.release.tree.packing import Packer, pack
from accord.release.tree.previous import Previous


class Shard(NamedTuple):
    """What a shard gives to a version: how much each image and each video is."""

    packed: DataFrame[Packed]


def run(
    plan: Path,
    verdicts: DataFrame[Passing],
    edits: DataFrame[Edits],
    files: Path,
    derivatives: Path,
    faces: Path,
    people: Path,
    attributes: Path,
    keypoints: Path,
    segments: Path,
    public: Path,
    aggregate: Path,
    checked: Path,
    video_verdicts: DataFrame[Passing],
    video_files: list[Path],
    public_videos: list[Path],
    video_people: list[Path],
    *,
    parts: Sink,
    releases: Folder,
    vault: Private,
) -> Shard:
    """Write the shard's files into the folder of the planned version, and into `parts` what lists them: lines of the
    manifest, leaves, rows of the tables (`tree.pieces`). Of a version that was published, only files are written that
    aren't there as they should be. The lists of videos are empty where no delivery has videos.
    """
    wanted = planned.read(plan)
    passing, filmed = (set(one.loc[one["verdict"] == PASS, "image"]) for one in (verdicts, video_verdicts))
    shown = published(public_videos, video_people, filmed)
    given = (derivatives, faces, people, attributes, keypoints, segments, public, aggregate, checked)
    tables = content.tables(dict(zip(content.NAMES, given, strict=True)), passing)
    ids = identity.ids(versions.private(vault, wanted.version))
    subjects, images = ({*tables["people"][name], *shown.people[name]} for name in ("subject", "image"))
    written = tree.Tree(
        tree.unfinished(releases, wanted.version, wanted.fingerprint),
        _previous(releases, vault, wanted.previous, ids, images, subjects),
        releases / wanted.version if planned.latest(vault, wanted.fingerprint) else None,
    )
    with temporary() as whole, temporary() as face_rows, temporary() as video_rows:
        claims = c2pa.claims(vault, content.of_images(edits, passing))
        packer = Packer(written, ids, Sheet(WHOLE_COLUMNS, whole), Sheet(FACE_COLUMNS, face_rows), claims)
        sizes, sheet = pack(tables, files, packer), Sheet(videos.COLUMNS, video_rows)
        for bundle in video_files:
            sizes += video_packing.pack(shown, bundle, written, ids, sheet)
        pieces.write(
            parts,
            {
                pieces.MANIFEST: tree.manifest(written.entries).splitlines(keepends=True),
                pieces.LEAVES: leaves.salted(written.root, written.entries, ids.secret),
                pieces.WHOLE: packer.whole.rows(),
                pieces.FACES: packer.faces.rows(),
                pieces.VIDEOS: sheet.rows(),
            },
        )
    return Shard(table.rows(sizes, Packed))


def _previous(
    releases: Path, vault: Path, version: str, ids: Ids, images: set[str], subjects: set[str]
) -> Previous | None:
    """The files of the version before, if there is one and the vault knows its ids."""
    before = identity.known(versions.private(vault, version)) if version else None
    if before is None:
        return None
    named = {ids.image(one): before.image(one) for one in images}
    return Previous(releases / version, named | {ids.subject(one): before.subject(one) for one in subjects})
