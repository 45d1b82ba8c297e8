"""What a Rapid Test could not see: of whom faces got no label, and which service and step left them out."""

import pandas as pd

from accord.analyse.identities.coverage import KEPT
from accord.analyse.identities.rapid_test import RapidTest
from accord.grouping import WHOLE
from accord.report.drawing.blocks import Section, Words, grid
from accord.report.foundation.rates import percent
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
    left = whole[whole["reason"] != KEPT].sort_values("faces", ascending=False)
    shown = left[["reason", "faces"]].rename(columns={"faces": "faces or pictures"})
    blocks.append(grid("table-rapid-left-out", "Why faces and pictures were left out, of everyone", shown))
    return Section("unseen", "What the method could not see", INTRO, blocks)


def _groups(coverage: pd.DataFrame, fewest: int) -> pd.DataFrame:
    """A row per group. Left-out queries can have several reasons: the most under one is the least that there are."""
    rows = []
    for (attribute, group), some in coverage[coverage["attribute"] != WHOLE].groupby(["attribute", "group"]):
        is_kept = some["reason"] == KEPT
        kept, labelled = (int(some.loc[is_kept, name].sum()) for name in ("queries", "faces"))
        if kept + some.loc[~is_kept, "queries"].max() >= fewest or kept >= fewest:
            faces = int(some["faces"].sum())
            rows.append((attribute.replace("_", " "), group, kept, faces, labelled, labelled / faces))
    columns = ["attribute", "group", "queries kept", "pictures", "faces labelled", "share labelled"]
    return pd.DataFrame(rows, columns=columns)
