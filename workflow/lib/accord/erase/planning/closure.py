"""The forward closure: all results that were made from what names a person, by the provenance that files carry."""

import base64
import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from accord.engine import kept, provenance
from accord.engine.snakemake_files import INCOMPLETE, METADATA, record
from accord.engine.table_files import opened
from accord.erase.cases.places import Places
from accord.files import PARTIAL
from accord.shards import opaque_id

BACKUPS = "backups"
UNFINISHED = '{"external_jobid": null}'
NAMES, MADE = "contains their data", "derived from their data"
SHARDED = "intake"
ID_LENGTH = len(opaque_id(""))


class Falling(NamedTuple):
    """What falls, by path relative to the working folder.

    results: path -> how many rows (or, where it has none, lines) name the person or an image, 0 where none does.
    records: Snakemake's own, of these files; logs: of the jobs that made them; backups: Snakemake's copies of former
    outputs, which a run that was killed leaves. All of these fall: nobody needs them once no run is under way.
    """

    results: dict[str, int]
    records: list[str]
    logs: list[str]
    backups: list[str]


class Result(NamedTuple):
    """A file of results: the files that it was made from; whether its step wrote others that carry no provenance."""

    inputs: frozenset[str]
    told: bool
    wrote_others: bool


def find(places: Places, ids: Iterable[str], known: Iterable[str] = ()) -> Falling:
    """What falls with some ids. `known`: paths that were found to fall before, of which some may be gone by now."""
    files = [path for path in sorted(places.results.rglob("*")) if path.is_file()]
    results = {provenance.portable(path): _result(path, stamp(path)) for path in files}
    counts = {name: count for name in results if (count := rows_naming(Path(name), ids))}
    shards = {str(Path(name).parent) for name in counts if Path(name).parent.parent.name == SHARDED}
    seeds = {*counts, *known, *(name for name in results if str(Path(name).parent) in shards)}
    fallen = _downstream(results, seeds)
    jobs = list(_records(places.snakemake, fallen))
    records = sorted(str(path) for path, _ in jobs)
    logs = {log for _, job in jobs for log in job.get("log", []) if Path(log).is_file()}
    backups = sorted(str(path) for path in (places.snakemake / BACKUPS).rglob("*") if not path.is_dir())
    named = {name: counts.get(name, 0) for name in sorted(fallen & results.keys())}
    return Falling(named, records, sorted(logs), backups)


def rows_naming(path: Path, ids: Iterable[str]) -> int:
    """How many rows of a table, or lines of any other text, name one of the ids. A bundle's table tells for it.

    Where the footer of a table of kept rows alone names some: how many. A table that can't be read, as a cut one,
    counts as a row of theirs: it falls, and the next run makes it again. Short numbers, by which archives name people,
    are looked for in tables alone, where they are a whole cell: in a text they can be anything.
    """
    if path.suffix == ".parquet":
        lengths = frozenset(map(len, ids))
        try:
            known = _ids_in(path, stamp(path), lengths).intersection(ids)
            return (_rows(path, ids) or len(known)) if known else 0
        except (pa.ArrowException, OSError, ValueError):
            return 1
    if path.suffix == ".tar":
        return 0
    naming = re.compile(b"|".join(re.escape(one.encode()) for one in telling(ids)) or b"(?!)")
    with path.open("rb") as file:
        return sum(naming.search(line) is not None for line in file)


def telling(ids: Iterable[str]) -> list[str]:
    """The ids that can be looked for in any text, sorted: a short number can be anything there."""
    return sorted(one for one in ids if len(one) >= ID_LENGTH or not one.isdecimal())


@cache
def _ids_in(path: Path, stamped: tuple[int, ...], lengths: frozenset[int]) -> frozenset[str]:
    """All that can be an id of some length in a table, and the items that its footer knows: read once for all cases, as
    long as the file is the same."""
    found = set(kept.digests(path) or ())
    for columns in _texts(path):
        for column in columns:
            wanted = pc.is_in(pc.utf8_length(column), pa.array(sorted(lengths), pa.int32()))
            found |= set(column.filter(wanted).unique().to_pylist())
    return frozenset(found)


def _rows(path: Path, ids: Iterable[str]) -> int:
    wanted, found = pa.array(sorted(ids), pa.string()), 0
    for first, *others in _texts(path):
        any_of = pc.is_in(first, wanted)
        for column in others:
            any_of = pc.or_(any_of, pc.is_in(column, wanted))
        found += pc.sum(any_of).as_py() or 0
    return found


def _texts(path: Path) -> Iterator[list[pa.Array]]:
    """The columns of text of a table, batch by batch."""
    with opened(path) as file:
        names = [field.name for field in file.schema_arrow if _is_text(field.type)]
        for batch in file.iter_batches(columns=names) if names else ():
            yield [column.cast(pa.string()) for column in batch.columns]


def stamp(path: Path) -> tuple[int, ...]:
    """What tells a file from others, and from what it was before."""
    status = path.stat()
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _is_text(kind: pa.DataType) -> bool:
    return pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_dictionary(kind)


@cache
def _result(path: Path, stamped: tuple[int, ...]) -> Result:
    record = provenance.of(path)
    return Result(frozenset((record or {}).get("inputs", {})), record is not None, bool((record or {}).get("outputs")))


def _wrote_others(name: str, result: Result) -> bool:
    """A damaged table can't tell whether its step wrote others, so it may have."""
    return result.wrote_others or (name.endswith(".parquet") and not result.told)


def _downstream(results: dict[str, Result], seeds: set[str]) -> set[str]:
    """The seeds, and all that was made from them; a file without a record (a bundle, one that a crash left) falls with
    what was written beside it."""
    fallen = set(seeds)
    while True:
        writing = {str(Path(name).parent) for name in fallen if name in results and _wrote_others(name, results[name])}
        beside = {str(Path(name).parent) for name in fallen}
        new = {
            name
            for name, result in results.items()
            if name not in fallen
            and (
                result.inputs & fallen
                or (not result.told and str(Path(name).parent) in writing)
                or (PARTIAL in Path(name).name and str(Path(name).parent) in beside)
            )
        }
        if not new:
            return fallen
        fallen |= new


def _records(snakemake: Path, fallen: set[str]) -> Iterator[tuple[Path, dict]]:
    """(path, content) of what Snakemake keeps of outputs that fall: its files are named by them, in base64."""
    for kind in (METADATA, INCOMPLETE):
        for path in sorted((snakemake / kind).rglob("*")):
            if path.is_file() and _output(path.relative_to(snakemake / kind)) in fallen:
                yield path, _record(path)


def unfinished(snakemake: Path, output: str) -> Path:
    """Where Snakemake notes that a job which writes an output did not end."""
    return record(snakemake, INCOMPLETE, output)


def call_unfinished(snakemake: Path, output: str) -> None:
    """Have Snakemake run the job of an output again, though the output is there."""
    path = unfinished(snakemake, output)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(UNFINISHED)


def _output(path: Path) -> str:
    """The output that a record is of; "" where its name is none. A long name is cut into folders that begin with @."""
    name = "".join(part.removeprefix("@") for part in path.parts)
    try:
        return base64.b64decode(name, altchars=b"-_", validate=True).decode()
    except ValueError:
        return ""


def _record(path: Path) -> dict:
    try:
        told = json.loads(path.read_text())
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}
