"""What a run was of and used, read from its results and logs; and that of the demo, which ships."""

from pathlib import Path

import yaml

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
    return Run(**told | {"steps": {name: Step(*used) for name, used in told["steps"].items()}})


def measured(results: Path, logs: Path, releases: Path) -> Run:
    """Of a whole run. Raises AccordError where its images or its logs are not there, or its tables can't be right."""
    taken = taken_in(results)
    jobs = usage.jobs(logs)
    if not jobs:
        raise AccordError(Problem(str(logs), "no log contains the resource usage of a job", "keep the logs of the run"))
    steps = {name: Step(len(of), sum(j.cpu for j in of), sum(j.wall for j in of)) for name, of in jobs.items()}
    pictures = sum(_size(results / room) for room in PICTURES) + _size(releases)
    other = _size(results) + _size(releases) - pictures
    return Run(taken.images, taken.pixels / MILLION, taken.shards, pictures, other, steps)


def _size(folder: Path) -> float:
    """MB of the files of a folder, each once however many names it has."""
    files = {(s.st_dev, s.st_ino): s.st_size for s in (p.lstat() for p in folder.rglob("*") if p.is_file())}
    return sum(files.values()) / MILLION
