"""The tables that checks produces of units larger than an image: subjects, devices, forms, vendors, samples, groups."""

import pandera.pandas as pa

from accord.table import Table

SUBJECT, GROUP, DEVICE, FORM, VENDOR = LEVELS = ("subject", "group", "device", "form", "vendor")


class Patterns(Table):
    """One row per unit that looks suspicious by a rule (accord.checks.pattern_rules, docs/checks.md).

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
