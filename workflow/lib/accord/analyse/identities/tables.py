"""The tables of the Rapid Test: what services said of pairs of faces, and what that tells of them."""

import pandera.pandas as pa

from accord.engine.table import Table
from accord.evaluate.tables.services import Confidences

__all__ = [
    "Assisted",
    "Confidences",
    "Coverage",
    "Doubles",
    "Faces",
    "HandLabels",
    "Identities",
    "LabelAccuracy",
    "LabelAgreement",
    "QueryGroups",
    "ServiceChanges",
    "ServiceCurves",
    "Services",
]

SHARE = {"min_value": 0, "max_value": 1}
LABELS = (1, 0, -1)
SOURCES = ("estimated", "annotated", "kept", "undisputed")
"""Whose labels a curve is of: the services' own majority, people's (by hand or annotation), people's on the faces that
have an estimate, and people's without queries in which most services found nobody or several people."""
RULES = ("published", "strangers")
MEASURES = ("labelled", "right", "kept")
VERSION, PICTURES = "version", "pictures"
FELL, ROSE, OPEN = "fell", "rose", "open"
OWN, COMMON = "own", "common"
"""Thresholds: of the group itself, as published, and of the service, which its users meet."""


class Faces(Table):
    """One row per face: the query (a person who was searched for) whose pictures it was found in."""

    face: str = pa.Field(unique=True)
    query: str


class QueryGroups(Table):
    """One row per (query, attribute): the group of the person who was searched for."""

    query: str
    attribute: str
    group: str

    class Config(Table.Config):
        unique = ["query", "attribute"]  # noqa: RUF012


class HandLabels(Table):
    """One row per face that a person labelled: 1, it shows who was searched for, 0, somebody else, -1, can't tell."""

    face: str = pa.Field(unique=True)
    label: int = pa.Field(isin=LABELS)


class Services(Table):
    """One row per (service, version): where its scores of strangers and of one person lie; why it was left out."""

    service: str
    version: str
    low: float = pa.Field(nullable=True)
    high: float = pa.Field(nullable=True)
    deviation: float = pa.Field(nullable=True)
    note: str

    class Config(Table.Config):
        unique = ["service", "version"]  # noqa: RUF012


class Identities(Table):
    """One row per (face, service): whether it shows who was searched for, by a service and by most services.

    k: people whom the service found in the query; z: how clearly the face is of the first, in [0, 1]. label, majority:
    1, 0, or -1 where the query is left out: `reason` says which step and service left it out.
    """

    query: str
    face: str
    service: str
    k: int = pa.Field(ge=0)
    z: float = pa.Field(nullable=True, in_range=SHARE)
    label: int = pa.Field(isin=LABELS)
    majority: int = pa.Field(isin=LABELS)
    reason: str

    class Config(Table.Config):
        unique = ["face", "service"]  # noqa: RUF012


class ServiceCurves(Table):
    """One row per (service, labels, attribute, group, threshold of, fmr): the share of genuine pairs that a service
    refuses (FNMR) at a threshold that accepts a share of the impostor pairs (FMR).

    low, high: 95% interval by queries, of which the pairs of one are not independent; wilson_low, wilson_high: as if
    they were, as published. reached: the FMR of the group there; its interval, at the common threshold, is by queries,
    too. bound_low, bound_high: FNMR if every genuine pair that has no label were matched, or none. p: of a group at the
    common threshold, that as many queries by lot would be refused so much more often than all others.
    """

    service: str
    labels: str = pa.Field(isin=SOURCES)
    attribute: str
    group: str
    threshold_of: str = pa.Field(isin=(OWN, COMMON))
    fmr: float = pa.Field(in_range=SHARE)
    threshold: float = pa.Field(nullable=True)
    reached: float = pa.Field(nullable=True, in_range=SHARE)
    reached_low: float = pa.Field(nullable=True, in_range=SHARE)
    reached_high: float = pa.Field(nullable=True, in_range=SHARE)
    fnmr: float = pa.Field(nullable=True, in_range=SHARE)
    low: float = pa.Field(nullable=True)
    high: float = pa.Field(nullable=True)
    wilson_low: float = pa.Field(nullable=True)
    wilson_high: float = pa.Field(nullable=True)
    bound_low: float = pa.Field(nullable=True)
    bound_high: float = pa.Field(nullable=True)
    p: float = pa.Field(nullable=True, in_range=SHARE)
    queries: int = pa.Field(ge=0)
    genuine: int = pa.Field(ge=0)
    impostor: int = pa.Field(ge=0)
    note: str

    class Config(Table.Config):
        unique = ["service", "labels", "attribute", "group", "threshold_of", "fmr"]  # noqa: RUF012


class ServiceChanges(Table):
    """One row per (service, changed, held, labels, attribute, group, fmr): how FNMR changed, at the common thresholds.

    changed: `version`, between two versions of a service on the same pairs, or `pictures`, between two sets of pictures
    that one version was shown; before, after: which; held: which pictures, or version, both sides have. low, high: of
    `change`, 95% together for all rows of the same labels, by queries; verdict: `fell` or `rose` where that interval
    leaves out 0, else `open`; "" without a figure. Of counts, those of the side that has fewer.
    """

    service: str
    changed: str = pa.Field(isin=(VERSION, PICTURES))
    before: str
    after: str
    held: str
    labels: str = pa.Field(isin=SOURCES)
    attribute: str
    group: str
    fmr: float = pa.Field(in_range=SHARE)
    fnmr_before: float = pa.Field(nullable=True, in_range=SHARE)
    fnmr_after: float = pa.Field(nullable=True, in_range=SHARE)
    change: float = pa.Field(nullable=True)
    low: float = pa.Field(nullable=True)
    high: float = pa.Field(nullable=True)
    verdict: str = pa.Field(isin=("", FELL, ROSE, OPEN))
    queries: int = pa.Field(ge=0)
    genuine: int = pa.Field(ge=0)
    impostor: int = pa.Field(ge=0)
    note: str

    class Config(Table.Config):
        unique = ["service", "changed", "held", "labels", "attribute", "group", "fmr"]  # noqa: RUF012


class Doubles(Table):
    """One row per two queries that show one person: which of them is left out, how many services find them alike.

    pairs: of faces, the fewest of a service; score: median of their confidences, 0 as of strangers, 1 as of one person.
    """

    query: str
    other: str
    left_out: str
    services: int = pa.Field(ge=1)
    pairs: int = pa.Field(ge=1)
    score: float

    class Config(Table.Config):
        unique = ["query", "other"]  # noqa: RUF012


class Coverage(Table):
    """One row per (attribute, group, reason): queries and faces of a group that were kept (reason `kept`), or left
    out, and why. Faces of kept queries that a service gave no score for have a reason of their own."""

    attribute: str
    group: str
    reason: str
    queries: int = pa.Field(ge=0)
    faces: int = pa.Field(ge=0)

    class Config(Table.Config):
        unique = ["attribute", "group", "reason"]  # noqa: RUF012


class LabelAgreement(Table):
    """One row per (hand label, estimated label): how many faces; hand label 1, 0, -1 by 1, 0, -1."""

    hand: int = pa.Field(isin=LABELS)
    estimated: int = pa.Field(isin=LABELS)
    faces: int = pa.Field(ge=0)

    class Config(Table.Config):
        unique = ["hand", "estimated"]  # noqa: RUF012


class LabelAccuracy(Table):
    """One row per (rule, measure): a share of faces that people labelled, with a 95% interval by queries, and Wilson's.

    measure: `labelled`, faces that got a label; `right`, of these, those whose label is that by hand; `kept`, of faces
    of the queries' people, those that were kept as such.
    """

    rule: str = pa.Field(isin=RULES)
    measure: str = pa.Field(isin=MEASURES)
    faces: int = pa.Field(ge=0)
    hits: int = pa.Field(ge=0)
    queries: int = pa.Field(ge=0)
    share: float = pa.Field(nullable=True, in_range=SHARE)
    low: float = pa.Field(nullable=True, in_range=SHARE)
    high: float = pa.Field(nullable=True, in_range=SHARE)
    wilson_low: float = pa.Field(nullable=True, in_range=SHARE)
    wilson_high: float = pa.Field(nullable=True, in_range=SHARE)
    note: str

    class Config(Table.Config):
        unique = ["rule", "measure"]  # noqa: RUF012


class Assisted(Table):
    """One row per (services, fraction, service, fmr): how far FNMR by estimated labels is from FNMR by hand labels, all
    groups together, when people label a fraction of the faces and services vote on the others.

    services: who votes, joined by ` + `.
    """

    services: str
    fraction: float = pa.Field(in_range=SHARE)
    service: str
    fmr: float = pa.Field(in_range=SHARE)
    delta: float = pa.Field(nullable=True, in_range=SHARE)
    note: str

    class Config(Table.Config):
        unique = ["services", "fraction", "service", "fmr"]  # noqa: RUF012
