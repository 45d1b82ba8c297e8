"""Taking a person out of a delivery: their files and rows, and the images that show them, with all that is theirs.

All other rows keep their very bytes. Interrupted anywhere and run again, it ends in the same bytes; until then the
digests in delivery.yaml don't fit, so that nobody takes the half for the whole.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from accord.errors import AccordError, Problem
from accord.intake.delivered.delivery import DESCRIPTION
from accord.intake.delivered.sheets import SHEETS
from accord.intake.redacting import fall, staging, verbatim
from accord.intake.redacting.fall import Fall
from accord.intake.redacting.staging import Work
from accord.intake.redacting.verbatim import Source


class Redacted(NamedTuple):
    """What goes, or went. `files`: kind (image, annotation, form) -> count; `rows`: table -> count; `where`: paths in
    the delivery of the files that go and of the tables that lose rows."""

    files: dict[str, int]
    rows: dict[str, int]
    where: tuple[str, ...]


def plan(delivery: Path, subject: str, images: frozenset[str] = frozenset()) -> Redacted:
    """What `redact` would take out, with what an interrupted one has still to finish. Touches nothing.

    Raises AccordError where the delivery can't be read or a table doesn't match its digest.
    """
    pending = _told(staging.staged(delivery))
    return _together(pending, _told(_work(delivery, subject, images).told))


def obstacles(delivery: Path, subject: str, images: frozenset[str] = frozenset()) -> list[Problem]:
    """What is in the way of `redact`: links, what is no regular file, what can't be written. Touches nothing.

    Raises AccordError as `plan` does.
    """
    work = _work(delivery, subject, images)
    try:
        staging.check(delivery, work.gone if work.kept else (), work.kept)
    except AccordError as error:
        return error.problems
    return []


def redact(delivery: Path, subject: str, images: frozenset[str] = frozenset()) -> Redacted:
    """Take a person (an opaque id), and images (opaque ids), out of the delivery in a folder.

    What falls is said by `fall.of_person`. Of somebody who isn't in it nothing is touched. Raises AccordError, with all
    problems and before anything is touched, where the delivery can't be read, a table doesn't match its digest, a file
    is read-only, or a path leads through a link.
    """
    pending = _told(staging.staged(delivery))
    staging.finish(delivery)
    work = _work(delivery, subject, images)
    if work.kept:
        staging.check(delivery, work.gone, work.kept)
        staging.stage(delivery, work)
        staging.finish(delivery)
    return _together(pending, _told(work.told))


def _work(root: Path, subject: str, images: frozenset[str]) -> Work:
    """All that is to be done, from what the delivery is once staged work is done."""
    source = verbatim.load(root, lambda name: staging.place(root, name))
    falling = fall.of_person(root, source, subject, images)
    new = {name: _without(source, name, at) for name, at in falling.rows.items() if at}
    if new:
        new[DESCRIPTION] = verbatim.described(source.description, new)
    return Work(sorted({path for paths in falling.files.values() for path in paths}), new, _tell(root, falling))


def _without(source: Source, name: str, gone: set[int]) -> bytes:
    return b"".join(record.raw for at, record in enumerate(source.tables[name]) if at not in gone)


def _tell(root: Path, falling: Fall) -> dict:
    there = {kind: [p for p in paths if root.joinpath(p).is_file()] for kind, paths in falling.files.items()}
    files = {kind: len(paths) for kind, paths in there.items() if paths}
    rows = {name: len(falling.rows[name]) for name in SHEETS if falling.rows.get(name)}
    where = sorted({path for paths in there.values() for path in paths}) + list(rows)
    return {"files": files, "rows": rows, "where": where}


def _told(told: dict | None) -> Redacted:
    told = told or {}
    return Redacted(told.get("files", {}), told.get("rows", {}), tuple(told.get("where", ())))


def _together(one: Redacted, other: Redacted) -> Redacted:
    where = tuple(dict.fromkeys((*one.where, *other.where)))
    return Redacted(_sum((one.files, other.files)), _sum((one.rows, other.rows)), where)


def _sum(counts: Iterable[dict[str, int]]) -> dict[str, int]:
    found: dict[str, int] = {}
    for count in counts:
        for key, number in count.items():
            found[key] = found.get(key, 0) + number
    return found
