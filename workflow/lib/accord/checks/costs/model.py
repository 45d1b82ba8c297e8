"""A cost model: what each step of a run used, scaled to other numbers of images, megapixels and shards."""

from typing import NamedTuple

from accord.errors import Collector

PIXELS = ("intake.shard", "checks.look", "privacy.paint", "release.derive", "release.pack")
"""Steps whose work is taken to grow with the pixels, and so do all of `evaluate`; that of others with the images."""
PAIRWISE = {"checks.crops": 33.8 / 8_000**2}
"""Steps that also compare all pairs: CPU s by the square of the images, measured at 8,000 of them."""
BY_CELLS, ALL_COMPARED = 13.0 / 20_000, 5_000
"""CPU s of an image where cells propose whom it is compared with, measured at 20,000 images (benchmarks/crops.py); the
number of images up to which all are compared with all."""
GATHERS = {
    "checks.annotation_agreement": 44e-6, "checks.duplicates": 62e-6, "checks.estimates": 7e-6,
    "checks.exclusions": 55e-6, "checks.patterns": 200e-6, "checks.queue": 20e-6, "checks.sameness": 350e-6,
    "checks.sample": 36e-6, "checks.scorecards": 30e-6, "checks.verdicts": 40e-6, "release.gates": 810e-6,
    "release.plan": 510e-6, "release.select": 26e-6, "release.waterfall": 15e-6,
}  # fmt: skip
"""CPU s of an image in steps that read all shards (docs/scale.md: from 16,000 images to 100,000 or a million)."""
FEW = 5_000
"""Of fewer images a run doesn't tell how such a step grows: most of what it takes is to begin."""
CPU_ALONE = ("evaluate.small", "evaluate.fetch")
"""The steps of `evaluate` that never use a GPU."""
HOUR, DAY, GB = 3600, 24, 1000


class Step(NamedTuple):
    """What a step used: jobs, CPU s and wall s, added up over its jobs."""

    jobs: int
    cpu: float
    wall: float


class Run(NamedTuple):
    """What a run was of, and used. megapixels: of all images together; pixel_mb: disk in MB of pictures, other_mb: of
    all else; steps: room.step -> Step."""

    images: int
    megapixels: float
    shards: int
    pixel_mb: float
    other_mb: float
    steps: dict[str, Step]


class Plan(NamedTuple):
    """What is planned: images, megapixels of one, shards, CPU cores, GPUs."""

    images: int
    megapixels: float
    shards: int
    cores: int
    gpus: int


class Cost(NamedTuple):
    """cpu: room.step -> CPU hours; gpu_hours; disk_gb; days, if one gather runs after the other on one core each."""

    cpu: dict[str, float]
    gpu_hours: float
    disk_gb: float
    days: float

    @property
    def cpu_hours(self) -> float:
        """Of all steps."""
        return sum(self.cpu.values())


MOST = 10**12
"""Images, megapixels, shards, cores or GPUs, of any plan."""


def check(plan: Plan, problems: Collector) -> None:
    """Add what can't be planned to `problems`."""
    for name, value in plan._asdict().items():
        if not 0 < value < float("inf"):
            problems.add(f"--{name}", f"{value} is not a number above 0")
        elif value > MOST:
            problems.add(f"--{name}", f"is more than {MOST:,}", "no run is that large: check the number")
    if plan.shards > plan.images > 0:
        problems.add("--shards", f"{plan.shards:,} is more than the {plan.images:,} images", "most would be empty")


def cost(run: Run, plan: Plan) -> Cost:
    """What the plan costs: for the run's own images, pixels and shards exactly what the run used.

    A job takes what the shortest of the run's took to start, and the rest is work. Steps with a job for each shard have
    as many as there are shards; their work is spread over the cores.
    """
    start = min((step.cpu / step.jobs for step in run.steps.values()), default=0.0)
    more, pixels = plan.images / run.images, plan.images * plan.megapixels / run.megapixels
    hours, waiting, on_gpu = {}, 0.0, 0.0
    for name, step in run.steps.items():
        if name in GATHERS and run.images < FEW:
            hours[name] = max(start, step.cpu + GATHERS[name] * (plan.images - run.images)) / HOUR
            waiting += hours[name]
            continue
        sharded = run.shards > 1 and step.jobs % run.shards == 0
        by = pixels if name in PIXELS or name.startswith("evaluate.") else more
        pairs = min(_pairs(name, run.images), step.cpu - start * step.jobs)
        grown = _pairs(name, plan.images) / _pairs(name, run.images) if pairs else 0.0
        begun = start * step.jobs * (plan.shards / run.shards if sharded else 1)
        work = (step.cpu - start * step.jobs - pairs) * by
        hours[name] = (begun + work + pairs * grown) / HOUR
        waiting += hours[name] / (min(plan.cores, plan.shards) if sharded else 1)
        if name.startswith("evaluate.") and name not in CPU_ALONE:
            on_gpu += step.wall * by / HOUR
    disk = (run.pixel_mb * pixels + run.other_mb * more) / GB
    return Cost(hours, on_gpu, disk, (waiting + on_gpu / plan.gpus) / DAY)


def _pairs(step: str, images: int) -> float:
    """CPU s in which a step compares images with one another, as measured."""
    if step not in PAIRWISE:
        return 0.0
    return PAIRWISE[step] * images**2 if images <= ALL_COMPARED else BY_CELLS * images
