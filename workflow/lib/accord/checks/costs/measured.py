"""What a run was of and used, read from its results and logs; and that of the demo, which ships."""

from pathlib import Path

import yaml

from accord.checks.costs.logged import Logged
from accord.checks.costs.model import Run, Step
from accord.checks.costs.taken_in import taken_in
from accord.engine import resources, usage
from accord.errors import AccordError, Problem

DEMO = resources.beside(__name__) / "demo.yaml"
PICTURES = ("intake", "privacy", "release")
"""Rooms whose results are pictures, nearly all of them."""
MILLION = 1e6


def demo() -> Run:
    """The demo's, as it was measured (docs/scale.md)."""
    told = yaml.safe_load(DEMO.read_text())
    steps = {name: Step(*used) for name, used in told["steps"].items()}
    return Run(**told | {"steps": steps, "sharded": frozenset(name for name, step in steps.items() if step.jobs > 1)})


def measured(results: Path, logged: Logged, releases: Path) -> Run:
    """Of a whole run; jobs of some shards without a usable log are taken to be like those of the others. Raises
    AccordError where its images or its logs are not there, or its tables can't be right."""
    taken = taken_in(results)
    jobs, more = usage.by_step(logged.said), logged.like_others()
    if not jobs:
        raise AccordError(
            Problem(str(logged.folder), "no log contains the resource usage of a job", "keep the logs of the run")
        )
    steps = {name: _step(of, len(of) + more[name]) for name, of in jobs.items()}
    pictures = sum(_size(results / room) for room in PICTURES) + _size(releases)
    other = _size(results) + _size(releases) - pictures
    return Run(taken.images, taken.pixels / MILLION, taken.shards, pictures, other, steps, logged.sharded())


def _step(of: list[usage.Job], jobs: int) -> Step:
    """What so many jobs used, if they were like those of which it is known."""
    share = jobs / len(of)
    cpu, wall, gpu = (share * sum(getattr(job, name) for job in of) for name in ("cpu", "wall", "gpu"))
    return Step(jobs, cpu, wall, gpu)


def _size(folder: Path) -> float:
    """MB of the files of a folder, each once however many names it has."""
    files = {(s.st_dev, s.st_ino): s.st_size for s in (p.lstat() for p in folder.rglob("*") if p.is_file())}
    return sum(files.values()) / MILLION
