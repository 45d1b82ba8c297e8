"""Digests of the ledger's events that came by command, so that a withdrawal reruns the shards that it concerns.

Read when the workflow is parsed: only light modules are imported.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from accord.consent import ledger
from accord.consent.ledger import COMMAND, SUBJECT, ConsentEvent


def digests(vault: Path, subjects: Mapping[str, frozenset[str]]) -> dict[str, str]:
    """Shard -> digest of the events that concern it; `subjects`: shard -> the ids of all whom its images show.

    Events of annotators and rightsholders concern every shard: they are few, and can be named anywhere. Salts and times
    of recording have no part in it. Raises AccordError where the ledger can't be read.
    """
    events = _commanded(Path(vault))
    return {
        shard: _digest([e for e in events if e.role != SUBJECT or e.subject in shown])
        for shard, shown in subjects.items()
    }


def _commanded(vault: Path) -> list[ConsentEvent]:
    if not ledger.exists(vault):
        return []
    with ledger.reading(vault, verified=False) as opened:
        return sorted({event for event in ledger.read(opened, ConsentEvent) if event.source == COMMAND})


def _digest(events: list[ConsentEvent]) -> str:
    return hashlib.blake2b(json.dumps(events).encode(), digest_size=16).hexdigest()
