"""The tables of a benchmark of detectors of made faces on an archive of sources."""

import pandera.pandas as pa

from accord.analyse.scoring.detectors.tables import METRICS, Unfairness, Utility
from accord.engine.table import Table

SHARE = {"in_range": {"min_value": 0, "max_value": 1}}

__all__ = ["METRICS", "AnnotationAccuracy", "FakeFairness", "FakeUtility", "StudyAccuracy", "StudyAgreement"]


class FakeFairness(Unfairness):
    """One row per model, degradation, subset, attribute and metric: how unlike groups are served, 0 the fairest.

    subset: `all`, or the fakes of one with the real pictures of all. The rest is as in Unfairness; low, high: 95%
    interval, by bootstrap of subjects, and of sources where nobody is known.
    """

    model: str
    degradation: str
    subset: str

    class Config(Unfairness.Config):
        unique = ["model", "degradation", "subset", "attribute", "metric"]  # noqa: RUF012


class FakeUtility(Utility):
    """One row per model, degradation and subset (attribute and group `all`), and of `all` subsets one per group: how
    well fakes are told. faces: that the model gave a score; unscored: that it gave none."""

    model: str
    degradation: str
    subset: str
    unscored: int = pa.Field(ge=0)

    class Config(Utility.Config):
        unique = ["model", "degradation", "subset", "attribute", "group"]  # noqa: RUF012


class AnnotationAccuracy(Table):
    """One row per annotator and stratum (value `all`), and one per value of the archive's labels (stratum `all`): how
    many of the pictures that were judged it annotates as they are labelled.

    stratum: a subset, `all` that were judged together, or `weighted`, each as it weighs in the archive; units: people,
    and sources where nobody is known; low, high: 95% interval, by bootstrap of these; weight: the stratum's share of
    the archive's pictures with a label; commonest: how many would be right if it said the commonest of their labels of
    all, missing where value is not `all`.
    """

    annotator: str
    attribute: str
    value: str
    stratum: str
    images: int = pa.Field(ge=0)
    units: int = pa.Field(ge=0)
    accuracy: float = pa.Field(nullable=True, **SHARE)
    low: float = pa.Field(nullable=True, **SHARE)
    high: float = pa.Field(nullable=True, **SHARE)
    weight: float = pa.Field(ge=0, le=1)
    note: str
    commonest: float = pa.Field(nullable=True, **SHARE)

    class Config(Table.Config):
        unique = ["annotator", "value", "stratum"]  # noqa: RUF012


class StudyAccuracy(Table):
    """One row per annotator, `who` (the annotator, or the archive's labels), and stratum: how many of the faces that
    most people take for one value have that annotation.

    stratum: a subset and whether annotator and archive differ or agree, `all` that were drawn, or `weighted`; the rest
    as in AnnotationAccuracy.
    """

    annotator: str
    attribute: str
    who: str = pa.Field(isin=("annotator", "archive"))
    stratum: str
    images: int = pa.Field(ge=0)
    units: int = pa.Field(ge=0)
    accuracy: float = pa.Field(nullable=True, **SHARE)
    low: float = pa.Field(nullable=True, **SHARE)
    high: float = pa.Field(nullable=True, **SHARE)
    weight: float = pa.Field(ge=0, le=1)
    note: str

    class Config(Table.Config):
        unique = ["annotator", "who", "stratum"]  # noqa: RUF012


class StudyAgreement(Table):
    """One row per attribute: faces that people are asked about, who voted, faces with two votes or more, those that
    more than half take for one value; how many are unanimous, and Krippendorff's alpha, with its 95% interval by
    bootstrap of faces."""

    attribute: str = pa.Field(unique=True)
    faces: int = pa.Field(ge=0)
    raters: int = pa.Field(ge=0)
    voted: int = pa.Field(ge=0)
    decided: int = pa.Field(ge=0)
    unanimous: float = pa.Field(nullable=True, **SHARE)
    alpha: float = pa.Field(nullable=True, le=1)
    low: float = pa.Field(nullable=True, le=1)
    high: float = pa.Field(nullable=True, le=1)
    note: str
