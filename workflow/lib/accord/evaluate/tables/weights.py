"""The table of weights that evaluate's fetching produces."""

import pandera.pandas as pa

from accord.engine.table import Table


class Fetched(Table):
    """One row per file of weights that lies in the folder now, and what it is."""

    model: str
    file: str
    source: str
    revision: str
    sha256: str = pa.Field(str_matches="^[0-9a-f]{64}$")
    bytes: int = pa.Field(ge=0)
    stated: bool

    class Config(Table.Config):
        unique = ["model", "file"]  # noqa: RUF012
