"""Fetch the weights of models from where models.yaml says they are: on a machine with network, never in another job."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, urlsplit

from pandera.typing import DataFrame

from accord.engine import provenance
from accord.engine.parameter_types import Folder
from accord.engine.table import rows
from accord.errors import AccordError, Collector
from accord.evaluate.tables.weights import Fetched
from accord.models import download, lock, sent
from accord.models.weights import placed

TOKEN = "HF_TOKEN"


class Unreached(NamedTuple):
    """Of a host that no connection came about to: why, and the files (`model.name`) that lie there."""

    reason: object
    files: list[str]


def run(*, entries: dict, weights: Folder, hub: str) -> DataFrame[Fetched]:
    """The files of the models' weights, downloaded where they are not there yet.

    entries: name -> that in models.yaml; weights: the folder that they go to; hub: the address of the hub. A file of
    which a sum is stated is kept only with that sum; another one is fetched, and not run before its sum is locked
    (`accord weights lock`). `revision` is the commit that the hub names, where it names one. Raises AccordError with
    every file that could not be had, once all others are there; those of a host that can't be reached in one problem.
    """
    problems, deaf, found = Collector(), {}, []
    for model, entry in sorted(entries.items()):
        for name, file, path in fetched_files(entry["weights"], Path(weights)):
            if got := _had(f"{model}.{name}", file, path, hub, problems, deaf):
                stated = file["sha256"] is not None
                found.append((model, name, lock.source(file), got.revision, got.sha256, got.bytes, stated))
    for host, (reason, files) in sorted(deaf.items()):
        problems.add(host, f"can't be reached ({reason}); not fetched: {', '.join(files)}", download.OFFLINE)
    if problems:
        raise AccordError(problems)
    return rows(found, Fetched)


def _had(
    name: str, file: dict, path: Path, hub: str, problems: Collector, deaf: dict[str, Unreached]
) -> download.Got | None:
    """A file, here or downloaded; None, and why, where it can't be had. A host that was not reached is left alone."""
    host = urlsplit(address(file, hub)).netloc
    try:
        if got := _present(file, path):
            return got
        if host not in deaf:
            return _downloaded(file, path, hub)
    except download.UnreachableError as error:
        deaf[host] = Unreached(error.reason, [])
    except AccordError as error:
        problems += error.problems
        return None
    deaf[host].files.append(name)
    return None


def fetched_files(wanted: dict[str, dict], folder: Path) -> Iterator[tuple[str, dict, Path]]:
    """name, entry and place of each file that has an address."""
    for name, file in sorted(wanted.items()):
        if "hub" in file or "url" in file:
            yield name, file, placed(file, folder)


def address(file: dict, hub: str) -> str:
    """Where a file is downloaded from."""
    if "url" in file:
        return file["url"]
    revision = quote(file.get("revision", "main"), safe="")
    return f"{hub.rstrip('/')}/{file['hub']}/resolve/{revision}/{quote(file['path'])}"


def _present(file: dict, path: Path) -> download.Got | None:
    """The file that is here already, where it has the stated sum, or none is stated."""
    got = provenance.sha256(path) if path.is_file() else None
    return download.Got(path.stat().st_size, got, "") if got and file["sha256"] in (None, got) else None


def _downloaded(file: dict, path: Path, hub: str) -> download.Got:
    if "url" in file:
        return download.download(file["url"], path, file["sha256"])
    token, mirror = sent.optional_key(TOKEN, path.name), urlsplit(hub).hostname or ""
    return download.download(address(file, hub), path, file["sha256"], token=token, mirror=mirror)
