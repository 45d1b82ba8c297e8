"""The tables of videos: of an archive, and of those that a release publishes."""

import pandera.pandas as pa

from accord.engine.table import Table
from accord.privacy.tables import Pictures


class Videos(Table):
    """One row per video: whom its labels are of, its size, its lighting, and whether it is in the mini set."""

    video: str = pa.Field(unique=True)
    subject: str
    bytes: int = pa.Field(gt=0)
    lighting: str = pa.Field(isin=("dark", "bright"))
    mini: bool


class PublicVideos(Pictures):
    """One row per painted video: where it lies in privacy's bundle, and what a release says of it.

    width, height: px of a frame; frames: how many; seconds: its length; painted: whether somebody was painted over.
    """

    frames: int = pa.Field(gt=0)
    seconds: float = pa.Field(gt=0)
    painted: bool
