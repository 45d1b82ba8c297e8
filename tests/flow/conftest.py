"""Houses that the flow is run in: one with the whole demo, one with a small part of it."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from house import House, part_of_demo

SMALL = {
    "shards": 2,
    "analyse": {"bootstraps": 100, "trees": 10, "resamples": 100},
    "release": {"reserve": 0.1},
    "evaluate": {"run": ["yunet", "blazepeople_boxes", "blazepose", "selfie_mask", "sface", "efficientnet"]},
}
"""One model of each task. Two of the 8 subjects fall into the reserve, both of another shard than the first of the
others."""


def pytest_itemcollected(item) -> None:
    """Mark what starts from the small house: `make test` runs it beside all else, and makes neither house twice."""
    if "small_done" in item.fixturenames:
        item.add_marker(pytest.mark.small_house)


@pytest.fixture(scope="session")
def demo(tmp_path_factory) -> House:
    """A house in which the whole demo has run: in two shards, as many as CI has cores, each region painted once."""
    house = House(tmp_path_factory.mktemp("demo"))
    house.configure(shards=2, privacy={"candidates": 1})
    house.run()
    return house


@pytest.fixture(scope="session")
def small_done(tmp_path_factory) -> House:
    """A house in which a delivery of few subjects has run, in two shards."""
    house = make_small(tmp_path_factory.mktemp("small"))
    house.run()
    return house


def make_small(folder: Path, subjects: int = 8, **settings) -> House:
    """A house with a small delivery of its own, not run yet. settings: those that lie over SMALL's."""
    house = House(folder)
    part_of_demo(folder / "delivery", subjects)
    house.configure(intake={"deliveries": ["delivery"]}, **SMALL | settings)
    return house
