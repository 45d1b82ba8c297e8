"""The tables of a benchmark of detectors of made faces."""

import pandera.pandas as pa

from accord.engine.table import Table

SHARE = {"ge": 0, "le": 1}
METRICS = ("f_meo", "f_dp", "f_oae", "f_eo", "f_ind")


class Unfairness(Table):
    """One row per attribute and group metric, and one of `f_ind`, whose attribute is `all`. Each 0 is the fairest.

    value: a fraction, not in percent (f_eo is a sum over groups and can be above 1). low, high: 95% interval, by
    bootstrap of subjects; of f_ind from its standard error, missing where all pairs were taken. floor: of f_dp, its
    value for a detector that is always right. covered, left_out: groups, by `; `. note: why a value is missing, or what
    to mind.
    """

    attribute: str
    metric: str = pa.Field(isin=METRICS)
    value: float = pa.Field(nullable=True, ge=0)
    low: float = pa.Field(nullable=True, ge=0)
    high: float = pa.Field(nullable=True, ge=0)
    floor: float = pa.Field(nullable=True, **SHARE)
    covered: str
    left_out: str
    note: str

    class Config(Table.Config):
        unique = ["attribute", "metric"]  # noqa: RUF012


class Utility(Table):
    """One row per attribute and group, and one of all faces (attribute and group `all`): how well fakes are told.

    accuracy, fpr and tpr are at the threshold; what takes a label that a group lacks is missing, and `note` says so.
    """

    attribute: str
    group: str
    faces: int = pa.Field(ge=0)
    fakes: int = pa.Field(ge=0)
    auc: float = pa.Field(nullable=True, **SHARE)
    accuracy: float = pa.Field(nullable=True, **SHARE)
    ap: float = pa.Field(nullable=True, **SHARE)
    eer: float = pa.Field(nullable=True, **SHARE)
    fpr: float = pa.Field(nullable=True, **SHARE)
    tpr: float = pa.Field(nullable=True, **SHARE)
    note: str

    class Config(Table.Config):
        unique = ["attribute", "group"]  # noqa: RUF012
