"""Erasure of 1% of the people of a delivery, and of one: shards and jobs that run again, time against a full build.

Drawn pictures of few pixels with nothing to paint out, one cheap model, few bootstraps: what is measured is how much
runs again, not how long a picture takes. Core-minutes are those of all processes together.
Run: python benchmarks/erasure.py [--subjects 2000 --shards 64 --withdraw 20] [--keep FOLDER]
"""

import argparse
import csv
import importlib.util
import os
import re
import resource
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

import yaml

ROOT = Path(__file__).parents[1]
CONFIGS = ("config/config.yaml", "config/benchmark.yaml")
MODEL = "yunet"
FACE = {2: (0.68, 0.4), 5: (0.32, 0.4), 9: (0.62, 0.75), 10: (0.38, 0.75)}
"""Eyes and corners of the mouth (BlazePose's numbers), as shares of the face box: they align the face picture."""
JOB = re.compile(r"^(?:local)?rule (\w+):|^\s+wildcards:.*\bshard=([0-9a-f]+)")


class Ran(NamedTuple):
    """What a command took: seconds, seconds of all its processes' cores, jobs by rule and shard ("" for a gather)."""

    seconds: float
    cores: float
    jobs: Counter


def main() -> None:
    """Build, withdraw, erase, and print the figures."""
    flags = _flags()
    with TemporaryDirectory() as folder:
        place = flags.keep or Path(folder)
        started = perf_counter()
        delivery = deliver(place, flags)
        print(f"{flags.subjects:,} subjects, {flags.images} images each, drawn in {perf_counter() - started:.0f} s")
        house = furnish(place / "house", delivery, flags)
        full = run(house, _workflow(flags.cores))
        shards = {shard for _, shard in full.jobs if shard}
        print(f"full build: {full.jobs.total():,} jobs, {len(shards)} shards, {_minutes(full)}", flush=True)
        people = in_release(house)
        erase(house, people[: flags.withdraw], full, len(shards), flags)
        erase(house, people[flags.withdraw : flags.withdraw + 1], full, len(shards), flags)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e3
    print(f"largest process: {peak:,.0f} MB")


def erase(house: Path, people: list[str], full: Ran, shards: int, flags: argparse.Namespace) -> None:
    """Withdraw people, erase them, and print what that took beside the full build."""
    for person in people:
        _accord(house, "consent", "withdraw", "--vendor", "acme", "--subject", person)
    rebuild = _workflow(flags.cores)
    words = [sys.executable, "-m", "accord", "erase", "run", "--config", *CONFIGS, "--rebuild-command"]
    done = run(house, rebuild if flags.rebuild_only else [*words, " ".join(rebuild)])
    again = {shard for _, shard in done.jobs if shard}
    print(
        f"{'rebuilt without' if flags.rebuild_only else 'erased'} {len(people)} of {flags.subjects:,} people:"
        f" {len(again)} of {shards} shards ({len(again) / shards:.1%}),"
        f" {done.jobs.total():,} of {full.jobs.total():,} jobs ({done.jobs.total() / full.jobs.total():.1%}),"
        f" {_minutes(done)}: {done.seconds / full.seconds:.1%} of the time and {done.cores / full.cores:.1%} of the"
        " work of the full build",
        flush=True,
    )


def deliver(place: Path, flags: argparse.Namespace) -> Path:
    """A delivery of drawn pictures, as the tests of the demo draw them."""
    from accord_demo import deliver, studio
    from accord_demo.draft import Settings

    spec = importlib.util.spec_from_file_location("drawn", ROOT / "tests/demo/conftest.py")
    drawn = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(drawn)
    studio._photograph = lambda order: _textured(drawn.draw(_plain(order)), order)
    settings = Settings(flags.subjects, flags.images, flags.seed, flags.size, defects=False, bias=False)
    deliver.deliver(place / "made", settings, jobs=1)
    return place / "made" / "delivery"


def _plain(order):
    """The order of a picture without bystanders and objects, which would have to be painted out."""
    picture = order.picture
    return order._replace(picture=replace(picture, frame=picture.frame._replace(bystanders=0, objects=())))


def _textured(photograph, order):
    """A drawn photograph under a pattern of its own: faces of one colour would all be copies of each other."""
    import cv2
    import numpy as np

    from accord_demo.picture import seed_of

    height, width = photograph.pixels.shape[:2]
    rng = np.random.default_rng(seed_of(order.seed, order.picture.reference, "texture"))
    coarse = rng.integers(0, 255, (height // 4, width // 4, 3)).astype(np.uint8)
    pattern = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    people = tuple(_faced(person) for person in photograph.people)
    return replace(photograph, pixels=cv2.addWeighted(photograph.pixels, 0.5, pattern, 0.5, 0), people=people)


def _faced(person):
    """A drawn person with eyes and a mouth."""
    x, y, wide, high = person.face_box
    keypoints = person.keypoints.copy()
    for index, (across, down) in FACE.items():
        keypoints[index, :2] = x + across * wide, y + down * high
    return replace(person, keypoints=keypoints)


def furnish(house: Path, delivery: Path, flags: argparse.Namespace) -> Path:
    """A copy of the checkout with the delivery and its settings; what was drawn, and told of it, stays outside."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in listed.split("\0"):
        if name and not name.startswith(("tests/", "docs/")):
            (house / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, house / name)
    if not (house / "delivery").exists():
        shutil.copytree(delivery, house / "delivery")
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
    before, started, spent = set(log.glob("*.log")), perf_counter(), _spent()
    done = subprocess.run(command, cwd=house, env=_environment(house), capture_output=True, text=True, check=False)
    seconds, cores = perf_counter() - started, _spent() - spent
    if done.returncode:
        sys.exit(f"{' '.join(command[:6])} ... failed:\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    jobs: Counter = Counter()
    for file in set(log.glob("*.log")) - before:
        jobs += _jobs(file.read_text())
    return Ran(seconds, cores, jobs)


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


def _workflow(cores: int) -> list[str]:
    snakemake = str(Path(sys.executable).with_name("snakemake"))
    return [snakemake, "--profile", "workflow/profiles/default", "--cores", str(cores), "--configfile", *CONFIGS]


def _accord(house: Path, *words: str) -> None:
    subprocess.run([sys.executable, "-m", "accord", *words], cwd=house, env=_environment(house), check=True,
                   capture_output=True)  # fmt: skip


def _environment(house: Path) -> dict[str, str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, **threads, "PATH": path, "PYTHONPATH": str(house / "workflow/lib")}


def _spent() -> float:
    """Seconds of cores that all processes spent that were started here and ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _minutes(ran: Ran) -> str:
    return f"{ran.seconds / 60:.1f} min, {ran.cores / 60:.1f} core-min"


def _flags() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--subjects", type=int, default=2000)
    parser.add_argument("--images", type=int, default=2, help="of each subject")
    parser.add_argument("--size", type=int, default=192, help="longest side of a picture, px")
    parser.add_argument("--shards", type=int, default=64)
    parser.add_argument("--withdraw", type=int, default=20, help="people who withdraw at once")
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="work in this folder, and leave it")
    parser.add_argument("--rebuild-only", action="store_true", help="withdraw and rebuild, without `accord erase`")
    return parser.parse_args()


if __name__ == "__main__":
    main()
