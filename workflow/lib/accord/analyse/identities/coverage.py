"""Of whom faces got a label, and which step and service left out the others: this alone can hide a bias."""

from collections.abc import Collection

import pandas as pd

from accord.analyse.identities.labelling import NOBODY, SEVERAL
from accord.grouping import WHOLE

KEPT = "kept"


def is_disputed(reason: str, services: Collection[str]) -> bool:
    """Whether `reason` of a query says that most of `services` found nobody, or several people, in it: evidence
    that its annotation is wrong, rather than that one service is. One service alone disputes nothing."""
    against: set[str] = set()
    for part in reason.split("; "):
        for start in (NOBODY, SEVERAL):
            if part.startswith(f"{start} "):
                against |= set(part.removeprefix(f"{start} ").split(", "))
    return len(services) > 1 and 2 * len(against & set(services)) > len(services)


def disputed(table: pd.DataFrame, services: Collection[str]) -> int:
    """Of a `Coverage`, how many queries most of `services` dispute: a query has one such reason."""
    whole = table[table["attribute"] == WHOLE]
    return int(sum(row.queries for row in whole.itertuples() if is_disputed(row.reason, services)))


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
