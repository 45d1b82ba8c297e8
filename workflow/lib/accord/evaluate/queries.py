"""The queries of a Rapid Test on a release: people, with pictures of others among theirs."""

from pathlib import Path

from pandera.typing import DataFrame

from accord.checks.tables.findings import Verdicts
from accord.consent.deciding.grants import BIOMETRIC
from accord.consent.deciding.permits import having
from accord.consent.tables import Permits
from accord.engine import table
from accord.evaluate.serving import mixing
from accord.evaluate.tables.services import Queries
from accord.release.tables import People


def run(
    people: DataFrame[People],
    verdicts: DataFrame[Verdicts],
    permits: list[Path],
    *,
    impostors: float,
    min_faces: int,
    seed: int,
) -> DataFrame[Queries]:
    """The queries of a shard: its people with at least `min_faces` released pictures, and pictures of others.

    Only pictures in which everyone consents to `biometric`, by tables `permits`; without a table, all: who published an
    imported release answers for its people's consent. impostors: pictures of others for each of a query's own.
    """
    shown = people[people["image"].isin(verdicts.loc[verdicts["verdict"] == "pass", "image"])]
    if permits:
        agreed = having(BIOMETRIC, shown, table.read(permits, Permits))
        shown = shown[~shown["image"].isin(shown.loc[~shown.index.isin(agreed.index), "image"])]
    primary = shown.loc[shown["is_primary"], ["image", "subject"]].drop_duplicates("image")
    return table.rows(mixing.mixed(primary, impostors, min_faces, seed).to_dict("records"), Queries)
