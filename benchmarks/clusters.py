"""Null worlds of people who share images: how often does a table claim a difference, or an intersection, where there is
none? And how often is one found that is there, in the same light or where nobody shares an image? Prints a table.

Families (or pairs) are in the same images, whose light they share; they are of one group of each attribute, or each
person is of any. Run: python benchmarks/clusters.py [--worlds NAME ...] [--tables 80] [--gap 0.08]
"""

import argparse
from typing import NamedTuple

import numpy as np
import pandas as pd

from accord.analyse import analyse

GROUPS = {"region": 4, "pronoun": 2, "age": 3}
NOISE = 0.05


class World(NamedTuple):
    """Sizes of families; how many images they are in together, and each person alone; whether a family is of one group;
    whether scores are 0 and 1; how much light, and people, vary."""

    sizes: tuple[int, ...]
    together: int = 3
    alone: int = 0
    one_group: bool = True
    binary: bool = False
    light: float = 0.15
    person: float = 0.05


FIVES, PAIRS, THREES = (5,) * 24, (2,) * 60, (3,) * 50
WORLDS = {
    "families of five of one group, one image": World(FIVES, together=1),
    "families of five of one group": World(FIVES),
    "families of one to seven of one group": World((1, 2, 3, 4, 5, 6, 7) * 6),
    "families of five of one group, right or wrong": World(FIVES, binary=True),
    "families of four of one group, and two images alone": World((4,) * 30, alone=2),
    "pairs of one group": World(PAIRS),
    "random pairs": World(PAIRS, one_group=False),
    "random pairs, people differ more than light": World(PAIRS, one_group=False, light=0.05, person=0.15),
    "random threes, right or wrong": World(THREES, one_group=False, binary=True),
    "random threes, and an image alone": World(THREES, alone=1, one_group=False, light=0.1, person=0.1),
    "nobody shares an image": World((1,) * 120),
}


def table_of(world: World, seed: int, gap: float = 0.0) -> pd.DataFrame:
    """Scores about 0.6, in a region lower by `gap`. In every other table a family's light is always the same."""
    rng = np.random.default_rng([11, seed])
    sizes = np.array(world.sizes)
    family = np.repeat(np.arange(len(sizes)), sizes)
    of = family if world.one_group else np.arange(len(family))
    groups = {name: rng.integers(0, k, of.max() + 1)[of] for name, k in GROUPS.items()}
    own, same = rng.normal(0, world.person, len(family)), rng.normal(0, world.light, len(sizes))
    parts = []
    for image in range(world.together + world.alone):
        shared = image < world.together
        scene = family if shared else np.arange(len(family))
        light = same if shared and seed % 2 == 0 else rng.normal(0, world.light, scene.max() + 1)
        score = 0.6 + light[scene] + own + rng.normal(0, NOISE, len(family)) - gap * (groups["region"] == 0)
        score = (score > 0.5).astype(float) if world.binary else score.clip(0, 1)
        parts.append(pd.DataFrame({"image": [f"{image}/{shared}/{one}" for one in scene], "score": score}))
    labels = {name: [f"{name}{code}" for code in codes] for name, codes in groups.items()}
    return pd.concat([part.assign(person=np.arange(len(family)), **labels) for part in parts], ignore_index=True)


def claims(world: World, seed: int, gap: float) -> tuple[bool, bool]:
    """Whether a table claims a disparity (with a gap: that of regions), and whether an intersection."""
    how = {"score": "score", "subject": "person", "image": "image", "attributes": list(GROUPS), "most": 2}
    found = analyse(table_of(world, seed, gap), **how, bootstraps=100)
    held = found.disparities[found.disparities["claimed"]]
    held = held[held["attribute"] == "region"] if gap else held
    return bool(len(held)), bool((found.intersections["group"] != "").any())


def main() -> None:
    """Print a row per world."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--worlds", nargs="+", choices=WORLDS, default=list(WORLDS), metavar="NAME")
    parser.add_argument("--tables", type=int, default=80)
    parser.add_argument("--gap", type=float, default=0.0, help="by which one region is worse")
    asked = parser.parse_args()
    print(
        f"| people | tables, of {asked.tables}, that claim a disparity | an intersection |\n|---|---|---|", flush=True
    )
    for name in asked.worlds:
        told = np.array([claims(WORLDS[name], seed, asked.gap) for seed in range(asked.tables)]).sum(axis=0)
        print(f"| {name} | {told[0]} | {told[1]} |", flush=True)


if __name__ == "__main__":
    main()
