"""Killed at random, run again: the same bytes as without a kill, and never a half-written file under its final name.

Steps are killed before a random one of the changes that they make to files; Snakemake once, in the middle of a run.
"""

import os
import random
import shlex
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from accord import cli
from accord.engine import file_outputs, step
from accord.engine.parameter_types import Sink
from house import House
from killing import changes

pytestmark = pytest.mark.slow

STEPS = (
    "intake.shard", "consent.record", "consent.apply", "checks.look", "privacy.paint",
    "release.derive", "release.pack", "release.publish", "evaluate.small", "analyse.layout", "checks.scorecards",
)  # fmt: skip
"""Of each kind of output: one table and several, bundles, JSON, a page, the ledger, a release."""
KILLS = 3
SECONDS = (4, 10)
TARGETS = ("results/release/release.json", "results/evaluate/00/yunet.parquet", "results/analyse/members.parquet")


@pytest.fixture(scope="module")
def house(small_done, tmp_path_factory) -> House:
    return small_done.copied(tmp_path_factory.mktemp("killed") / "house")


@pytest.fixture(scope="module")
def commands(house) -> dict[str, list[str]]:
    """Step -> the command line of its first job, as Snakemake would run it."""
    said = house.run("--dry-run", "--printshellcmds", "--forceall", "--nolock").splitlines()
    found = [shlex.split(line.split("python -m accord ")[1])[:-2] for line in said if "python -m accord " in line]
    return {name: [name, *flags] for name, *flags in reversed(found)}


@pytest.mark.parametrize("name", STEPS)
def test_a_killed_step_leaves_nothing_half_written_and_runs_again(house, small_done, commands, name):
    whole, command = small_done.bytes_of("results", "releases"), commands[name]
    made = changes(lambda: run(house, command))
    assert house.bytes_of("results", "releases") == whole
    chance, ended = random.Random(), []
    for _ in range(KILLS):
        # What is there is taken over: the work of one output alone is done again, with all that writes them.
        (house.folder / chance.choice(outputs(command))).unlink(missing_ok=True)
        ended.append(changes(lambda: run(house, command), fatal=chance.randint(1, made)))
        assert half_written(house, whole) == set()
    # Which output lacks decides how many changes there are: one may end before its last.
    assert None in ended
    changes(lambda: run(house, command))
    assert house.bytes_of("results", "releases") == whole


def run(house: House, command: list[str]) -> None:
    os.chdir(house.folder)
    cli.main(command)


def outputs(command: list[str]) -> list[Path]:
    """The files that a step's command line names as outputs."""
    function = step.load(command[0])
    kinds, returns = step.signature(function)
    flags = vars(step.parser(command[0], function).parse_args(command[1:]))
    sinks = [flags[name] for name, kind in kinds.items() if kind is Sink and flags[name] is not None]
    return [*sinks, *file_outputs.flat(flags[name] for name in step.outputs(returns))]


def half_written(house: House, whole: dict[str, str]) -> set[str]:
    """Files that aren't those of a whole run, and don't say by their names that they were only begun."""
    files = house.bytes_of("results", "releases").items()
    return {path for path, digest in files if whole.get(path) != digest and step.PARTIAL not in path}


def test_a_killed_run_ends_with_the_same_bytes(small_done, tmp_path):
    house = small_done.copied(tmp_path / "house")
    for room in ("results/release", "results/evaluate", "results/analyse", "results/report", "releases"):
        shutil.rmtree(house.folder / room)
    kill_after(house, random.uniform(*SECONDS))
    house.run("--unlock")
    house.run(*TARGETS)
    whole, made = (of.bytes_of("results", "releases") for of in (small_done, house))
    assert set(TARGETS) <= set(made)
    assert made.items() <= whole.items()
    assert house.bytes_of("releases") == small_done.bytes_of("releases")


def kill_after(house: House, seconds: float) -> None:
    """Start a run in a process group of its own, and kill the whole group after some seconds."""
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
