"""The attacker: what two releases tell of one person beyond what the first one did. `-s` prints the rates."""

import importlib.util
from pathlib import Path

import pytest

FILE = Path(__file__).parents[2] / "benchmarks/differencing.py"


@pytest.fixture(scope="module")
def differencing():
    spec = importlib.util.spec_from_file_location("differencing", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.parametrize(("name", "populations"), [("leaves", 500), ("joins", 500)])
def test_a_second_release_helps_the_attacker_no_more_than_none(differencing, name, populations):
    rates = {title: differencing.attack(name, s, populations) for title, s in differencing.SCHEMES.items()}
    for title, (success, baseline) in rates.items():
        print(f"{name} {title}: {success}, without the second version {baseline}")
    blind = rates["exact counts"][1].interval[1]
    assert rates["exact counts"][0].interval[0] > blind
    assert rates["rounded, memoryless"][0].interval[0] > blind or name == "leaves"
    success, baseline = rates["released by Accord"]
    assert success.share <= baseline.share


def test_the_interval_is_wilsons(differencing):
    low, high = differencing.Rate(9, 10).interval
    assert (low, high) == (pytest.approx(0.5958, abs=1e-4), pytest.approx(0.9821, abs=1e-4))
