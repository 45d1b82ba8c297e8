"""The final account: every delivered image, what became of it, and why."""

from typing import NamedTuple

import pandas as pd
from pandera.typing import DataFrame

from accord import table
from accord.checks.judge import judge
from accord.checks.waterfall import waterfall
from accord.findings import FAIL, PASS
from accord.privacy.tables import Findings
from accord.release.tables import Derivatives, Verdicts, Waterfall

NO_PICTURE = "privacy.no_picture"


class Account(NamedTuple):
    """One verdict per delivered image, and how many each check stopped."""

    verdicts: DataFrame[Verdicts]
    waterfall: DataFrame[Waterfall]


def run(verdicts: DataFrame[Verdicts], findings: DataFrame[Findings], derivatives: DataFrame[Derivatives]) -> Account:
    """Verdicts of checks, privacy's findings, and derivatives of all shards -> the account of the release.

    An image that nothing stopped but of which privacy made no picture fails too: none is lost without a reason.
    """
    judged = judge(verdicts, findings)
    final = judge(judged, _without_picture(judged, derivatives))
    return Account(final, waterfall(final))


def _without_picture(verdicts: pd.DataFrame, derivatives: pd.DataFrame) -> pd.DataFrame:
    passing = verdicts.loc[verdicts["verdict"] == PASS, "image"]
    missing = sorted(set(passing) - set(derivatives["image"]))
    return table.rows(
        [(image, NO_PICTURE, None, None, FAIL, "privacy made no picture of it") for image in missing], Findings
    )
