"""What the tests of consent share."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def shard(tmp_path):
    """A shard whose forms are in the ledger."""
    from consent_cases import Shard

    made = Shard(tmp_path)
    made.record()
    return made
