"""What a Rapid Test could not see: of whom faces got no label, and which service and step left them out."""

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
        blocks.append(grid("table-rapid-dropped", "Why queries of each group were left out", _dropped(every, groups)))
    left = whole[whole["reason"] != KEPT].sort_values("faces", ascending=False)
    shown = left[["reason", "faces"]].rename(columns={"faces": "faces or pictures"})
    blocks.append(grid("table-rapid-left-out", "Why faces and pictures were left out, of everyone", shown))
    return Section("unseen", "What the method could not see", INTRO, blocks)


def without_figure(coverage: pd.DataFrame, curves: pd.DataFrame, fewest: int) -> list[str]:
    """Of each group that is large enough, but of whose queries too few were kept for a figure: which services and
    conditions left out the others. It may be the group for which a service is worst."""
    have = set(zip(curves["attribute"], curves["group"], strict=True))
    told = []
    for row in _groups(coverage, fewest).itertuples(index=False):
        attribute, group, kept = row[:3]
        key = (attribute.replace(" ", "_"), group)
        reasons = _reasons(coverage, *key)
        if key not in have and kept < fewest and reasons:
            every = "; ".join(f"{reason}: {counted(queries, 'query')}" for reason, queries, _ in reasons)
            told.append(
                f"There is no figure for {attribute} {group}: {counted(kept, 'query')} kept. Left out: {every}."
            )
    return told


def _dropped(coverage: pd.DataFrame, groups: pd.DataFrame) -> pd.DataFrame:
    """A row per group of `groups` (as shown) and reason for which queries of it were left out."""
    keys = ((attribute, group) for attribute, group in groups[["attribute", "group"]].itertuples(index=False))
    rows = [(attribute, group, *one) for attribute, group in keys
            for one in _reasons(coverage, attribute.replace(" ", "_"), group)]  # fmt: skip
    return pd.DataFrame(rows, columns=["attribute", "group", "reason", "queries", "faces"])


def _reasons(coverage: pd.DataFrame, attribute: str, group: str) -> list[tuple[str, int, int]]:
    """Reason, queries and faces, of those that left out whole queries of a group."""
    mine = (coverage["attribute"] == attribute) & (coverage["group"] == group) & (coverage["reason"] != KEPT)
    some = coverage[mine & (coverage["queries"] > 0)].sort_values("queries", ascending=False)
    return [(row.reason, int(row.queries), int(row.faces)) for row in some.itertuples()]


def _groups(coverage: pd.DataFrame, fewest: int) -> pd.DataFrame:
    """A row per group. Left-out queries can have several reasons: the most under one is the least that there are."""
    rows, sizes = [], []
    for (attribute, group), some in coverage[coverage["attribute"] != WHOLE].groupby(["attribute", "group"]):
        is_kept = some["reason"] == KEPT
        kept, labelled = (int(some.loc[is_kept, name].sum()) for name in ("queries", "faces"))
        left = some.loc[~is_kept, "queries"].max() if (~is_kept).any() else 0
        sizes.append((attribute, group, kept + int(left)))
        faces = int(some["faces"].sum())
        rows.append((attribute, group, kept, faces, labelled, labelled / faces))
    may = small.shown(pd.DataFrame(sizes, columns=["attribute", "group", "queries"]), fewest)
    columns = ["attribute", "group", "queries kept", "pictures", "faces labelled", "share labelled"]
    return pd.DataFrame([(row[0].replace("_", " "), *row[1:]) for row in rows if row[:2] in may], columns=columns)
