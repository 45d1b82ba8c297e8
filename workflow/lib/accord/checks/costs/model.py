"""A cost model: what each step of a run used, scaled to other numbers of images, megapixels and shards."""

from math import ceil
from typing import NamedTuple

from accord import shards
from accord.errors import Collector
from accord.text.nouns import counted

BYTES = ("intake.shard", "release.pack")
"""Steps that read and write whole files, and no more: their work is taken to grow with the pixels."""
MEGAPIXEL = {"checks.look": 0.060, "privacy.paint": 0.037, "release.derive": 0.050, "evaluate.small": 0.14}
"""CPU s that each megapixel more of an image takes: what is done of an image at its full size. The rest, networks that
look at a smaller copy above all, grows with the images (benchmarks/full_size.py at 0.5 to 12 megapixels)."""
SHOWN = 3.1
"""Megapixels of an image of 4:3 whose longest side is 2,048 px: models are shown no larger ones."""
LOOK, LOOKED = "checks.look", 0.19
"""The step by which machines are compared, and its CPU s of an image besides those of its megapixels."""
PAIRWISE = {"checks.crops": 40.4 / 12_000**2}
"""Steps that also compare all pairs: CPU s by the square of the images, measured at 12,000 (docs/scale.md)."""
BY_CELLS = 3.6e-3
"""CPU s of an image where cells propose whom it is compared with, measured at a million (docs/scale.md), over 2.4: that
machine was so much slower than those of the others."""
ALL_PAIRS_UP_TO = 12_000
"""The number of images up to which all are compared with all, where none is configured."""
GATHERS = {
    "checks.annotation_agreement": 44e-6, "checks.duplicates": 62e-6, "checks.estimates": 7e-6,
    "checks.exclusions": 55e-6, "checks.patterns": 200e-6, "checks.queue": 20e-6, "checks.sameness": 980e-6,
    "checks.sample": 36e-6, "checks.scorecards": 30e-6, "checks.verdicts": 40e-6, "release.gates": 410e-6,
    "release.plan": 320e-6, "release.select": 26e-6, "release.waterfall": 15e-6,
    "analyse.body_parts_detection": 25e-6, "analyse.composition": 15e-6, "analyse.diversity": 140e-6,
    "analyse.extremes": 230e-6, "analyse.face_localization": 12e-6, "analyse.face_parsing": 1070e-6,
    "analyse.face_super_resolution": 8e-6, "analyse.face_verification": 250e-6, "analyse.features": 170e-6,
    "analyse.groups": 50e-6, "analyse.keypoint_estimation": 410e-6, "analyse.layout": 440e-6,
    "analyse.members": 31e-6, "analyse.part_rates": 42e-6, "analyse.person_localization": 6e-6,
    "analyse.person_parsing": 1450e-6, "report.index": 10e-6,
}  # fmt: skip
"""CPU s of an image in steps that read all shards (docs/scale.md: from 16,000 images to 100,000 or a million)."""
FEW = 5_000
"""Of fewer images a run doesn't tell how such a step grows: most of what it takes is to begin."""
CLUSTER_START = 3.2
"""CPU s in which a job of a cluster starts Snakemake anew, of 4 shards as of 2,000 (docs/scale.md)."""
HOUR, DAY, GB = 3600, 24, 1000


class Step(NamedTuple):
    """What a step used: jobs, CPU s, wall s and GPU s, added up over its jobs."""

    jobs: int
    cpu: float
    wall: float
    gpu: float = 0.0


class Run(NamedTuple):
    """What a run was of, and used. megapixels: of all images together; pixel_mb: disk in MB of pictures, other_mb: of
    all else; steps: room.step -> Step; sharded: the steps that have jobs of each shard; all_pairs_up_to: as configured
    for checks."""

    images: int
    megapixels: float
    shards: int
    pixel_mb: float
    other_mb: float
    steps: dict[str, Step]
    sharded: frozenset[str]
    all_pairs_up_to: int = ALL_PAIRS_UP_TO


class Plan(NamedTuple):
    """What is planned: images, megapixels of one, shards, CPU cores, GPUs; all_pairs_up_to: as configured."""

    images: int
    megapixels: float
    shards: int
    cores: int
    gpus: int
    all_pairs_up_to: int = ALL_PAIRS_UP_TO


class Cost(NamedTuple):
    """cpu: room.step -> CPU hours; jobs: room.step -> how many; gpu_hours; disk_gb; days, if one gather runs after the
    other on one core each."""

    cpu: dict[str, float]
    jobs: dict[str, int]
    gpu_hours: float
    disk_gb: float
    days: float

    @property
    def cpu_hours(self) -> float:
        """Of all steps."""
        return sum(self.cpu.values())

    @property
    def job_count(self) -> int:
        """Of all steps."""
        return sum(self.jobs.values())

    @property
    def cluster_hours(self) -> float:
        """CPU hours more on a cluster, for the start of jobs."""
        return self.job_count * CLUSTER_START / HOUR


MOST = 10**12
"""Images, megapixels, shards, cores or GPUs, of any plan."""


def check(plan: Plan, problems: Collector) -> None:
    """Add what can't be planned to `problems`."""
    for name in ("images", "megapixels", "shards", "cores", "gpus"):
        value = getattr(plan, name)
        if value < 0 if name == "gpus" else not 0 < value < float("inf"):
            problems.add(f"--{name}", f"{value} is not {'0 or more' if name == 'gpus' else 'a number above 0'}")
        elif value > MOST:
            problems.add(f"--{name}", f"is more than {MOST:,}", "no run is that large: check the number")
    if plan.shards > shards.MOST:
        problems.add("--shards", f"{plan.shards:,} is more than the {shards.MOST:,} that a run can have")
    if plan.shards > plan.images > 0:
        images = f"the {counted(plan.images, 'image')} of the plan"
        problems.add("--shards", f"{plan.shards:,} is more than {images}", "most would be empty")


def check_gpus(run: Run, plan: Plan, problems: Collector) -> None:
    """Add to `problems` that there is no GPU for what the run computed on one: what it takes without is not known."""
    if plan.gpus == 0 and any(step.gpu for step in run.steps.values()):
        problems.add("--gpus", "0, though that run computed on a GPU", "leave --gpus out for 1")


def cost(run: Run, plan: Plan) -> Cost:
    """What the plan costs: for the run's own images, pixels and shards exactly what the run used.

    A job takes what the shortest of the run's took to start, and the rest is work. Steps with a job for each shard have
    as many as there are shards, and as many of them run at once as there are cores, or GPUs.
    """
    more, pixels = _growth(run, plan)
    parts = {name: plan.shards if name in run.sharded else 1 for name in run.steps}
    grown = plan.shards / run.shards
    jobs = {name: round(step.jobs * (grown if name in run.sharded else 1)) for name, step in run.steps.items()}
    cpu = {name: _seconds(name, run, plan, jobs[name]) / HOUR for name in run.steps}
    gpu = {name: step.gpu * more / HOUR for name, step in run.steps.items() if step.gpu}
    waited = [hours * _at_once(plan.cores, parts[name]) for name, hours in cpu.items()]
    waited += [hours * _at_once(plan.gpus, parts[name]) for name, hours in gpu.items()]
    disk = (run.pixel_mb * pixels + run.other_mb * more) / GB
    return Cost(cpu, jobs, sum(gpu.values()), disk, sum(waited) / DAY)


def _seconds(name: str, run: Run, plan: Plan, jobs: int) -> float:
    """CPU s of a step of the plan, which has so many jobs."""
    step, start = run.steps[name], _start(run)
    if name in GATHERS and run.images < FEW:
        return max(start, step.cpu + GATHERS[name] * (plan.images - run.images))
    more, pixels = _growth(run, plan)
    pairs = min(then := _pairs(name, run), step.cpu - start * step.jobs)
    grown = _pairs(name, plan) / then if pairs else 0.0
    work = (step.cpu - start * step.jobs - pairs) * (pixels if name in BYTES else more)
    return start * jobs + max(work + _larger(name, run, plan) * slowness(run), 0.0) + pairs * grown


def _growth(run: Run, plan: Plan) -> tuple[float, float]:
    """How many times as many images and pixels the plan has."""
    return plan.images / run.images, plan.images * plan.megapixels / run.megapixels


def _at_once(places: int, jobs: int) -> float:
    """The share of the work of some jobs of a size that is waited for, where so many run at once."""
    return ceil(jobs / places) / jobs


def _start(run: Run) -> float:
    """CPU s in which a job starts, at most: the shortest of the run's took no longer."""
    return min((step.cpu / step.jobs for step in run.steps.values()), default=0.0)


def slowness(run: Run) -> float:
    """How many times as long the run's machine takes as that on which MEGAPIXEL was measured: by LOOK; 1 without it."""
    if LOOK not in run.steps:
        return 1.0
    step = run.steps[LOOK]
    return (step.cpu - _start(run) * step.jobs) / (LOOKED * run.images + MEGAPIXEL[LOOK] * run.megapixels)


def _larger(step: str, run: Run, plan: Plan) -> float:
    """CPU s that a step takes of the plan's images because they are larger than the run's."""
    sides = plan.megapixels, run.megapixels / run.images
    then, now = (min(side, SHOWN) for side in sides) if step.startswith("evaluate.") else sides
    return MEGAPIXEL.get(step, 0.0) * (then - now) * plan.images


def _pairs(step: str, of: Run | Plan) -> float:
    """CPU s in which a step compares images with one another, as measured."""
    if step not in PAIRWISE:
        return 0.0
    if of.images <= of.all_pairs_up_to:
        return PAIRWISE[step] * of.images**2
    return max(PAIRWISE[step] * min(of.images, of.all_pairs_up_to, ALL_PAIRS_UP_TO) ** 2, BY_CELLS * of.images)
