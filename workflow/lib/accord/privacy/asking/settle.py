"""Settle what people were asked about painted regions: an image passes, fails, or goes on waiting."""

import pandas as pd
from pandera.typing import DataFrame

from accord.checks.deciding.apply_decisions import settled
from accord.checks.deciding.policies import DROP, HOLD
from accord.findings import REVIEW
from accord.privacy.proof.verify import SUBJECT
from accord.privacy.tables import Decisions, Findings, Items
from accord.queues import INPAINTING


def settle(
    findings: DataFrame[Findings], review_items: DataFrame[Items], decisions: DataFrame[Decisions], *, policies: dict
) -> DataFrame[Findings]:
    """All findings, and finding `inpainting` of each image of whose regions people are asked: settled by decisions and,
    where there is none, by `policies` (queue -> hold, drop, pass).

    What wants a review in an image is settled by all that people are asked about it. No policy lets an image pass in
    which somebody who stays may be painted over: it waits for people.
    """
    wanted = findings.loc[findings["verdict"] == REVIEW, ["image", "check"]]
    more = review_items.drop(columns="check").merge(wanted, on="image")
    asked = (
        pd.concat([review_items, more[list(review_items.columns)]], ignore_index=True) if len(more) else review_items
    )
    is_held = asked["check"] == SUBJECT
    by_policy = settled(findings, asked[~is_held], decisions, policies, {})
    strict = policies if policies.get(INPAINTING) == DROP else {**policies, INPAINTING: HOLD}
    return settled(by_policy, asked[is_held], decisions, strict, {})
