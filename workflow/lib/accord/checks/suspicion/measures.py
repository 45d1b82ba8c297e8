"""Suspicious patterns within one subject: heights and weights that differ between images of the same days."""

import re
from collections.abc import Callable, Iterator, Mapping

import numpy as np
import pandas as pd

from accord.checks.suspicion.rules import Hit

HOURS = 48
"""Images at most so far apart: FHIBE had height and weight corrected where they differed between these."""
FEET = re.compile(r"(\d)\s*(?:'|’|′|ft\.?|feet|foot)\s*(?:(\d{1,2})\s*(?:\"|”|″|''|in\.?|inch(?:es)?)?)?")
LENGTH = re.compile(r"(\d{1,3}(?:[.,]\d+)?)\s*(cm|centimet(?:er|re)s?|m|met(?:er|re)s?)?")
MASS = re.compile(r"(\d{1,3}(?:[.,]\d+)?)\s*(kgs?|kilos?|kilograms?|lbs?\.?|pounds?)?")
CM_OF_FOOT, CM_OF_INCH, CM_OF_METRE, KG_OF_POUND = 30.48, 2.54, 100.0, 0.45359237
HEIGHTS, WEIGHTS = (50.0, 280.0), (20.0, 500.0)
"""What people's heights and weights lie within, cm and kg."""
NAMES = ("height", "weight")


def find(images: pd.DataFrame, attributes: pd.DataFrame, least: Mapping[str, float]) -> list[Hit]:
    """Hits of `height` and `weight`. images, attributes: tables of intake; least: rule -> threshold, cm and kg."""
    times = pd.to_datetime(images["captured_at"], format="ISO8601", errors="coerce")
    timed = images.assign(time=times).dropna(subset="time")[["image", "time"]]
    said = attributes[(attributes["subject"] != "") & attributes["attribute"].isin(NAMES)].merge(timed, on="image")
    return [
        *_changes("height", "cm", said, centimetres, least["height"]),
        *_changes("weight", "kg", said, kilograms, least["weight"]),
    ]


def _changes(rule: str, unit: str, said: pd.DataFrame, read: Callable, least: float) -> Iterator[Hit]:
    own = said[said["attribute"] == rule]
    own = own.assign(measure=[read(text) for text in own["value"]]).dropna(subset="measure")
    for subject, rows in own.groupby("subject"):
        times, measures = rows["time"].to_numpy(), rows["measure"].to_numpy(float)
        near = np.abs(times[:, None] - times) <= np.timedelta64(HOURS, "h")
        most = float(np.where(near, np.abs(measures[:, None] - measures), 0).max())
        if most >= least:
            reason = f"the {rule} declared in images at most {HOURS} hours apart differs by {most:.0f} {unit}"
            yield Hit(rule, subject, most, np.nan, frozenset([subject]), reason)


def centimetres(text: str) -> float | None:
    """A height as people write it (`176`, `1.76 m`, `5'9"`), in cm; None where it can't be one."""
    plain = text.strip().casefold()
    if feet := FEET.fullmatch(plain):
        return _within(int(feet[1]) * CM_OF_FOOT + int(feet[2] or 0) * CM_OF_INCH, HEIGHTS)
    if not (found := LENGTH.fullmatch(plain)):
        return None
    value, unit = float(found[1].replace(",", ".")), found[2] or ""
    in_metres = unit.startswith("m") or (not unit and value < CM_OF_METRE / 10 and "." in found[1].replace(",", "."))
    return _within(value * CM_OF_METRE if in_metres else value, HEIGHTS)


def kilograms(text: str) -> float | None:
    """A weight as people write it (`67`, `67 kg`, `148 lbs`), in kg; None where it can't be one."""
    if not (found := MASS.fullmatch(text.strip().casefold())):
        return None
    value, unit = float(found[1].replace(",", ".")), found[2] or ""
    return _within(value * KG_OF_POUND if unit.startswith(("lb", "pound")) else value, WEIGHTS)


def _within(value: float, bounds: tuple[float, float]) -> float | None:
    return value if bounds[0] <= value <= bounds[1] else None
