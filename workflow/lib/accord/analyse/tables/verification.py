"""The tables of verification bias: curves of groups, and errors of pairs of hairstyles."""

import pandera.pandas as pa

from accord.engine.table import Table

WITHIN, NEAR, ACROSS, SHARED = "within the group", "near", "across groups", "at the whole set's threshold"
PROTOCOLS = (WITHIN, NEAR, ACROSS, SHARED)
FALSE_REJECTION, FALSE_ACCEPTANCE = "false rejection", "false acceptance"

SHARE = {"in_range": {"min_value": 0, "max_value": 1}}


class Curves(Table):
    """One row per (model, attribute, group, protocol, far): TAR among the genuine pairs of a group; FNMR = 1 - tar.

    protocol says which impostor pairs set the threshold: `within the group` two of its subjects; `near` (whole set
    alone) two with the same pronoun and natural skin colours at most one of six levels apart; `across groups` one of
    its subjects and one of another group of the attribute; `at the whole set's threshold` that of `near` of the whole
    set, taken as given. reached: the share of the group's own impostor pairs (one of the group and anyone else in
    `across groups`) that is accepted there, with reached_low, reached_high where the threshold isn't the group's own.
    low, high: 95% interval of tar by subjects; wilson_low, wilson_high: as if pairs were independent, so too narrow.
    `note` says why a FAR isn't resolved.
    """

    model: str
    attribute: str
    group: str
    protocol: str = pa.Field(isin=PROTOCOLS)
    far: float = pa.Field(**SHARE)
    subjects: int = pa.Field(ge=0)
    positives: int = pa.Field(ge=0)
    negatives: int = pa.Field(ge=0)
    threshold: float = pa.Field(nullable=True)
    reached: float = pa.Field(nullable=True, **SHARE)
    reached_low: float = pa.Field(nullable=True)
    reached_high: float = pa.Field(nullable=True)
    tar: float = pa.Field(nullable=True, **SHARE)
    low: float = pa.Field(nullable=True)
    high: float = pa.Field(nullable=True)
    wilson_low: float = pa.Field(nullable=True)
    wilson_high: float = pa.Field(nullable=True)
    note: str

    class Config(Table.Config):
        unique = ["model", "attribute", "group", "protocol", "far"]  # noqa: RUF012


class PairErrors(Table):
    """One row per (model, pronoun, two hairstyles, error): errors as a share of that cell's pairs.

    A pair of faces is in a cell if both subjects gave the pronoun, and one face has the one hairstyle, the other the
    other; hairstyle <= other by name. error: `false rejection` of genuine pairs (under the threshold), `false
    acceptance` of impostor pairs of the whole set's protocol `near`. threshold: of the whole set at `far`. low, high:
    95% interval by subjects. Missing where a cell has too few subjects: `note` says so.
    """

    model: str
    pronoun: str
    hairstyle: str
    other: str
    error: str = pa.Field(isin=(FALSE_REJECTION, FALSE_ACCEPTANCE))
    far: float
    threshold: float
    subjects: int = pa.Field(ge=0)
    pairs: int = pa.Field(ge=0)
    errors: int = pa.Field(ge=0)
    share: float = pa.Field(nullable=True, **SHARE)
    low: float = pa.Field(nullable=True)
    high: float = pa.Field(nullable=True)
    wilson_low: float = pa.Field(nullable=True)
    wilson_high: float = pa.Field(nullable=True)
    note: str

    class Config(Table.Config):
        unique = ["model", "pronoun", "hairstyle", "other", "error"]  # noqa: RUF012
