"""How well detectors tell made faces from real ones, and how alike they serve groups: AI-Face's benchmark."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.scoring.detectors import benchmark, by_subset, judged
from accord.analyse.scoring.detectors.benchmark import Faces
from accord.analyse.tables.fakes import FakeFairness, FakeUtility
from accord.analyse.tables.scores import Members
from accord.checks.tables.findings import Verdicts
from accord.engine import table
from accord.engine.parameter_types import Count, Seed
from accord.evaluate.tables.annotations import SkinTones
from accord.evaluate.tables.predictions import PLAIN
from accord.grouping import WHOLE
from accord.release.source_tables import Sources
from accord.release.tables import People
from accord.statistics.resampling import bootstrap
from accord.text.nouns import counted

SURE = 1e-7
"""Probabilities nearer to 0 and 1 have no finite logit, and are taken for this near."""
SPACE = "logits of the scores"


class Benchmarked(NamedTuple):
    """How unlike groups are served, and how well fakes are told."""

    fairness: DataFrame[FakeFairness]
    utility: DataFrame[FakeUtility]


class How(NamedTuple):
    """A face is called fake at a score >= threshold; again: how often each unit is drawn; every: pairs of F_IND."""

    threshold: float
    again: Any
    every: int
    seed: int


def run(
    fakes: list[Path],
    sources: DataFrame[Sources],
    people: DataFrame[People],
    members: DataFrame[Members],
    tones: DataFrame[SkinTones],
    verdicts: DataFrame[Verdicts],
    *,
    threshold: float = 0.5,
    pairs: int = 10_000_000_000,
    bootstraps: Count = 1000,
    seed: Seed = 1,
) -> Benchmarked:
    """Of each model and degradation: F_MEO, F_DP with its floor, F_OAE and F_EO of each attribute and intersection in
    `members`, of all pictures of the test and of each subset; and AUC, accuracy, AP, EER, FPR and TPR.

    fakes: tables Fakes; tones: those that were measured, if any, are attributes too. F_IND is that of pictures as they
    are, in the space of the scores' logits, of all pairs up to `pairs`. A picture that a model gives no score is left
    out and counted. Raises AccordError where two files score one picture for one model, or one knows no picture at all.
    """
    test = judged.pictures(sources, people, members, tones, verdicts)
    units = test.people + test.sources
    drawn = bootstrap.held(bootstrap.resampled(units, bootstraps, np.random.default_rng(seed)))
    how = How(threshold, drawn, pairs, seed)
    unfair, useful = [table.empty(FakeFairness)], [table.empty(FakeUtility)]
    for (model, degradation), scores in judged.scores(fakes, test.images, pd.Index(sources["image"])).items():
        scored = ~np.isnan(scores)
        faces, subsets = _faces(test, scores, scored), test.subsets[scored]
        told = {"model": model, "degradation": degradation}
        unfair += [part.assign(**told) for part in _unfairness(faces, subsets, test, degradation, how)]
        useful += [part.assign(**told) for part in _utility(faces, subsets, test, scored, threshold)]
    return Benchmarked(_together(unfair, FakeFairness), _together(useful, FakeUtility))


def _faces(test: judged.Judged, scores: np.ndarray, scored: np.ndarray) -> Faces:
    attributes = {name: groups[scored] for name, groups in test.attributes.items()}
    return Faces(test.labels[scored], scores[scored], test.units[scored], attributes)


def _unfairness(
    faces: Faces, subsets: pd.Categorical, test: judged.Judged, degradation: str, how: How
) -> Iterator[pd.DataFrame]:
    drawn_of = {"person": test.people, "source": test.sources}
    units = "drawn of " + " and ".join(counted(count, noun) for noun, count in drawn_of.items() if count)
    for subset, found in by_subset.unfairness(faces, subsets, how.again, how.threshold).items():
        notes = [f"{note}; {units}" if note else units for note in found["note"]]
        yield found.assign(subset=subset, note=notes)
    if degradation == PLAIN:
        sure = np.clip(faces.scores, SURE, 1 - SURE)
        logits = np.log(sure / (1 - sure))[:, np.newaxis]
        yield benchmark.individuals(faces.scores, logits, SPACE, every=how.every, seed=how.seed).assign(subset=WHOLE)


def _utility(
    faces: Faces, subsets: pd.Categorical, test: judged.Judged, scored: np.ndarray, threshold: float
) -> Iterator[pd.DataFrame]:
    """Of all with their groups, and of each subset as a whole."""
    for subset, some in by_subset.of_subsets(faces, subsets).items():
        groups = faces.attributes if subset == WHOLE else {}
        part = Faces(faces.labels[some], faces.scores[some], None, groups)
        left = ~scored if subset == WHOLE else ~scored & (~test.labels | (test.subsets == subset))
        told = benchmark.utility(part, threshold=threshold)
        whole = told["attribute"] == WHOLE
        yield told.assign(subset=subset, unscored=np.where(whole, int(left.sum()), 0))


def _together(parts: list[pd.DataFrame], model: type[table.Table]) -> pd.DataFrame:
    key = model.to_schema().unique
    return table.check(pd.concat(parts).sort_values(key, ignore_index=True), model, model.__name__)
