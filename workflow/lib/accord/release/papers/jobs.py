"""The jobs that files came from, read off the provenance that the files carry, down to what came from outside."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from accord.engine import provenance

ROOMS = ("intake", "consent", "checks", "privacy", "release")
PLACES = frozenset({"vault", "releases", "deliveries", "archive"})
"""Parameters that say where something lay: they change nothing of what is made."""


class File(NamedTuple):
    """A file, by its portable path and sha256."""

    path: str
    sha256: str


class Job(NamedTuple):
    """One run of a step. `position`: 1 for a job that reads only what came from outside, else 1 more than its inputs'.

    `params`: (name, value as JSON), sorted; `inputs` and `outputs` are sorted.
    """

    step: str
    code: str
    position: int
    params: tuple[tuple[str, str], ...]
    inputs: tuple[File, ...]
    outputs: tuple[File, ...]


def jobs(given: Mapping[Path, str]) -> list[Job]:
    """All jobs that files come from, by path -> sha256, sorted by position, step, outputs; equal files give equal ones.

    What carries no provenance, or is gone, counts as from outside. No bytes are held against digests: that is audit's.
    """
    outputs: dict[str, set[File]] = {}
    records: dict[str, dict[str, Any]] = {}
    queue = [*given.items()]
    seen = set(queue)
    while queue:
        path, digest = queue.pop()
        record = _record(path, digest)
        if not record:
            continue
        key = json.dumps({name: record[name] for name in ("step", "code", "params", "inputs")}, sort_keys=True)
        records[key] = record
        outputs.setdefault(key, set()).add(File(public(provenance.portable(path)), digest))
        found = {(Path(name), recorded) for name, recorded in record["inputs"].items()} - seen
        seen |= found
        queue += sorted(found)
    return _placed([_job(records[key], outputs[key]) for key in sorted(records)])


def public(path: str) -> str:
    """A portable path as anybody may read it: from outside the working folder, from its room on, or the name alone."""
    parts = PurePosixPath(path).parts
    if ".." not in parts and not PurePosixPath(path).is_absolute():
        return path
    start = max((index for index, part in enumerate(parts[:-1]) if part in ROOMS), default=len(parts) - 1)
    return "/".join(parts[start:])


def parameters(given: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    """Parameters as (name, JSON), sorted, without those that are places."""
    return tuple((name, json.dumps(given[name], sort_keys=True)) for name in sorted(given.keys() - PLACES))


def files(given: Mapping[Path, str]) -> tuple[File, ...]:
    """Files from path -> sha256, sorted."""
    return tuple(sorted(File(public(provenance.portable(path)), digest) for path, digest in given.items()))


def _job(record: dict[str, Any], outputs: set[File]) -> Job:
    inputs = sorted(File(public(name), digest) for name, digest in record["inputs"].items())
    params = parameters(record["params"])
    return Job(record["step"], record["code"], 0, params, tuple(inputs), tuple(sorted(outputs)))


def _placed(found: list[Job]) -> list[Job]:
    makers = {file: job for job in found for file in job.outputs}

    @cache
    def position(job: Job) -> int:
        before = {makers[file] for file in job.inputs if file in makers}
        return 1 + max(map(position, before), default=0)

    placed = (job._replace(position=position(job)) for job in found)
    return sorted(placed, key=lambda job: (job.position, job.step, job.outputs))


def _record(path: Path, digest: str) -> dict[str, Any] | None:
    """The provenance record of a file; of a bundle, that of the table beside it that was written with it."""
    told = provenance.of(path)
    if told is not None or path.suffix != ".tar":
        return told
    return next((record for record in _beside(path.parent) if digest in record.get("outputs", {}).values()), None)


@cache
def _beside(folder: Path) -> tuple[dict[str, Any], ...]:
    return tuple(record for table in sorted(folder.glob("*.parquet")) if (record := provenance.of(table)))
