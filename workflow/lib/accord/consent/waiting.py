"""Open wishes: how many are for somebody whom no delivery has brought, once the ledger knows all deliveries."""

from collections import Counter
from pathlib import Path

from pandera.typing import DataFrame

from accord import table
from accord.consent import unmatched
from accord.consent.suppression import WHOLE
from accord.consent.tables import OpenWishes
from accord.kinds import Private


def run(imported: list[Path], *, vault: Private) -> DataFrame[OpenWishes]:
    """How many wishes are open, by role, once what deliveries hold is in the ledger (`imported`). Names nobody."""
    count = Counter(one.event.role for one in unmatched.of_vault(vault))
    return table.rows([(role, count[role]) for role in sorted(WHOLE)], OpenWishes)
