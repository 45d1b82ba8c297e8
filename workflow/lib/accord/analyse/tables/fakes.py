"""The tables of a benchmark of detectors of made faces on an archive of sources."""

import pandera.pandas as pa

from accord.analyse.scoring.detectors.tables import METRICS, Unfairness, Utility

__all__ = ["METRICS", "FakeFairness", "FakeUtility"]


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
