"""A small delivery (tests/intake/intake_cases.py), a vault, and folders for backups and what is restored."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from backup_cases import CASES, Place


@pytest.fixture
def maker(tmp_path):
    return CASES.filled(tmp_path / "delivery")


@pytest.fixture
def place(maker, tmp_path) -> Place:
    return Place(maker.write(), tmp_path / "vault", tmp_path / "backup", tmp_path / "restored")
