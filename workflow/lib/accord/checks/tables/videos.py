"""The table that checks produces of frames of videos."""

import pandera.pandas as pa

from accord.engine.table import LIST_OF_FLOATS, Table


class FramesSeen(Table):
    """One row per thing that was seen in a frame of a video, for a person to look at. `frame`: its number among those
    that were looked at; `seconds`: from the start; `polygon`: px of the upright frame, empty for the whole frame; score
    and threshold in the unit of the check; `reason`: what it is taken for, without the text that was read."""

    image: str
    check: str
    frame: int = pa.Field(ge=0)
    seconds: float = pa.Field(ge=0)
    kind: str
    polygon: object = pa.Field(metadata=LIST_OF_FLOATS)
    score: float
    threshold: float
    reason: str
