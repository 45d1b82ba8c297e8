"""The table of what changed between two versions, or differs between two models."""

import pandera.pandas as pa

from accord.engine.table import Table

VERSIONS, MODELS = "versions", "models"
SAME, REPLACED, ALL = "same images", "replaced images", "all images"
VERDICTS = ("changed", "changed by less than the margin", "same", "open")


class Compared(Table):
    """One row per (task, metric, model before, model after) and images that are compared.

    kind: two `versions` (of the images, of a release, of a model), or two `models` on the same images. images: `same
    images` pairs each person in an image with itself; `replaced images` are those that only before has against those
    that only after has; `all images` are all of both. before, after: means over people in images; change: after -
    before; for `same images` and `replaced images` over subjects, so that each counts once. low, high: its 90%
    interval. p_changed, p_ranks (signed ranks; same images alone): that it changed at all; p_same: that it changed by
    `margin` or more; all three corrected over the table by Holm. Of `replaced images` they compare subjects with as
    many; `note` counts the others. better: `before` or `after` where it changed, and one of them is.
    """

    kind: str = pa.Field(isin=(VERSIONS, MODELS))
    task: str
    metric: str
    model_before: str
    model_after: str
    images: str = pa.Field(isin=(SAME, REPLACED, ALL))
    images_before: int = pa.Field(ge=0)
    images_after: int = pa.Field(ge=0)
    subjects: int = pa.Field(ge=0)
    before: float = pa.Field(nullable=True)
    after: float = pa.Field(nullable=True)
    change: float = pa.Field(nullable=True)
    low: float = pa.Field(nullable=True)
    high: float = pa.Field(nullable=True)
    margin: float = pa.Field(nullable=True)
    p_changed: float = pa.Field(nullable=True)
    p_ranks: float = pa.Field(nullable=True)
    p_same: float = pa.Field(nullable=True)
    verdict: str = pa.Field(isin=VERDICTS)
    better: str = pa.Field(isin=("", "before", "after"))
    note: str

    class Config(Table.Config):
        unique = ["kind", "task", "metric", "model_before", "model_after", "images"]  # noqa: RUF012
