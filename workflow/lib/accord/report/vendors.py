"""The page of vendors: what of each was stopped, why, how that compares with others, and what it cost."""

import json
from pathlib import Path

from pandera.typing import DataFrame

from accord.checks.tables.agreement import Agreement
from accord.checks.tables.summary import Patterns, Scorecards, Suspicions
from accord.report.drawing import page
from accord.report.scorecards.vendors import Vendors, sections


def run(
    scorecards: DataFrame[Scorecards],
    suspicions: DataFrame[Suspicions],
    patterns: DataFrame[Patterns],
    agreement: DataFrame[Agreement],
    release: Path,
    *,
    title: str,
) -> str:
    """vendors.html, for the team that builds the dataset. It works offline, and names vendors and nobody else.

    patterns: of `checks.patterns`; agreement: of annotators, by vendor.
    """
    told = sections(Vendors(scorecards, suspicions, patterns, agreement))
    return page.render(page.VENDORS, title=title, release=json.loads(Path(release).read_text()), sections=told)
