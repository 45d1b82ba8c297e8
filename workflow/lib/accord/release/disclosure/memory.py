"""What the published aggregates told, and of whom: kept in the vault, so that the next version tells no difference."""

import hashlib
import hmac
import json
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from accord.files import keep_private
from accord.release.disclosure.aggregates import LEAST, UNKNOWN, Cell, Key, Patience, at_least, forgotten, told

NAME = "aggregates.json"
LONGEST = 5
"""A cell may wait for up to 4 people more than it must: who knows all others can't provoke it to change."""


class Memory(NamedTuple):
    """The cells as they were told, and a secret key from which their patience is drawn ("" before the first)."""

    cells: dict[Key, Cell]
    key: str = ""


def read(vault: Path) -> Memory:
    """What the vault remembers."""
    path = vault / NAME
    if not path.exists():
        return Memory({})
    known = json.loads(path.read_text())
    cells = {
        (c["attribute"], c["value"]): Cell(c["told"], frozenset(c["members"]), c["erased"]) for c in known["cells"]
    }
    return Memory(cells, known["key"])


def retold(vault: Path, now: Mapping[Key, frozenset[str]]) -> Memory:
    """What is told now, given what the vault remembers. Nothing is written; told twice, it is the same."""
    before = read(vault)
    return Memory(told(now, before.cells, drawn(before.key)), before.key or secrets.token_hex(32))


def drawn(key: str) -> Patience:
    """How long cells wait: 10 to 14 people, drawn anew each time that a cell is told; 10 where it never was."""

    def patience(of: Key, cell: Cell) -> int:
        if cell == UNKNOWN:
            return LEAST
        text = json.dumps([*of, cell.told, cell.size]).encode()
        return LEAST + hmac.new(key.encode(), text, hashlib.sha256).digest()[0] % LONGEST

    return patience if key else at_least


def keep(vault: Path, memory: Memory) -> None:
    """Remember what is told."""
    cells = [
        {"attribute": a, "value": v, "told": cell.told, "members": sorted(cell.members), "erased": cell.erased}
        for (a, v), cell in sorted(memory.cells.items())
    ]
    data = json.dumps({"key": memory.key, "cells": cells}, sort_keys=True).encode()
    if not (vault / NAME).exists() or (vault / NAME).read_bytes() != data:
        keep_private(vault / NAME, data)


def forget(vault: Path, subjects: frozenset[str]) -> int:
    """Take subjects out of the memory; returns of how many cells they were members."""
    before = read(vault)
    count = sum(len(cell.members & subjects) for cell in before.cells.values())
    if count:
        keep(vault, Memory(forgotten(before.cells, subjects), before.key))
    return count
