"""Look at images of a subject that were taken within days: are clothes, place and time of day different in each?"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.check_names import SAME_OCCASION
from accord.checks.deciding.limits import Finding, passed, unknown
from accord.checks.files.declared import judged
from accord.checks.matching.copies import find_copies
from accord.checks.matching.garments import SHARES
from accord.checks.matching.keypoints import Keypoints, those, unpacked
from accord.checks.matching.likeness import Limits, Shot, Worn, alike
from accord.checks.settling.local import unstopped
from accord.checks.tables.findings import Clothes, Findings, Fingerprints, Images, Looks, Occasions
from accord.engine import table
from accord.intake.tables import Attributes


class Compared(NamedTuple):
    """A finding of each image, and what was compared."""

    findings: DataFrame[Findings]
    pairs: DataFrame[Occasions]


def run(
    images: DataFrame[Images],
    looks: DataFrame[Looks],
    clothes: DataFrame[Clothes],
    attributes: DataFrame[Attributes],
    fingerprints: DataFrame[Fingerprints],
    findings: DataFrame[Findings],
    *,
    occasions: dict,
    min_inliers: int,
    max_distance: int,
) -> Compared:
    """Finding same_occasion of each image that `findings` leave, and each pair of a subject's images taken less than
    `occasions["days"]` apart.

    The later image of a pair wants a review where more than `occasions["alike"]` of clothes, place and time of day are
    the same; of several pairs the one with most in common is asked about. Copies are left to `checks.duplicates`.
    """
    left = unstopped(images, findings)
    kept = find_copies(left, fingerprints, max_distance, within_subjects=True).kept
    left = left[~left["image"].isin(kept.index[kept.index != kept])]
    limits = Limits(occasions["clothes"], occasions["metres"], occasions["hours"], min_inliers)
    scenes = attributes[(attributes["attribute"] == "scene") & (attributes["subject"] == "")]
    said = scenes.drop_duplicates("image").set_index("image")["value"]
    seen = {"looks": looks.set_index("image"), "clothes": clothes.set_index("image")}
    made, compared = [], []
    for _, own in left.groupby("subject"):
        shots = _shots(_near(own, occasions["days"]), seen, said)
        pairs = list(_pairs(shots, limits, occasions))
        made += [_finding(row, pairs, occasions) for row in own.itertuples()]
        compared += pairs
    return Compared(table.rows(sorted(made, key=lambda one: one[:2]), Findings), table.rows(compared, Occasions))


def _time(captured_at: str) -> datetime | None:
    try:
        return datetime.fromisoformat(captured_at)
    except ValueError:
        return None


def _near(own: pd.DataFrame, days: float) -> pd.DataFrame:
    """The images of a subject that another one was taken near to, in the order of their times."""
    timed = own.assign(time=[_time(text) for text in own["captured_at"]])
    timed = timed[timed["time"].notna()].sort_values(["time", "image"])
    times = pd.to_datetime(timed["time"])
    apart = pd.Timedelta(days=days)
    near = (times.diff() < apart) | (-times.diff(-1) < apart)
    return timed[near.to_numpy()]


def _shots(near: pd.DataFrame, seen: dict[str, pd.DataFrame], said: pd.Series) -> list[Shot]:
    shots = []
    for row in near.itertuples():
        clothes, background = _seen(row.image, **seen)
        time = _time(row.captured_at)
        assert time is not None  # `_near` keeps those alone that have one
        place = (row.gps_latitude, row.gps_longitude, said.get(row.image, ""))
        shots.append(Shot(row.image, time, *place, clothes, background))
    return shots


def _seen(image: str, looks: pd.DataFrame, clothes: pd.DataFrame) -> tuple[Worn, Keypoints | None]:
    """The colours of the subject's clothes, and the keypoints beside all people; None where nobody is outlined."""
    if image not in clothes.index:
        return {}, None
    row = clothes.loc[image]
    colours = np.reshape(row["colours"], (-1, len(SHARES), 3))
    beside = np.frombuffer(row["beside"], np.uint8).astype(bool)
    kept = those(unpacked(looks.loc[image]), beside)
    return dict(zip(map(int, row["garments"]), colours, strict=True)), kept


def _pairs(shots: list[Shot], limits: Limits, occasions: dict) -> Iterator[dict]:
    """Records of Occasions: each shot with those up to so many days before it."""
    for place, later in enumerate(shots):
        near = [one for one in shots[:place] if later.time - one.time < timedelta(days=occasions["days"])]
        held = [_pair(one, later, alike(one, later, limits)) for one in near]
        if held:
            best = _most_alike(held)
            best["asked"] = best["alike"] > occasions["alike"]
        yield from held


def _pair(one: Shot, later: Shot, seen: dict[str, bool | None]) -> dict:
    same = [name for name, value in seen.items() if value]
    untold = [name for name, value in seen.items() if value is None]
    days = (later.time - one.time) / timedelta(days=1)
    told = {"same": ", ".join(same), "untold": ", ".join(untold), "alike": len(same), "asked": False}
    return {"left": one.image, "right": later.image, "days": days, **told}


def _most_alike(pairs: list[dict]) -> dict:
    """The pair with most in common, then with most untold."""
    return max(pairs, key=lambda pair: (pair["alike"], _count(pair["untold"])))


def _count(names: str) -> int:
    return len(names.split(", ")) if names else 0


def _finding(row: Any, pairs: list[dict], occasions: dict) -> Finding:
    """What is said of an image: of the pair that is most alike."""
    allowed = occasions["alike"]
    own = [pair for pair in pairs if pair["right"] == row.image]
    if not own:
        if _time(row.captured_at) is None:
            return unknown(row.image, SAME_OCCASION, "has no capture time")
        return passed(row.image, SAME_OCCASION, f"no earlier image of its subject within {occasions['days']:g} days")
    best = _most_alike(own)
    possible = best["alike"] + _count(best["untold"])
    reason = f"{best['days']:.1f} days after {best['left']} of the same subject; the same: {best['same'] or 'nothing'}"
    reason += f"; unknown: {best['untold']}" if best["untold"] else ""
    if possible > allowed >= best["alike"]:
        return unknown(row.image, SAME_OCCASION, reason)
    return judged(row.image, SAME_OCCASION, best["alike"], allowed, reason, strong=True)
