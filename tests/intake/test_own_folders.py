"""A shard that reads only the deliveries which say something of it, beside one that reads them all."""

import numpy as np
import pytest
from hostile import attack
from intake_cases import Maker, filled

from accord.errors import AccordError
from accord.intake import shard as intake
from accord.intake.delivered import digests
from accord.intake.delivered.delivery import SCHEMA
from accord.shards import names

SHARDS = 4


def of(roots, at, out):
    """The tables and the files of a shard, or what keeps it from having any."""
    try:
        tables = intake.run(roots, SCHEMA, out, shard=at, shards=SHARDS, max_pixels=200_000_000)
    except AccordError as error:
        return str(error), b""
    return tables, out.read_bytes()


def attacked(seed, folder):
    """Three deliveries of a vendor and one of another: the second is attacked."""
    first, second, third, other = (filled(folder / name) for name in ("first", "second", "third", "other"))
    for number, maker in enumerate((first, second, third)):
        maker.about["delivery"] = f"2026-0{number + 1}"
    other.about["vendor"] = "zeta"
    third.tables["images.csv"] = third.tables["images.csv"][:1]
    made = [maker.write() for maker in (first, third, other)]
    return [made[0], _attack(seed, second), *made[1:]]


def _attack(seed: int, maker: Maker):
    attack(np.random.default_rng(seed), maker)
    return maker.root


def _is_same(one, other) -> bool:
    return all(left.equals(right) for left, right in zip(one, other, strict=True))


# In 125 and 165 a file that the delivery shares between its people is broken.
@pytest.mark.parametrize("seed", [*range(12), 125, 165])
def test_tables_and_files_are_the_same_or_the_run_stops_either_way(seed, tmp_path):
    roots = attacked(seed, tmp_path)
    try:
        told = digests.read(map(str, roots), SHARDS).folders
    except AccordError:
        return  # nothing is run
    by_name, stopped, stops = {str(root): root for root in roots}, set(), set()
    for at in names(SHARDS):
        own, every = (of(some, at, tmp_path / "out.tar") for some in ([by_name[one] for one in told[at]], roots))
        stopped |= {own[0]} if isinstance(own[0], str) else set()
        stops |= {every[0]} if isinstance(every[0], str) else set()
        if not stops:
            assert own[1] == every[1] and _is_same(own[0], every[0])
    assert stopped == stops
