"""Deliveries: whether the files that intake took are still, byte for byte, in the folders of the deliveries."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from accord.audit.records import rows_of_images
from accord.audit.targets.places import Places
from accord.audit.telling import reading
from accord.audit.telling.checks import About, Check
from accord.errors import Collector, Problem
from accord.intake.delivered import delivery, files, parsing, sheets
from accord.intake.delivered.file_names import located
from accord.intake.delivered.files import FileRefusedError
from accord.intake.delivered.row import Row
from accord.shards import opaque_id

DELIVERED = About("lineage")
HINT = "ask the vendor to deliver again; if content was removed for a withdrawal, rerun the workflow"


class Source(NamedTuple):
    """Where an image came from: the delivery, and the file."""

    delivery: str
    file: Path


def checks(places: Places) -> list[Check]:
    """Every image that intake took, held against its delivery's file; of deliveries that are configured and there."""
    if places.config is None:
        return [DELIVERED.none("deliveries", "no configuration was given, so deliveries can't be located (--config)")]
    known = sources(places)
    taken = dict(_taken(places))
    reading.ahead(source.file for image, source in known.items() if image in taken)
    lost = sum(image not in known or not known[image].file.is_file() for image in taken)
    changed = sum(
        reading.sha256(known[image].file) != sha256
        for image, sha256 in taken.items()
        if image in known and known[image].file.is_file()
    )
    problems = [Problem("deliveries", f"{changed} images differ from those that were imported", HINT)][:changed]
    problems += [Problem("deliveries", f"{lost} imported images are missing", HINT)][:lost]
    return DELIVERED.held("deliveries", problems, f"{len(taken)} images match the delivery")


def sources(places: Places) -> dict[str, Source]:
    """Image -> where it came from, by the tables of the deliveries that the configuration names."""
    found: dict[str, Source] = {}
    for folder in map(Path, ((places.config or {}).get("intake") or {}).get("deliveries") or []):
        said = delivery.describe(folder, delivery.SCHEMA, Collector())
        if said is None:
            continue
        for row in (row for name in sheets.PICTURED for row in _listed(folder, name)):
            if _is_inside(row["file"]):
                image = opaque_id(said["vendor"], said["delivery"], row["image"])
                found[image] = Source(said["delivery"], folder / located(folder, row["file"]))
    return found


def _listed(folder: Path, name: str) -> list[Row]:
    try:
        return parsing.parse(name, files.read(folder, name, delivery.MAX_TABLE), Collector())
    except FileRefusedError:
        return []


def _is_inside(path: str) -> bool:
    parts = path.split("/")
    return bool(path) and not {"", ".", ".."} & set(parts) and "\\" not in path


def _taken(places: Places) -> Iterator[tuple[str, str]]:
    """(image, sha256) of every image and video of intake."""
    for name in ("images", "videos"):
        for path in sorted(places.results.glob(f"intake/*/{name}.parquet")):
            yield from ((row["image"], row["sha256"]) for row in rows_of_images.rows(path, {}, ("image", "sha256")))
