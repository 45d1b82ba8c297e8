"""Digests of what a delivery holds for each shard, so that a change of one shard's part reruns that shard alone.

Read when the workflow is parsed: only light modules are imported, and no image is opened.
"""

import hashlib
import json
import os
from pathlib import Path
from typing import NamedTuple

from accord.errors import Collector, all_problems
from accord.intake.delivered import delivery, files, shares, sheets
from accord.intake.delivered.files import FileRefusedError
from accord.intake.reading import forms
from accord.shards import names

FILES = {"images.csv": ("file", "annotations"), "forms.csv": ("file",)}
"""Columns that name files."""


class Content(NamedTuple):
    """For each shard: a digest of what deliveries hold for it, the ids of the people whom its images show, and the last
    days of its forms."""

    digests: dict[str, str]
    subjects: dict[str, frozenset[str]]
    ends: dict[str, frozenset[str]]


def read(roots: list[str], count: int) -> Content:
    """What the deliveries in the folders `roots` hold for each of `count` shards.

    Rows count by their content, files by size and time of change. Raises AccordError where a folder is no delivery;
    all else that is wrong with one is left to the step that reads it.
    """
    hashes = {shard: hashlib.blake2b(digest_size=16) for shard in names(count)}
    people: dict[str, frozenset[str]] = dict.fromkeys(names(count), frozenset())
    ends = dict(people)
    read_in = [(root, said, {name: _rows(root, name) for name in sheets.SHEETS}) for root, said in _descriptions(roots)]
    alike = shares.lookalikes((said["vendor"], said["delivery"], tables) for _, said, tables in read_in)
    for root, description, tables in read_in:
        marks = {id(row): _mark(root, name, row) for name, rows in tables.items() for row in rows}
        said = {key: description[key] for key in ("format", "vendor", "delivery", "notices")}
        said["rendered"] = delivery.is_rendered(description)
        for shard, share in shares.split(description["vendor"], tables, count).items():
            counts = {name: len(rows) for name, rows in share.items()}
            facts = [said, counts, _alike(description, share, alike)]
            hashes[shard].update(json.dumps(facts, sort_keys=True).encode())
            for name in sheets.SHEETS:
                hashes[shard].update(b"".join(marks[id(row)] for row in share[name]))
            people[shard] |= shares.subjects(description["vendor"], share)
            ends[shard] |= {row["expires_on"] for row in share["forms.csv"] if forms.is_date(row["expires_on"])}
    return Content({shard: hashed.hexdigest() for shard, hashed in hashes.items()}, people, ends)


def _alike(description: dict, share: shares.Tables, alike: shares.Alike) -> list[list]:
    """The references of a share that look like others, which can be of other shards."""
    found = []
    for kind in shares.COLUMNS:
        others = alike.get(shares.scope(kind, description["vendor"], description["delivery"]), {})
        found += [[kind, one, others[one]] for one in sorted(shares.references(kind, share) & others.keys())]
    return found


def _descriptions(roots: list[str]) -> list[tuple[Path, dict]]:
    with all_problems() as problems:
        read = [(Path(root), _description(root, problems)) for root in roots]
    found = [(root, said) for root, said in read if said is not None]
    return sorted(found, key=lambda pair: (pair[1]["vendor"], pair[1]["delivery"]))


def _description(root: str, problems: Collector) -> dict | None:
    if not Path(root).is_dir():
        hint = "correct intake.deliveries in the config; `accord delivery validate FOLDER` checks a delivery"
        problems.add(root, "the delivery is not a folder", hint)
        return None
    return delivery.describe(Path(root), delivery.SCHEMA, problems)


def _rows(root: Path, name: str) -> list[sheets.Row]:
    try:
        return sheets.parse(name, files.read(root, name, delivery.MAX_TABLE), Collector())
    except FileRefusedError:
        return []


def _mark(root: Path, name: str, row: sheets.Row) -> bytes:
    """A digest of a row and of its files: made once, since a row can be in the shares of all shards."""
    facts = [_facts(root, row[column]) for column in FILES.get(name, ())]
    return hashlib.blake2b(json.dumps([row, facts], sort_keys=True).encode(), digest_size=16).digest()


def _facts(root: Path, path: str) -> tuple[int, int]:
    """Size (bytes) and time of change (ns) of a file; -1 where there is none."""
    try:
        facts = os.lstat(root.joinpath(*files.parts(path)))
    except (FileRefusedError, OSError):
        return -1, -1
    return facts.st_size, facts.st_mtime_ns
