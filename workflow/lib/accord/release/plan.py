"""What the next version holds (images, videos, figures), its number, and the secret that its ids are made with."""

from pathlib import Path
from typing import NamedTuple

import pandas as pd
from pandera.typing import DataFrame

from accord.checks.tables.findings import VideoWaterfall
from accord.engine import table
from accord.engine.parameter_types import Folder, Private
from accord.findings import PASS
from accord.intake.tables import Annotators
from accord.privacy.tables import Conversions, Edits
from accord.release.claims import c2pa
from accord.release.disclosure import memory, video_gatekeepers
from accord.release.disclosure.survey import Survey, survey
from accord.release.gates import GATES, must_pass
from accord.release.making import content, planned
from accord.release.making.public_videos import must_have, published
from accord.release.making.views import Passing
from accord.release.seal import identity, versions
from accord.release.tables import Cells, Classes, Gates, Published, Verdicts, Waterfall
from accord.release.tree import tree


class Plan(NamedTuple):
    """The version (`making.planned.Plan` says what of it), its images and videos, who is in which
    aggregate, and the annotators of what is published who let their demographics be used."""

    plan: dict
    images: DataFrame[Published]
    cells: DataFrame[Cells]
    annotators: DataFrame[Annotators]


def run(
    verdicts: DataFrame[Passing],
    waterfall: DataFrame[Waterfall],
    gates: DataFrame[Gates],
    classes: DataFrame[Classes],
    edits: DataFrame[Edits],
    conversions: DataFrame[Conversions],
    annotators: list[Path],
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
    public_videos: list[Path],
    video_people: list[Path],
    *,
    releases: Folder,
    vault: Private,
    settings: dict,
) -> Plan:
    """What the next version holds; where the content is that of the latest version, what that one holds.

    The lists have one file per shard, in the same order, those of videos none where no delivery has videos. What shards
    will need at the same time is made: the version's secret, the keys of claims, and the folder that they write to.
    Raises AccordError with every gate that fails, or where no image passes.
    """
    must_pass(gates, (*GATES, *(video_gatekeepers.GATES if len(video_verdicts) else ())))
    paths = content.by_shard(derivatives, faces, people, attributes, keypoints, segments, public, aggregate, checked)
    passing, filmed = (set(one.loc[one["verdict"] == PASS, "image"]) for one in (verdicts, video_verdicts))
    videos = published(public_videos, video_people, filmed)
    must_have(videos, filmed)
    found = survey(paths, passing)
    found = found._replace(images=found.images | videos.digests(), counts=found.counts | videos.counts)
    named = _annotators(annotators, found.annotators)
    cells = memory.retold(vault, found.aggregated).cells
    about = planned.about(passing, waterfall, classes, edits, conversions, named, cells)
    about |= planned.about_videos(found.counts, video_waterfall)
    fingerprint = planned.fingerprint(found.images, about, settings)
    plan = _plan(found, fingerprint, vault)
    identity.ids(versions.private(vault, plan.version))
    if about["edits"]["painted"].any():
        c2pa.make_keys(vault)
    tree.begin(tree.unfinished(releases, plan.version, fingerprint))
    return Plan(plan._asdict(), *_tables(found), named)


def _annotators(paths: list[Path], named: frozenset[str]) -> pd.DataFrame:
    """The annotators of what is published who let their demographics be used."""
    everyone = pd.concat([table.read(path, Annotators) for path in paths], ignore_index=True)
    once = everyone.drop_duplicates("annotator").sort_values("annotator", ignore_index=True)
    return once[once["annotator"].isin(named) & once["consents"]]


def _plan(found: Survey, fingerprint: str, vault: Path) -> planned.Plan:
    latest = planned.latest(vault, fingerprint)
    if latest:
        version, changes = latest["version"], versions.Changes(*(latest[name] for name in versions.Changes._fields))
    else:
        changes = versions.changes(vault, versions.latest(vault), found.images)
        version = versions.following(changes)
    composition = found.composition.to_numpy().tolist()
    return planned.Plan(version, fingerprint, *changes, found.counts, composition)


def _tables(found: Survey) -> tuple[pd.DataFrame, pd.DataFrame]:
    images = [(image, *digests) for image, digests in sorted(found.images.items())]
    cells = [(*key, subject) for key, members in sorted(found.aggregated.items()) for subject in sorted(members)]
    return table.rows(images, Published), table.rows(cells, Cells)
