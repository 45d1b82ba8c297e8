"""One look at all shards of a release: what it holds, in figures and digests."""

from pathlib import Path
from typing import NamedTuple

import pandas as pd

from accord.errors import AccordError, Problem
from accord.release.disclosure import aggregates
from accord.release.making import content
from accord.release.making.content import Digests
from accord.vocabularies import age_group

TOLD = ("pronoun", "ancestry", "natural_skin_color", "apparent_skin_color")
"""Attributes whose composition the datasheet tells."""

CROP, ALIGNED = FACES = ("face_crop", "face_aligned")
"""Kinds of derivatives that are counted."""


class Survey(NamedTuple):
    """images: digests by image; counts: by name; annotators: ids of those who annotated what is published;
    composition: attribute, value, subjects; aggregated: cell -> ids of its subjects."""

    images: dict[str, Digests]
    counts: dict[str, int]
    annotators: frozenset[str]
    composition: pd.DataFrame
    aggregated: dict[aggregates.Key, frozenset[str]]


def survey(shards: list[dict[str, Path]], passing: set[str]) -> Survey:
    """What the passing images of all shards hold. shards: the files of each one's tables by their names.

    Raises AccordError where one is missing.
    """
    images: dict[str, Digests] = {}
    people, told, aggregate, kinds, annotators = [], [], [], [], set()
    for some in content.blocks(shards):
        tables = content.tables(content.joined(shards[some]), passing)
        images |= content.digests(tables)
        people.append(tables["people"][["image", "subject", "age"]])
        told.append(_once(tables["attributes"][tables["attributes"]["attribute"].isin(TOLD)]))
        aggregate.append(_once(tables["aggregate"]))
        kinds.append(tables["derivatives"]["kind"][lambda kind: kind.isin(FACES)])
        annotators |= _annotators(tables)
    _check(images, passing)
    everyone = pd.concat(people, ignore_index=True)
    composition = _composition(pd.concat([*told, _age_groups(everyone)], ignore_index=True))
    numbers = counts(everyone, pd.concat(kinds))
    return Survey(images, numbers, frozenset(annotators), composition, aggregates.members(pd.concat(aggregate)))


def _once(attributes: pd.DataFrame) -> pd.DataFrame:
    """Each value of a subject once, however many images say it."""
    return attributes[["attribute", "value", "subject"]].drop_duplicates()


def _check(images: dict[str, Digests], passing: set[str]) -> None:
    lost = sorted(passing - images.keys())
    if lost:
        what = f"{len(lost)} image(s) passed, but no shard has them; the first is {lost[0]}"
        raise AccordError(Problem("release", what, "verdicts and shards come from different runs: rerun the workflow"))


def _annotators(tables: dict[str, pd.DataFrame]) -> set[str]:
    named = ("attributes", "keypoints", "segments", "checked")
    return set(tables["people"]["face_annotator"]).union(*(tables[name]["annotator"] for name in named)) - {""}


def _age_groups(people: pd.DataFrame) -> pd.DataFrame:
    told = people.dropna(subset=["age"])
    return told[["subject"]].assign(attribute="age_group", value=[age_group(int(age)) for age in told["age"]])


def _composition(attributes: pd.DataFrame) -> pd.DataFrame:
    counted = attributes.groupby(["attribute", "value"], as_index=False)["subject"].nunique()
    return counted.rename(columns={"subject": "subjects"})


def counts(people: pd.DataFrame, kinds: pd.Series) -> dict[str, int]:
    """How many images, people, and faces; `kinds`: of the derivatives."""
    made = kinds.value_counts()
    return {
        "images": int(people["image"].nunique()),
        "subjects": int(people["subject"].nunique()),
        "two_people": int((people.groupby("image").size() > 1).sum()),
        "face_crops": int(made.get(CROP, 0)),
        "faces_aligned": int(made.get(ALIGNED, 0)),
    }
