"""Reading for an audit: each file is hashed, and its provenance and columns read, once in a process.

What is known of a file counts as long as its size and times are the same, and within the process alone.
"""

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from accord.engine import provenance

UNREADABLE = (OSError, ValueError, pa.ArrowException)
THREADS = 8
Value = TypeVar("Value")
_digests: dict[tuple, str] = {}
_records: dict[tuple, dict[str, Any] | None] = {}
_columns: dict[tuple, tuple[str, ...] | None] = {}


def once(memory: dict[Any, Value], known: Any, make: Callable[[], Value]) -> Value:
    """What is remembered under a key of the files that it is of; made where it is not."""
    if known not in memory:
        memory[known] = make()
    return memory[known]


def sha256(path: Path) -> str:
    """The sha256 of a file."""
    return once(_digests, key(path), lambda: provenance.sha256(path))


def record(path: Path) -> dict[str, Any] | None:
    """The provenance record that a file carries itself; None where it carries none that can be read."""
    return once(_records, key(path), lambda: _record(path))


def columns(table: Path) -> tuple[str, ...] | None:
    """The columns of a Parquet file; None where it can't be read."""
    try:
        return once(_columns, key(table), lambda: _of_table(table))
    except OSError:  # it isn't there
        return None


def ahead(paths: Iterable[Path]) -> None:
    """Hash files side by side, the large ones first: hashing leaves the interpreter's lock."""
    there = sorted((path for path in set(paths) if path.is_file()), key=lambda path: -path.stat().st_size)
    with ThreadPoolExecutor(min(THREADS, os.cpu_count() or 1)) as pool:
        list(pool.map(sha256, there))


def forget() -> None:
    """Forget what was read: files may have changed since."""
    _digests.clear()
    _records.clear()
    _columns.clear()


def _record(path: Path) -> dict[str, Any] | None:
    told = provenance.of(path)
    return told if _is_record(told) else None


def _of_table(path: Path) -> tuple[str, ...] | None:
    try:
        return tuple(pq.read_schema(path).names)
    except UNREADABLE:
        return None


def _is_record(told: Any) -> bool:
    """Whether it has the form of a provenance record: what files say is not trusted."""
    return (
        isinstance(told, dict)
        and all(isinstance(told.get(name), str) for name in ("step", "code"))
        and isinstance(told.get("params"), dict)
        and _is_digests(told.get("inputs"))
        and _is_digests(told.get("outputs", {}))
        and _are_arguments(told.get("arguments", {}))
    )


def _are_arguments(told: Any) -> bool:
    return isinstance(told, dict) and all(
        isinstance(paths, list) and all(isinstance(path, str) for path in paths) for paths in told.values()
    )


def _is_digests(told: Any) -> bool:
    return isinstance(told, dict) and all(isinstance(digest, str) for digest in told.values())


def key(path: Path) -> tuple:
    """What changes when a file does: its name, number, size and times; that of its last change nobody can set."""
    facts = os.stat(path)  # noqa: PTH116 - asked some ten thousand times: a Path takes longer than the question
    return (str(path), facts.st_ino, facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns)
