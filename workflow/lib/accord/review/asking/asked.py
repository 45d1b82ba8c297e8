"""What the flow asks of people, by its results: all items of the tables of checks, of privacy, and of faces."""

from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from accord.engine import table
from accord.errors import AccordError, Problem
from accord.queues import IDENTITIES, INPAINTING, LOOKS, OF_PRIVACY, QUEUES, RATED, SKIN, VIDEOS
from accord.review.tables import Items

CHECKS, PRIVACY, FACES = "checks/items.parquet", "privacy/*/items.parquet", "evaluate/*/skin_items.parquet"
WATCHED = "privacy/*/video_items.parquet"
STUDIED, IDENTIFIED = "evaluate/look_items.parquet", "evaluate/identity_items.parquet"
"""Below the results: the table of all shards, and those of one each."""


def items(results: Path) -> tuple[pd.DataFrame, list[str]]:
    """The items that the results ask about, and the queues that they speak of.

    Raises AccordError where the workflow has made no such table yet.
    """
    found = list(_tables(results))
    if not found:
        hint = "run the workflow, or give its results with --results or --config"
        raise AccordError(Problem(str(results / CHECKS), "does not exist: there are no items yet", hint))
    read = table.read([path for path, _ in found], Items)
    return read, [queue for queue in QUEUES if any(queue in queues for _, queues in found)]


def _tables(results: Path) -> Iterator[tuple[Path, tuple[str, ...]]]:
    if (results / CHECKS).is_file():
        yield results / CHECKS, tuple(queue for queue in QUEUES if queue not in (*OF_PRIVACY, *RATED))
    for path in sorted(results.glob(PRIVACY)):
        yield path, (INPAINTING,)
    for path in sorted(results.glob(WATCHED)):
        yield path, (VIDEOS,)
    for path in sorted(results.glob(FACES)):
        yield path, (SKIN,)
    if (results / STUDIED).is_file():
        yield results / STUDIED, (LOOKS,)
    if (results / IDENTIFIED).is_file():
        yield results / IDENTIFIED, (IDENTITIES,)
