"""Turn all findings up to here into one verdict per delivered image."""

import pandas as pd
from pandera.typing import DataFrame

from accord.checks.judge import delivered, judge
from accord.checks.tables import Findings, Images, Verdicts
from accord.errors import AccordError, Problem
from accord.findings import PASS
from accord.intake.tables import Refused


def run(images: DataFrame[Images], refused: DataFrame[Refused], findings: DataFrame[Findings]) -> DataFrame[Verdicts]:
    """One row per delivered image, refused ones too: the first check that stopped it (accord.checks.order).

    Raises AccordError where an image would pass that nobody ever decoded.
    """
    verdicts = judge(delivered(images, refused), findings)
    _refuse_unseen(verdicts, findings)
    return verdicts


def _refuse_unseen(verdicts: pd.DataFrame, findings: pd.DataFrame) -> None:
    passing = set(verdicts.loc[verdicts["verdict"] == PASS, "image"])
    unseen = sorted(passing - set(findings.loc[findings["check"] == "decode", "image"]))
    if unseen:
        what = f"{len(unseen)} image(s) were lost: nothing stopped them and nothing looked at them, first {unseen[0]}"
        raise AccordError(Problem("verdicts", what, "a room dropped images without a finding; run it again"))
