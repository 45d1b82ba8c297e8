"""What one delivery holds for each shard, as digests: read once for as long as its tables stay as they are."""

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from accord.errors import Collector
from accord.intake.delivered import copies, delivery, file_names, files, parsing, shares, sheets
from accord.intake.delivered.files import FileRefusedError
from accord.intake.delivered.row import Row
from accord.intake.delivered.shares import ANNOTATOR, IMAGE, PERSON, Alike, Tables
from accord.intake.reading import evidence, forms
from accord.text.references import lookalikes

FILES = {**dict.fromkeys(sheets.PICTURED, ("file", "annotations")), "forms.csv": ("file",)}
"""Columns that name files."""
OF_ALL = "annotators.csv"
"""The table that every shard has."""
UNKNOWN = "?"
"""What no listing is."""


class Part(NamedTuple):
    """A delivery's part in the shards. Nothing in it names a person.

    shards: shard -> digest, of those that hold a row of it; ends: shard -> last days of forms; others: digest of what
    all other shards tell of it, "" for nothing; sound: whether its tables have no problem; there: "" where all files
    that these name are there, else a digest of what is: nothing in the tables says when a file has come; videos:
    whether it has any.
    """

    vendor: str
    name: str
    shards: dict[str, str]
    ends: dict[str, list[str]]
    others: str
    sound: bool
    there: str
    videos: bool = False


def read(root: Path, description: dict, count: int) -> Part:
    """The part of the delivery in a folder in `count` shards. Rows count by all that they say, files by their sizes."""
    problems = Collector()
    given = tables(root, problems)
    vendor, name = description["vendor"], description["delivery"]
    sizes = _sizes(root, given)
    alike: Alike = {(IMAGE, vendor, name): lookalikes(shares.references(IMAGE, given))}
    said = {key: description[key] for key in ("format", "vendor", "delivery", "created", "notices")}
    # Once, since a row can be in the shares of all shards.
    marks = {id(row): _mark(row, sizes.get(id(row), ())) for rows in given.values() for row in rows}
    spelled = _spelled({OF_ALL: given[OF_ALL]})
    facts = _digest([said, delivery.is_rendered(description), _rows(given[OF_ALL], marks), spelled])
    copied = copies.of(given)
    conflicts = evidence.conflicts(evidence.signature(root, vendor, row) for row in given["forms.csv"])
    found, ends = {}, {}
    for shard, share in shares.split(vendor, given, count).items():
        mine = {of: share[of] for of in sheets.SHEETS if of != OF_ALL}
        if any(mine.values()):
            told = [facts, alike_in(share, alike, (IMAGE, vendor, name)), _spelled(mine)]
            several = sorted(copied & shares.references(IMAGE, share))
            disputed = disputed_in(share, conflicts)
            found[shard] = _digest([told, several, disputed, [_rows(rows, marks) for rows in mine.values()]])
            last = {row["expires_on"] for row in share["forms.csv"] if forms.is_date(row["expires_on"])}
            ends |= {shard: sorted(last)} if last else {}
    others = _digest([said["vendor"], said["delivery"], spelled]) if spelled else ""
    there = "" if all(min(of) >= 0 for of in sizes.values()) else listing(root)
    # A file that came while all were looked at is looked for again.
    there = there if not there or _sizes(root, given) == sizes else UNKNOWN
    return Part(vendor, name, found, ends, others, not problems, there, bool(given["videos.csv"]))


def listing(root: Path) -> str:
    """A digest of the paths and sizes of all files in a folder; links are not followed."""
    hashed = hashlib.blake2b(digest_size=16)
    for above, folders, names in os.walk(root):
        folders.sort()
        for path in (Path(above, name) for name in sorted(names)):
            hashed.update(os.fsencode(f"{path.relative_to(root)}\0{path.lstat().st_size}\0"))
    return hashed.hexdigest()


def tables(root: Path, problems: Collector) -> Tables:
    """The tables of the delivery in a folder; one that can't be read has no rows."""
    return {name: _table(root, name, problems) for name in sheets.SHEETS}


def others_alike(root: Path, vendor: str, count: int, alike: Alike) -> dict[str, list]:
    """Shard -> the references of people and annotators in a delivery's share of it that look like others."""
    shared = shares.split(vendor, tables(root, Collector()), count)
    scopes = [shares.scope(kind, vendor, "") for kind in (PERSON, ANNOTATOR)]
    return {shard: told for shard, share in shared.items() if (told := alike_in(share, alike, *scopes))}


def disputed(root: Path, vendor: str, count: int, conflicts: Mapping[str, str]) -> dict[str, list]:
    """Shard -> the forms in a delivery's share of it that are no evidence by what other deliveries say."""
    shared = shares.split(vendor, tables(root, Collector()), count)
    return {shard: told for shard, share in shared.items() if (told := disputed_in(share, conflicts))}


def disputed_in(share: Tables, conflicts: Mapping[str, str]) -> list[tuple[str, str]]:
    """The sha256 of a share's forms that are no evidence, and why."""
    given = {row["sha256"].lower() for row in share["forms.csv"]} if conflicts else set()
    return sorted((sha256, conflicts[sha256]) for sha256 in given & conflicts.keys())


def alike_in(share: Tables, alike: Alike, *scopes: tuple[str, ...]) -> list[list]:
    """The references of a share that look like others, which can be of other shards."""
    found = []
    for scope in scopes:
        others = alike.get(scope, {})
        named = shares.references(scope[0], share) & others.keys() if others else ()
        found += [[scope[0], one, others[one]] for one in sorted(named)]
    return found


def _table(root: Path, name: str, problems: Collector) -> list[Row]:
    try:
        return parsing.parse(name, files.read(root, name, delivery.MAX_TABLE), problems)
    except FileRefusedError as refused:
        if name not in sheets.OPTIONAL or refused.check != "missing_file":
            problems.add(name, refused.reason)
        return []


def _rows(rows: Iterable[Row], marks: dict[int, bytes]) -> str:
    return hashlib.blake2b(b"".join(marks[id(row)] for row in rows), digest_size=16).hexdigest()


def _mark(row: Row, sizes: Iterable[int]) -> bytes:
    """A digest of a row, of which no cell can hold a zero byte, and of the sizes of its files."""
    return hashlib.blake2b("\0".join((*row.values(), *map(str, sizes))).encode(), digest_size=16).digest()


def _spelled(share: Tables) -> list[list]:
    """The references that were written in another spelling than counts."""
    return [[of, dict(row), dict(row.spelled)] for of, rows in share.items() for row in rows if row.spelled]


def _sizes(root: Path, given: Tables) -> dict[int, list[int]]:
    """Row, by its identity -> the sizes of the files that it names, in bytes; -1 where there is none."""
    return {id(row): [_size(root, row[column]) for column in FILES[of]] for of in FILES for row in given[of]}


def _size(root: Path, path: str) -> int:
    try:
        place = root.joinpath(*files.parts(path))
        # In ASCII hardly any file is spelled otherwise, and of many that are missing each look takes its time.
        if path.isascii() or os.path.lexists(place):
            return os.lstat(place).st_size
        return os.lstat(root / file_names.located(root, path)).st_size
    except (FileRefusedError, OSError):
        return -1


def _digest(value: list) -> str:
    return hashlib.blake2b(json.dumps(value, sort_keys=True).encode(), digest_size=16).hexdigest()
