"""`python -m accord_demo OUT`: a delivery of rendered people, as a vendor sends it, with known faults and a known bias.

In OUT: delivery/ (docs/delivery.md), web.csv (fingerprints of pictures that were on the web), and ground_truth.json
(what was planted). The same settings give the same bytes. Killed and started again, it goes on where it was.
"""

import argparse
import json
import os
import shutil
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict
from multiprocessing import get_context
from pathlib import Path

from accord.command_line import Parser
from accord.errors import AccordError, Collector, Problem, all_problems
from accord.files import replace
from accord_demo.draft import SIZE, Settings
from accord_demo.plan import make_plan, to_render
from accord_demo.studio import Order, order, take
from accord_demo.writer import compact, record_path, write_delivery

RENDERED = "rendered"
SETTINGS = "settings.json"
MAX_IMAGES = 6
SUBJECTS_PER_ROUND = 15
"""Later rounds need originals for copies that nothing is planted in yet."""
PICTURES_PER_PROCESS = 100
"""After these the processes are replaced, so that caches can't grow without bound."""
SECONDS_BETWEEN_LINES = 10.0


def main(argv: list[str]) -> int:
    """Make the delivery that the command line describes."""
    flags = parser().parse_args(argv)
    names = ("subjects", "images_per_subject", "seed", "size", "defects", "bias", "rounds", "unseen")
    settings = Settings(**{name: getattr(flags, name) for name in names})
    with all_problems() as problems:
        check(settings, flags.jobs, problems)
    deliver(flags.out, settings, flags.jobs)
    return 0


def parser() -> argparse.ArgumentParser:
    """The command line."""
    says = "Render a delivery of people who don't exist, with known faults. The same settings give the same bytes."
    made = Parser(prog="python -m accord_demo", description=says)
    made.add_argument("out", type=Path, help="folder to write to; made where it is not there")
    made.add_argument("--subjects", type=int, default=124, help="subjects with clean pictures (default 124)")
    made.add_argument("--images-per-subject", type=int, default=3, help=f"1 to {MAX_IMAGES} (default 3)")
    made.add_argument("--seed", type=int, default=1, help="the same seed gives the same bytes (default 1)")
    made.add_argument("--size", type=int, default=SIZE, help=f"longest side of a picture, px (default {SIZE})")
    made.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="processes that render (default: all cores)"
    )
    switch = argparse.BooleanOptionalAction
    made.add_argument("--defects", action=switch, default=True, help="plant defects and tell of them")
    made.add_argument("--rounds", type=int, default=1, help="how often each defect is planted (default 1)")
    made.add_argument("--unseen", action=switch, default=False, help="also plant what only looking can find")
    made.add_argument("--bias", action=switch, default=True, help="degrade the pictures of one ancestry group")
    return made


def check(settings: Settings, jobs: int, problems: Collector) -> None:
    """Add what is wrong with the settings to the problems."""
    if settings.subjects < 12:
        problems.add("--subjects", f"is {settings.subjects}", "12 or more, so that each group has some")
    if settings.rounds < 1 or (settings.rounds > 1 and settings.subjects < SUBJECTS_PER_ROUND * settings.rounds):
        hint = f"1, or more with {SUBJECTS_PER_ROUND} subjects for each"
        problems.add("--rounds", f"is {settings.rounds} for {settings.subjects} subjects", hint)
    if not 1 <= settings.images_per_subject <= MAX_IMAGES:
        problems.add("--images-per-subject", f"is {settings.images_per_subject}", f"between 1 and {MAX_IMAGES}")
    if not 0 <= settings.seed < 2**31:
        problems.add("--seed", f"is {settings.seed}", f"between 0 and {2**31 - 1}")
    if not 160 <= settings.size <= 4096:
        problems.add("--size", f"is {settings.size}", "between 160 and 4096 px")
    if jobs < 1:
        problems.add("--jobs", f"is {jobs}", "1 or more")


def deliver(out: Path, settings: Settings, jobs: int) -> None:
    """Render what is missing and write the delivery. Raises AccordError where OUT holds one of other settings."""
    rendered, delivery = out / RENDERED, out / "delivery"
    if (delivery / "delivery.yaml").exists():
        _same(out / "ground_truth.json", json.loads((out / "ground_truth.json").read_text())["made_with"], settings)
        print(f"{delivery} is complete", file=sys.stderr)
        return
    _claim(rendered, settings)
    (delivery / "images").mkdir(parents=True, exist_ok=True)
    draft = make_plan(settings)
    orders = [order(picture, draft.subjects, settings.seed, settings.size) for picture in to_render(draft)]
    missing = [one for one in orders if not _done(one, rendered, delivery)]
    for line in progress(render_all(missing, rendered, delivery, jobs), len(missing), len(orders)):
        print(line, file=sys.stderr, flush=True)
    write_delivery(draft, out, rendered)
    shutil.rmtree(rendered)
    print(f"{delivery}: {len(draft.pictures)} images of {len(draft.subjects)} subjects", file=sys.stderr)


def render_all(orders: list[Order], rendered: Path, delivery: Path, jobs: int) -> Iterator[str]:
    """Render and write the pictures; yields the reference of each that is done."""
    if jobs == 1:
        yield from (render_one(one, rendered, delivery) for one in orders)
        return
    # Each process renders with one thread: more of them on the same cores make all slower.
    os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    # Not `max_tasks_per_child`: with it, Python 3.11's pool waits forever once all processes are replaced (gh-115634).
    for batch in batched(orders, jobs * PICTURES_PER_PROCESS):
        yield from _render_batch(batch, rendered, delivery, jobs)


def batched(orders: list[Order], size: int) -> Iterator[list[Order]]:
    """The orders in lists of at most `size`."""
    for start in range(0, len(orders), size):
        yield orders[start : start + size]


def _render_batch(orders: list[Order], rendered: Path, delivery: Path, jobs: int) -> Iterator[str]:
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        tasks = [pool.submit(render_one, one, rendered, delivery) for one in orders]
        try:
            yield from (task.result() for task in as_completed(tasks))
        finally:
            pool.shutdown(cancel_futures=True)


def render_one(order: Order, rendered: Path, delivery: Path) -> str:
    """Render a picture and write its record, then its file, each whole or not at all; returns its reference."""
    data, record = take(order)
    replace(record_path(rendered, order.picture.reference), compact(record).encode())
    replace(delivery / order.picture.file, data, beside=rendered)
    return order.picture.reference


def progress(done: Iterable[str], missing: int, total: int) -> Iterator[str]:
    """A line now and then: how many of how many, and how long the rest will take."""
    start = last = time.monotonic()
    for count, _ in enumerate(done, 1):
        now = time.monotonic()
        if now - last >= SECONDS_BETWEEN_LINES or count == missing:
            last, left = now, (now - start) / count * (missing - count)
            yield f"rendered {total - missing + count} of {total} images, about {left / 60:.0f} min left"


def _done(order: Order, rendered: Path, delivery: Path) -> bool:
    return record_path(rendered, order.picture.reference).exists() and (delivery / order.picture.file).exists()


def _claim(rendered: Path, settings: Settings) -> None:
    """Note the settings beside the rendered pictures; raises AccordError where there are others."""
    noted = rendered / SETTINGS
    if noted.exists():
        _same(noted, json.loads(noted.read_text()), settings)
    rendered.mkdir(parents=True, exist_ok=True)
    replace(noted, compact(asdict(settings)).encode())


def _same(where: Path, found: dict, settings: Settings) -> None:
    found = asdict(Settings(**found))
    if found != asdict(settings):
        other = [f"{name} {found[name]}" for name, value in asdict(settings).items() if found[name] != value]
        hint = "choose another folder, or delete this one"
        raise AccordError(Problem(str(where), f"is of a delivery with other settings: {', '.join(other)}", hint))
