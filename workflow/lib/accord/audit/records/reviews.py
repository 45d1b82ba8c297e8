"""People's decisions: whether their chain is whole, and each that the flow used is in it; who decided, and when.

Who is told by their role: names stay in the vault.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow.parquet as pq

from accord.audit.records import rows_of_images
from accord.audit.targets.places import Places
from accord.audit.telling import reading
from accord.audit.telling.checks import About, Check
from accord.errors import AccordError, Problem
from accord.review.database import chain, store, work
from accord.review.database.chain import Decided

DECISIONS = About("decisions")
NAME = "people's decisions"
USED = "*/*/*decisions.parquet"
"""Tables of the decisions that the flow used, below the results."""

CHANGED = "the vault or the results were changed: restore the vault from a backup, or rerun the workflow"
SINCE = "run the workflow: it reruns the shards concerned"


class Use(NamedTuple):
    """A row of a table of decisions that the flow used."""

    path: Path
    row: dict[str, Any]


class Vault(NamedTuple):
    """What a vault knows: hash -> entry of the chain; (item, number) -> what is settled, as the flow would get it."""

    entries: dict[str, Decided]
    settled: dict[tuple[str, int], dict[str, Any]]
    problems: list[Problem]


def checks(places: Places) -> list[Check]:
    """The chain of decisions, each decision that the flow used, and those that were made since."""
    used = list(_used(places))
    if not used and not store.exists(places.vault):
        return [DECISIONS.none(NAME, "none recorded: every verdict follows from checks")]
    known = _known(places)
    told = DECISIONS.held("chain of decisions", known.problems, f"{len(known.entries)} records, none changed")
    wrong = {problem for use in used if (problem := _wrong(use, known))}
    told += DECISIONS.held(NAME, sorted(wrong), f"all {len(used)} decisions used by the workflow are in the chain")
    if since := _since(used, known, places):
        told.append(DECISIONS.warned(NAME, f"{since} items were decided, or decided again, since", hint=SINCE))
    return told


def of_image(image: str, places: Places) -> list[Check]:
    """Each decision about an image that the flow used: what, by whom (their role), and when."""
    used = [use for use in _used(places) if use.row["image"] == image and use.row["number"] == 0]
    if not used:
        return [DECISIONS.none(NAME, "none recorded")]
    known = _known(places)
    return [_told(use, known) for use in used]


def _told(use: Use, known: Vault) -> Check:
    if problem := _wrong(use, known):
        return DECISIONS.failed(NAME, problem.what, problem.where, problem.hint)
    entry = known.entries[use.row["entry"]]
    how = "after adjudication" if entry.act == "adjudication" else "after review"
    what = f"{entry.decision} in queue {use.row['queue']}, {how}, role {entry.role}, at {entry.recorded_at}"
    return DECISIONS.passed(NAME, f"{what}, entry {entry.seq}", use.path.as_posix())


def _wrong(use: Use, known: Vault) -> Problem | None:
    """What speaks against a decision that was used."""
    row, entry = use.row, known.entries.get(use.row["entry"])
    now = known.settled.get((row["item"], row["number"]))
    if entry is None:
        return Problem(use.path.as_posix(), "contains decisions that are not in the vault's chain", CHANGED)
    same = now is None or now["entry"] != row["entry"] or now == row
    if (entry.item, entry.decision) != (row["item"], row["decision"]) or not same:
        return Problem(use.path.as_posix(), "contains decisions that were changed", CHANGED)
    return None


def _since(used: list[Use], known: Vault, places: Places) -> int:
    """How many items of images in the results are settled otherwise than the flow knew."""
    tables = list(places.results.glob(USED))
    if not tables:
        return 0
    images = {
        row["image"]
        for name in ("images", "videos")
        for path in places.results.glob(f"consent/*/{name}.parquet")
        for row in rows_of_images.rows(path, {}, ["image"])
    }
    knew = {use.row["entry"] for use in used}
    return len({key[0] for key, row in known.settled.items() if row["image"] in images and row["entry"] not in knew})


def _used(places: Places) -> Iterator[Use]:
    for path in sorted(places.results.glob(USED)):
        if {"item", "entry", "decision", "image"} <= set(rows_of_images.names(path)):
            try:
                yield from (Use(path, row) for row in pq.read_table(path, partitioning=None).to_pylist())
            except reading.UNREADABLE:
                continue  # that it can't be read is told by its sha256


def _known(places: Places) -> Vault:
    """What the vault knows of decisions; a database that can't be used is a problem of the chain."""
    try:
        with store.reading(places.vault) as db:
            problems, entries = chain.verify(db), chain.decided(db)
            found = [] if problems else work.decided(db).to_dict("records")
    except AccordError as error:
        return Vault({}, {}, error.problems)
    settled = {(row["item"], row["number"]): {**row, "polygon": list(row["polygon"])} for row in found}
    return Vault(entries, settled, problems)
