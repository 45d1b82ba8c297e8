"""The final account: every delivered image, what became of it, and why."""

from typing import NamedTuple

import pandas as pd
from pandera.typing import DataFrame

from accord.check_names import RELEASE
from accord.checks.deciding.judge import judge
from accord.checks.deciding.waterfall import waterfall
from accord.checks.tables.views import Stopping
from accord.engine import table
from accord.findings import FAIL, PASS
from accord.privacy.tables import Findings
from accord.release.making.views import Pictured
from accord.release.tables import Keys, Verdicts, Waterfall

NO_PICTURE = "privacy.no_picture"
RESERVE, REASON = "release.reserve", "held in reserve, to replace an image of a person who withdraws"


class Account(NamedTuple):
    """One verdict per delivered image, and how many each check stopped."""

    verdicts: DataFrame[Verdicts]
    waterfall: DataFrame[Waterfall]


def run(
    verdicts: DataFrame[Verdicts],
    findings: DataFrame[Stopping],
    derivatives: DataFrame[Pictured],
    selected: DataFrame[Keys],
) -> Account:
    """Verdicts of checks, privacy's findings, derivatives of all shards, the selection -> the account of the release.

    Images that pass and are held in reserve have a verdict of that name.
    """
    final = judged(verdicts, findings, derivatives)
    held = table.is_in(final["image"], selected.loc[selected["state"] == "reserve", "image"]) & (
        final["verdict"] == PASS
    )
    final.loc[held, ["verdict", "room", "check", "reason"]] = ["reserve", RELEASE, RESERVE, REASON]
    return Account(final, waterfall(final))


def judged(verdicts: pd.DataFrame, findings: pd.DataFrame, derivatives: pd.DataFrame) -> pd.DataFrame:
    """The verdicts before selection. An image that nothing stopped but of which privacy made no picture fails too: none
    is lost without a reason."""
    after = judge(verdicts, findings)
    return judge(after, _without_picture(after, derivatives))


def _without_picture(verdicts: pd.DataFrame, derivatives: pd.DataFrame) -> pd.DataFrame:
    passing = verdicts.loc[verdicts["verdict"] == PASS, "image"]
    missing = sorted(passing[~table.is_in(passing, derivatives["image"])])
    return table.rows(
        [(image, NO_PICTURE, None, None, FAIL, "no picture of it was made in the privacy steps") for image in missing],
        Findings,
    )
