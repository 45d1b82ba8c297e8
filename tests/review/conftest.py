"""Reviews in a vault of their own; passwords are hashed with little work, but where the work is what is tested."""

import sys
from pathlib import Path

import pytest
from argon2 import PasswordHasher

sys.path.insert(0, str(Path(__file__).parent))

from accord.review.database import accounts


@pytest.fixture
def vault(tmp_path):
    return tmp_path / "vault"


@pytest.fixture(autouse=True)
def quick_hashes(monkeypatch, request):
    if "real_hashes" not in request.fixturenames:
        monkeypatch.setattr(accounts, "_hasher", lambda: PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))


@pytest.fixture
def real_hashes():
    """Passwords are hashed as in use."""
