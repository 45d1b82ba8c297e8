"""Houses that the flow is run in: one with the demo, one with a small part of it."""

import fcntl
import json
import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from small import make_small

from house import DEMO, ROOT, House, part_of_demo

MODELS = ["yunet", "blazepose", "sface"]
SAMPLE = {"subjects": 4, "images": 2}
"""People to search for by hand, and images to annotate again: fewer than a reviewer of tests needs seconds for."""


IMAGES = 2
"""Of each of the demo's people, at most, but for images with a defect: a third one shows nothing new, and all cost."""


@pytest.fixture(scope="session")
def demo(tmp_path_factory) -> House:
    """A house in which the demo has run, all people and all that was planted, in two shards: each region painted once,
    the model with the planted bias, one of poses and one that verifies; all models run on the small delivery."""
    house = House(tmp_path_factory.mktemp("demo") / "house")
    truth = json.loads((ROOT / DEMO / "ground_truth.json").read_text())
    planted = frozenset(image for defect in truth["defects"] for image in defect["images"])
    part_of_demo(house.folder / "delivery", None, most=IMAGES, needed=planted)
    house.configure(
        intake={"deliveries": ["delivery"]},
        shards=2,
        checks={"sample": SAMPLE},
        privacy={"candidates": 1, "steps": 5},
        evaluate={"run": MODELS},
    )
    house.run()
    return house


@pytest.fixture(scope="session")
def small_done(tmp_path_factory, worker_id) -> House:
    """A house in which a delivery of few subjects has run, in two shards: one for all processes that run tests, so it
    is read and copied, never changed."""
    own = tmp_path_factory.getbasetemp()
    folder = (own if worker_id == "master" else own.parent) / "small"
    with folder.with_name("small.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.with_name("small.made").exists():
            shutil.rmtree(folder, ignore_errors=True)
            make_small(folder).run()
            folder.with_name("small.made").touch()
    return House.at(folder)
