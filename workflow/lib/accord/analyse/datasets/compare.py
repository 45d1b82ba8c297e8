"""Datasets side by side: shares of groups, and how far apart groups and layout are."""

from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.describing.sizes import NOT_GIVEN
from accord.analyse.tables.datasets import Distances, Shares
from accord.engine.table import rows
from accord.grouping import BETWEEN, WHOLE


class Side(NamedTuple):
    """One dataset: its name, and its GroupSizes, Layout and Spreads."""

    name: str
    groups: pd.DataFrame
    layout: pd.DataFrame
    spreads: pd.DataFrame


class Compared(NamedTuple):
    """Shares of groups, and distances of each two datasets."""

    shares: DataFrame[Shares]
    distances: DataFrame[Distances]


def compare(sides: list[Side]) -> Compared:
    """Attributes and features that at least two of the datasets have; intersections are left out."""
    told = pd.concat([_shares(side) for side in sides])
    common = told.groupby("attribute")["dataset"].nunique()
    told = told[told["attribute"].isin(common.index[common > 1])]
    found = [row for first, second in combinations(sides, 2) for row in _distances(first, second, told)]
    ordered = told.sort_values(["attribute", "group", "dataset"], kind="stable")
    return Compared(rows(ordered.to_dict("records"), Shares), rows(found, Distances))


def total_variation(first: np.ndarray, second: np.ndarray) -> float:
    """Half the sum of the absolute differences of two lists of shares."""
    return min(1.0, float(np.abs(np.asarray(first) - np.asarray(second)).sum() / 2))


def by_chance(shares: np.ndarray, first: int, second: int) -> float:
    """The mean total variation of two samples of these sizes from `shares`, each share's difference taken as normal."""
    spread = np.sqrt(shares * (1 - shares) * (1 / first + 1 / second))
    return min(1.0, float(np.sqrt(2 / np.pi) * spread.sum() / 2))


def _shares(side: Side) -> pd.DataFrame:
    of = side.groups
    of = of[(of["attribute"] != WHOLE) & (of["group"] != NOT_GIVEN)]
    of = of[~of["attribute"].str.contains(BETWEEN, regex=False)]
    totals = of.groupby("attribute")["subjects"].transform("sum")
    named = of[["attribute", "group", "subjects"]].assign(dataset=side.name, share=of["subjects"] / totals)
    return named[["attribute", "group", "dataset", "subjects", "share"]]


def _distances(first: Side, second: Side, shares: pd.DataFrame) -> list[dict]:
    names = (first.name, second.name)
    found = []
    for name, some in shares[shares["dataset"].isin(names)].groupby("attribute"):
        if some["dataset"].nunique() == 2:
            counts = [some.loc[some["dataset"] == side, "subjects"].sum() for side in names]
            wide = some.pivot(index="group", columns="dataset", values="share").fillna(0)
            found.append(_row("attribute", name, names, counts, [wide[side].to_numpy() for side in names]))
    for name in sorted(set(first.spreads["feature"]) & set(second.spreads["feature"])):
        counts = [s.spreads.set_index("feature").loc[name, "subjects"] for s in (first, second)]
        bins = [s.layout[s.layout["feature"] == name].sort_values("bin")["share"].to_numpy() for s in (first, second)]
        found.append(_row("layout", name, names, counts, bins))
    return found


def _row(kind: str, name: str, names: tuple[str, str], counts: list[int], shares: list[np.ndarray]) -> dict:
    pooled = (counts[0] * shares[0] + counts[1] * shares[1]) / sum(counts)
    counted = dict(zip(("first_subjects", "second_subjects"), counts, strict=True))
    apart = {"distance": total_variation(*shares), "by_chance": by_chance(pooled, *counts)}
    return {"kind": kind, "name": name, "first": names[0], "second": names[1], **counted, **apart}
