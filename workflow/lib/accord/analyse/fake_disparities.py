"""For whom detectors of made faces are worse: which differences of error rates between groups hold."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.analyse import disparities
from accord.analyse.comparing.family import Correction
from accord.analyse.scoring.detectors import judged
from accord.analyse.tables.scores import Disparities, Members, Scores
from accord.checks.tables.findings import Verdicts
from accord.engine import table
from accord.engine.parameter_types import Count, Seed
from accord.evaluate.tables.annotations import SkinTones
from accord.evaluate.tables.predictions import PLAIN
from accord.release.source_tables import Sources
from accord.release.tables import People

TASK = "fake_detection"
ERRORS = {"false_positive_rate": False, "false_negative_rate": True}
"""Metric -> whether the faces on which it is an error are fake."""


def run(
    fakes: list[Path],
    sources: DataFrame[Sources],
    people: DataFrame[People],
    members: DataFrame[Members],
    tones: DataFrame[SkinTones],
    verdicts: DataFrame[Verdicts],
    *,
    threshold: float = 0.5,
    min_subjects: Count = 10,
    bootstraps: Count = 1000,
    seed: Seed = 1,
    correction: Correction = "bonferroni",
) -> DataFrame[Disparities]:
    """Per model, error rate and attribute the pair of groups that differ most, and whether that is `claimed`, as
    analyse.disparities has it: corrected for all pairs, and between people over all that is asked of the model. Each
    model stands by itself: the sizes and ratios of one detector ask the same again, and what is said of it shall not
    depend on how many others ran.

    Of pictures of the test as they are. A person's rate is compared, and a source's where nobody is known: faces of one
    of them are not independent. The arguments are those of analyse.fakes and analyse.disparities.
    """
    test = judged.pictures(sources, people, members, tones, verdicts)
    how = {"min_subjects": min_subjects, "bootstraps": bootstraps, "seed": seed, "correction": correction}
    found = [table.empty(Disparities)]
    for (model, degradation), given in judged.scores(fakes, test.images, pd.Index(sources["image"])).items():
        if degradation == PLAIN:
            nothing = table.empty(Scores), table.empty(Members)
            scores, groups = zip(nothing, *_rates(test, given, model, threshold), strict=True)
            found.append(disparities.run(_together(scores), _together(groups), lower_is_better=[*ERRORS], **how))
    return table.check(_together(found), Disparities, "Disparities")


def _rates(
    test: judged.Judged, given: np.ndarray, model: str, threshold: float
) -> Iterator[tuple[pd.DataFrame, pd.DataFrame]]:
    """Scores and Members of each error rate. What stands for an image is a person, or source, in one group of each
    attribute: most people have one such row."""
    codes = pd.DataFrame({name: groups.codes for name, groups in test.attributes.items()}, index=range(len(given)))
    for metric, is_fake in ERRORS.items():
        of = (test.labels == is_fake) & ~np.isnan(given)
        if not of.any():
            continue
        wrong = (given >= threshold) != is_fake
        each = codes[of].assign(subject=test.units[of], value=wrong[of].astype(float))
        mean = each.groupby([*codes.columns, "subject"], sort=True)["value"].mean().reset_index()
        mean["image"] = mean[[*codes.columns, "subject"]].astype(str).agg("/".join, axis=1)
        mean["subject"] = mean["subject"].astype(str)
        told = {"task": TASK, "model": model, "metric": metric, "note": ""}
        yield mean[["image", "subject", "value"]].assign(**told), _members(mean, test)


def _members(mean: pd.DataFrame, test: judged.Judged) -> pd.DataFrame:
    parts = [table.empty(Members)]
    for name, groups in test.attributes.items():
        some = mean[mean[name] >= 0]
        parts.append(some[["image", "subject"]].assign(attribute=name, group=groups.categories[some[name]].astype(str)))
    return _together(parts)


def _together(parts: Iterable[pd.DataFrame]) -> pd.DataFrame:
    return pd.concat(parts, ignore_index=True).drop_duplicates(ignore_index=True)
