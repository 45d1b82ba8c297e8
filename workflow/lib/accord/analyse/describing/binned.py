"""Distributions of features over bins, and heat maps over the picture."""

from typing import NamedTuple

import numpy as np
import pandas as pd

from accord.analyse.describing.placed import BOXED, relative
from accord.analyse.tables.composition import HEATS, Heat, Layout, Spreads
from accord.engine.table import rows
from accord.grouping import KEY

TENTHS = np.arange(0, 21) / 20
ASPECTS = np.array([-np.inf, 0.25, 0.35, 0.5, 0.7, 1, 1.4, 2, 2.8, 4, np.inf])
GRID = 16
QUANTILES = {"p5": 0.05, "p25": 0.25, "median": 0.5, "p75": 0.75, "p95": 0.95}


def edges(feature: str) -> np.ndarray:
    """The limits of a feature's bins."""
    if feature.endswith("_aspect"):
        return ASPECTS
    if feature.endswith("_keypoints"):
        return np.arange(0, 35 if feature == "visible_keypoints" else 13, dtype=float)
    return TENTHS


def layout(features: pd.DataFrame) -> pd.DataFrame:
    """Layout: how many people have a value in each bin. features: image, subject, and a column per feature."""
    return rows([row for name in _known(features) for row in _bins(name, features[name].dropna())], Layout)


def spreads(features: pd.DataFrame) -> pd.DataFrame:
    """Spreads: mean and quantiles of each feature that is known of anyone."""
    found = []
    for name in _known(features):
        known = features[features[name].notna()]
        told = {key: float(known[name].quantile(share)) for key, share in QUANTILES.items()}
        counts = {"people": len(known), "images": known["image"].nunique(), "subjects": known["subject"].nunique()}
        found.append({"feature": name, **counts, "mean": float(known[name].mean()), **told})
    return rows(found, Spreads)


class Marks(NamedTuple):
    """Where people are: (n, 4) of each kind of box inside the picture (`relative`), and (256,) how many visible
    keypoints lie in each cell."""

    boxes: dict[str, np.ndarray]
    keypoints: np.ndarray


def marks(people: pd.DataFrame, pictures: pd.DataFrame, keypoints: pd.DataFrame) -> Marks:
    """What heat maps are made of."""
    sized, boxes = people.merge(pictures, on="image"), {}
    for name in BOXED:
        ends = relative(sized, name)
        boxes[name] = ends[~np.isnan(ends).any(axis=1)]
    seen = keypoints[keypoints["visible"]].merge(people[KEY], on=KEY).merge(pictures, on="image")
    return Marks(boxes, counted(np.stack([seen["x"] / seen["width"], seen["y"] / seen["height"]], axis=1)))


def heat(parts: list[Marks]) -> pd.DataFrame:
    """Heat: boxes, their centres and visible keypoints over 16 x 16 cells. A kind without any has no rows."""
    maps = {"keypoints": shares(np.sum([part.keypoints for part in parts], axis=0))}
    for name in BOXED:
        ends = np.concatenate([part.boxes[name] for part in parts])
        maps[name] = covered(ends)
        maps[f"{name}_centre"] = shares(counted((ends[:, :2] + ends[:, 2:]) / 2))
    told = [(kind, found) for kind in HEATS if (found := maps[kind]) is not None]
    return rows([(kind, row, column, made[row, column]) for kind, made in told for row, column in _cells()], Heat)


def covered(ends: np.ndarray) -> np.ndarray | None:
    """(16, 16): the mean share of each cell that boxes (n, 4) x0, y0, x1, y1 in [0, 1] cover; None without any."""
    if not len(ends):
        return None
    limits = np.arange(GRID + 1) / GRID
    across, down = (
        (np.minimum(ends[:, [axis + 2]], limits[1:]) - np.maximum(ends[:, [axis]], limits[:-1])).clip(0) * GRID
        for axis in (0, 1)
    )
    return (down.T @ across / len(ends)).clip(0, 1)


def counted(points: np.ndarray) -> np.ndarray:
    """(256,): how many points (n, 2) x, y lie in each cell, row by row; what lies outside counts at the edge."""
    column, row = (points * GRID).astype(int).clip(0, GRID - 1).T
    return np.bincount(row * GRID + column, minlength=GRID * GRID)


def shares(counts: np.ndarray) -> np.ndarray | None:
    """(16, 16): the share of each cell; None without any."""
    return counts.reshape(GRID, GRID) / counts.sum() if counts.any() else None


def _bins(name: str, values: pd.Series) -> list[dict]:
    limits = edges(name)
    counts, _ = np.histogram(values.clip(limits[0], limits[-1]), limits)
    bounds = zip(limits[:-1], limits[1:], counts, strict=True)
    return [
        {"feature": name, "bin": number, "low": low, "high": high, "count": count, "share": count / len(values)}
        for number, (low, high, count) in enumerate(bounds)
    ]


def _known(features: pd.DataFrame) -> list[str]:
    return [name for name in features.columns if name not in KEY and features[name].notna().any()]


def _cells() -> list[tuple[int, int]]:
    return [(row, column) for row in range(GRID) for column in range(GRID)]
