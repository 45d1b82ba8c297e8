"""The table of embedded parts of pictures."""

import pandera.pandas as pa

from accord.engine.table import FLOAT_VECTOR, Table

PARTS = ("image", "people_masked", "background_masked")
"""A picture as it is; with the boxes of its people painted out; with all but these boxes painted out."""


class PartEmbeddings(Table):
    """One row per part of a picture that was embedded: a vector of length 1. `subject` is "": it shows the whole.

    A part of which the model makes nothing has no row; nor have the masked parts of a picture with people of whom the
    box isn't known.
    """

    model: str
    image: str
    subject: str
    part: str = pa.Field(isin=PARTS)
    vector: object = pa.Field(metadata=FLOAT_VECTOR)

    class Config(Table.Config):
        unique = ["model", "image", "subject", "part"]  # noqa: RUF012
