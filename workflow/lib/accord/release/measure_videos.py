"""What a release says of the painted videos of a shard, measured on their files."""

from pathlib import Path
from typing import Any

from pandera.typing import DataFrame

from accord.engine import table
from accord.imaging import video
from accord.imaging.bundle import window
from accord.privacy.tables import PaintedVideos
from accord.release.video_tables import PublicVideos


def run(videos: DataFrame[PaintedVideos], bundle: Path) -> DataFrame[PublicVideos]:
    """The painted videos with size, number of frames and length of their files, which stay in privacy's bundle.

    Nothing is decoded. Raises AccordError where a file isn't the one that privacy wrote and proved.
    """
    rows = [_measured(row, bundle) for row in videos.sort_values("image").itertuples(index=False)]
    return table.rows(rows, PublicVideos)


def _measured(row: Any, bundle: Path) -> dict[str, Any]:
    found = video.measured(window(bundle, row))
    told = {name: getattr(row, name) for name in ("image", "subject", "member", "offset", "size", "sha256")}
    return told | {"source_sha256": row.source_sha256, **found._asdict(), "painted": row.tracks > 0}
