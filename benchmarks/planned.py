"""What Snakemake needs to plan: a first run, one with nothing to do, and a withdrawal on a finished project.

Run: python benchmarks/planned.py FOLDER --run RUN [--shards 2000] [--most JOBS] [--cores 16]

RUN is a checkout in which `make run` took the demo to its end; its vault is copied, which has the consents that a
withdrawal is of. In FOLDER, a copy of the checkout is made with a finished run of that many shards: each output of
each rule is there, empty, with Snakemake's record of it (`planned_state.py`); no step has run. With --most, the
withdrawal is run, too, by Snakemake's own scheduler, with jobs that do nothing, until so many have ended: this says
what Snakemake itself needs for a job. CPU seconds are of Snakemake and all that it starts, MiB are its most.
"""

import argparse
import csv
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pandas as pd
import yaml

from accord import shards
from accord.engine import fork_server

ROOT = Path(__file__).parents[1]
STATE = Path(__file__).with_name("planned_state.py")
DELIVERY = "tests/data/demo/delivery"
CONFIGS = ("config/config.yaml", "config/demo.yaml", "config/planned.yaml")
RULE = re.compile(r"^(\w+) +(\d+)$", re.M)
FLAGS = ("--profile", "workflow/profiles/default", "--nolock", "--configfile", *CONFIGS)
PLAN = ("--dry-run", "--quiet", "rules")
MEBI = 1024


class Taken(NamedTuple):
    """What a command said, and what it took."""

    said: str
    seconds: float
    mebibytes: float

    @property
    def jobs(self) -> dict[str, int]:
        """Rule -> jobs, as a plan lists them; without their total."""
        return {rule: int(count) for rule, count in RULE.findall(self.said) if rule != "total"}


def main() -> None:
    """Make the project, and print a row of each plan."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--run", type=Path, required=True)
    parser.add_argument("--shards", type=int, default=2000)
    parser.add_argument("--most", type=int, default=0)
    parser.add_argument("--cores", type=int, default=16)
    flags = parser.parse_args()
    house = furnish(flags.folder, flags.run, flags.shards)
    print(f"{flags.shards} shards: plan, jobs, CPU s, MiB", flush=True)
    tell("first run", plan(house))
    tell("all finished", snakemake(house, STATE, "finish", "--cores", str(flags.cores)))
    tell("nothing to do", plan(house))
    withdraw(house, flags.run)
    withdrawal = plan(house)
    tell("a withdrawal", withdrawal)
    print(*(f"{rule} {count}" for rule, count in sorted(withdrawal.jobs.items())), sep=", ")
    if flags.most:
        idle = snakemake(house, STATE, f"idle:{flags.most}", "--cores", str(flags.cores))
        first, since, ended, threads = re.search(r"^taken (\S+) (\S+) (\d+) (\d+)", idle.said, re.M).groups()
        print(f"run: {first} CPU s up to the first job, {since} for {ended} jobs that do nothing; {threads} threads")


def furnish(house: Path, run: Path, count: int) -> Path:
    """A copy of the checkout, with the vault of a finished run, and settings for so many shards."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in listed.split("\0"):
        if name.startswith("tests/data/demo/") or (name and not name.startswith(("docs/", "tests/"))):
            (house / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, house / name)
    shutil.copytree(run / "vault", house / "vault")
    (house / CONFIGS[-1]).write_text(yaml.safe_dump({"shards": count}))
    return house


def plan(house: Path) -> Taken:
    """What a dry run says."""
    return snakemake(house, "-m", "snakemake", *PLAN)


def snakemake(house: Path, *command: str | Path) -> Taken:
    """What Snakemake says and takes. Raises CalledProcessError where it fails."""
    return taken(house, [sys.executable, *map(str, command), *FLAGS])


def withdraw(house: Path, run: Path) -> None:
    """Record the withdrawal of the first person who is in the release."""
    about = yaml.safe_load((house / DELIVERY / "delivery.yaml").read_text())
    verdicts = pd.read_parquet(run / "results/release/verdicts.parquet").set_index("image")["verdict"]
    with (house / DELIVERY / "images.csv").open(newline="") as opened:
        rows = list(csv.DictReader(opened))
    ids = [shards.opaque_id(about["vendor"], about["delivery"], row["image"]) for row in rows]
    who = next(row["subject"] for row, image in zip(rows, ids, strict=True) if verdicts.get(image) == "pass")
    said = ("consent", "withdraw", "--vendor", about["vendor"], "--subject", who, "--config", *CONFIGS)
    taken(house, [sys.executable, "-m", "accord", *said])


def tell(what: str, took: Taken) -> None:
    """Print a row."""
    print(f"{what}: {sum(took.jobs.values())} jobs, {took.seconds:.1f} CPU s, {took.mebibytes:.0f} MiB", flush=True)


def taken(house: Path, command: Sequence[str]) -> Taken:
    """What a command says and takes, with all that it waits for. Raises CalledProcessError where it fails."""
    own = {"PYTHONPATH": str(house / "workflow/lib"), fork_server.SERVER: "", "OMP_NUM_THREADS": "1"}
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    process = subprocess.Popen(
        command,
        cwd=house,
        env={**os.environ, **own, "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    said = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.stderr.write(said[-4000:])
        raise subprocess.CalledProcessError(process.returncode, command)
    return Taken(said, used.ru_utime + used.ru_stime, used.ru_maxrss / MEBI)


if __name__ == "__main__":
    main()
