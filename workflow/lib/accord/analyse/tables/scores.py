"""The tables that analyse produces. All are about a release as a whole."""

import pandas as pd
import pandera.pandas as pa
from pandera.typing import Series

from accord.analyse.scoring.metrics import BOUNDED
from accord.engine.table import Table
from accord.vocabularies import FACE_PARTS


class OfMetric(Table):
    """Columns of tables that begin with what was measured: a task, a model, a metric."""

    task: str
    model: str
    metric: str


class WorstAndBest(OfMetric):
    """Columns of tables that set the worst group of an attribute against its best one."""

    attribute: str
    worst: str
    best: str
    worst_median: float = pa.Field(nullable=True)
    best_median: float = pa.Field(nullable=True)
    worst_mean: float = pa.Field(nullable=True)
    best_mean: float = pa.Field(nullable=True)
    worst_subjects: int = pa.Field(ge=0)
    best_subjects: int = pa.Field(ge=0)


class Scores(OfMetric):
    """One row per (task, model, metric, image, subject): how well the model did. `metrics` tells which way is better.

    `value` is finite, and in [0, 1] where the metric is; it is missing where it can't be said, and `note` says why. A
    thing that the model missed has the worst score: 0 where that is a share.
    """

    image: str
    subject: str
    value: float = pa.Field(nullable=True, gt=float("-inf"), lt=float("inf"))
    note: str

    class Config(Table.Config):
        unique = ["task", "model", "metric", "image", "subject"]  # noqa: RUF012

    @pa.dataframe_check(name="value_in_0_1_of_its_metric")
    def _bounded(cls, table: pd.DataFrame) -> Series[bool]:
        return ~table["metric"].isin(BOUNDED) | table["value"].isna() | table["value"].between(0, 1)


class FaceMasks(Table):
    """One row per label (CelebAMask-HQ's, 0 is background) in the mask of an aligned face that a release has: where, as
    COCO's compressed RLE of height x width px."""

    image: str
    subject: str
    label: int = pa.Field(in_range={"min_value": 0, "max_value": len(FACE_PARTS) - 1})
    height: int = pa.Field(gt=0)
    width: int = pa.Field(gt=0)
    counts: str

    class Config(Table.Config):
        unique = ["image", "subject", "label"]  # noqa: RUF012


class Members(Table):
    """One row per (image, subject) and group that it belongs to: attribute `pronoun`, group `0. She/her/hers`;
    intersections: attribute `pronoun x age_group`, group `0. She/her/hers x [18, 30)`."""

    image: str
    subject: str
    attribute: str
    group: str

    class Config(Table.Config):
        unique = ["image", "subject", "attribute", "group"]  # noqa: RUF012


class Groups(OfMetric):
    """One row per (task, model, metric, attribute, group): how well, for how many, how sure.

    The whole set is attribute `all`, group `all`. clusters: of how many subjects who share no image, or clusters of
    those who do, the group is: the units of all intervals and tests. low, high: 95% interval of `mean`, by clusters;
    scores that are all 0 or 1 have no median. `average` says how it was averaged; `note` says why a figure is missing
    or why the group enters no test. Rates of verification have metric `tar@far=0.001`, their interval is by subjects.
    """

    attribute: str
    group: str
    images: int = pa.Field(ge=0)
    subjects: int = pa.Field(ge=0)
    clusters: int = pa.Field(ge=0)
    mean: float = pa.Field(nullable=True)
    median: float = pa.Field(nullable=True)
    low: float = pa.Field(nullable=True)
    high: float = pa.Field(nullable=True)
    average: str
    note: str

    class Config(Table.Config):
        unique = ["task", "model", "metric", "attribute", "group"]  # noqa: RUF012


class Disparities(WorstAndBest):
    """One row per (task, model, metric, attribute): the significant pair of groups with the largest D, or why there
    is none (worst and best are then "", and p_value is the smallest of all pairs).

    difference: of the means, above 0 where the worst one's is worse, with its 95% interval; disparity: D = 1 -
    median(worst)/median(best), where lower is better 1 - median(best)/median(worst), undefined of a negative median
    and of scores that are all 0 or 1, which have no medians here; low and high its 95% interval; p_value: Mann-Whitney,
    corrected for `pairs` pairs; effect: z of U(worst), its sign such that it is negative where the worst group does
    worse. claimed: the pair also differs between subjects after correction for all tests of the table
    (`p_between_subjects` < 0.05); where any pair of an attribute is claimed, the row shows the claimed pair with the
    largest D (of scores 0 and 1 with the largest difference): the note says so where other groups are the worst and
    the best by the same statistic. Between subjects only those with equally many scores are compared:
    subjects_compared counts those for whom another group has one. p_value and effect take every image for independent,
    so that subjects with many images say more.
    """

    difference: float = pa.Field(nullable=True)
    difference_low: float = pa.Field(nullable=True)
    difference_high: float = pa.Field(nullable=True)
    disparity: float = pa.Field(nullable=True, in_range={"min_value": 0, "max_value": 1})
    low: float = pa.Field(nullable=True)
    high: float = pa.Field(nullable=True)
    p_value: float = pa.Field(nullable=True)
    effect: float = pa.Field(nullable=True)
    pairs: int = pa.Field(ge=0)
    significant: bool
    p_between_subjects: float = pa.Field(nullable=True)
    subjects_compared: int = pa.Field(ge=0)
    claimed: bool
    note: str

    class Config(Table.Config):
        unique = ["task", "model", "metric", "attribute"]  # noqa: RUF012


class Verification(Table):
    """One row per (model, attribute, group): TAR at a fixed FAR among pairs of the group.

    low, high: 95% interval by subjects; positives, negatives: pairs that were compared; the whole set is attribute
    `all`, group `all`. Groups are compared by equal_* (the mean TAR of samples of `equal_negatives` impostor pairs: as
    many as the smallest group of the attribute has that resolves the FAR) and by shared_* (TAR at the whole set's
    threshold, and `shared_far`, the share of the group's own impostor pairs that it accepts).
    """

    model: str
    attribute: str
    group: str
    subjects: int = pa.Field(ge=0)
    images: int = pa.Field(ge=0)
    positives: int = pa.Field(ge=0)
    negatives: int = pa.Field(ge=0)
    threshold: float = pa.Field(nullable=True)
    tar: float = pa.Field(nullable=True)
    low: float = pa.Field(nullable=True)
    high: float = pa.Field(nullable=True)
    equal_negatives: int = pa.Field(ge=0)
    equal_tar: float = pa.Field(nullable=True)
    equal_low: float = pa.Field(nullable=True)
    equal_high: float = pa.Field(nullable=True)
    shared_tar: float = pa.Field(nullable=True)
    shared_low: float = pa.Field(nullable=True)
    shared_high: float = pa.Field(nullable=True)
    shared_far: float = pa.Field(nullable=True)
    note: str

    class Config(Table.Config):
        unique = ["model", "attribute", "group"]  # noqa: RUF012


class PartRates(Table):
    """One row per (model, metric, attribute, group, part): how well a model tells one body part of a group's people.

    metric: `ar_part`, over people in images who have the part, or `accuracy`, over all. part `all parts`: the mean over
    the parts, each weighing alike, so not the mean of people's scores. The whole set is attribute `all`, group `all`.
    `mean` is missing where a group has too few subjects, or nobody has the part: `note` says so.
    """

    model: str
    metric: str
    attribute: str
    group: str
    part: str
    people: int = pa.Field(ge=0)
    subjects: int = pa.Field(ge=0)
    mean: float = pa.Field(nullable=True, in_range={"min_value": 0, "max_value": 1})
    note: str

    class Config(Table.Config):
        unique = ["model", "metric", "attribute", "group", "part"]  # noqa: RUF012


class Diversity(Table):
    """One row per (embedding model, part of the image): Vendi score, q = 1."""

    model: str
    part: str = pa.Field(isin=("image", "people_masked", "background_masked"))
    images: int = pa.Field(ge=0)
    vendi: float = pa.Field(nullable=True)
    note: str

    class Config(Table.Config):
        unique = ["model", "part"]  # noqa: RUF012


class Composition(Table):
    """One row per (attribute, group): how many images and subjects of the release belong to it."""

    attribute: str
    group: str
    images: int = pa.Field(ge=0)
    subjects: int = pa.Field(ge=0)
    share_of_images: float = pa.Field(in_range={"min_value": 0, "max_value": 1})

    class Config(Table.Config):
        unique = ["attribute", "group"]  # noqa: RUF012
