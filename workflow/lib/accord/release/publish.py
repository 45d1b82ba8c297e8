"""Publication of a release: what the shards wrote, sealed with tables and documents as an immutable version."""

import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pandas as pd
from pandera.typing import DataFrame

from accord.checks.tables.findings import VideoWaterfall
from accord.consent.deciding import events
from accord.engine import provenance, table
from accord.engine.parameter_types import Folder, Private
from accord.engine.provenance import portable
from accord.errors import all_problems
from accord.intake.tables import Annotators
from accord.privacy.tables import Conversions, Edits
from accord.release.disclosure import aggregates, kanonymity, memory
from accord.release.disclosure.memory import Memory
from accord.release.format import fhibe, videos
from accord.release.format.sheet import header
from accord.release.making import planned
from accord.release.making.content import Digests
from accord.release.papers import terms as clauses
from accord.release.papers.datasheet import kind_of_pictures
from accord.release.papers.documents import write_documents
from accord.release.papers.origin import Origin
from accord.release.reserve import key_attributes
from accord.release.seal import identity, log, versions
from accord.release.seal.seal import Seal, seal
from accord.release.tables import Cells, Classes, Keys, Packed, Published, Waterfall
from accord.release.tree import pieces, tree

TABLES = (
    (fhibe.WHOLE_TABLE, fhibe.WHOLE_COLUMNS, pieces.WHOLE),
    (fhibe.FACE_TABLE, fhibe.FACE_COLUMNS, pieces.FACES),
)
VIDEO_TABLE = (videos.TABLE, videos.COLUMNS, pieces.VIDEOS)
"""What a release with videos has besides."""
FILES = ("files", "video_files")
"""Arguments of `release.pack` that are bundles of what it publishes."""


class Matter(NamedTuple):
    """All that a release is made from. `images`: of videos too; `told`: of people in aggregate; `keys`: of all images
    that pass, those in reserve too; `settings`: config's release; `parts`: what the shards list; `files`: where it
    comes from (path -> sha256), with provenance."""

    plan: planned.Plan
    images: dict[str, Digests]
    about: dict[str, pd.DataFrame]
    told: Memory
    keys: pd.DataFrame
    settings: dict
    parts: list[Path]
    files: dict[Path, str]


def run(
    plan: Path,
    images: DataFrame[Published],
    cells: DataFrame[Cells],
    annotators: DataFrame[Annotators],
    waterfall: DataFrame[Waterfall],
    selected: Path,
    classes: DataFrame[Classes],
    edits: DataFrame[Edits],
    conversions: DataFrame[Conversions],
    video_waterfall: DataFrame[VideoWaterfall],
    terms: list[Path],
    packed: list[Path],
    parts: list[Path],
    *,
    releases: Folder,
    vault: Private,
    settings: dict,
    inbox: list[Folder] | None = None,
    proof_required: bool = False,
    wishes: str = "",
) -> dict:
    """What was published: version, path, fingerprint, sha256 of the manifest, root, signing key's fingerprint, counts.

    `packed` and `parts` have one file per shard. Their pictures and videos lie in the version's folder already: they
    are neither read nor moved. Where the content is that of the latest version, that version is reported, and restored
    if its folder isn't whole. wishes: the digest of the requests that the run obeys, those in the watched folder
    `inbox` too (`events.refuse_news`); "": they aren't looked at. Raises AccordError where files of a shard are
    missing, where others have come in since the run began, or where a version can't be restored byte for byte.
    """
    check = partial(events.refuse_news, vault, inbox or (), wishes, proof_required=proof_required) if wishes else None
    if check:
        check()
    _check_parts(packed, parts)
    wanted = planned.read(plan)
    told = memory.retold(vault, aggregates.members(cells))
    passing = set(images["image"])
    about = planned.about(passing, waterfall, classes, edits, conversions, annotators, told.cells)
    about |= planned.about_videos(wanted.counts, video_waterfall)
    digests = {row.image: Digests(row.pictures, row.all) for row in images.itertuples()}
    files = _sources(plan, packed, selected)
    said = settings | {"clauses": clauses.read(terms)}
    matter = Matter(wanted, digests, about, told, table.read(selected, Keys), said, parts, files)
    latest = planned.latest(vault, wanted.fingerprint)
    if latest:
        return _restored(latest, matter, releases, vault)
    return _publish(matter, packed, releases, vault, check)


def _check_parts(packed: list[Path], parts: list[Path]) -> None:
    """Raise AccordError with all parts that are not as their shards wrote them, by the sha256 that these recorded."""
    recorded = [(provenance.of(path) or {}).get("outputs", {}).get("parts") for path in packed]
    with all_problems() as problems:
        for part in parts if all(recorded) else ():
            if provenance.sha256(part) not in recorded:
                problems.add(str(part), "was changed after its shard was packed", "delete it and run again")


def _sources(plan: Path, packed: list[Path], selected: Path) -> dict[Path, str]:
    """Path -> sha256 of what a release is made from, as it was recorded when it was read: nothing is read again."""
    found = (provenance.of(plan) or {}).get("inputs", {}) | {portable(selected): provenance.sha256(selected)}
    for path in packed:
        record = provenance.of(path) or {}
        given = record.get("arguments", {})
        found |= {name: record["inputs"][name] for argument in FILES for name in given.get(argument, [])}
    return {Path(name): digest for name, digest in found.items()}


def _publish(matter: Matter, packed: list[Path], releases: Path, vault: Path, check: Callable[[], None] | None) -> dict:
    """check: asked last of all, before anything of the version is remembered or can be seen."""
    plan, version = matter.plan, matter.plan.version
    written = tree.Tree(tree.unfinished(releases, version, plan.fingerprint))
    sealed = _write(written, matter, vault)
    tree.must_be_complete(written.root, _files(sealed._asdict()))
    shards = table.read(packed, Packed)
    sizes = {
        "files": len(written.entries) + int(shards["files"].sum()),
        "bytes": sum(entry["size"] for entry in written.entries) + int(shards["bytes"].sum()),
    }
    entry = {
        "dataset": matter.settings["dataset"],
        "version": version,
        "path": portable(releases / version),
        "fingerprint": plan.fingerprint,
        **sealed._asdict(),
        **plan.counts,
        **sizes,
        **plan.changes._asdict(),
        "anonymity": _anonymity(matter),
    }
    if check:
        check()
    # The records come first: what anybody could have seen is remembered, and its version never given to other content.
    _remember(vault, version, matter)
    versions.record(vault, entry, matter.images)
    log.append(vault, _logged(entry))
    tree.settle(written, releases / version)
    return entry


def _restored(entry: dict, matter: Matter, releases: Path, vault: Path) -> dict:
    """The latest version, put right where its folder isn't whole."""
    _remember(vault, entry["version"], matter)
    log.append(vault, _logged(entry))
    written = tree.Tree(tree.unfinished(releases, entry["version"], entry["fingerprint"]))
    sealed = _write(written, matter, vault)
    folder, files = releases / entry["version"], _files(entry)
    if _files(sealed._asdict()) != files and tree.is_whole(folder, files):
        shutil.rmtree(written.root)  # other software would write it otherwise; it is as it was published
        return entry
    tree.must_equal(_files(sealed._asdict()), files, entry["version"])
    tree.restore(written, folder, files)
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


def _write(written: tree.Tree, matter: Matter, vault: Path) -> Seal:
    """Write all files of a version that speak of all shards, and seal it."""
    plan, version = matter.plan, matter.plan.version
    private = versions.private(vault, version)
    filmed = plan.counts.get("videos", 0)
    for path, columns, name in (*TABLES, VIDEO_TABLE) if filmed else TABLES:
        written.write(path, _table(columns, pieces.merged(matter.parts, name)))
    facts = {**matter.settings, "version": version, **plan.counts, "anonymity": _anonymity(matter)}
    pictures = kind_of_pictures(facts)
    made = Origin(matter.files, matter.settings, private, versions.sealed(vault, version) is not None, filmed, pictures)
    facts |= {"videos_before": versions.entry(vault, plan.previous).get("videos", 0)}
    composition = pd.DataFrame(plan.composition, columns=planned.COMPOSITION)
    write_documents(written, facts, matter.about, composition, plan.changes, identity.ids(private), made)
    previous = versions.sealed(vault, plan.previous)
    told = {"dataset": matter.settings["dataset"], "version": version}
    return seal(written, told, previous, vault, private, matter.parts)


def _table(columns: tuple[str, ...], rows: Iterator[bytes]) -> Iterator[bytes]:
    yield header(columns)
    yield from rows
