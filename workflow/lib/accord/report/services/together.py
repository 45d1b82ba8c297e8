"""Which services together tell best who is who, and what hand labels of some faces would bring."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from accord.report.drawing.blocks import Cell, Heat, Section, Words, level
from accord.text.nouns import counted, listed

PLUS = " + "
INTRO = (
    "Whom a face shows is what most of the services say that vote. Each row is a set of three or more that votes "
    "alone, each column a share of the faces that people label by hand: first those that the services leave out, then "
    "those that they are least sure of. A figure is how far FNMR of the services of the set is then from FNMR by {by}, "
    "in points, as their mean. Less is better."
)
CAVEAT = (
    "No interval is known, and all sets were tried on the same faces: a small difference may be chance. Each row of "
    "the table is of its own services; the sentences above compare the same ones."
)
OF_SOME = "People looked at the queries drawn by lot alone, so that part of each distance is that of the queries."
DISPUTED = (
    "Most services dispute what is annotated of {count}. A set that doesn't comes nearest here, also where it is the "
    "annotations that are wrong."
)
SHARES = (0.1, 0.3, 0.5)
"""Of faces labelled by hand, that a sentence tells."""
MOST = 12
"""Sets that are shown of each FMR: that of all services, and those nearest without hand labels."""


def sections(assisted: pd.DataFrame, by: str, by_hand: bool, disputed: int) -> Iterator[Section]:
    """The section, where somebody or something told whom faces show. assisted: `Assisted`; by: who that is; disputed:
    queries in which most services found nobody, or several people."""
    if assisted.empty:
        return
    doubts = [OF_SOME] if by_hand else [DISPUTED.format(count=counted(disputed, "query"))] if disputed else []
    words = Words([*_without(assisted), *_helped(assisted), " ".join([CAVEAT, *doubts])])
    yield Section("together", "Which services together", INTRO.format(by=by), [words, _heat(assisted)])


def _means(assisted: pd.DataFrame) -> pd.DataFrame:
    """(services, fmr) -> a column for each share of faces labelled by hand: the mean distance of the services of a set;
    none where one of them has none."""
    every = assisted.groupby(["services", "fmr", "fraction"])["delta"].agg(lambda some: some.mean(skipna=False))
    return every.unstack("fraction")


def _every(assisted: pd.DataFrame) -> str:
    """The set of all services."""
    return max(assisted["services"].unique(), key=lambda name: len(name.split(PLUS)))


def _without(assisted: pd.DataFrame) -> Iterator[str]:
    """The service without which the others come nearest, at the largest FMR, if there is any."""
    every, at = _every(assisted), assisted["fmr"].max()
    names = every.split(PLUS)
    some = assisted[(assisted["fmr"] == at) & (assisted["fraction"] == 0)].set_index(["services", "service"])["delta"]
    told = []
    for name in names:
        others = [other for other in names if other != name]
        rest = PLUS.join(others)
        if rest in some.index.get_level_values("services"):
            told.append((float(np.mean([some[rest, one] for one in others])),
                         float(np.mean([some[every, one] for one in others])), name))  # fmt: skip
    nearer = [one for one in told if one[0] < one[1]]
    if nearer:
        least, with_it, name = min(nearer, key=lambda one: one[0] - one[1])
        yield (
            f"At an FMR of {at:g}, the others do best without {name}: FNMR of theirs is then off by "
            f"{_points(least)}, with it by {_points(with_it)}."
        )
    elif told:
        yield f"At an FMR of {at:g}, no set without one service comes nearer than all together."


def _helped(assisted: pd.DataFrame) -> Iterator[str]:
    """What hand labels bring where all services vote, at the largest FMR."""
    every, at = _every(assisted), assisted["fmr"].max()
    distance = _means(assisted).loc[(every, at)]
    if pd.isna(distance[0.0]):
        return
    first, *more = [share for share in SHARES if share in distance and pd.notna(distance[share])] or [0.0]
    told = [f"{_points(distance[0.0])} without hand labels"]
    told += [f"{100 * distance[first]:.1f} with {first:.0%} of the faces labelled by hand"] if first else []
    told += [f"{100 * distance[share]:.1f} with {share:.0%}" for share in more]
    yield f"With all services it is {listed(told, 'and')}."


def _heat(assisted: pd.DataFrame) -> Heat:
    means, every = _means(assisted), _every(assisted)
    top = float(np.nanmax(means.to_numpy())) if means.notna().to_numpy().any() else 0.0
    rows: list[tuple[str, list[Cell]]] = []
    for fmr in sorted(assisted["fmr"].unique(), reverse=True):
        some = means.xs(fmr, level="fmr").sort_values(0.0, kind="stable")
        shown = [every, *(name for name in some.index if name != every)][:MOST]
        left = f", the {MOST} nearest of {len(some)} sets" if len(some) > MOST else ""
        rows.append((f"At an FMR of {fmr:g}{left}", []))
        rows += [(_named(name, every), [_cell(row, top) for row in some.loc[name].items()]) for name in shown]
    shares = [f"{share:.0%}" for share in means.columns]
    caption = "Distance of FNMR, in points, by who votes and the share of faces labelled by hand"
    return Heat("figure-rapid-together", caption, "who votes", shares, rows, "0", f"{100 * top:.1f}")


def _cell(of_share: tuple[Any, Any], top: float) -> Cell:
    share, distance = of_share
    if pd.isna(distance):
        return Cell("–", tip="no figure of one of its services")
    tip = f"{share:.0%} of the faces labelled by hand: off by {_points(distance)}"
    return Cell(f"{100 * distance:.1f}", level=level(distance, 0.0, top), tip=tip)


def _named(name: str, every: str) -> str:
    """`all 4 services`, `all but worn`, or the names."""
    names, of_all = name.split(PLUS), every.split(PLUS)
    if name == every:
        return f"all {counted(len(names), 'service')}" if len(names) > 1 else name
    return f"all but {(set(of_all) - set(names)).pop()}" if len(names) == len(of_all) - 1 else listed(names, "and")


def _points(share: float) -> str:
    return f"{100 * share:.1f} points"
