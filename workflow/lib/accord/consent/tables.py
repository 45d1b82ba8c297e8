"""The tables that consent produces, for each shard."""

import pandera.pandas as pa

from accord.engine.table import Table
from accord.findings import Findings
from accord.intake.tables import Annotators, Images

__all__ = ["Annotators", "Findings", "Images", "OpenWishes", "Permits"]


class Permits(Table):
    """One row per (image, subject, scope) that the ledger grants on the day that the release speaks of.

    Scopes: collect, publish_image, publish_attr:<name>, aggregate_attr:<name>, biometric, train, external. Of passing
    images only.
    """

    image: str
    subject: str
    scope: str

    class Config(Table.Config):
        unique = ["image", "subject", "scope"]  # noqa: RUF012


class OpenWishes(Table):
    """One row per role: the number of open requests, which match nobody in any delivery and aren't settled."""

    role: str = pa.Field(unique=True)
    wishes: int = pa.Field(ge=0)
