"""Hostile deliveries: whatever is in one, intake ends with tables or a clear error, and reads and writes nothing else.

`HOSTILE=5000 python -m pytest tests/intake/test_hostile.py` tries more of them.
"""

import os
import resource
import shutil
import time

import numpy as np
import pytest
from hostile import CANARY, OUTSIDE, SECRET, attack, snapshot
from intake_cases import filled

from accord.checks.looking import annotations, decode
from accord.errors import AccordError
from accord.intake import shard
from accord.intake.delivered import digests
from accord.intake.delivered.delivery import SCHEMA

MAX_PIXELS = 200_000_000
PARTS, COUNT = 4, int(os.environ.get("HOSTILE", "160"))
MOST_SECONDS, MOST_MEBIBYTES = 60, 600
DECODING = {
    "min_device_year": 2011, "min_megapixels": 0.001, "min_side": 10, "max_aspect": 2.0, "require_exif": False,
    "max_pixels": MAX_PIXELS,
}  # fmt: skip
FITTING = {"max_box_overhang": 0.01, "max_face_outside": 0.25, "max_keypoint_distance": 0.05}


def first_rooms(root, out):
    """What intake makes of a delivery, and the findings of the checks that look at all of it."""
    digests.read([str(root)], 1)
    taken = shard.run([root], SCHEMA, out / "images.tar", shard="00", shards=1, max_pixels=MAX_PIXELS)
    decoded = decode.run(taken.images, out / "images.tar", **DECODING)
    drawn = taken.people, taken.keypoints, taken.segments, taken.regions
    fitting = annotations.run(taken.images, *drawn, **FITTING)
    return taken, [decoded.findings, decoded.fingerprints, *fitting]


def check_one(seed: int, folder):
    """Attack a delivery and put it through the first rooms; returns the attacks, for the message of a failure."""
    maker, out = filled(folder / "in" / "delivery"), folder / "out"
    out.mkdir(parents=True)
    (folder / "in" / OUTSIDE).write_bytes(SECRET)
    names = attack(np.random.default_rng(seed), maker)
    before, start, said, tables = snapshot(folder / "in"), time.process_time(), "", []
    try:
        taken, findings = first_rooms(maker.root, out)
        tables = [*findings, taken.images[["member", "media"]], taken.refused[["check", "reason"]]]
    except AccordError as error:
        said = str(error)
    assert snapshot(folder / "in") == before, names
    assert time.process_time() - start < MOST_SECONDS, names
    told = said + "".join(table.to_csv() for table in tables)
    assert CANARY not in told, names
    assert not [path for path in out.rglob("*") if CANARY in path.name], names
    assert not [path for path in out.rglob("*") if path.is_file() and SECRET in path.read_bytes()], names
    return names


@pytest.mark.parametrize("part", range(PARTS))
def test_no_delivery_crashes_leaks_or_writes_elsewhere(part, tmp_path):
    before, tried = peak(), set()
    for seed in range(part * COUNT // PARTS, (part + 1) * COUNT // PARTS):
        tried |= set(check_one(seed, tmp_path / str(seed)))
        shutil.rmtree(tmp_path / str(seed))
    assert len(tried) > 5
    assert peak() - before < MOST_MEBIBYTES


def peak() -> float:
    """The most memory that this process ever had, MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
