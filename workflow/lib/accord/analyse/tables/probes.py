"""The tables of probes: what models of pictures and texts call each picture, how often, and what a variant changes."""

import pandas as pd
import pandera.pandas as pa

from accord.engine.table import Table
from accord.evaluate.tables.parts import VARIANTS

SHARE = {"min_value": 0, "max_value": 1}
CHANGE = {"min_value": -1, "max_value": 1}


class Probed(Table):
    """One row per (model, variant of a picture, probe): the label whose prompts fit best.

    prompt: number of the label's prompt that fits best; cosine: of the label, pooled over its prompts; runner_up: that
    of the next label. subject: whom it is about, where the probe is of a person and one person is in the picture; else
    "". `note`: why a label tells nothing about a person, or that two labels fit alike.
    """

    model: str
    part: str = pa.Field(isin=VARIANTS)
    probe: str
    image: str
    subject: str
    label: str
    prompt: str
    cosine: float = pa.Field(in_range={"min_value": -1.0001, "max_value": 1.0001})
    runner_up: float = pa.Field(in_range={"min_value": -1.0001, "max_value": 1.0001})
    note: str

    class Config(Table.Config):
        unique = ["model", "part", "probe", "image"]  # noqa: RUF012


class ProbeRates(Table):
    """One row per (model, variant, probe, outcome, attribute, group): how often it was so, for how many, how sure.

    outcome: `said_<label>`; `<probe>_right`; `misgendered`, `misgendered_all` (docs/foundation.md); or, of probe "",
    how much of the people's region the model was shown (`people_seen`). attribute `truth`: the label that is right;
    the whole set is attribute `all`, group `all`. low, high: 95% interval by subjects; `average` says over whom;
    published: the same figure of FHIBE's paper, where it has one. Figures are missing where `note` says why.
    """

    model: str
    part: str = pa.Field(isin=VARIANTS)
    probe: str
    outcome: str
    attribute: str
    group: str
    images: int = pa.Field(ge=0)
    subjects: int = pa.Field(ge=0)
    rate: float = pa.Field(nullable=True, in_range=SHARE)
    low: float = pa.Field(nullable=True)
    high: float = pa.Field(nullable=True)
    published: float = pa.Field(nullable=True)
    average: str
    note: str

    class Config(Table.Config):
        unique = ["model", "part", "probe", "outcome", "attribute", "group"]  # noqa: RUF012


class ProbeEffects(Table):
    """One row per (model, probe, outcome, variant, side, region): what the variant changes, over the same people.

    side: the label that is right, region: of ancestry; `all` for everyone. before, after: rates of the pictures as they
    are, and of the variant; difference: after - before, with its 95% interval by subjects. gained, lost: images in
    which the outcome is so only after, only before; p_value: McNemar's exact test of them, which takes images for
    independent and isn't corrected for the number of rows. Figures, these counts
    too, are missing where `note` says why.
    """

    model: str
    probe: str
    outcome: str
    part: str = pa.Field(isin=VARIANTS[1:])
    side: str
    region: str
    images: int = pa.Field(ge=0)
    subjects: int = pa.Field(ge=0)
    before: float = pa.Field(nullable=True, in_range=SHARE)
    after: float = pa.Field(nullable=True, in_range=SHARE)
    difference: float = pa.Field(nullable=True, in_range=CHANGE)
    low: float = pa.Field(nullable=True)
    high: float = pa.Field(nullable=True)
    gained: pd.Int64Dtype = pa.Field(nullable=True, ge=0)
    lost: pd.Int64Dtype = pa.Field(nullable=True, ge=0)
    p_value: float = pa.Field(nullable=True, in_range=SHARE)
    note: str

    class Config(Table.Config):
        unique = ["model", "probe", "outcome", "part", "side", "region"]  # noqa: RUF012
