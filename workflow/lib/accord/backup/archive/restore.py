"""Restoring deliveries from a backup, and verifying it: what nobody has the keys of is left out."""

import shutil
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from accord.backup.archive import index, keys, opening, packing
from accord.backup.archive.index import Held
from accord.backup.archive.keys import Ring
from accord.backup.archive.packing import Unpacked
from accord.errors import AccordError, Collector, Problem
from accord.files import PARTIAL, make_private
from accord.intake.delivered import files
from accord.intake.delivered.delivery import DESCRIPTION
from accord.intake.redacting import verbatim


@dataclass
class Large:
    """A file that lies in `count` pieces, of which so many are written: the number of its item, all files of that."""

    number: int
    count: int
    files: list[str]
    written: int = 0


class Verdict(NamedTuple):
    """How many objects of a backup can be had, how many can't for ever, and all that is wrong with the others."""

    objects: int
    gone: int
    problems: list[Problem]


def verify(vault: Path, folder: Path) -> Verdict:
    """Check every object's tag and that the backup is the newest; nothing is written anywhere."""
    ring = keys.read(vault)
    held = index.read(folder, ring.general)
    return _verdict(
        vault, folder, [o._replace(payload=b"") for one in held for o in opening.objects(folder, one, ring)]
    )


def restore(vault: Path, folder: Path, target: Path, *, despite: bool = False) -> Verdict:
    """Write the deliveries of a backup to a new folder, byte for byte but for the objects that are gone.

    Where some are, the rows of these are absent, and delivery.yaml has new digests. Raises AccordError, and writes
    nothing, where `target` exists, the backup is not the newest, or an object is broken; with `despite`, broken objects
    are left out as if they were gone.
    """
    if target.exists():
        raise AccordError(Problem(target.name, "exists already", "name a folder that doesn't exist yet"))
    ring = keys.read(vault)
    unfinished = target.with_name(target.name + PARTIAL)
    shutil.rmtree(unfinished, ignore_errors=True)
    make_private(unfinished)
    found = []
    try:
        for held in index.read(folder, ring.general):
            found += _delivery(folder, held, ring, unfinished / held.folder)
        verdict = _verdict(vault, folder, found)
        if verdict.problems and not despite:
            raise AccordError(verdict.problems)
        unfinished.rename(target)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return verdict


def _delivery(folder: Path, held: Held, ring: Ring, target: Path) -> list[opening.Object]:
    """Write a delivery; returns its objects without their payloads. An item that lacks a piece is left out."""
    make_private(target)
    rows: dict[tuple[str, int], list[bytes]] = defaultdict(list)
    large: dict[str, Large] = {}
    told = []
    for one in opening.objects(folder, held, ring):
        told.append(one._replace(payload=b""))
        if one.state == opening.OPENED:
            item = packing.unpack(one.payload)
            if item.piece is not None:
                _append(target, large.get(item.piece.path), item)
                continue
            rows |= {(table, one.number): list(reversed(raws)) for table, raws in item.rows.items()}
            for path, content in item.files.items():
                _write(target, path, content)
            large |= {path: Large(one.number, count, [*item.files, *item.large]) for path, count in item.large.items()}
    left_out = {one.number for one in large.values() if one.written < one.count}
    rows = defaultdict(list, {key: raws for key, raws in rows.items() if key[1] not in left_out})
    for path in {path for one in large.values() if one.number in left_out for path in one.files}:
        target.joinpath(*files.parts(path)).unlink(missing_ok=True)
    # Each item's rows are taken from the end of a reversed list: in their order, wherever they stood.
    tables = {
        table: b"".join(rows[table, number].pop() for number in numbers if rows[table, number])
        for table, numbers in held.order.items()
    }
    for table, data in tables.items():
        _write(target, table, data)
    if (target / DESCRIPTION).is_file():
        _write(target, DESCRIPTION, verbatim.described((target / DESCRIPTION).read_bytes(), tables))
    return told


def _append(target: Path, large: Large | None, item: Unpacked) -> None:
    """Write the next piece of a large file; one behind a piece that is missing, or of an item that is, is left out."""
    if large is None or item.piece is None or item.piece.number != large.written:
        return
    place = target.joinpath(*files.parts(item.piece.path))
    place.parent.mkdir(parents=True, exist_ok=True)
    with place.open("ab") as file:
        file.write(item.data)
    large.written += 1


def _write(target: Path, path: str, data: bytes) -> None:
    place = target.joinpath(*files.parts(path))
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(data)


def _verdict(vault: Path, folder: Path, found: list[opening.Object]) -> Verdict:
    problems = Collector(one.problem for one in found if one.problem is not None)
    old = index.rolled_back(vault, folder)
    if old is not None:
        problems.append(old)
    return Verdict(len(found), sum(one.state == opening.GONE for one in found), problems)
