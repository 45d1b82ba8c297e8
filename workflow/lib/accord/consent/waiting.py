"""Open requests: how many are for somebody whom no delivery has brought, once the ledger knows all deliveries."""

from collections import Counter
from pathlib import Path

from pandera.typing import DataFrame

from accord.consent.requests import unmatched
from accord.consent.requests.suppression import WHOLE
from accord.consent.tables import OpenWishes
from accord.engine import table
from accord.engine.parameter_types import Private


def run(imported: list[Path], *, vault: Private) -> DataFrame[OpenWishes]:
    """How many requests are open, by role, once what deliveries hold is in the ledger (`imported`). Names nobody."""
    count = Counter(one.event.role for one in unmatched.of_vault(vault))
    return table.rows([(role, count[role]) for role in sorted(WHOLE)], OpenWishes)
