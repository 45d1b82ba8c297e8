"""Settle what people were asked about painted regions: an image passes, fails, or goes on waiting."""

import pandas as pd
from pandera.typing import DataFrame

from accord.checks.deciding.apply_decisions import settled
from accord.findings import REVIEW
from accord.privacy.tables import Decisions, Findings, Items


def settle(
    findings: DataFrame[Findings], review_items: DataFrame[Items], decisions: DataFrame[Decisions], *, policies: dict
) -> DataFrame[Findings]:
    """All findings, and finding `inpainting` of each image of whose regions people are asked: settled by decisions and,
    where there is none, by `policies` (queue -> hold, drop, pass).

    What wants a review in an image is settled by all that people are asked about it.
    """
    wanted = findings.loc[findings["verdict"] == REVIEW, ["image", "check"]]
    more = review_items.drop(columns="check").merge(wanted, on="image")
    asked = (
        pd.concat([review_items, more[list(review_items.columns)]], ignore_index=True) if len(more) else review_items
    )
    return settled(findings, asked, decisions, policies, {})
