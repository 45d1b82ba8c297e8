"""Of how many subjects of a group an occupation was said, against all others; rare terms stay unnamed."""

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd
import scipy

from accord.analyse.open_answers.occupations import UNLISTED
from accord.statistics.testing.holm import holm

LEAST = 10
"""Subjects of whom a term must have been said to be named at all."""


def shares(found: pd.DataFrame, groups: Mapping[str, pd.DataFrame], least: int = LEAST) -> list[dict]:
    """Rows of OccupationShares, of the read answers to one question about occupations of one model.

    groups: attribute -> image, subject, group. A subject counts once, however many of her images it was said of, so
    that tests are of independent people; a subject in two groups counts in both.
    """
    answered = found[found["answered"]]
    people = answered["subject"].unique()
    said = answered[answered["occupation"] != ""].drop_duplicates(["subject", "occupation"])
    counts = said.groupby("occupation")["subject"].nunique()
    terms = [str(name) for name, count in counts.items() if count >= least or name == UNLISTED]
    harmful = said.groupby("occupation")["harmful"].any()
    made: list[dict] = []
    for attribute, members in groups.items():
        told = list(_rows(said, members[members["subject"].isin(people)], terms, len(people)))
        corrected = holm(np.array([row["p_value"] for row in told]))
        made += [row | {"attribute": attribute, "corrected": float(p), "harmful": bool(harmful[row["occupation"]])}
                 for row, p in zip(told, corrected, strict=True)]  # fmt: skip
    return made


def _rows(said: pd.DataFrame, members: pd.DataFrame, terms: list[str], everyone: int) -> Iterator[dict]:
    inside = {str(group): set(some["subject"]) for group, some in members.groupby("group", sort=True)}
    for term in terms:
        of = set(said.loc[said["occupation"] == term, "subject"])
        for group, some in inside.items():
            hits, others = len(of & some), everyone - len(some)
            cells = [[hits, len(some) - hits], [len(of) - hits, others - (len(of) - hits)]]
            yield {
                "occupation": term, "group": group, "said": hits, "subjects": len(some), "share": hits / len(some),
                "overall": len(of) / everyone, "ratio": hits / len(some) / (len(of) / everyone),
                "p_value": float(scipy.stats.fisher_exact(cells).pvalue),
            }  # fmt: skip
