"""What people decided about the images of a shard, taken from the vault; who and when stay there."""

from collections.abc import Collection

from pandera.typing import DataFrame

from accord.checks.tables.findings import Decisions, Images
from accord.engine import table
from accord.engine.parameter_types import Private
from accord.queues import OF_PRIVACY, QUEUES, SKIN
from accord.review.database import decided, store

OWN = tuple(queue for queue in QUEUES if queue not in (*OF_PRIVACY, SKIN))


def run(images: DataFrame[Images], *, vault: Private) -> DataFrame[Decisions]:
    """The settled decisions on items of the checks room, of all items that the images ever had; none without a vault
    of reviews."""
    return of_queues(images["image"], vault, OWN)


def of_queues(images: Collection[str], vault: Private, queues: Collection[str]) -> DataFrame[Decisions]:
    """The settled decisions in some queues on some images, by item."""
    if not store.exists(vault):
        return table.empty(Decisions)
    with store.reading(vault) as db:
        found = decided.decided(db, images)
    return found[found["queue"].isin(queues)].sort_values(["item", "number"], ignore_index=True)
