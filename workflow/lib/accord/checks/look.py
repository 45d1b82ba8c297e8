"""Look at the pictures of a shard: each is decoded once, for all checks that look at single pictures."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pandas as pd
from pandera.typing import DataFrame

from accord.abuse import hash_lists
from accord.checks.files.pixels import Shown
from accord.checks.looking import known
from accord.checks.looking.every import Given, annotator, decoder, drawn, others, reader
from accord.checks.looking.lookers import Keeper, digests
from accord.checks.tables.findings import (
    Clothes,
    Faces,
    Findings,
    Fingerprints,
    Images,
    LogosSeen,
    Looks,
    Proposals,
    Texts,
)  # fmt: skip
from accord.checks.tables.summary import Annotated
from accord.consent.tables import Permits
from accord.engine.parameter_types import Folder, Former, Private
from accord.intake.tables import Attributes, Keypoints, People, Regions, Segments

AT_ONCE = 48_000_000
"""Pixels of the pictures that are held decoded at once."""


class Looked(NamedTuple):
    """What each check says of the images, and what they look like to those that compare images."""

    decode: DataFrame[Findings]
    fingerprints: DataFrame[Fingerprints]
    known: DataFrame[Findings]
    cleared: DataFrame[Images]
    annotations: DataFrame[Findings]
    annotations_proposals: DataFrame[Proposals]
    annotated: DataFrame[Annotated]
    texts: DataFrame[Texts]
    safety: DataFrame[Findings]
    consistency: DataFrame[Findings]
    personal_data: DataFrame[Findings]
    personal_data_proposals: DataFrame[Proposals]
    logos_seen: DataFrame[LogosSeen]
    looks: DataFrame[Looks]
    faces: DataFrame[Faces]
    clothes: DataFrame[Clothes]


def run(
    images: DataFrame[Images],
    bundle: Path,
    people: DataFrame[People],
    keypoints: DataFrame[Keypoints],
    segments: DataFrame[Segments],
    regions: DataFrame[Regions],
    attributes: DataFrame[Attributes],
    permits: DataFrame[Permits],
    lists: list[Path],
    words: list[Path],
    gallery: list[Path],
    brands: Path,
    former: Former,
    *,
    settings: dict,
    models: dict,
    weights: Folder,
    vault: Private,
    max_pixels: int,
) -> Looked:
    """The tables of all checks of single pictures; docs/checks.md says of each what it looks for.

    What does not decode, or is on one of the `lists` of known abuse material, is looked at by nothing else (`known`);
    a match is in the vault before anything else happens. Rows of images of which nothing changed are taken over from
    the `former` outputs. lists, words, gallery, brands: files of the user's; `settings`: keys of `checks` in the
    config; `models`: entries of models.yaml, or none, by what they are for (scene, logo, picture, face); weights: where
    their files lie. Raises AccordError where the bundle is not as it was written, a list or a model is broken.
    """
    given = Given(people, keypoints, segments, regions, attributes, permits, words, gallery, brands, settings, models,
                  weights, max_pixels)  # fmt: skip
    own, by = digests(images), drawn(given)
    decoded, outlined, read = (
        Keeper(looker, own, former) for looker in (decoder(given), annotator(given, by), reader(given))
    )
    rest = [Keeper(looker, own, former) for looker in others(given, by, read.rows_of("texts"), read.digests)]
    pictures = Shown(bundle, max_pixels)
    outlined.look(images, pictures)
    found = _look(images, bundle, pictures, decoded, [read, *rest], hash_lists.read(lists), vault)
    prints = decoded.result(images["image"])
    judged = known.judged(images, prints["fingerprints"].rows, found, are_listed=bool(lists), vault=vault)
    tables = {**prints, **outlined.result(images["image"]), "known": judged.findings, "cleared": judged.cleared}
    for keeper in (read, *rest):
        tables |= keeper.result(judged.cleared["image"])
    return Looked(**tables)


def _look(
    images: pd.DataFrame,
    bundle: Path,
    pictures: Shown,
    decoded: Keeper,
    keepers: list[Keeper],
    signals: list[hash_lists.Signal],
    vault: Path,
) -> list[known.Match]:
    """Have all keepers look at what they don't hold, picture by picture; the matches with known abuse material."""
    held = images[images["image"].isin([image for image in images["image"] if decoded.holds(image)])]
    prints = decoded.kept("fingerprints")
    found = known.recorded(held, bundle, prints, signals, vault)
    seen = {image for image in held["image"] if all(keeper.holds(image) for keeper in keepers)}
    whole = set(prints["image"])
    for group in _groups(images[~images["image"].isin(seen | (set(held["image"]) - whole))]):
        new = group[~group["image"].isin(held["image"])]
        made = decoded.look(new, pictures)["fingerprints"]
        found += known.recorded(new, pictures, made, signals, vault)
        may_be_seen = (whole | set(made["image"])) - {match.image for match in found}
        for keeper in keepers:
            keeper.look(group[group["image"].isin(may_be_seen)], pictures)
        pictures.forget()
    return found


def _groups(images: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """Images by id, as many at once as may be held decoded."""
    ordered = images.sort_values("image")
    before = (ordered["width"] * ordered["height"]).cumsum().shift(fill_value=0)
    for _, group in ordered.groupby(before // AT_ONCE):
        yield group
