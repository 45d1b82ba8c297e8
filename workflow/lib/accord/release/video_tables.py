"""The table of an archive of videos."""

import pandera.pandas as pa

from accord.engine.table import Table


class Videos(Table):
    """One row per video: whom its labels are of, its size, its lighting, and whether it is in the mini set."""

    video: str = pa.Field(unique=True)
    subject: str
    bytes: int = pa.Field(gt=0)
    lighting: str = pa.Field(isin=("dark", "bright"))
    mini: bool
