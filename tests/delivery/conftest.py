"""What the tests of vendors' commands share."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "intake"))


@pytest.fixture
def maker(tmp_path: Path):
    """A valid delivery that isn't written yet (`intake_cases.filled`)."""
    from intake_cases import filled

    return filled(tmp_path / "delivery")
