"""The tables that consent produces, for each shard."""

from accord.findings import Findings
from accord.intake.tables import Annotators, Images
from accord.table import Table

__all__ = ["Annotators", "Findings", "Images", "Permits"]


class Permits(Table):
    """One row per (image, subject, scope) that the ledger grants on the day that the release speaks of.

    Scopes: collect, publish_image, publish_attr:<name>, aggregate_attr:<name>, biometric. Of passing images only.
    """

    image: str
    subject: str
    scope: str

    class Config(Table.Config):
        unique = ["image", "subject", "scope"]  # noqa: RUF012
