"""What is asked of people, and what they said: the tables that rooms and reviewers exchange."""

import pandera.pandas as pa

from accord.engine.table import LIST_OF_FLOATS, Table
from accord.queues import DECISIONS, LOOKED_AT, QUEUES, SCALES


class Items(Table):
    """One row per thing that a person is to look at.

    `item`: opaque id made of queue, image, other and region, the same in every run; `subject`: the image's primary
    subject, in the queue identities the person whose query it is in; `other`: a second image to compare with, or "";
    `region`: the proposal or edit that it is about, or ""; `polygon`: x0, y0, x1, y1, ... px of the upright image,
    empty for the whole image; `kind`: of the region, or what was found; score and threshold in the unit of the check.
    """

    item: str = pa.Field(unique=True, str_length={"min_value": 1})
    queue: str = pa.Field(isin=QUEUES)
    image: str
    subject: str
    other: str
    region: str
    check: str
    kind: str
    polygon: object = pa.Field(metadata=LIST_OF_FLOATS)
    score: float = pa.Field(nullable=True)
    threshold: float = pa.Field(nullable=True)
    reason: str


class SkinVotes(Table):
    """One row per (subject, rater) who voted on skin on the review page: the type, 1 the lightest, and whether they
    were not sure. `rater`: r1, r2, ...; who that is stays in the vault."""

    subject: str = pa.Field(str_length={"min_value": 1})
    rater: str
    scale: str = pa.Field(isin=tuple(SCALES))
    type: int = pa.Field(ge=1)
    uncertain: bool

    class Config(Table.Config):
        unique = ["scale", "subject", "rater"]  # noqa: RUF012


class LookVotes(Table):
    """One row per (item, rater) who said on the review page what they take a face for: a value of the attribute."""

    item: str = pa.Field(str_length={"min_value": 1})
    rater: str
    attribute: str = pa.Field(isin=tuple(LOOKED_AT))
    value: str

    class Config(Table.Config):
        unique = ["item", "rater"]  # noqa: RUF012


class IdentityVotes(Table):
    """One row per (item, rater) who said whether a face shows the person whom most faces of its query show: 1, it
    does, 0, somebody else, -1, they can't tell."""

    item: str = pa.Field(str_length={"min_value": 1})
    rater: str
    label: int = pa.Field(isin=(1, 0, -1))

    class Config(Table.Config):
        unique = ["item", "rater"]  # noqa: RUF012


class Decisions(Table):
    """What people decided in the end: one row per item, or per region where they drew several (`number` from 0).

    `uphold`: the finding is right (regions are painted out, painted regions are painted again, of other things the
    image goes); `dismiss`: it is wrong, the image passes; `drop`: the image goes, whatever the queue. `polygon` and
    `kind`: the region as a person corrected or drew it, else as it was proposed; of an objectionable image what it is.
    `entry`: hash of the entry of the chain of decisions in the vault that settled it; who and when stay there.
    """

    item: str
    number: int = pa.Field(ge=0)
    queue: str = pa.Field(isin=QUEUES)
    image: str
    region: str
    decision: str = pa.Field(isin=DECISIONS)
    kind: str
    polygon: object = pa.Field(metadata=LIST_OF_FLOATS)
    entry: str = pa.Field(str_length=64)

    class Config(Table.Config):
        unique = ["item", "number"]  # noqa: RUF012
