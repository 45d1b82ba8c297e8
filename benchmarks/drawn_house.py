"""A house with deliveries of drawn pictures (`drawn_people`): a copy of the checkout, and what runs in it take."""

import argparse
import csv
import os
import re
import resource
import shutil
import subprocess
import sys
import time
from collections import Counter
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import yaml

from metered import Meter, meter

ROOT = Path(__file__).parents[1]
CONFIGS = ("config/config.yaml", "config/benchmark.yaml")
MODEL = "yunet"
JOB = re.compile(r"^(?:local)?rule (\w+):|^\s+wildcards:.*\bshard=([0-9a-f]+)")
USED = re.compile(r"^usage: [\d.]+ s, ([\d.]+) CPU s", re.M)


class Ran(NamedTuple):
    """What a command took: seconds, CPU seconds of all its processes, jobs by rule and shard ("" for a gather); CPU
    seconds of the steps of shards, and of gathers: the rest is Snakemake's, and of what starts steps."""

    seconds: float
    cores: float
    jobs: Counter
    of_shards: float
    of_gathers: float


def furnish(house: Path, delivery: Path, flags: argparse.Namespace) -> Path:
    """A copy of the checkout with the delivery and its settings; what was drawn, and told of it, stays outside."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in listed.split("\0"):
        if name and not name.startswith(("tests/", "docs/")):
            (house / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, house / name)
    take(house, delivery, "delivery")
    settings = {
        "shards": flags.shards,
        "intake": {"deliveries": ["delivery"]},
        # Drawn pictures are small and alike, and nobody sits before them.
        "checks": {"min_megapixels": 0.001, "min_side": 100, "max_distance": 0, "see_all": False},
        "release": {"longest_side": 256, "aligned_size": 64, "warped_size": 64},
        "evaluate": {"run": [MODEL]},
        "analyse": {"attributes": ["pronoun"], "intersections": 1, "bootstraps": 100},
    }
    (house / CONFIGS[1]).write_text(yaml.safe_dump(settings))
    return house


def take(house: Path, delivery: Path, name: str) -> None:
    """Copy a delivery into a house, where it isn't there."""
    if not (house / name).exists():
        shutil.copytree(delivery, house / name)


def announce(house: Path, name: str) -> None:
    """Add a delivery to the settings."""
    settings = yaml.safe_load((house / CONFIGS[1]).read_text())
    settings["intake"]["deliveries"].append(name)
    (house / CONFIGS[1]).write_text(yaml.safe_dump(settings))


def in_release(house: Path) -> list[str]:
    """The references of people with a published image, in an order that has nothing to do with their shards."""
    import pandas as pd

    from accord.shards import opaque_id

    verdicts = pd.read_parquet(house / "results/release/verdicts.parquet")
    passed = set(verdicts.loc[verdicts["verdict"] == "pass", "subject"])
    with (house / "delivery/subjects.csv").open(newline="") as file:
        found = [row["subject"] for row in csv.DictReader(file) if opaque_id("acme", row["subject"]) in passed]
    print(f"published: {len(found):,} people, {(verdicts['verdict'] == 'pass').sum():,} images")
    return found


def run(house: Path, command: list[str]) -> Ran:
    """Run a command in a house; the workflow's jobs are counted from its logs. Raises where it fails."""
    log = house / ".snakemake/log"
    before, begun, started, spent = set(log.glob("*.log")), time.time(), perf_counter(), cores()
    done = subprocess.run(command, cwd=house, env=environment(house), capture_output=True, text=True, check=False)
    seconds, used = perf_counter() - started, cores() - spent
    if done.returncode:
        sys.exit(f"{' '.join(command[:6])} ... failed:\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    jobs: Counter = Counter()
    for file in set(log.glob("*.log")) - before:
        jobs += _jobs(file.read_text())
    return Ran(seconds, used, jobs, *_steps(house / "logs", begun, {shard for _, shard in jobs} - {""}))


def _steps(logs: Path, begun: float, shards: set[str]) -> tuple[float, float]:
    """CPU seconds of steps that ended since then: of shards, and of gathers."""
    spent = {True: 0.0, False: 0.0}
    for path in logs.rglob("*.log"):
        if path.stat().st_mtime >= begun:
            of_shard = bool(shards & {path.stem, path.parent.name})
            spent[of_shard] += sum(map(float, USED.findall(path.read_text(errors="replace"))[-1:]))
    return spent[True], spent[False]


def _jobs(log: str) -> Counter:
    found, rule = Counter(), ""
    for line in [*log.splitlines(), "rule end:"]:
        match = JOB.match(line)
        if match and match[1]:
            found[rule, ""] += bool(rule)
            rule = match[1]
        elif match and rule:
            found[rule, match[2]] += 1
            rule = ""
    del found["all", ""]
    return +found


def workflow(cores: int) -> list[str]:
    """The command that runs the workflow."""
    snakemake = str(Path(sys.executable).with_name("snakemake"))
    return [snakemake, "--profile", "workflow/profiles/default", "--cores", str(cores), "--configfile", *CONFIGS]


def accord(house: Path, *words: str) -> None:
    """Run a command of accord."""
    command = [sys.executable, "-m", "accord", *words]
    subprocess.run(command, cwd=house, env=environment(house), check=True, capture_output=True)


def environment(house: Path) -> dict[str, str]:
    """That of a command: one thread a process, the house's own code."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, **threads, "PATH": path, "PYTHONPATH": str(house / "workflow/lib")}


def cores() -> float:
    """CPU seconds so far of all that was started here: as a control group counts them, else of what ended as a child of
    this process, which leaves out what was forked off a server."""
    if (group := _meter()) is not None:
        return group.seconds()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@cache
def _meter() -> Meter | None:
    return meter()


def leave() -> None:
    """Take the control group away."""
    if (group := _meter()) is not None:
        group.leave()
