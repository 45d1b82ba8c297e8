"""The tables of embedded parts and variants of pictures."""

import pandera.pandas as pa

from accord.engine.table import FLOAT_VECTOR, Table

PARTS = ("image", "people_masked", "background_masked")
"""A picture as it is; with its people painted black; with all but these painted black."""
VARIANTS = (*PARTS, "people_blurred")
"""PARTS, and the picture with its people blurred."""


class PartEmbeddings(Table):
    """One row per part of a picture that was embedded: a vector of length 1. `subject` is "": it shows the whole.

    People are their boxes. A part of which the model makes nothing has no row; nor have the masked parts of a picture
    with people of whom the box isn't known.
    """

    model: str
    image: str
    subject: str
    part: str = pa.Field(isin=PARTS)
    vector: object = pa.Field(metadata=FLOAT_VECTOR)

    class Config(Table.Config):
        unique = ["model", "image", "subject", "part"]  # noqa: RUF012


class VariantEmbeddings(Table):
    """One row per variant of a picture that a model of pictures and texts embedded: a vector of length 1.

    As PartEmbeddings, but people are their segments, or their boxes (`evaluate/probes`). seen: the share of their
    region, in px, that lies in the part of the picture that the model is shown; missing where the region isn't known,
    or the model doesn't tell what it is shown.
    """

    model: str
    image: str
    subject: str
    part: str = pa.Field(isin=VARIANTS)
    seen: float = pa.Field(nullable=True, in_range={"min_value": 0, "max_value": 1})
    vector: object = pa.Field(metadata=FLOAT_VECTOR)

    class Config(Table.Config):
        unique = ["model", "image", "subject", "part"]  # noqa: RUF012
