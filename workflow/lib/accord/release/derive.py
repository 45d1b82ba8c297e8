"""Derivatives of a shard's pictures, and its annotations in their coordinates."""

from pathlib import Path
from typing import Any

import pandas as pd
from pandera.typing import DataFrame

from accord.consent.tables import Permits
from accord.engine.parameter_types import Former, Sink
from accord.errors import AccordError, Problem
from accord.imaging import bundle as bundles
from accord.intake.tables import Attributes as GivenAttributes
from accord.intake.tables import Checked as GivenChecked
from accord.intake.tables import Keypoints as GivenKeypoints
from accord.intake.tables import People as GivenPeople
from accord.intake.tables import Segments as GivenSegments
from accord.privacy.tables import Pictures
from accord.release.format import scaled
from accord.release.format.face_geometry import geometries
from accord.release.format.geometry import Size, downsampled
from accord.release.making import permits as scopes
from accord.release.making import terms
from accord.release.making.members import Past, derived
from accord.release.making.renditions import Sides
from accord.release.making.shard_tables import Derived, assemble
from accord.release.tables import PublicImages


def run(
    bundle: Path,
    pictures: DataFrame[Pictures],
    people: DataFrame[GivenPeople],
    attributes: DataFrame[GivenAttributes],
    keypoints: DataFrame[GivenKeypoints],
    segments: DataFrame[GivenSegments],
    permits: DataFrame[Permits],
    public: DataFrame[PublicImages],
    checked: DataFrame[GivenChecked],
    *,
    files: Sink,
    former: Former,
    longest_side: int,
    aligned_size: int,
    warped_size: int,
) -> Derived:
    """Downsampled pictures, face crops, aligned faces and their masks, and all annotations in px of the downsampled
    pictures; of attributes, and of who checked them, only those that everyone's permits publish; the terms to
    which everyone in an image agrees. Files of pictures that are as they were, faces and all, are taken over from the
    last run.

    Raises AccordError where a picture shows someone without the scope publish_image, or is said nothing of in public.
    """
    people = people[people["image"].isin(pictures["image"])]
    _check(pictures, people, permits, public)
    sizes = {p.image: Size(p.width, p.height) for p in pictures.itertuples()}
    smaller = {image: downsampled(size, longest_side) for image, size in sizes.items()}
    by = scaled.factor_table({image: (size, smaller[image]) for image, size in sizes.items()})
    said = _annotations(people, attributes, keypoints, segments, permits, by)
    faces = geometries(said["people"], said["keypoints"], smaller)
    sides = Sides(longest_side, aligned_size, warped_size)
    with bundles.BundleWriter(files) as writer:
        made = derived(pictures, bundle, faces, said["segments"], sides, Past.of(former), writer)
    public = public[public["image"].isin(pictures["image"])]
    checked = scopes.published(checked[checked["image"].isin(pictures["image"])], permits)
    given = {"public": public, "checked": checked, "terms": terms.of_people(people, permits)}
    tables = assemble(**{name: of.rows for name, of in made.items()}, **given, **said)
    return tables._replace(**{name: of._replace(rows=getattr(tables, name)) for name, of in made.items()})


def _annotations(
    people: pd.DataFrame,
    attributes: pd.DataFrame,
    keypoints: pd.DataFrame,
    segments: pd.DataFrame,
    permits: pd.DataFrame,
    by: Any,
) -> dict[str, pd.DataFrame]:
    """What is said of people and images, scaled and as far as it may be published."""
    pairs = pd.MultiIndex.from_frame(people[["image", "subject"]])
    keypoints, segments = (
        t[pd.MultiIndex.from_frame(t[["image", "subject"]]).isin(pairs)] for t in (keypoints, segments)
    )
    attributes = attributes[attributes["image"].isin(by.index)]
    segments = scaled.segments(segments, by)
    published = scopes.published(attributes, permits)
    return {
        "people": scaled.people(people.assign(age=scopes.ages(people, permits)), segments, by),
        "attributes": pd.concat([published, scaled.distances(people, attributes)], ignore_index=True),
        "keypoints": scaled.keypoints(keypoints, by),
        "segments": segments,
        "aggregate": scopes.aggregated(attributes, permits),
    }


def _check(pictures: pd.DataFrame, people: pd.DataFrame, permits: pd.DataFrame, public: pd.DataFrame) -> None:
    """Raises AccordError with every picture that must not, or can't, be published."""
    shown = scopes.shown(permits)
    pairs = sorted(people[["image", "subject"]].itertuples(index=False, name=None))
    hint = "the consent steps should have stopped it: delete results/consent of this shard and rerun"
    problems = [
        Problem(f"image {i}", "shows someone who did not permit publish_image", hint)
        for i in dict.fromkeys(i for i, s in pairs if (i, s) not in shown)
    ]
    silent = sorted(set(pictures["image"]) - set(public["image"]))
    problems += [
        Problem(f"image {i}", "is not in the privacy steps' table of public images", "rerun the privacy steps")
        for i in silent
    ]
    if problems:
        raise AccordError(problems)
