"""Of whom faces got a label, and which step and service left out the others: this alone can hide a bias."""

import pandas as pd

from accord.grouping import WHOLE

KEPT = "kept"


def coverage(faces: pd.DataFrame, groups: pd.DataFrame) -> list[dict]:
    """Rows of `Coverage`. faces: query, face, reason ("" where it has a label), one row each; groups: `QueryGroups`.

    A query is kept where any of its faces has a label. Left-out queries count under their reason, as do the faces of
    kept queries that a service gave no score for.
    """
    everyone = pd.DataFrame({"query": faces["query"].unique(), "attribute": WHOLE, "group": WHOLE})
    some = faces.merge(pd.concat([everyone, groups]), on="query")
    some["reason"] = some["reason"].mask(some["reason"] == "", KEPT)
    kept = set(some.loc[some["reason"] == KEPT, "query"])
    made = []
    for (attribute, group, reason), of in some.groupby(["attribute", "group", "reason"], sort=True):
        queries = set(of["query"]) if reason == KEPT else set(of["query"]) - kept
        counts = {"queries": len(queries), "faces": len(of)}
        made.append({"attribute": attribute, "group": group, "reason": reason} | counts)
    return made
