"""All that shards would export, beside what consent and intake say of it: what the gates look at."""

from pathlib import Path
from typing import NamedTuple

import pandas as pd

from accord.consent.tables import Findings, Permits
from accord.engine import table
from accord.intake.tables import People as Depicted
from accord.release.making import content
from accord.release.making.content import Paths

PAIR = ["image", "subject"]


class Exported(NamedTuple):
    """Of images that are to be released: release's tables, by name; intake's and consent's: who is depicted (image,
    subject), the scopes that are granted (image, subject, scope), and what consent found."""

    tables: dict[str, pd.DataFrame]
    depicted: pd.DataFrame
    permits: frozenset[tuple[str, str, str]]
    findings: pd.DataFrame


def read(tables: Paths, depicted: list[Path], permits: list[Path], findings: list[Path], passing: set[str]) -> Exported:
    """From the files of some shards: release's tables by name, intake's people, and consent's permits and findings."""
    people, scopes, found = (
        content.of_images(rows, passing)
        for rows in (table.read(depicted, Depicted), table.read(permits, Permits), table.read(findings, Findings))
    )
    granted = frozenset(scopes[[*PAIR, "scope"]].itertuples(index=False, name=None))
    return Exported(content.tables(tables, passing), people[PAIR], granted, found)
