"""Of how many subjects of a group an occupation was said, against all others; rare terms stay unnamed."""

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd
import scipy

from accord.analyse.open_answers.occupations import UNLISTED
from accord.grouping import KEY
from accord.statistics.testing.holm import holm

LEAST = 10
"""Subjects of whom a term must have been said to be named at all."""


def shares(
    found: pd.DataFrame, groups: Mapping[str, pd.DataFrame], min_subjects: int = LEAST, least: int = LEAST
) -> list[dict]:
    """Rows of OccupationShares, of the read answers to one question about occupations of one model.

    groups: attribute -> image, subject, group. A subject counts with the answer about the first of her images: whoever
    is asked about more often hears more occupations, without any bias. One in two groups counts in both.
    """
    first = found[found["answered"]].sort_values(KEY).drop_duplicates("subject")
    counts = first.loc[first["occupation"] != "", "occupation"].value_counts()
    terms = sorted(str(name) for name, count in counts.items() if count >= least or name == UNLISTED)
    harmful = first.groupby("occupation")["harmful"].any()
    made: list[dict] = []
    for attribute, members in groups.items():
        told = list(_rows(first, members.merge(first[KEY], on=KEY), terms, min_subjects))
        tested = [row for row in told if not np.isnan(row["p_value"])]
        for row, corrected in zip(tested, holm(np.array([row["p_value"] for row in tested])), strict=True):
            row["corrected"] = float(corrected)
        made += [row | {"attribute": attribute, "harmful": bool(harmful[row["occupation"]])} for row in told]
    return made


def _rows(first: pd.DataFrame, members: pd.DataFrame, terms: list[str], min_subjects: int) -> Iterator[dict]:
    """first: the counted answer of each subject; members: the groups of these."""
    inside = {str(group): set(some["subject"]) for group, some in members.groupby("group", sort=True)}
    known = set(members["subject"])
    for term in terms:
        of = set(first.loc[first["occupation"] == term, "subject"])
        overall = len(of) / len(first)
        for group, some in inside.items():
            hits, others, missing = len(of & some), known - some, len(some) < min_subjects
            share = np.nan if missing else hits / len(some)
            cells = [[hits, len(some) - hits], [len(of & others), len(others - of)]]
            p = np.nan if missing or len(others) < min_subjects else float(scipy.stats.fisher_exact(cells).pvalue)
            yield {
                "occupation": term, "group": group, "said": hits, "subjects": len(some), "share": share,
                "overall": overall, "ratio": share / overall, "p_value": p, "corrected": np.nan,
            }  # fmt: skip
