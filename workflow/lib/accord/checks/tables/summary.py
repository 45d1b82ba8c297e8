"""The tables that checks produces of units larger than an image: subjects, devices, forms, vendors, samples, groups."""

import pandera.pandas as pa

from accord.engine.table import Table
from accord.review.drawn.drawings import ANNOTATIONS

SUBJECT, GROUP, DEVICE, FORM, VENDOR = LEVELS = ("subject", "group", "device", "form", "vendor")


class Patterns(Table):
    """One row per unit that looks suspicious by a rule (accord.checks.suspicion.rules, docs/checks-patterns.md).

    `unit`: opaque id of a subject, or of what several subjects share; a vendor by name, with the check that it fails
    (`acme: exif`). score and threshold in the rule's own unit; `p_value`: corrected by Holm over all units of the rule,
    missing where the rule has no test; `subjects`, `images`: that it concerns.
    """

    rule: str
    level: str = pa.Field(isin=LEVELS)
    unit: str
    score: float
    threshold: float
    p_value: float = pa.Field(nullable=True, in_range={"min_value": 0, "max_value": 1})
    subjects: int = pa.Field(ge=1)
    images: int = pa.Field(ge=1)
    reason: str

    class Config(Table.Config):
        unique = ["rule", "level", "unit"]  # noqa: RUF012


class PatternImages(Table):
    """One row per image and check whose finding rests on a unit of several people: people are asked once for all of the
    unit's images."""

    image: str
    check: str
    unit: str

    class Config(Table.Config):
        unique = ["image", "check"]  # noqa: RUF012


REMAINING, AGREEMENT = "remaining", "agreement"
SAMPLES = (REMAINING, AGREEMENT, *ANNOTATIONS)
"""What samples are drawn for: to look for subjects by hand, to draw again what annotators drew, and to look at it."""


class Annotated(Table):
    """One row per person, image and type of annotation that was drawn of them. `region`: the name that this drawing has
    in items and decisions (accord.review.drawn.drawings)."""

    image: str
    subject: str
    kind: str = pa.Field(isin=ANNOTATIONS)
    region: str

    class Config(Table.Config):
        unique = ["image", "subject", "kind"]  # noqa: RUF012


class Drawn(Table):
    """One row per unit of a sample: an image of a subject, or what was drawn of a subject in an image."""

    sample: str = pa.Field(isin=SAMPLES)
    stratum: str
    image: str
    subject: str

    class Config(Table.Config):
        unique = ["sample", "image", "subject"]  # noqa: RUF012


class Strata(Table):
    """One row per stratum of a sample: how many units there are and how many of them are drawn."""

    sample: str = pa.Field(isin=SAMPLES)
    stratum: str
    population: int = pa.Field(ge=0)
    sampled: int = pa.Field(ge=0)

    class Config(Table.Config):
        unique = ["sample", "stratum"]  # noqa: RUF012


class Estimates(Table):
    """The rate of subjects that should not be there, from those looked for by hand, and of each type of annotation that
    of wrong ones, from those looked at: one row per sample and stratum, and `all` of it.

    rate, low, high: Wilson's interval as of an endless population (of strata: weighed); finite_*: of this population;
    exact_*: the same by the hypergeometric distribution (not of several strata); left_*: of those that are left when
    all that were found are gone, as finite_*. Missing, with a reason in `note`, until somebody looked.
    """

    sample: str = pa.Field(isin=(REMAINING, *ANNOTATIONS))
    stratum: str
    population: int = pa.Field(ge=0)
    sampled: int = pa.Field(ge=0)
    looked: int = pa.Field(ge=0)
    hits: int = pa.Field(ge=0)
    rate: float = pa.Field(nullable=True, in_range={"min_value": 0, "max_value": 1})
    low: float = pa.Field(nullable=True)
    high: float = pa.Field(nullable=True)
    finite_low: float = pa.Field(nullable=True)
    finite_high: float = pa.Field(nullable=True)
    exact_low: float = pa.Field(nullable=True)
    exact_high: float = pa.Field(nullable=True)
    left: float = pa.Field(nullable=True)
    left_low: float = pa.Field(nullable=True)
    left_high: float = pa.Field(nullable=True)
    note: str

    class Config(Table.Config):
        unique = ["sample", "stratum"]  # noqa: RUF012


class Exclusions(Table):
    """What a check does to who is in the dataset: one row per check (`all`: of all together), attribute and group.

    images, subjects: of the group, of all that consent lets pass; excluded*: of those that the check stopped; before,
    after, change: the group's share of the images, and how it changes when this check's images go; rate, others: the
    risk of the group's images and of all others' to be stopped; ratio and difference of the two; p_value: that they
    don't differ, corrected by Holm over all rows with one. What can't be said is missing, and `note` says why.
    """

    room: str
    check: str
    attribute: str
    group: str
    images: int = pa.Field(ge=0)
    subjects: int = pa.Field(ge=0)
    excluded_images: int = pa.Field(ge=0)
    excluded_subjects: int = pa.Field(ge=0)
    before: float = pa.Field(nullable=True)
    after: float = pa.Field(nullable=True)
    change: float = pa.Field(nullable=True)
    change_low: float = pa.Field(nullable=True)
    change_high: float = pa.Field(nullable=True)
    rate: float = pa.Field(nullable=True)
    others: float = pa.Field(nullable=True)
    ratio: float = pa.Field(nullable=True)
    ratio_low: float = pa.Field(nullable=True)
    ratio_high: float = pa.Field(nullable=True)
    difference: float = pa.Field(nullable=True)
    difference_low: float = pa.Field(nullable=True)
    difference_high: float = pa.Field(nullable=True)
    p_value: float = pa.Field(nullable=True, in_range={"min_value": 0, "max_value": 1})
    note: str

    class Config(Table.Config):
        unique = ["check", "attribute", "group"]  # noqa: RUF012


class Scorecards(Table):
    """How the images of a vendor fared: one row per vendor, delivery (`all`: of all of them) and check (`all`: of all).

    Each image counts under the first check that stopped it, as in the waterfall. share, low, high: of the images, with
    Wilson's interval of as many trials as have its variance over subjects; others: the rate of all other vendors; z,
    p_value: the funnel against them (accord.statistics.describing.funnel; of vendors as a whole), corrected by Holm.
    cost: what the stopped images cost, missing where no price is set. vendor "": of refused images whose vendor can't
    be told.
    """

    vendor: str
    delivery: str
    check: str
    images: int = pa.Field(ge=0)
    subjects: int = pa.Field(ge=0)
    stopped: int = pa.Field(ge=0)
    subjects_stopped: int = pa.Field(ge=0)
    share: float = pa.Field(nullable=True)
    low: float = pa.Field(nullable=True)
    high: float = pa.Field(nullable=True)
    others: float = pa.Field(nullable=True)
    z: float = pa.Field(nullable=True)
    p_value: float = pa.Field(nullable=True, in_range={"min_value": 0, "max_value": 1})
    cost: float = pa.Field(nullable=True)

    class Config(Table.Config):
        unique = ["vendor", "delivery", "check"]  # noqa: RUF012


class Suspicions(Table):
    """One row per vendor and rule of accord.checks.suspicion.rules, with how many of the vendor's people it marks."""

    vendor: str
    rule: str
    people: int = pa.Field(ge=1)

    class Config(Table.Config):
        unique = ["vendor", "rule"]  # noqa: RUF012
