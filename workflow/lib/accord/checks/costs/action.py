"""`accord estimate cost`: CPU hours, GPU hours, disk and days of a run, before it starts."""

import argparse
from typing import Any

from accord import command_line
from accord.checks.costs.logged import logged
from accord.checks.costs.measured import demo, measured
from accord.checks.costs.model import ALL_PAIRS_UP_TO, Cost, Plan, Run, check, check_gpus, cost
from accord.checks.costs.uncounted import guessed, taken_over, uncounted
from accord.engine import configuration
from accord.errors import all_problems
from accord.shards import by_images
from accord.text.nouns import counted

SHOWN = 8


def arguments(made: argparse.ArgumentParser) -> None:
    """The options of the command."""
    made.add_argument("--images", type=int, required=True, metavar="N", help="images delivered")
    made.add_argument("--megapixels", type=float, required=True, metavar="M", help="megapixels of an image, on average")
    made.add_argument(
        "--shards", type=int, metavar="S", help="shards (default: those that a run of so many images has)"
    )
    made.add_argument("--cores", type=int, default=16, metavar="C", help="CPU cores (default: 16)")
    made.add_argument("--gpus", type=int, default=1, metavar="G", help="GPUs (default: 1), 0 for none")
    made.add_argument(
        "--measured", action="store_true", help="estimate from the configured project's last run, not from the demo's"
    )
    command_line.config_flag(made)


def told(flags: argparse.Namespace) -> tuple[dict, list[str]]:
    """The estimate as JSON, and as lines."""
    shards = by_images(flags.images) if flags.shards is None else flags.shards
    plan = Plan(flags.images, flags.megapixels, shards, flags.cores, flags.gpus)
    with all_problems() as problems:
        check(plan, problems)
    config = configuration.read(configuration.used(flags.config))
    up_to = configuration.section(config, "checks").get("all_pairs_up_to", ALL_PAIRS_UP_TO)
    plan = plan._replace(all_pairs_up_to=up_to)
    run, taken, lacks = _run(config, up_to) if flags.measured else (demo(), [], [])
    with all_problems() as problems:
        check_gpus(run, plan, problems)
    found = cost(run, plan)
    figures = {"cpu_hours": found.cpu_hours, "jobs": found.job_count, "cluster_hours": found.cluster_hours}
    figures |= {"gpu_hours": found.gpu_hours, "disk_gb": found.disk_gb, "days": found.days}
    made = {**plan._asdict(), **figures, "cpu_hours_by_step": found.cpu, "from_images": run.images}
    made |= {"taken_as_others": taken, "not_counted": lacks}
    lines = _lines(plan, run, found, "your last run" if flags.measured else "the demo")
    lines += [f"taken to be like others of their steps: {of}" for of in taken]
    return made, [*lines, *(f"not counted: {lack}" for lack in lacks)]


def _run(config: dict[str, Any], up_to: int) -> tuple[Run, list[str], list[str]]:
    """The configured project's last run, what of it is taken to be like the rest, and what isn't counted."""
    results, logs, releases = (configuration.folder(config, name) for name in ("results", "logs", "releases"))
    said = logged(results, logs)
    run = measured(results, said, releases)._replace(all_pairs_up_to=up_to)
    return run, guessed(said), [*taken_over(run), *uncounted(results, said, releases)]


def _lines(plan: Plan, run: Run, found: Cost, source: str) -> list[str]:
    on_gpu = _figure(found.gpu_hours, 1) if found.gpu_hours else "none: that run computed on no GPU"
    machine = f"{counted(plan.cores, 'core')} and {counted(plan.gpus, 'GPU')}"
    largest = sorted(found.cpu.items(), key=lambda item: -item[1])[:SHOWN]
    size = f"{plan.megapixels:g} megapixel{'' if plan.megapixels == 1 else 's'}"
    return [
        f"{counted(plan.images, 'image')} of {size} in {counted(plan.shards, 'shard')}:",
        f"  CPU hours  {_figure(found.cpu_hours, 1)}",
        f"             {_figure(found.cluster_hours, 1)} more on a cluster, to start {counted(found.job_count, 'job')}",
        f"  GPU hours  {on_gpu}",
        f"  disk       {_figure(found.disk_gb, 1)} GB, with one version of the release, without the deliveries",
        f"  days       {_figure(found.days, 2)} on {machine}, without people's reviews",
        f"extrapolated from {source}: {counted(run.images, 'image')} of {run.megapixels / run.images:.2f} megapixels",
        "most CPU hours:",
        *(f"  {name:28}{_figure(hours, 2):>16}" for name, hours in largest),
    ]


def _figure(value: float, digits: int) -> str:
    """A figure; what is below its last digit is told as that."""
    least = 10**-digits
    return f"less than {least:.{digits}f}" if 0 < value < least else f"{value:,.{digits}f}"
