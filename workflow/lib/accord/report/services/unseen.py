"""What a Rapid Test could not see: of whom faces got no label, and which service and step left them out."""

from typing import Any

import pandas as pd

from accord.analyse.identities.coverage import KEPT
from accord.analyse.identities.rapid_test import RapidTest
from accord.grouping import WHOLE
from accord.report.drawing.blocks import Section, Words, grid
from accord.report.foundation.rates import percent
from accord.report.services import small
from accord.text.nouns import counted

INTRO = (
    "A service that is worse for a group loses that group's hard pictures first, so its error is underestimated most "
    "where it is largest. Where few faces of a group were kept, its figures above say little."
)
LOST = "too few scores of it are there, or a smaller group would follow by subtraction"
BOUNDS = (
    "“least” and “most” above are FNMR if all pairs of faces that got no label were matched, or none. Pictures in "
    "which not every service found the same one face are in no bound: nothing was compared."
)


def section(found: RapidTest, fewest: int) -> Section:
    """What was kept of each group with at least `fewest` queries, and why the rest is missing, of everyone."""
    every = found.coverage
    whole = every[every["attribute"] == WHOLE]
    kept = whole[whole["reason"] == KEPT]
    labelled, faces = int(kept["faces"].sum()), int(whole["faces"].sum())
    share = f" ({percent(labelled / faces)})" if faces else ""
    said = f"{counted(labelled, 'face')} of {counted(faces, 'picture')} got a label{share}, " \
           f"in {counted(int(kept['queries'].sum()), 'query')}."  # fmt: skip
    blocks: list = [Words([said, BOUNDS])]
    groups = _groups(every, fewest)
    if len(groups):
        blocks.append(grid("table-rapid-kept", "What was kept of each group", groups))
        caption = f"Why {fewest} or more queries of a group were left out"
        if len(dropped := _dropped(every, groups, fewest)):
            blocks.append(grid("table-rapid-dropped", caption, dropped))
    left = whole[whole["reason"] != KEPT].sort_values("faces", ascending=False)
    shown = left[["reason", "faces"]].rename(columns={"faces": "faces or pictures"})
    blocks.append(grid("table-rapid-left-out", "Why faces and pictures were left out, of everyone", shown))
    return Section("unseen", "What the method could not see", INTRO, blocks)


def without_figure(coverage: pd.DataFrame, curves: pd.DataFrame, fewest: int) -> list[str]:
    """Which groups have no figure, and why: too few of their queries were kept, or a smaller group would follow by
    subtraction. One of them may be the group for which a service is worst. Small groups are counted, not named.

    curves: rows that are shown. Nothing is said where no service was tested.
    """
    if curves.empty:
        return []
    services = set(curves["service"])
    have = {key: set(some["service"]) for key, some in curves.groupby(["attribute", "group"])}
    sizes = _sizes(coverage)
    may = small.shown(sizes, fewest, _without(coverage))
    told = []
    for attribute, some in sizes.groupby("attribute", sort=True):
        named = str(attribute).replace("_", " ")
        few = 0
        for row in some.itertuples():
            key = (row.attribute, row.group)
            lost = services - have.get(key, set())
            if lost == services and row.queries < fewest:
                few += 1
            elif lost == services:
                told.append(_why(named, row, coverage, key in may, fewest))
            elif lost:
                told.append(f"{named} {row.group} has no figure of {', '.join(sorted(lost))}: {LOST}.")
        if few:
            verb = "has" if few == 1 else "have"
            told.append(
                f"In {named}, {counted(few, 'group')} of fewer than {counted(fewest, 'query')} {verb} no figure."
            )
    return told


def _why(named: str, row: Any, coverage: pd.DataFrame, is_shown: bool, fewest: int) -> str:
    """Why a group that is large enough has no figure. Which services left out its queries is told without numbers,
    unless as many did so as a group needs."""
    start = f"There is no figure for {named} {row.group}: "
    reasons = [reason for reason, _, _ in _reasons(coverage, row.attribute, row.group)]
    if is_shown and row.kept < fewest:
        return f"{start}{counted(row.kept, 'query')} kept. Left out: {', and '.join(reasons) or 'for no reason'}."
    if row.kept < fewest:
        return f"{start}fewer than {counted(fewest, 'query')} kept. Left out: {', and '.join(reasons)}."
    return f"{start}a smaller group would follow by subtraction, or it has too few pairs."


def _dropped(coverage: pd.DataFrame, groups: pd.DataFrame, fewest: int) -> pd.DataFrame:
    """A row per group of `groups` (as shown) and reason for which at least `fewest` queries of it were left out: one of
    a single query would tell that the people of two rows are one."""
    keys = ((attribute, group) for attribute, group in groups[["attribute", "group"]].itertuples(index=False))
    rows = [(attribute, group, *one) for attribute, group in keys
            for one in _reasons(coverage, attribute.replace(" ", "_"), group) if one[1] >= fewest]  # fmt: skip
    return pd.DataFrame(rows, columns=["attribute", "group", "reason", "queries", "faces"])


def _reasons(coverage: pd.DataFrame, attribute: str, group: str) -> list[tuple[str, int, int]]:
    """Reason, queries and faces, of those that left out whole queries of a group."""
    mine = (coverage["attribute"] == attribute) & (coverage["group"] == group) & (coverage["reason"] != KEPT)
    some = coverage[mine & (coverage["queries"] > 0)].sort_values("queries", ascending=False)
    return [(row.reason, int(row.queries), int(row.faces)) for row in some.itertuples()]


def _sizes(coverage: pd.DataFrame) -> pd.DataFrame:
    """attribute, group, queries, kept, faces, labelled. Left-out queries can have several reasons: the most under one
    is the least that there are."""
    rows = []
    for (attribute, group), some in coverage[coverage["attribute"] != WHOLE].groupby(["attribute", "group"]):
        is_kept = some["reason"] == KEPT
        kept, labelled = (int(some.loc[is_kept, name].sum()) for name in ("queries", "faces"))
        left = some.loc[~is_kept, "queries"].max() if (~is_kept).any() else 0
        rows.append((attribute, group, kept + int(left), kept, int(some["faces"].sum()), labelled))
    return pd.DataFrame(rows, columns=["attribute", "group", "queries", "kept", "faces", "labelled"])


def _without(coverage: pd.DataFrame) -> dict[str, int]:
    """Attribute -> at least how many queries have no group of it: kept ones, or one where pictures are missing."""
    whole = coverage[coverage["attribute"] == WHOLE]
    kept, faces = int(whole.loc[whole["reason"] == KEPT, "queries"].sum()), int(whole["faces"].sum())
    return {
        str(attribute): max(kept - int(some["kept"].sum()), int(faces > some["faces"].sum()))
        for attribute, some in _sizes(coverage).groupby("attribute")
    }


def _groups(coverage: pd.DataFrame, fewest: int) -> pd.DataFrame:
    """A row per group that may be shown."""
    every = _sizes(coverage)
    may = small.shown(every, fewest, _without(coverage))
    columns = ["attribute", "group", "queries kept", "pictures", "faces labelled", "share labelled"]
    rows = [(row.attribute.replace("_", " "), row.group, row.kept, row.faces, row.labelled, row.labelled / row.faces)
            for row in every.itertuples() if (row.attribute, row.group) in may]  # fmt: skip
    return pd.DataFrame(rows, columns=columns)
