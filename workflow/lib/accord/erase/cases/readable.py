"""Whether tables of results can be read before somebody is looked for in them."""

from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from accord.errors import all_problems


def check(tables: Iterable[Path]) -> None:
    """Raises AccordError with every table that can't be read, since whom it names isn't known then."""
    with all_problems() as problems:
        for path in sorted(tables):
            try:
                pq.read_schema(path)
            except (pa.ArrowException, OSError, ValueError):
                hint = "delete it and run the workflow, which makes it again"
                problems.add(str(path), "is damaged: it can't be read", hint)
