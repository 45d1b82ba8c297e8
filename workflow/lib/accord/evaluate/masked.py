"""Vectors that an embedding model makes of a shard's pictures: as they are, without the people, and of these alone."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from pandera.typing import DataFrame

from accord.engine.parameter_types import Folder, Typed
from accord.evaluate.asking import answers, pictures, preparing, questions, variants
from accord.evaluate.asking.questions import Given, Question, loader
from accord.evaluate.tables.parts import PARTS, VARIANTS, PartEmbeddings, VariantEmbeddings
from accord.evaluate.tables.predictions import Evaluated
from accord.intake.tables import PERSON
from accord.models.tasks import WITH_TEXTS
from accord.release.tables import Derivatives, People, Segments

DRAWN = ["image", "subject", "segment", "num", "polygon"]


class Predictions(NamedTuple):
    """What the model made (PartEmbeddings; VariantEmbeddings of image_text), and of which images it was asked to."""

    predictions: Typed
    asked: DataFrame[Evaluated]


class _Shown(NamedTuple):
    """What a model is shown of a picture: part -> the picture so, or as it was prepared, None where that isn't known;
    share: of its people's region that the model sees."""

    variant: Callable[[str], Any]
    share: float


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

    parts = VARIANTS if reads_texts else PARTS

    def shown(embedder: Any, row: Any, picture: np.ndarray) -> _Shown:
        region = known[row.image].region(picture.shape[:2]) if row.image in known else None
        window = embedder.seen(*picture.shape[:2]) if reads_texts and hasattr(embedder, "seen") else None
        return _Shown(lambda part: variants.variant(picture, region, part), variants.share_seen(region, window))

    def prepare(embedder: Any, row: Any, picture: np.ndarray) -> _Shown:
        whole = shown(embedder, row, picture)
        made = {part: whole.variant(part) for part in parts}
        ready = {part: preparing.prepared(embedder, one) for part, one in made.items() if one is not None}
        return whole._replace(variant=ready.get)

    def ask(embedder: Any, some: Sequence[Any], images: Sequence[Any]) -> Iterator[tuple]:
        pairs = zip(some, images, strict=True)
        given = [(row, one if isinstance(one, _Shown) else shown(embedder, row, one)) for row, one in pairs]
        for part in parts:
            told = [(row.image, one.share, one.variant(part)) for row, one in given]
            told = [one for one in told if one[-1] is not None]
            if told:
                yield from _embedded(embedder, model, part, reads_texts, *zip(*told, strict=True))

    reads = (given.people[["image", "subject", *PERSON]], *([] if segments is None else [segments[DRAWN]]))
    table = VariantEmbeddings if reads_texts else PartEmbeddings
    return Question(model, table, ("image", "part"), wanted, wanted, loader(model, given), ask, reads, prepare=prepare)


def _embedded(
    embedder: Any, model: dict, part: str, with_shares: bool, names: tuple, shares: tuple, images: tuple
) -> Iterator[tuple]:
    vectors = answers.one_each(model, embedder.embed(list(images)), len(images))
    for name, share, vector in zip(names, shares, vectors, strict=True):
        if vector is not None and np.any(vector):
            seen = (share,) if with_shares else ()
            yield model["name"], name, "", part, *seen, answers.unit(model, vector)
