"""What the next version holds (images, videos, figures), its number, and the secret that its ids are made with."""

from pathlib import Path
from typing import NamedTuple

import pandas as pd
from pandera.typing import DataFrame

from accord.checks.tables.findings import VideoWaterfall
from accord.engine import table
from accord.engine.parameter_types import Folder, Private
from accord.errors import AccordError, Problem
from accord.findings import PASS, REVIEW
from accord.intake.tables import Annotators
from accord.privacy.tables import Conversions, Edits
from accord.queues import AWAITS_REVIEW
from accord.release.claims import c2pa
from accord.release.disclosure import memory, video_gatekeepers
from accord.release.disclosure.survey import Survey, survey
from accord.release.gates import GATES, must_pass
from accord.release.making import content, planned
from accord.release.making.public_videos import must_have, published
from accord.release.making.views import Held, Passing, Rendered
from accord.release.papers import terms as clauses
from accord.release.seal import identity, log, versions
from accord.release.tables import Cells, Classes, Gates, Published, Verdicts, Waterfall
from accord.release.tree import tree
from accord.text.nouns import counted

REASONS_SHOWN = 5
REVIEWED = "when_reviewed"
"""`release.publish`: a version with more images waits until nothing awaits a review that could add others."""
HINT = "see `accord summary`, and docs/review.md; `release.publish: always` doesn't wait for reviews"


class Plan(NamedTuple):
    """The version (`making.planned.Plan` says what of it), its images and videos, who is in which
    aggregate, and the annotators of what is published who let their demographics be used."""

    plan: dict
    images: DataFrame[Published]
    cells: DataFrame[Cells]
    annotators: DataFrame[Annotators]


def run(
    verdicts: DataFrame[Passing],
    held: DataFrame[Held],
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
    delivered: list[Path],
    terms: list[Path],
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

    The lists have one file per shard, in the same order, those of videos none where no delivery has videos; `terms`: a
    file of clauses, if the project has its own. What shards will need at the same time is made: the version's secret,
    the keys of claims, and the folder that they write to. Raises AccordError with every gate that fails, where no image
    passes, where a version has to wait for reviews, or where the vault's history is an old copy.
    """
    log.refuse_rollback(vault, versions.history(vault))
    must_pass(gates, (*GATES, *(video_gatekeepers.GATES if len(video_verdicts) else ())))
    waiting = len(held) + int((video_verdicts["verdict"] == REVIEW).sum())
    paths = content.by_shard(derivatives, faces, people, attributes, keypoints, segments, public, aggregate, checked)
    passing, filmed = (set(one.loc[one["verdict"] == PASS, "image"]) for one in (verdicts, video_verdicts))
    if not passing:
        raise AccordError(_nothing_to_publish(waterfall, waiting))
    videos = published(public_videos, video_people, filmed)
    must_have(videos, filmed)
    found = survey(paths, passing)
    rendered = table.read(delivered, Rendered)["image"].isin(passing).sum()
    counts = found.counts | ({"rendered": int(rendered)} if rendered else {}) | videos.counts
    found = found._replace(images=found.images | videos.digests(), counts=counts)
    named = _annotators(annotators, found.annotators)
    cells = memory.retold(vault, found.aggregated).cells
    about = planned.about(passing, waterfall, classes, edits, conversions, named, cells)
    about |= planned.about_videos(found.counts, video_waterfall)
    fingerprint = planned.fingerprint(found.images, about, settings | {"clauses": clauses.read(terms)})
    plan = _plan(found, fingerprint, vault)
    if settings["publish"] == REVIEWED and waiting and _only_adds(plan, vault):
        raise AccordError(_awaits_review(waiting, "release.publish"))
    identity.ids(versions.private(vault, plan.version))
    if about["edits"]["painted"].any():
        c2pa.make_keys(vault)
    tree.begin(tree.unfinished(releases, plan.version, fingerprint))
    return Plan(plan._asdict(), *_tables(found), named)


def _nothing_to_publish(waterfall: pd.DataFrame, waiting: int) -> Problem:
    """Why there is no version: images that wait, else what stopped the others, the commonest reasons first."""
    if waiting:
        return _awaits_review(waiting, "release")
    stopped = waterfall[waterfall["stopped"] > 0].sort_values("stopped", ascending=False, kind="stable")
    reasons = [f"{row.stopped:,} by {row.check} ({row.label})" for row in stopped.head(REASONS_SHOWN).itertuples()]
    more = [f"{len(stopped) - REASONS_SHOWN} more checks"] if len(stopped) > REASONS_SHOWN else []
    delivered = counted(int(waterfall["images_in"].iloc[0]), "image")
    what = f"no image passed: there is nothing to publish. Of {delivered}, stopped were {', '.join([*reasons, *more])}"
    hint = "results/release/verdicts.parquet has the reason of each image; docs/checks.md says what the checks want"
    return Problem("release", what, hint)


def _awaits_review(waiting: int, where: str) -> Problem:
    return Problem(where, f"{counted(waiting, 'image')} {AWAITS_REVIEW}", HINT)


def _only_adds(plan: planned.Plan, vault: Path) -> bool:
    """Whether the version has nothing but more than the one before. Whoever withdrew something waits for no review."""
    is_new = planned.latest(vault, plan.fingerprint) is None
    return is_new and not plan.removed and not plan.changed


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
