"""A run's results about three pictures of two people, with a ledger, and what a detector said of them."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "consent"))

import look_cases


@pytest.fixture
def house(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return look_cases.house(tmp_path)
