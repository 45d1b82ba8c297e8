"""Turn all findings up to here into one verdict per delivered image."""

from typing import NamedTuple

import pandas as pd
from pandera.typing import DataFrame

from accord.checks.deciding.apply_decisions import settled
from accord.checks.deciding.judge import delivered, judge
from accord.checks.tables.findings import Decisions, Findings, Images, Items, Verdicts
from accord.errors import AccordError, Problem
from accord.findings import PASS, REVIEW
from accord.intake.tables import Refused


class Judged(NamedTuple):
    """The verdicts, and what became of the findings that wanted a review."""

    verdicts: DataFrame[Verdicts]
    settled: DataFrame[Findings]


def run(
    images: DataFrame[Images],
    refused: DataFrame[Refused],
    findings: DataFrame[Findings],
    review_items: DataFrame[Items],
    decisions: DataFrame[Decisions],
    *,
    policies: dict,
) -> Judged:
    """One row per delivered image, refused ones too: the first check that stopped it (accord.check_names).

    Findings of checks that gather shards are settled here: by decisions, else by `policies`. Raises AccordError where
    an image would pass that nobody ever decoded.
    """
    subjects = dict(zip(images["image"], images["subject"], strict=True))
    asked = findings.loc[findings["verdict"] == REVIEW, ["image", "check"]]
    final = settled(findings, review_items, decisions, policies, subjects)
    verdicts = judge(delivered(images, refused), final)
    _refuse_unseen(verdicts, findings)
    return Judged(verdicts, final.merge(asked, on=["image", "check"]))


def _refuse_unseen(verdicts: pd.DataFrame, findings: pd.DataFrame) -> None:
    passing = set(verdicts.loc[verdicts["verdict"] == PASS, "image"])
    unseen = sorted(passing - set(findings.loc[findings["check"] == "decode", "image"]))
    if unseen:
        what = f"{len(unseen)} image(s) were lost, neither stopped nor checked; the first is {unseen[0]}"
        raise AccordError(Problem("verdicts", what, "a step dropped images without a finding: rerun it"))
