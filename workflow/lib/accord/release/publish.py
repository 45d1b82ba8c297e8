"""Publication of a release: the images and videos that pass, in FHIBE's tree, as an immutable version."""

from pathlib import Path
from tempfile import TemporaryFile
from typing import NamedTuple

import pandas as pd
from pandera.typing import DataFrame

from accord.checks.tables.findings import VideoWaterfall
from accord.engine import table
from accord.engine.parameter_types import Folder, Private
from accord.engine.provenance import portable
from accord.findings import PASS
from accord.intake.tables import Annotators
from accord.privacy.tables import Conversions, Edits
from accord.release.claims import c2pa
from accord.release.disclosure import aggregates, kanonymity, memory, video_gatekeepers
from accord.release.disclosure.memory import Memory
from accord.release.disclosure.survey import Survey, survey
from accord.release.format.fhibe import FACE_COLUMNS, WHOLE_COLUMNS
from accord.release.format.sheet import Sheet
from accord.release.gates import GATES, must_pass
from accord.release.making import content
from accord.release.making.content import Sources
from accord.release.making.public_videos import Published, published
from accord.release.papers.documents import write_documents
from accord.release.papers.origin import Origin
from accord.release.reserve import key_attributes
from accord.release.seal import identity, log, versions
from accord.release.seal.seal import Seal, seal
from accord.release.tables import Classes, Gates, Keys, Verdicts, Waterfall
from accord.release.tree import tree, video_packing
from accord.release.tree.packing import Packer, pack

DECIDING = ("reserve", "min_k")
"""Settings that decide which images are released, and whether: nothing of them is told."""


class Matter(NamedTuple):
    """All that a release is made from. `told`: of people in aggregate; `keys`: of all images that pass, those in
    reserve too; `settings`: config's release; `files`: where it comes from, with provenance. `found` is of images and
    of videos."""

    shards: list[Sources]
    passing: set[str]
    videos: Published
    found: Survey
    about: dict[str, pd.DataFrame]
    told: Memory
    keys: pd.DataFrame
    settings: dict
    files: list[Path]


def run(
    verdicts: DataFrame[Verdicts],
    waterfall: DataFrame[Waterfall],
    selected: DataFrame[Keys],
    gates: DataFrame[Gates],
    classes: DataFrame[Classes],
    edits: DataFrame[Edits],
    conversions: DataFrame[Conversions],
    annotators: list[Path],
    files: list[Path],
    derivatives: list[Path],
    faces: list[Path],
    people: list[Path],
    attributes: list[Path],
    keypoints: list[Path],
    segments: list[Path],
    public: list[Path],
    aggregate: list[Path],
    checked: list[Path],
    video_verdicts: DataFrame[Verdicts],
    video_waterfall: DataFrame[VideoWaterfall],
    video_files: list[Path],
    public_videos: list[Path],
    video_people: list[Path],
    lineage: list[Path],
    *,
    releases: Folder,
    vault: Private,
    settings: dict,
) -> dict:
    """What was published: version, path, fingerprint, sha256 of the manifest, root, signing key's fingerprint, counts.

    The lists have one file per shard, in the same order, those of videos none where no delivery has videos; `lineage`:
    the files of the tables that are no lists. Where the content is that of the latest version, that version is
    reported, and restored if its folder isn't whole. Raises AccordError, before anything is written, with every gate
    that fails; where no image passes; or where a version can't be restored byte for byte.
    """
    must_pass(gates, (*GATES, *(video_gatekeepers.GATES if len(video_verdicts) else ())))
    paths = content.by_shard(derivatives, faces, people, attributes, keypoints, segments, public, aggregate, checked)
    shards = [Sources(bundle, shard) for bundle, shard in zip(files, paths, strict=True)]
    passing, filmed = (set(one.loc[one["verdict"] == PASS, "image"]) for one in (verdicts, video_verdicts))
    videos = published(video_files, public_videos, video_people, filmed)
    found = survey(shards, passing)
    found = found._replace(images=found.images | videos.digests(), counts=found.counts | videos.counts)
    told = memory.retold(vault, found.aggregated)
    about = {
        "waterfall": waterfall,
        "classes": classes,
        "edits": edits[edits["image"].isin(passing)],
        "conversions": conversions[conversions["image"].isin(passing)],
        "annotators": _annotators(annotators, found.annotators),
        "aggregates": aggregates.shown(told.cells),
    } | ({"video_waterfall": video_waterfall} if filmed else {})
    sources = [*lineage, *annotators, *files, *(path for shard in paths for path in shard.values())]
    sources += [*video_files, *public_videos, *video_people]
    return _publish(Matter(shards, passing, videos, found, about, told, selected, settings, sources), releases, vault)


def _annotators(paths: list[Path], named: frozenset[str]) -> pd.DataFrame:
    """The annotators of what is published who let their demographics be used."""
    everyone = pd.concat([table.read(path, Annotators) for path in paths], ignore_index=True)
    once = everyone.drop_duplicates("annotator").sort_values("annotator", ignore_index=True)
    return once[once["annotator"].isin(named) & once["consents"]]


def _publish(matter: Matter, releases: Path, vault: Path) -> dict:
    settings = {name: value for name, value in matter.settings.items() if name not in DECIDING}
    about = {name: content.plain(rows) for name, rows in matter.about.items()} | {"settings": settings}
    fingerprint = content.fingerprint(matter.found.images, about)
    latest = next(reversed(versions.history(vault)), None)
    if latest and latest["fingerprint"] == fingerprint:
        return _restored(latest, matter, releases, vault)
    changes = versions.changes(vault, latest["version"] if latest else "", matter.found.images)
    version = versions.following(changes)
    written = tree.fresh(releases, version, changes.previous)
    sealed = _write(written, version, matter, changes, vault)
    sizes = {"files": len(written.entries), "bytes": sum(entry["size"] for entry in written.entries)}
    entry = {
        "dataset": matter.settings["dataset"],
        "version": version,
        "path": portable(releases / version),
        "fingerprint": fingerprint,
        **sealed._asdict(),
        **matter.found.counts,
        **sizes,
        **changes._asdict(),
        "anonymity": _anonymity(matter),
    }
    # The records come first: what anybody could have seen is remembered, and its version never given to other content.
    _remember(vault, version, matter)
    versions.record(vault, entry, matter.found.images)
    log.append(vault, _logged(entry))
    tree.settle(written, releases / version)
    return entry


def _restored(entry: dict, matter: Matter, releases: Path, vault: Path) -> dict:
    """The latest version, written again where its folder isn't whole."""
    folder = releases / entry["version"]
    _remember(vault, entry["version"], matter)
    log.append(vault, _logged(entry))
    if not tree.intact(folder, _files(entry)):
        changes = versions.Changes(*(entry[name] for name in versions.Changes._fields))
        written = tree.fresh(releases, entry["version"], changes.previous)
        sealed = _write(written, entry["version"], matter, changes, vault)
        tree.must_equal(_files(sealed._asdict()), _files(entry), entry["version"])
        tree.settle(written, folder)
    return entry


def _remember(vault: Path, version: str, matter: Matter) -> None:
    """Keep what the next version must know of this one."""
    memory.keep(vault, matter.told)
    key_attributes.keep(vault, version, matter.keys)


def _anonymity(matter: Matter) -> str:
    return kanonymity.paragraph(matter.about["classes"], matter.settings["quasi_identifiers"])


def _files(entry: dict) -> dict[str, str]:
    """Path -> sha256 of the files that hold a version together."""
    return {tree.MANIFEST: entry["manifest_sha256"], **entry["sealed"]}


def _logged(entry: dict) -> dict:
    """What the receipt log says of a version."""
    return {"kind": "release", "version": entry["version"], "root": entry["root"]}


def _write(written: tree.Tree, version: str, matter: Matter, changes: versions.Changes, vault: Path) -> Seal:
    """Write all files of a version, and seal it."""
    private = versions.private(vault, version)
    ids = identity.ids(private)
    with TemporaryFile() as whole, TemporaryFile() as faces:
        claims = c2pa.claims(vault, matter.about["edits"])
        packer = Packer(written, ids, Sheet(WHOLE_COLUMNS, whole), Sheet(FACE_COLUMNS, faces), claims)
        for shard in matter.shards:
            pack(content.tables(shard, matter.passing), shard.files, packer)
        packer.close()
    video_packing.pack(matter.videos, written, ids)
    known, filmed = versions.sealed(vault, version) is not None, len(matter.videos.rows)
    made = Origin(matter.files, matter.settings, private, known, filmed)
    facts = {**matter.settings, "version": version, **matter.found.counts, "anonymity": _anonymity(matter)}
    facts |= {"videos_before": versions.entry(vault, changes.previous).get("videos", 0)}
    write_documents(written, facts, matter.about, matter.found.composition, changes, ids, made)
    previous = versions.sealed(vault, changes.previous)
    return seal(written, {"dataset": matter.settings["dataset"], "version": version}, previous, vault, private)
