"""What runs again after 1% of the people of a delivery withdraw, one does, and 1% are delivered: against a full build.

Drawn pictures of few pixels with nothing to paint out, one cheap model, few bootstraps: what is measured is how much
runs again, not how long a picture takes. Shares are told of the work that was measured, and of the same with what a
picture of 12 megapixels takes more (benchmarks/full_size.py), for each picture that is looked at.
Run: python benchmarks/erasure.py [--subjects 2000 --shards 64 --withdraw 20 --deliver 20] [--keep FOLDER]
"""

import argparse
import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

import drawn_house
import drawn_people
from drawn_house import CONFIGS, Ran, accord, in_release, run, workflow

FULL_SIZE = 2.8
"""CPU seconds of a picture of 12 megapixels, from checks to evaluation."""


class Full(NamedTuple):
    """The full build, how many shards and pictures it has, and what each picture of full size takes."""

    ran: Ran
    shards: int
    pictures: int
    each: float


def main() -> None:
    """Build, withdraw, erase, deliver, and print the figures."""
    flags = _flags()
    with TemporaryDirectory() as folder:
        place = flags.keep or Path(folder)
        drawn_house.cores()  # from here on all processes are counted
        started = perf_counter()
        delivery = drawn_people.draw(place / "made", flags.subjects, flags)
        more = drawn_people.draw(place / "more", flags.deliver, flags, vendor="beta", seed=1) if flags.deliver else None
        print(f"{flags.subjects:,} subjects, {flags.images} images each, drawn in {perf_counter() - started:.0f} s")
        house = drawn_house.furnish(place / "house", delivery, flags)
        ran = run(house, workflow(flags.cores))
        full = Full(ran, len({shard for _, shard in ran.jobs if shard}), flags.subjects * flags.images, flags.picture)
        print(f"full build: {ran.jobs.total():,} jobs, {full.shards} shards, {_took(ran)}", flush=True)
        people = in_release(house)
        erase(house, people[: flags.withdraw], full, flags)
        erase(house, people[flags.withdraw : flags.withdraw + 1], full, flags)
        if more:
            drawn_house.take(house, more, "more")
            drawn_house.announce(house, "more")
            new = flags.deliver * flags.images
            told(f"delivered {flags.deliver} more people", run(house, workflow(flags.cores)), full, new)
    drawn_house.leave()


def erase(house: Path, people: list[str], full: Full, flags: argparse.Namespace) -> None:
    """Withdraw people, erase them, and print what that took beside the full build."""
    for person in people:
        accord(house, "consent", "withdraw", "--vendor", "acme", "--subject", person)
    rebuild = workflow(flags.cores)
    words = [sys.executable, "-m", "accord", "erase", "run", "--config", *CONFIGS, "--rebuild-command"]
    done = run(house, rebuild if flags.rebuild_only else [*words, " ".join(rebuild)])
    what = "rebuilt without" if flags.rebuild_only else "erased"
    told(f"{what} {len(people)} of {flags.subjects:,} people", done, full, 0)


def told(what: str, done: Ran, full: Full, pictures: int) -> None:
    """Print what a change took, as shares of the full build. pictures: those that were looked at for the first time."""
    again = {shard for _, shard in done.jobs if shard}
    sized = (done.cores + pictures * full.each) / (full.ran.cores + full.pictures * full.each)
    jobs, all_jobs = done.jobs.total(), full.ran.jobs.total()
    print(
        f"{what}: {len(again)} of {full.shards} shards ({len(again) / full.shards:.1%}),"
        f" {jobs:,} of {all_jobs:,} jobs ({jobs / all_jobs:.1%}), {_took(done)}:"
        f" {done.seconds / full.ran.seconds:.1%} of the time and {done.cores / full.ran.cores:.1%} of the work of the"
        f" full build; {sized:.1%} of the work if pictures had 12 megapixels ({full.each} CPU s each)",
        flush=True,
    )


def _took(ran: Ran) -> str:
    rest = ran.cores - ran.of_shards - ran.of_gathers
    return (
        f"{ran.seconds / 60:.1f} min, {ran.cores:,.0f} CPU s ({ran.of_shards:,.0f} of shards, {ran.of_gathers:,.0f} of"
        f" gathers, {rest:,.0f} of Snakemake and of starting steps)"
    )


def _flags() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--subjects", type=int, default=2000)
    parser.add_argument("--images", type=int, default=2, help="of each subject")
    parser.add_argument("--size", type=int, default=192, help="longest side of a picture, px")
    parser.add_argument("--shards", type=int, default=64)
    parser.add_argument("--withdraw", type=int, default=20, help="people who withdraw at once")
    parser.add_argument("--deliver", type=int, default=20, help="people who are delivered afterwards")
    parser.add_argument("--picture", type=float, default=FULL_SIZE, help="CPU s of a picture of full size")
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="work in this folder, and leave it")
    parser.add_argument("--rebuild-only", action="store_true", help="withdraw and rebuild, without `accord erase`")
    return parser.parse_args()


if __name__ == "__main__":
    main()
