"""Find logos that annotators did not outline, for people to look at."""

from collections.abc import Iterable, Iterator
from itertools import repeat
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.checks.brands import service
from accord.checks.brands.detectors import Brands, Gallery, LogoDetector, OpenVocabulary, View
from accord.checks.files.pixels import Shown, by_image, pictures
from accord.checks.personal.proposals import Seen, proposals, questions
from accord.checks.tables.findings import Answers, Findings, Images, LogosSeen, Proposals, Texts
from accord.engine import table
from accord.imaging.masks import covered
from accord.intake.tables import Regions

CHECK = "logo"
SAME = 0.5
"""Share of the smaller of two proposals that the larger covers where both are of one logo."""


class Logos(NamedTuple):
    """A finding per image, and the regions that people are asked about."""

    findings: DataFrame[Findings]
    proposals: DataFrame[Proposals]


class Detectors(NamedTuple):
    """Who sees logos in what was read, and who looks at pictures."""

    reading: tuple[LogoDetector, ...]
    looking: tuple[LogoDetector, ...]


def detectors(gallery: list[Path], brands: Path, min_score: float, weights: Path, model: dict | None) -> Detectors:
    """Those of a list of brands, of a gallery of shapes, and of an open-vocabulary `model` (`model.spec`).

    weights: the folder of models' weights. Raises AccordError where a list, a logo or the model is broken.
    """
    looking: list[LogoDetector] = [Gallery(gallery, min_score)] if gallery else []
    looking += [OpenVocabulary(model, weights, min_score)] if model else []
    return Detectors((Brands(brands, min_score),), tuple(looking))


def seen(
    images: DataFrame[Images], bundle: Path | Shown, texts: DataFrame[Texts], by: Detectors, max_pixels: int
) -> DataFrame[LogosSeen]:
    """What detectors take for logos: by text, by the shapes of a gallery, by an open-vocabulary model.

    Texts: what was read in the images. Images are decoded only for a gallery or a model.
    """
    read = by_image(texts)
    found = []
    for image, pixels in _pixels(images, bundle, max_pixels) if by.looking else zip(images["image"], repeat(None)):
        view = View(pixels, read.get(image, texts[:0]))
        logos = [one for detector in (*by.reading, *by.looking) for one in detector.detect(view)]
        found += [_row(image, number, one) for number, one in enumerate(logos)]
    return table.rows(sorted(found, key=lambda row: row["image"]), LogosSeen)


def judged(
    images: DataFrame[Images],
    found: DataFrame[LogosSeen],
    answers: DataFrame[Answers],
    regions: DataFrame[Regions],
    min_score: float,
) -> Logos:
    """Finding logo of each image: one that regions cover by less than 90% puts its image to a person.

    found: what detectors see; answers: what an outside service says; regions: drawn by annotators.
    """
    ours, said = by_image(found), by_image(answers)
    each = {
        image: apart([*map(_seen, _rows(ours, image)), *service.seen(_rows(said, image), min_score)])
        for image in images["image"]
    }
    proposed = proposals(each, regions[regions["image"].isin(images["image"])])
    return Logos(questions(images["image"], proposed, CHECK, "logos"), proposed)


def _rows(parts: dict[str, pd.DataFrame], image: str) -> list:
    return list(parts[image].itertuples()) if image in parts else []


def _row(image: str, number: int, one: Seen) -> dict:
    (letters,) = one.parts or ((),)
    return {"image": image, "number": number, **_columns(one), "polygon": list(one.polygon), "letters": list(letters)}


def _columns(one: Seen) -> dict:
    return {name: value for name, value in one._asdict().items() if name != "parts"}


def _seen(row: Any) -> Seen:
    parts = (tuple(row.letters),) if len(row.letters) else ()
    return Seen(row.kind, tuple(row.polygon), row.detector, row.score, row.threshold, row.reason, parts)


def _pixels(images: pd.DataFrame, bundle: Path | Shown, max_pixels: int) -> Iterator[tuple[str, np.ndarray]]:
    return ((row.image, pixels) for row, _, pixels in pictures(images, bundle, max_pixels))


def apart(seen: Iterable[Seen]) -> list[Seen]:
    """What was seen, each logo once: of those at one place, the largest."""
    kept: list[Seen] = []
    for one in sorted(seen, key=lambda one: (-_area(one), -one.score, one)):
        if all(covered(one.polygon, [other.polygon]) < SAME for other in kept):
            kept.append(one)
    return kept


def _area(seen: Seen) -> float:
    """Of a polygon, px, by the shoelace formula."""
    xs, ys = seen.polygon[::2], seen.polygon[1::2]
    pairs = zip(xs, ys, [*xs[1:], xs[0]], [*ys[1:], ys[0]], strict=True)
    return abs(sum(x * next_y - next_x * y for x, y, next_x, next_y in pairs)) / 2


def matches(proposed: pd.DataFrame, truth: pd.DataFrame) -> tuple[int, int, int]:
    """Logos found, logos missed, and proposals of nothing, against true regions (image, polygon): a proposal finds the
    true ones that it covers, or that cover it, by half."""
    found, false = set(), 0
    true = {image: list(group.itertuples()) for image, group in truth.groupby("image")}
    for row in proposed.itertuples():
        hit = [
            one.Index
            for one in true.get(row.image, [])
            if max(covered(row.polygon, [one.polygon]), covered(one.polygon, [row.polygon])) >= SAME
        ]
        found |= set(hit)
        false += not hit
    return len(found), len(truth) - len(found), false
