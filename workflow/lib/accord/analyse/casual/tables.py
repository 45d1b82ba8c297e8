"""The tables of Casual Conversations: votes and types, the mini set, precision, deepfakes."""

import pandera.pandas as pa

from accord.engine.table import Table

SHARE = {"min_value": 0, "max_value": 1}


class Votes(Table):
    """One row per (subject, rater): the value of a scale that the rater chose, 1 the lightest, and whether they were
    not sure."""

    subject: str
    rater: str
    type: int = pa.Field(ge=1)
    uncertain: bool

    class Config(Table.Config):
        unique = ["subject", "rater"]  # noqa: RUF012


class SkinTypes(Table):
    """One row per subject: the type with the most votes, "" of a tie; `skin`: light, medium or dark, "" where tied
    types are not of one. share: the weight of that type, or of each tied one, of all weight."""

    subject: str = pa.Field(unique=True)
    type: str
    skin: str
    votes: int = pa.Field(ge=0)
    uncertain: int = pa.Field(ge=0)
    share: float = pa.Field(nullable=True, in_range=SHARE)
    note: str


class VoteAgreement(Table):
    """One row per (votes, what is compared, metric): how far raters agree, over subjects with two votes or more.

    votes: all, or those that were certain; compared: types, or their groups. low, high: 95% interval by subjects.
    """

    scale: str
    votes: str = pa.Field(isin=("all", "certain"))
    compared: str = pa.Field(isin=("types", "groups"))
    metric: str
    subjects: int = pa.Field(ge=0)
    raters: int = pa.Field(ge=0)
    value: float = pa.Field(nullable=True)
    low: float = pa.Field(nullable=True)
    high: float = pa.Field(nullable=True)
    note: str

    class Config(Table.Config):
        unique = ["scale", "votes", "compared", "metric"]  # noqa: RUF012


class MiniSet(Table):
    """One row per video of the mini set; lighting: dark, bright, or "" where it isn't known."""

    subject: str
    video: str
    lighting: str

    class Config(Table.Config):
        unique = ["subject", "video"]  # noqa: RUF012


class MiniCounts(Table):
    """One row per figure: how many subjects and videos there are, and what was published."""

    figure: str = pa.Field(unique=True)
    value: float = pa.Field(nullable=True)
    published: float = pa.Field(nullable=True)


class FramePredictions(Table):
    """One row per frame that a model was asked about: what it said; "" and missing where it found no face."""

    model: str
    video: str
    gender: str
    gender_score: float = pa.Field(nullable=True, in_range=SHARE)
    age: float = pa.Field(nullable=True, ge=0)


class VideoLooks(Table):
    """One row per (model, attribute, video, subject): the age range or the gender that a model gives, and whether it is
    right.

    age: the median over frames, years; frames: of the video; faces: those with a face. value: "" for none. `right` is 0
    where there is none, and missing where the truth isn't known or the model wasn't asked; `note` says so.
    """

    model: str
    attribute: str = pa.Field(isin=("age", "gender"))
    video: str
    subject: str
    truth: str
    value: str
    age: float = pa.Field(nullable=True)
    frames: int = pa.Field(ge=0)
    faces: int = pa.Field(ge=0)
    right: float = pa.Field(nullable=True, isin=(0.0, 1.0))
    note: str

    class Config(Table.Config):
        unique = ["model", "attribute", "video", "subject"]  # noqa: RUF012


class Precision(Table):
    """One row per (model, what it predicts, attribute, group, average): precision of a class (`class male`), averages
    of classes, and accuracy, the share that is right.

    classes: how many an average is over; never_said: of them those that the model never says, which count as 0 in
    macro, macro_frequent and weighted. published: what was printed of the group, by an averaging that isn't stated.
    low, high: 95% interval by subjects.
    """

    model: str
    predicted: str
    attribute: str
    group: str
    average: str
    videos: int = pa.Field(ge=0)
    subjects: int = pa.Field(ge=0)
    classes: int = pa.Field(ge=0)
    never_said: int = pa.Field(ge=0)
    precision: float = pa.Field(nullable=True, in_range=SHARE)
    low: float = pa.Field(nullable=True)
    high: float = pa.Field(nullable=True)
    published: float = pa.Field(nullable=True)
    note: str

    class Config(Table.Config):
        unique = ["model", "predicted", "attribute", "group", "average"]  # noqa: RUF012


class Submitted(Table):
    """One row per (submission, filename): whom a video shows, whether it is fake (1) or real (0), and the probability
    of a fake that was submitted."""

    submission: str
    filename: str
    subject: str
    label: int = pa.Field(isin=(0, 1))
    p: float = pa.Field(in_range=SHARE)

    class Config(Table.Config):
        unique = ["submission", "filename"]  # noqa: RUF012


class DetectionFigures(Table):
    """One row per (submission, metric, attribute, group).

    ln_wp: natural log of the weighted precision; log_loss; auc; false_alarms: real videos called fake;
    false_alarm_rate: of the group's real videos; false_alarm_share: of everybody's false alarms, and real_share, the
    group's share of all real videos, which it would be if everybody's rate were the same; missed_rate: fakes called
    real, of the group's fakes. low, high: 95% interval by subjects. Submission `every submission` is about videos that
    all submissions call fake.
    """

    submission: str
    metric: str
    attribute: str
    group: str
    subjects: int = pa.Field(ge=0)
    real: int = pa.Field(ge=0)
    fake: int = pa.Field(ge=0)
    value: float = pa.Field(nullable=True)
    low: float = pa.Field(nullable=True)
    high: float = pa.Field(nullable=True)
    published: float = pa.Field(nullable=True)
    note: str

    class Config(Table.Config):
        unique = ["submission", "metric", "attribute", "group"]  # noqa: RUF012


class RocPoints(Table):
    """One row per corner of a ROC curve: at and above `threshold` (missing: never) videos are called fake.

    false_alarm_rate: the share of the group's real videos that are; hit_rate: of its fakes.
    """

    submission: str
    attribute: str
    group: str
    point: int = pa.Field(ge=0)
    threshold: float = pa.Field(nullable=True)
    false_alarm_rate: float = pa.Field(in_range=SHARE)
    hit_rate: float = pa.Field(in_range=SHARE)

    class Config(Table.Config):
        unique = ["submission", "attribute", "group", "point"]  # noqa: RUF012
