"""Vectors that an embedding model makes of a shard's pictures: as they are, without the people, and of these alone."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from pandera.typing import DataFrame

from accord.engine.parameter_types import Folder, Typed
from accord.evaluate.asking import answers, pictures, questions, variants
from accord.evaluate.asking.questions import Given, Question, loader
from accord.evaluate.asking.variants import Outlines
from accord.evaluate.tables.parts import PARTS, VARIANTS, PartEmbeddings, VariantEmbeddings
from accord.evaluate.tables.predictions import Evaluated
from accord.intake.tables import PERSON
from accord.models.registry import WITH_TEXTS
from accord.release.tables import Derivatives, People, Segments

DRAWN = ["image", "subject", "segment", "num", "polygon"]


class Predictions(NamedTuple):
    """What the model made (PartEmbeddings; VariantEmbeddings of image_text), and of which images it was asked to."""

    predictions: Typed
    asked: DataFrame[Evaluated]


def run(
    derivatives: DataFrame[Derivatives],
    people: DataFrame[People],
    files: Path,
    segments: DataFrame[Segments] | None = None,
    *,
    model: dict,
    weights: Folder,
) -> Predictions:
    """Vectors of length 1 of each downsampled picture: whole, its people masked, its background masked; of a model of
    pictures and texts (image_text) also with its people blurred.

    files: the bundle of `derivatives`; model: an entry of models.yaml as JSON; segments: where given, models of
    image_text take them for the people's region, else, as all other models do, boxes. What is masked is black. A
    picture with someone of whom neither is annotated is embedded whole alone. Raises AccordError where the model can't
    be had.
    """
    asked = question(model, Given(weights, derivatives, people, segments=segments))
    found, about = questions.answered(asked, files)
    return Predictions(Typed(found, asked.answers), about)


def question(model: dict, given: Given) -> Question:
    """What an embedder of whole pictures is asked; see `run`."""
    assert given.people is not None  # `run` and `small.run` have them
    reads_texts = model["task"] == WITH_TEXTS
    segments = given.segments if reads_texts else None
    wanted, known = pictures.of_kind(given.derivatives, "downsampled"), variants.outlines(given.people, segments)

    def ask(embedder: Any, some: Sequence[Any], images: Sequence[np.ndarray]) -> Iterator[tuple]:
        regions = _regions(known, some, images)
        shares = _seen(embedder, some, images, regions) if reads_texts else {}
        for part in VARIANTS if reads_texts else PARTS:
            pairs = zip(some, images, strict=True)
            shown = [(row.image, variants.variant(image, regions.get(row.image), part)) for row, image in pairs]
            shown = [(name, image) for name, image in shown if image is not None]
            if shown:
                yield from _embedded(embedder, model, part, shares, *zip(*shown, strict=True))

    reads = (given.people[["image", "subject", *PERSON]], *([] if segments is None else [segments[DRAWN]]))
    table = VariantEmbeddings if reads_texts else PartEmbeddings
    return Question(model, table, ("image", "part"), wanted, wanted, loader(model, given), ask, reads)


def _regions(known: Mapping[str, Outlines], some: Sequence[Any], images: Sequence[np.ndarray]) -> dict[str, np.ndarray]:
    """Image -> mask of its people, where it is known."""
    pairs = zip(some, images, strict=True)
    return {row.image: known[row.image].region(image.shape[:2]) for row, image in pairs if row.image in known}


def _seen(
    encoder: Any, some: Sequence[Any], images: Sequence[np.ndarray], regions: Mapping[str, np.ndarray]
) -> dict[str, float]:
    """Image -> the share of its people's region that the model is shown."""
    tell = getattr(encoder, "seen", lambda height, width: None)
    pairs = zip(some, images, strict=True)
    return {row.image: variants.share_seen(regions.get(row.image), tell(*image.shape[:2])) for row, image in pairs}


def _embedded(
    embedder: Any, model: dict, part: str, shares: Mapping[str, float], names: tuple, images: tuple
) -> Iterator[tuple]:
    vectors = answers.one_each(model, embedder.embed(list(images)), len(images))
    for name, vector in zip(names, vectors, strict=True):
        if vector is not None and np.any(vector):
            seen = (shares[name],) if shares else ()
            yield model["name"], name, "", part, *seen, answers.unit(model, vector)
