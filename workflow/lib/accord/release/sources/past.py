"""What was taken of an archive of sources the last time: pictures that are as they were are not looked at again."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from accord.engine import kept
from accord.engine.parameter_types import Former, Kept
from accord.engine.table import Table
from accord.imaging import bundle as bundles


class Past(NamedTuple):
    """The bundle of the last run, its tables, and the rows of each by image: of Derivatives, one of its kinds."""

    files: Path | None
    tables: dict[str, kept.Memory]
    rows: dict[str, dict[str, Any]]

    @classmethod
    def of(cls, former: Former, models: Mapping[str, type[Table]]) -> "Past":
        """As far as it is there. models: those of the tables, by name."""
        tables = {name: kept.memory(former, name, model) for name, model in models.items()}
        rows = {name: {row.image: row for row in one.rows.itertuples(index=False)} for name, one in tables.items()}
        return cls(former.get("files"), tables, rows)

    def of_image(self, image: str, digest: str) -> dict[str, Any] | None:
        """Table -> the row of an image that was taken from the same, where it has one; None where it wasn't."""
        if not all(table.holds(image, digest) for table in self.tables.values()):
            return None
        return {name: rows[image] for name, rows in self.rows.items() if image in rows}

    def content(self, derivative: Any) -> bytes | None:
        """The file of a row of Derivatives; None where it isn't there as it was written."""
        return None if self.files is None else bundles.unchanged(self.files, derivative)


def remembered(tables: Mapping[str, pd.DataFrame], digests: Mapping[str, str]) -> dict[str, Kept]:
    """Tables that tell from what they were made: image -> digest, of all that were looked at."""
    return {name: Kept(rows, dict(sorted(digests.items()))) for name, rows in tables.items()}
