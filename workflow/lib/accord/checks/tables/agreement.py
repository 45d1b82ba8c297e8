"""The tables of what several people drew or said of one thing, and of how alike it is."""

import pandera.pandas as pa

from accord.engine.table import LIST_OF_FLOATS, Table

ANNOTATOR, REVIEWER = ROLES = ("annotator", "reviewer")


class Marks(Table):
    """What one person drew or said of one person in an image: one row per keypoint, polygon, or value.

    `kind`: face_box, person_box, person_mask, keypoints, or the name of an attribute (`subject` "" where that is of
    the image); `part`: number of the keypoint or polygon, else 0; `value`: label of an attribute, `visible` or `hidden`
    of a keypoint; `polygon`: x0, y0, ... px of the upright image, of a box its corners, of a keypoint its place.
    `vendor`: whom an annotator works for; "" of reviewers.
    """

    image: str
    subject: str
    annotator: str
    vendor: str
    role: str = pa.Field(isin=ROLES)
    kind: str
    part: int = pa.Field(ge=0)
    value: str
    polygon: object = pa.Field(metadata=LIST_OF_FLOATS)

    class Config(Table.Config):
        unique = ["image", "subject", "annotator", "kind", "part", "value"]  # noqa: RUF012


AGAINST, WITHIN, BETWEEN, REVIEWERS = COMPARISONS = (
    "against_reviewers", "within_vendor", "between_vendors", "reviewers",
)  # fmt: skip


class Agreement(Table):
    """How alike what people drew or said is: one row per kind, metric, comparison, vendor and group.

    comparison: annotators against the mean of reviewers, pairs of annotators of one vendor, of two vendors, pairs of
    reviewers; vendor: `all`, or one. value: mean over `pairs` (alpha: over units), with its 95% interval over subjects.
    What can't be said is missing, and `note` says why.
    """

    kind: str
    metric: str = pa.Field(isin=("iou", "dice", "oks", "jaccard", "alpha_nominal", "alpha_ordinal"))
    comparison: str = pa.Field(isin=COMPARISONS)
    vendor: str
    attribute: str
    group: str
    pairs: int = pa.Field(ge=0)
    images: int = pa.Field(ge=0)
    subjects: int = pa.Field(ge=0)
    value: float = pa.Field(nullable=True)
    low: float = pa.Field(nullable=True)
    high: float = pa.Field(nullable=True)
    note: str

    class Config(Table.Config):
        unique = ["kind", "metric", "comparison", "vendor", "attribute", "group"]  # noqa: RUF012
