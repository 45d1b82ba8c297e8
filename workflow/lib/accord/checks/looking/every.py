"""Everything that is looked for in single pictures, with what each depends on."""

from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from accord.checks.files.pixels import Shown
from accord.checks.looking import (
    annotations,
    clothes,
    consistency,
    decode,
    embeddings,
    logos,
    personal_data,
    safety,
    texts,
)  # fmt: skip
from accord.checks.looking.lookers import Digests, Looker
from accord.checks.tables.findings import (
    Clothes,
    Faces,
    Findings,
    Fingerprints,
    LogosSeen,
    Looks,
    Proposals,
    Texts,
)  # fmt: skip
from accord.checks.tables.summary import Annotated
from accord.consent.deciding.grants import BIOMETRIC
from accord.consent.deciding.permits import having
from accord.engine import kept, provenance
from accord.engine.parameter_types import Folder
from accord.intake.tables import FACE

READ = Callable[[pd.DataFrame], pd.DataFrame]
"""Some images -> the lines of text that were read in them."""


class Given(NamedTuple):
    """What a shard's pictures are looked at with: its tables, files of the user's, keys of `checks` in the config,
    entries of models.yaml by what they are for, the folder of weights, and how many pixels a picture may have."""

    people: pd.DataFrame
    keypoints: pd.DataFrame
    segments: pd.DataFrame
    regions: pd.DataFrame
    attributes: pd.DataFrame
    permits: pd.DataFrame
    words: list[Path]
    gallery: list[Path]
    brands: Path
    settings: dict[str, Any]
    models: dict[str, Any]
    weights: Folder
    max_pixels: int

    def chosen(self, *names: str) -> dict[str, Any]:
        """Some of the settings."""
        return {name: self.settings[name] for name in names}


class Drawn(NamedTuple):
    """image -> digest of what was delivered of it."""

    people: Digests
    keypoints: Digests
    segments: Digests
    regions: Digests
    attributes: Digests


def drawn(given: Given) -> Drawn:
    """The digests of the tables of a shard."""
    return Drawn(*(kept.by_item(getattr(given, name)) for name in Drawn._fields))


def decoder(given: Given) -> Looker:
    """Whether the file decodes, what it is, and its fingerprints."""
    limits = given.chosen("min_device_year", "min_megapixels", "min_side", "max_aspect", "require_exif")
    limits["max_pixels"] = given.max_pixels
    tables = {"decode": Findings, "fingerprints": Fingerprints}
    return Looker("looking.decode", tables, limits, (), lambda images, shown: decode.run(images, shown, **limits))


def annotator(given: Given, by: Drawn) -> Looker:
    """Whether what annotators drew can be true; it needs no pixels."""
    limits = given.chosen("max_box_overhang", "max_face_outside", "max_keypoint_distance")
    tables = {"annotations": Findings, "annotations_proposals": Proposals, "annotated": Annotated}
    parts = (given.people, given.keypoints, given.segments, given.regions)

    def look(images: pd.DataFrame, _: Shown) -> tuple:
        return annotations.run(images, *(_of(images, part) for part in parts), **limits)

    return Looker("looking.annotations", tables, limits, by[:4], look)


def reader(given: Given) -> Looker:
    """What is written in the picture."""
    how = {"text_side": given.settings["text_side"], "max_pixels": given.max_pixels}
    return Looker("looking.texts", {"texts": Texts}, how, (), lambda images, shown: (texts.run(images, shown, **how),))


def others(given: Given, by: Drawn, read: READ, texts_from: Digests) -> Iterable[Looker]:
    """All other lookers; `read`: the text in images, `texts_from`: image -> what that was made from."""
    yield _safety(given, by, read, texts_from)
    yield _consistency(given, by)
    yield _personal_data(given, by, read, texts_from)
    yield _logos(given, read, texts_from)
    yield _looks(given, by)
    yield _clothes(given, by)


def _safety(given: Given, by: Drawn, read: READ, texts_from: Digests) -> Looker:
    limits = {**given.chosen("max_nudity"), "max_pixels": given.max_pixels}

    def look(images: pd.DataFrame, shown: Shown) -> tuple:
        said = _of(images, given.attributes)
        return (safety.run(images, said, read(images), shown, words=given.words, **limits),)

    settings = [limits, sums(given.words)]
    return Looker("looking.safety", {"safety": Findings}, settings, (by.attributes, texts_from), look)


def _consistency(given: Given, by: Drawn) -> Looker:
    limits = {**given.chosen("max_km_abroad", "max_days_apart"), "max_pixels": given.max_pixels}
    scene = given.models.get("scene")
    parts = (given.people, given.segments, given.attributes)

    def look(images: pd.DataFrame, shown: Shown) -> tuple:
        own = (_of(images, part) for part in parts)
        return (consistency.run(images, shown, *own, scene_classifier=scene, weights=given.weights, **limits),)

    own = (by.people, by.segments, by.attributes)
    return Looker("looking.consistency", {"consistency": Findings}, [limits, scene], own, look)


def _personal_data(given: Given, by: Drawn, read: READ, texts_from: Digests) -> Looker:
    limits = {**given.chosen("min_text_score", "min_bystander"), "max_pixels": given.max_pixels}
    tables = {"personal_data": Findings, "personal_data_proposals": Proposals}
    parts = (given.people, given.segments, given.regions)

    def look(images: pd.DataFrame, shown: Shown) -> tuple:
        return personal_data.run(images, shown, read(images), *(_of(images, part) for part in parts), **limits)

    own = (by.people, by.segments, by.regions, texts_from)
    return Looker("looking.personal_data", tables, limits, own, look)


def _logos(given: Given, read: READ, texts_from: Digests) -> Looker:
    score, model = given.settings["logo_score"], given.models.get("logo")

    @cache
    def detectors() -> logos.Detectors:
        return logos.detectors(given.gallery, given.brands, score, given.weights, model)

    def look(images: pd.DataFrame, shown: Shown) -> tuple:
        return (logos.seen(images, shown, read(images), detectors(), given.max_pixels),)

    settings = [score, model, sums([*given.gallery, given.brands]), given.max_pixels]
    return Looker("looking.logos", {"logos_seen": LogosSeen}, settings, (texts_from,), look)


def _looks(given: Given, by: Drawn) -> Looker:
    models = {"picture_embedder": given.models["picture"], "face_embedder": given.models["face"]}
    faces = having(BIOMETRIC, given.people.dropna(subset=FACE), given.permits)

    def look(images: pd.DataFrame, shown: Shown) -> tuple:
        own = (_of(images, given.people), _of(images, given.permits))
        return embeddings.run(images, shown, *own, **models, weights=given.weights, max_pixels=given.max_pixels)

    settings = [models, given.max_pixels]
    return Looker("looking.embeddings", {"looks": Looks, "faces": Faces}, settings, (kept.by_item(faces),), look)


def _clothes(given: Given, by: Drawn) -> Looker:
    def look(images: pd.DataFrame, shown: Shown) -> tuple:
        return (clothes.run(images, shown, _of(images, given.segments), given.max_pixels),)

    return Looker("looking.clothes", {"clothes": Clothes}, given.max_pixels, (by.segments,), look)


def _of(images: pd.DataFrame, part: pd.DataFrame) -> pd.DataFrame:
    return part[part["image"].isin(images["image"])]


def sums(files: Iterable[Path]) -> list[str]:
    """What files hold, by their names."""
    return [f"{path.name} {provenance.sha256(path)}" for path in sorted(map(Path, files))]
