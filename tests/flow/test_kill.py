"""Killed at random, run again: the same bytes as a run that was never killed."""

import os
import random
import shutil
import signal
import subprocess
import time

KILLS = 3
TARGETS = ("results/release/release.json", "results/evaluate/00/yunet.parquet", "results/analyse/members.parquet")


def test_killed_runs_end_with_the_same_bytes(small_done, tmp_path):
    house = small_done.copied(tmp_path / "house")
    for room in (*(f"results/{name}" for name in ("privacy", "release", "evaluate", "analyse", "report")), "releases"):
        shutil.rmtree(house.folder / room)
    chance = random.Random()
    for _ in range(KILLS):
        kill_after(house, chance.uniform(4, 16))
    house.run("--unlock")
    house.run(*TARGETS)
    whole, made = (of.bytes_of("results", "releases") for of in (small_done, house))
    assert set(TARGETS) <= set(made)
    assert made.items() <= whole.items()
    assert house.bytes_of("releases") == small_done.bytes_of("releases")
    assert not list(house.folder.rglob("*.partial"))


def kill_after(house, seconds):
    """Start a run in a process group of its own, and kill the whole group after some seconds."""
    house.run("--unlock")
    with subprocess.Popen(
        house.command(*TARGETS),
        cwd=house.folder,
        env=house.environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        time.sleep(seconds)
        os.killpg(process.pid, signal.SIGKILL)
