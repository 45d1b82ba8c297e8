"""Find logos that annotators did not outline, for people to look at."""

from collections.abc import Iterable, Iterator
from itertools import repeat
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.checks.brands.detectors import Brands, Gallery, LogoDetector, OpenVocabulary, Service, View
from accord.checks.files.pixels import by_image, pictures
from accord.checks.personal.proposals import Seen, proposals, questions
from accord.checks.tables.findings import Answers, Findings, Images, Proposals, Texts
from accord.engine.parameter_types import Folder
from accord.imaging.masks import covered
from accord.intake.tables import Regions

CHECK = "logo"
SAME = 0.5
"""Share of the smaller of two proposals that the larger covers where both are of one logo."""


class Logos(NamedTuple):
    """A finding per image, and the regions that people are asked about."""

    findings: DataFrame[Findings]
    proposals: DataFrame[Proposals]


def run(
    images: DataFrame[Images], regions: DataFrame[Regions], texts: DataFrame[Texts], answers: DataFrame[Answers],
    bundle: Path, gallery: list[Path], *, brands: Path, min_score: float, max_pixels: int, weights: Folder,
    model: dict | None = None,
) -> Logos:  # fmt: skip
    """Logos by text, by the shapes of a gallery, by an open-vocabulary `model` (`logo_model.spec`), and by answers.

    Texts: what was read in the images; answers: of an outside service; regions: drawn by annotators; weights: the
    folder of models' weights. A logo that regions cover by less than 90% puts its image to a person. Images are
    decoded only for a gallery or a model. Raises AccordError where a list, a logo or the model is broken.
    """
    detectors: list[LogoDetector] = [Brands(brands, min_score), Service(min_score)]
    looking: list[LogoDetector] = [Gallery(gallery, min_score)] if gallery else []
    looking += [OpenVocabulary(model, weights, min_score)] if model else []
    read, said = by_image(texts), by_image(answers)
    seen = {}
    for image, pixels in _pixels(images, bundle, max_pixels) if looking else zip(images["image"], repeat(None)):
        view = View(pixels, read.get(image, texts[:0]), said.get(image, answers[:0]))
        seen[image] = apart(one for detector in (*detectors, *looking) for one in detector.detect(view))
    proposed = proposals(seen, regions[regions["image"].isin(images["image"])])
    return Logos(questions(images["image"], proposed, CHECK, "logos"), proposed)


def _pixels(images: pd.DataFrame, bundle: Path, max_pixels: int) -> Iterator[tuple[str, np.ndarray]]:
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
