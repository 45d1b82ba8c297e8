"""A house with a small part of the demo, and the settings that make it quick."""

from pathlib import Path

from house import House, part_of_demo

SMALL = {
    "shards": 2,
    "analyse": {"bootstraps": 100, "trees": 10, "resamples": 100},
    "privacy": {"steps": 5},
    "release": {"reserve": 0.1},
}
"""All models of the demo. Two of the 8 subjects fall into the reserve, both of another shard than the first of the
others."""

IMAGES = 2
"""Of each subject, at most: each is looked at, painted and given to all models, here and in most tests of a copy."""


def make_small(folder: Path, subjects: int = 8, **settings) -> House:
    """A house with a small delivery of its own, not run yet. settings: those that lie over SMALL's."""
    house = House(folder)
    part_of_demo(folder / "delivery", subjects, most=IMAGES)
    house.configure(intake={"deliveries": ["delivery"]}, **SMALL | settings)
    return house
