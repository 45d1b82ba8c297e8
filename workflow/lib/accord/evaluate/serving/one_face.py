"""The face of a picture that all services found, and no other; else, which of them missed it."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from accord.imaging.boxes import iou

OVERLAP, SINGLE = "overlap", "single"
SIDES = ["x0", "y0", "x1", "y1"]


def faces(
    queries: pd.DataFrame,
    boxes: pd.DataFrame,
    unseen: pd.DataFrame,
    services: Sequence[str],
    blind: Sequence[str],
    rule: str,
    least: float,
) -> Iterator:
    """Rows of `FaceIds`. boxes: `Detections` of all services, whose names are their models; unseen: `Unseen` of all;
    queries: `Queries`; blind: the services that find no faces for themselves.

    overlap: each service found one box, and every two of them share an IoU of at least `least`. single: each service
    found one box.
    """
    found = {key: some[SIDES].to_numpy(float) for key, some in boxes.groupby(["image", "model"])}
    reasons = {key: dict(some[["service", "reason"]].to_numpy()) for key, some in unseen.groupby("image")}
    for row in queries.sort_values(["query", "image"]).itertuples():
        mine = {name: found.get((row.image, name), np.zeros((0, 4))) for name in services if name not in blind}
        note = missed(mine, reasons.get(row.image, {}), rule, least)
        for name in services:
            some = mine.get(name, ())
            box = some[0] if len(some) == 1 else np.full(4, np.nan)
            yield row.query, row.image, "" if note else row.image, name, *map(float, box), note


def missed(found: Mapping[str, np.ndarray], unseen: Mapping[str, str], rule: str, least: float) -> str:
    """Why a picture has no face of which all services tell, by the names of those that stand in the way; "" if it has.

    found: service -> (n, 4) boxes; unseen: service -> why it says nothing of the picture.
    """
    none = [name for name, some in found.items() if not len(some) and name not in unseen]
    several = [name for name, some in found.items() if len(some) > 1]
    told = [(f"not seen ({why}) by", [name for name in unseen if unseen[name] == why]) for why in set(unseen.values())]
    told = [*sorted(told), ("no face found by", none), ("several faces found by", several)]
    if not unseen and not none and not several and rule == OVERLAP:
        told.append(("found elsewhere by", _elsewhere({name: some[0] for name, some in found.items()}, least)))
    return "; ".join(f"{why} {', '.join(sorted(names))}" for why, names in told if names)


def _elsewhere(found: Mapping[str, np.ndarray], least: float) -> list[str]:
    """The services whose box lies apart from most others; where none stands out, all whose box lies apart from any."""
    apart = dict.fromkeys(found, 0)
    for one, other in combinations(found, 2):
        if iou(found[one], found[other]) < least:
            apart[one] += 1
            apart[other] += 1
    most = [name for name, count in apart.items() if 2 * count > len(found) - 1]
    return most if 0 < len(most) < len(found) else [name for name, count in apart.items() if count]
