"""A tiny project, ready for an erasure."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from erase_cases import House


@pytest.fixture
def house(tmp_path, monkeypatch) -> House:
    """A project of four people in two shards and one release, of whom ann has withdrawn; the working folder."""
    monkeypatch.chdir(tmp_path)
    return House.build().withdraw("ann")
