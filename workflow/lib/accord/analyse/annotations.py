"""How often the annotators of this run say what the archive says of faces that they have not learnt from."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.scoring.detectors import judged, strata
from accord.analyse.tables.fakes import AnnotationAccuracy
from accord.analyse.tables.scores import Members
from accord.checks.tables.findings import Verdicts
from accord.engine import table
from accord.engine.parameter_types import Count, Seed
from accord.evaluate.tables.annotations import Annotations, SkinTones
from accord.grouping import WHOLE
from accord.release.source_tables import Sources
from accord.release.tables import Attributes, People
from accord.statistics.resampling import bootstrap


def run(
    annotations: DataFrame[Annotations],
    sources: DataFrame[Sources],
    people: DataFrame[People],
    attributes: DataFrame[Attributes],
    verdicts: DataFrame[Verdicts],
    *,
    bootstraps: Count = 1000,
    seed: Seed = 1,
) -> DataFrame[AnnotationAccuracy]:
    """Of each annotator the accuracy on pictures of the split `test`, by subset, of all, and weighted by the subsets'
    sizes in the archive; and of all pictures the recall of each value that the archive has.

    A picture of which the archive has no value of the attribute, or several, is not judged. A face of which the
    annotator says nothing counts as wrong.
    """
    test = judged.pictures(sources, people, table.empty(Members), table.empty(SkinTones), verdicts)
    units = pd.Series(test.units, index=test.images)
    drawn = bootstrap.held(bootstrap.resampled(test.people + test.sources, bootstraps, np.random.default_rng(seed)))
    made = []
    for (annotator, attribute), said in annotations.groupby(["annotator", "attribute"], sort=True):
        true = _values(attributes, str(attribute))
        rows = said[said["image"].isin(units.index) & said["image"].isin(true.index)]
        rows = rows.merge(sources[["image", "subset"]], on="image").assign(true=rows["image"].map(true).to_numpy())
        sizes = sources.loc[sources["image"].isin(true.index), "subset"].value_counts().to_dict()
        if len(rows):
            told = _judged(rows, units, {str(name): int(size) for name, size in sizes.items()})
            constant = (
                f"says {rows['value'].iloc[0] or 'nothing'} of every picture" if rows["value"].nunique() == 1 else ""
            )
            for value, one in _each(told, rows["true"], drawn):
                note = "; ".join(filter(None, (constant if value == one.stratum == WHOLE else "", one.note)))
                common = _commonest(told, rows["true"], one.stratum) if value == WHOLE else np.nan
                made.append((annotator, attribute, value, *one._replace(note=note), common))
    return table.rows(made, AnnotationAccuracy)


def _judged(rows: pd.DataFrame, units: pd.Series, sizes: dict[str, int]) -> strata.Judged:
    right = (rows["value"] == rows["true"]).to_numpy()
    return strata.Judged(right, pd.Categorical(rows["subset"]), units[rows["image"]].to_numpy(), sizes)


def _each(told: strata.Judged, true: pd.Series, drawn: np.ndarray) -> Iterator[tuple[str, strata.Accuracy]]:
    """Of all values together each stratum; of each value all strata together."""
    for one in strata.accuracies(told, drawn):
        yield WHOLE, one
    for value in sorted(set(true)):
        some = (true == value).to_numpy()
        part = strata.Judged(told.right[some], told.strata[some], told.units[some], told.sizes)
        yield from ((value, one) for one in strata.accuracies(part, drawn) if one.stratum == WHOLE)


def _commonest(told: strata.Judged, true: pd.Series, stratum: str) -> float:
    """How many of a stratum's pictures have the label that most of them have; weighted as accuracies are."""
    counts = pd.crosstab(np.asarray(told.strata), true.to_numpy())
    if stratum == WHOLE:
        return float(counts.sum().max() / counts.to_numpy().sum())
    shares = counts.div(counts.sum(axis=1), axis=0)
    if stratum != strata.WEIGHTED:
        return float(shares.loc[stratum].max())
    sizes = pd.Series(told.sizes)
    if set(sizes.index) - set(shares.index):
        return np.nan
    return float(shares.mul(sizes / sizes.sum(), axis=0).sum().max())


def _values(attributes: pd.DataFrame, attribute: str) -> pd.Series:
    """Image -> the value that the archive has of it, where that is one."""
    of = attributes.loc[attributes["attribute"] == attribute, ["image", "value"]].drop_duplicates()
    return of.drop_duplicates("image", keep=False).set_index("image")["value"]
