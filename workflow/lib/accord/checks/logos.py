"""Find logos that annotators did not outline, for people to look at."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pandas as pd
from pandera.typing import DataFrame

from accord.checks.logo_detectors import Brands, Gallery, LogoDetector, OpenVocabulary, Service, View
from accord.checks.pixels import by_image, pictures
from accord.checks.proposals import Seen, covered, proposals, questions
from accord.checks.tables import Answers, Findings, Images, Proposals, Texts
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
    bundle: Path, gallery: list[Path], *, brands: Path, min_score: float, max_pixels: int, model: str = "",
) -> Logos:  # fmt: skip
    """Logos by text, by the shapes of a gallery, by an open-vocabulary `model` (a folder; "" for none), and by answers.

    Texts: what was read in the images; answers: of an outside service; regions: drawn by annotators. A logo that they
    cover by less than half puts its image to a person. Raises AccordError where a list, a logo or the model is broken.
    """
    detectors: list[LogoDetector] = [Brands(brands, min_score), Gallery(gallery, min_score), Service(min_score)]
    detectors += [OpenVocabulary(Path(model), min_score)] if model else []
    read, said = by_image(texts), by_image(answers)
    seen = {}
    for row, _, pixels in pictures(images, bundle, max_pixels):
        view = View(pixels, read.get(row.image, texts[:0]), said.get(row.image, answers[:0]))
        seen[row.image] = apart(one for detector in detectors for one in detector.detect(view))
    proposed = proposals(seen, regions[regions["image"].isin(images["image"])])
    return Logos(questions(images["image"], proposed, CHECK, min_score, "logos"), proposed)


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
