"""Regions that people wanted painted again: with another seed, and as they corrected or drew them.

A region that is painted again is a region of its own, and so are its seed, its item and the decision on it: its id is
made of the one before and of the item that was decided. Decisions hold for a region, its outline and the model that
painted it; where one of these changes, people are asked anew.
"""

from collections import deque
from collections.abc import Iterator, Sequence

import pandas as pd

from accord.checks.personal.proposals import ENOUGH
from accord.checks.settling.items import item_id
from accord.checks.tables.findings import Regions
from accord.engine import table
from accord.imaging.masks import covered
from accord.intake.tables import REGION_KINDS
from accord.queues import INPAINTING, UPHOLD
from accord.shards import opaque_id


def planned(regions: pd.DataFrame, decisions: pd.DataFrame, model: str) -> pd.DataFrame:
    """The table Regions to paint: each region in its latest form, and those that people drew beside it.

    Tables Regions and Decisions; `model`: its name in the config. `uphold` means that what was painted is not good.
    """
    upheld = decisions[decisions["decision"] == UPHOLD].sort_values("number")
    wanted = {item: list(rows.itertuples()) for item, rows in upheld.groupby("item")}
    waiting, made = deque(regions.to_dict("records")), []
    while waiting:
        region = waiting.popleft()
        rows = wanted.get(item_of(region["image"], region["region"], region["polygon"], model))
        if rows is None:
            made.append(region)
        else:
            waiting.extend(_again(region, rows))
    return table.rows(sorted(made, key=lambda row: (row["image"], row["region"])), Regions)


def item_of(image: str, region: str, polygon: Sequence[float], model: str) -> str:
    """The id of the item that asks whether a painted region is good."""
    outline = ",".join(repr(float(value)) for value in polygon)
    return item_id(INPAINTING, image, "", region, outline, model)


def _again(region: dict, rows: Sequence) -> Iterator[dict]:
    """The first row is of the region itself, the others are of regions drawn beside it.

    Whoever corrects an outline takes nothing away: the region stays, too, where they would leave more of it unpainted
    than ENOUGH allows.
    """
    drawn = [row.polygon for row in rows if len(row.polygon)]
    if drawn and covered(region["polygon"], drawn) < ENOUGH:
        yield {**region, "region": opaque_id("again", region["region"], rows[0].item, "own")}
    for row in rows:
        own = row.number == 0
        if own or len(row.polygon):
            yield {
                **region,
                "region": opaque_id("again", region["region"], row.item, str(row.number)),
                "kind": row.kind if row.kind in REGION_KINDS else region["kind"],
                "polygon": row.polygon if len(row.polygon) else region["polygon"],
            }
