"""A small delivery, a vault and a folder for backups: ann in IMG_1 and IMG_2, IMG_2 with bob, bob alone in IMG_3."""

import importlib.util
from pathlib import Path
from typing import NamedTuple

from accord.shards import opaque_id

SPEC = importlib.util.spec_from_file_location("intake_cases", Path(__file__).parents[1] / "intake/intake_cases.py")
CASES = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(CASES)


def person(reference: str) -> str:
    return opaque_id("acme", reference)


def content(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


class Place(NamedTuple):
    """Where things lie."""

    delivery: Path
    vault: Path
    folder: Path
    target: Path
