"""The tables of how often models told the class of a person, by group."""

import pandera.pandas as pa

from accord.engine.table import Table

SHARE = {"min_value": 0, "max_value": 1}
DIFFERENCE = {"min_value": -1, "max_value": 1}


class OfQuestion(Table):
    """Columns of tables by run (model, question, encoder), class and group. Class `all`: the reported classes
    together, each image weighing alike; attribute and group `all`: everyone."""

    model: str
    question: str
    class_: str = pa.Field(alias="class")
    attribute: str


class Counted(OfQuestion):
    """n images of n subjects, and what was said of them: yes, unknown (or refused), no, failed; these add up."""

    group: str
    encoder: str
    images: int = pa.Field(ge=0)
    subjects: int = pa.Field(ge=0)


class Recalls(Counted):
    """One row per (model, question, class, attribute, group, encoder): of the images of a class, the share for which
    the model named it (p1), or said yes when asked for it (p2, p3).

    unknown, no and failed count as misses. low, high: 95% interval (Wilson). Missing without images: `note`.
    """

    right: int = pa.Field(ge=0)
    unknown: int = pa.Field(ge=0)
    no: int = pa.Field(ge=0)
    failed: int = pa.Field(ge=0)
    recall: float = pa.Field(nullable=True, in_range=SHARE)
    low: float = pa.Field(nullable=True, in_range=SHARE)
    high: float = pa.Field(nullable=True, in_range=SHARE)
    note: str

    class Config(Table.Config):
        unique = ["model", "question", "class", "attribute", "group", "encoder"]  # noqa: RUF012


class FalseYes(Counted):
    """One row per (model, question, class, attribute, group, encoder): of the images of a class, the share for which
    the model said yes when asked for another class.

    balanced_accuracy: the mean of recall and of the share of no here, over the same images. Intervals are of 95%
    (Wilson; Newcombe's for pairs).
    """

    false_yes: int = pa.Field(ge=0)
    unknown: int = pa.Field(ge=0)
    no: int = pa.Field(ge=0)
    failed: int = pa.Field(ge=0)
    false_yes_rate: float = pa.Field(nullable=True, in_range=SHARE)
    low: float = pa.Field(nullable=True, in_range=SHARE)
    high: float = pa.Field(nullable=True, in_range=SHARE)
    balanced_accuracy: float = pa.Field(nullable=True, in_range=SHARE)
    balanced_low: float = pa.Field(nullable=True)
    balanced_high: float = pa.Field(nullable=True)
    note: str

    class Config(Table.Config):
        unique = ["model", "question", "class", "attribute", "group", "encoder"]  # noqa: RUF012


class RecallDisparities(OfQuestion):
    """One row per (model, question, class, attribute, pair, encoder): recall of the first group less the second's.

    pair: two groups by name, or `max - min`. low, high: 95% interval (Newcombe's of two independent rates).
    """

    pair: str
    first: str
    second: str
    encoder: str
    first_images: int = pa.Field(ge=0)
    second_images: int = pa.Field(ge=0)
    difference: float = pa.Field(nullable=True, in_range=DIFFERENCE)
    low: float = pa.Field(nullable=True)
    high: float = pa.Field(nullable=True)
    note: str

    class Config(Table.Config):
        unique = ["model", "question", "class", "attribute", "pair", "encoder"]  # noqa: RUF012


class Readings(Table):
    """One row per (model, question, encoder): how its answers were read, over all questions asked, the contrasts too.

    exact, nearest: answers whose label is their own word, or the nearest by cosine; cosine: the median of the latter.
    refused: declined; unread: no text, or none that comes to a label.
    """

    model: str
    question: str
    encoder: str
    answers: int = pa.Field(ge=0)
    exact: int = pa.Field(ge=0)
    nearest: int = pa.Field(ge=0)
    refused: int = pa.Field(ge=0)
    unread: int = pa.Field(ge=0)
    cosine: float = pa.Field(nullable=True)

    class Config(Table.Config):
        unique = ["model", "question", "encoder"]  # noqa: RUF012
