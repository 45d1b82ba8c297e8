"""`accord estimate cost`: CPU hours, GPU hours, disk and days of a run, before it starts."""

import argparse

from accord import command_line
from accord.checks.costs.measured import demo, measured
from accord.checks.costs.model import Cost, Plan, Run, check, cost
from accord.checks.costs.uncounted import uncounted
from accord.engine import configuration
from accord.errors import all_problems

PER_SHARD, MOST_SHARDS = 500, 2_000
"""Images of a shard, and the largest number of shards, where it isn't given: gathers of many more fail
(docs/cluster.md)."""
SHOWN = 8


def arguments(made: argparse.ArgumentParser) -> None:
    """The options of the command."""
    made.add_argument("--images", type=int, required=True, metavar="N", help="images delivered")
    made.add_argument("--megapixels", type=float, required=True, metavar="M", help="megapixels of an image, on average")
    made.add_argument(
        "--shards", type=int, metavar="S", help=f"shards (default: one for {PER_SHARD} images, at most {MOST_SHARDS:,})"
    )
    made.add_argument("--cores", type=int, default=16, metavar="C", help="CPU cores (default: 16)")
    made.add_argument("--gpus", type=int, default=1, metavar="G", help="GPUs (default: 1)")
    made.add_argument(
        "--measured", action="store_true", help="estimate from the configured project's last run, not from the demo's"
    )
    command_line.config_flag(made)


def told(flags: argparse.Namespace) -> tuple[dict, list[str]]:
    """The estimate as JSON, and as lines."""
    shards = min(max(1, -(-flags.images // PER_SHARD)), MOST_SHARDS) if flags.shards is None else flags.shards
    plan = Plan(flags.images, flags.megapixels, shards, flags.cores, flags.gpus)
    with all_problems() as problems:
        check(plan, problems)
    run, lacks = _run(flags) if flags.measured else (demo(), [])
    found = cost(run, plan)
    figures = {"cpu_hours": found.cpu_hours, "jobs": found.job_count, "cluster_hours": found.cluster_hours}
    figures |= {"gpu_hours": found.gpu_hours, "disk_gb": found.disk_gb, "days": found.days}
    made = {**plan._asdict(), **figures, "cpu_hours_by_step": found.cpu, "from_images": run.images}
    made |= {"not_counted": lacks}
    lines = _lines(plan, run, found, "your last run" if flags.measured else "the demo")
    return made, [*lines, *(f"not counted: {lack}" for lack in lacks)]


def _run(flags: argparse.Namespace) -> tuple[Run, list[str]]:
    """The configured project's last run, and what of it isn't counted."""
    config = configuration.read(configuration.used(flags.config))
    folders = [configuration.folder(config, name) for name in ("results", "logs", "releases")]
    return measured(*folders), uncounted(*folders)


def _lines(plan: Plan, run: Run, found: Cost, source: str) -> list[str]:
    on_gpu = f"{found.gpu_hours:,.1f}" if found.gpu_hours else "none: that run had no larger models"
    largest = sorted(found.cpu.items(), key=lambda item: -item[1])[:SHOWN]
    return [
        f"{plan.images:,} images of {plan.megapixels:g} megapixels in {plan.shards:,} shards:",
        f"  CPU hours  {found.cpu_hours:,.1f}",
        f"             {found.cluster_hours:,.1f} more on a cluster: each of {found.job_count:,} jobs starts anew",
        f"  GPU hours  {on_gpu}",
        f"  disk       {found.disk_gb:,.1f} GB, with one version of the release, without the deliveries",
        f"  days       {found.days:,.2f} on {plan.cores} cores and {plan.gpus} GPU(s), without people's reviews",
        f"extrapolated from {source}: {run.images:,} images of {run.megapixels / run.images:.2f} megapixels",
        "most CPU hours:",
        *(f"  {name:28}{hours:12,.2f}" for name, hours in largest),
    ]
