"""Import of the watched folder's requests into the ledger, also of those that concern no shard."""

import sys

from accord.consent.requests import imports
from accord.engine.parameter_types import Private
from accord.errors import AccordError


def run(*, vault: Private, inbox: Private, proof_required: bool) -> dict:
    """How many files and good rows the folder has, and how many rows or files are refused: these are told in the log.

    What the ledger holds already is not imported again.
    """
    done = imports.run(vault, imports.inbox(inbox), proof_required=proof_required)
    if done.problems:
        print(f"not imported: {AccordError(done.problems)}", file=sys.stderr)
    return {"files": done.files, "rows": done.rows, "refused": len(done.problems)}
