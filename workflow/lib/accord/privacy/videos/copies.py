"""Painted videos of the last run that would be painted the same again: taken over as they were written.

What becomes of a video depends on its own file and boxes, on settings, libraries and code, and on no other video.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from accord.engine import kept
from accord.engine.parameter_types import Former, Kept
from accord.errors import AccordError
from accord.findings import Findings
from accord.imaging.bundle import BundleWriter, Window, window
from accord.privacy.tables import PaintedVideos, Passages
from accord.privacy.videos.bystanders import How

BUNDLE = "painted"
"""The name of the bundle among the outputs."""
TABLES = {"videos": PaintedVideos, "passages": Passages, "findings": Findings}


class Past(NamedTuple):
    """What the last run wrote: the bundle, and the tables by name."""

    bundle: Path | None
    tables: dict[str, kept.Memory]

    @classmethod
    def of(cls, former: Former) -> Past:
        """As far as it is there."""
        return cls(former.get(BUNDLE), {name: kept.memory(former, name, model) for name, model in TABLES.items()})

    def moved(self, image: str, digest: str, writer: BundleWriter) -> list[Any] | None:
        """The row of a video that was made from the same, once its file is in another bundle; no row where it wasn't
        proven. None where that is not known, or the file is not as it was written: nothing is written then."""
        if not all(memory.holds(image, digest) for memory in self.tables.values()):
            return None
        rows = list(self.tables["videos"].of(image).itertuples(index=False))
        files = [self._file(row) for row in rows]
        if None in files:
            return None
        return [_moved(row, file, writer) for row, file in zip(rows, files, strict=True) if file]

    def _file(self, row: Any) -> Window | None:
        try:
            return window(self.bundle, row) if self.bundle else None
        except (AccordError, OSError):
            return None


def digests(videos: pd.DataFrame, boxes: pd.DataFrame, how: How) -> dict[str, str]:
    """Video -> digest of all that its copy is made from. videos: table Videos; boxes: table VideoBoxes."""
    basis, own = kept.basis("privacy.videos.redacting", list(how)), kept.by_item(boxes)
    rows = videos.itertuples()
    return {row.image: kept.digest(basis, row.subject, row.sha256, own.get(row.image)) for row in rows}


def tables(
    past: Past, made_from: Mapping[str, str], held: Collection[str], made: Mapping[str, Iterable[Any]]
) -> dict[str, Kept]:
    """The tables by name. held: videos that were taken over; made: rows of the others, and where each file lies now."""
    # Where a file lies depends on the others: its row is made anew, whoever made the file.
    taken = {"videos": (), "passages": held, "findings": held}
    return {
        name: kept.joined(past.tables[name].only(taken[name]), model, made_from, made[name])
        for name, model in TABLES.items()
    }


def _moved(row: Any, file: Window, writer: BundleWriter) -> Any:
    with file.open() as opened:
        member = writer.copy(row.member, opened, file.size)
    return row._replace(**member._asdict())
