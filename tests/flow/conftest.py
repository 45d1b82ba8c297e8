"""Houses that the flow is run in: one with the whole demo, one with a small part of it."""

import fcntl
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import slurm
from small import make_small

from house import House

PATIENCE = 3600


@pytest.fixture(scope="session")
def demo(tmp_path_factory) -> House:
    """A house in which the whole demo has run, on a Slurm of its own where there can be one: in one shard, since each
    job there costs seconds, and each region painted once."""
    house = House(tmp_path_factory.mktemp("demo") / "house")
    house.configure(shards=1, privacy={"candidates": 1})
    if slurm.why_not():
        house.run()
    else:
        run_on_slurm(house)
    return house


def run_on_slurm(house: House) -> None:
    """Run the workflow by the shipped profile, with fewer jobs at a time than there are of a rule."""
    cluster = slurm.Cluster(house.folder.parent / "daemons")
    hurry = ("--jobs", "4", "--slurm-init-seconds-before-status-checks", "5")
    command = cluster.command(*house.command(*hurry, profile="slurm"), folder=house.folder)
    try:
        done = subprocess.run(command, env=house.environment(), capture_output=True, text=True, timeout=PATIENCE)
    finally:
        cluster.stop()
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-8000:]


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
