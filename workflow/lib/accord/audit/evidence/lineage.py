"""Lineage: what a file was made from, read off the files themselves and held against the disk."""

import json
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from accord.audit.telling import reading
from accord.engine import provenance
from accord.errors import AccordError, Problem
from accord.release.searching import guards

OK, CHANGED, MISSING, SOURCE, UNKNOWN = "ok", "changed", "missing", "source", "unknown"
DELETED = "deleted"
BROKEN = (CHANGED, MISSING, UNKNOWN)
MANIFEST = "manifest.jsonl"
TOLD_BY = {".tar": ".parquet", ".safetensors": ".parquet", ".csv": ".parquet", ".md": ".json"}
"""Endings of files that carry no provenance -> those of the files beside them that tell it."""


@dataclass(frozen=True)
class Node:
    """A file in the lineage of another.

    `status`: ok (it is what its consumer read), source (ok, and it comes from outside the workflow), changed (its
    sha256 is not the recorded one), missing, deleted (of a search, which keeps no picture: it was used, and must be
    gone), unknown (no record says what it should be).
    """

    path: str
    status: str
    sha256: str
    record: dict[str, Any] | None = None
    inputs: tuple["Node", ...] = field(default=())

    def walk(self) -> Iterator["Node"]:
        """This node and all below it, each file once."""
        seen: set[str] = set()
        queue: deque[Node] = deque([self])
        while queue:
            node = queue.popleft()
            if node.path not in seen:
                seen.add(node.path)
                yield node
                queue.extend(node.inputs)


def trace(path: Path) -> Node:
    """The lineage of a file, down to what came from outside. Raises AccordError where there is no such file."""
    if not path.is_file():
        raise AccordError(Problem(str(path), "no such file", "name an output under results/ or releases/"))
    if path.name == MANIFEST:
        return _manifest(path)
    released = _released(path)
    if released is not None:
        return released
    record = record_of(path)
    status = UNKNOWN if record is None else OK
    return Node(provenance.portable(path), status, reading.sha256(path), record, _inputs(record))


def forget() -> None:
    """Forget what was traced: files may have changed since. What was read of those that did is read again."""
    _expected.cache_clear()


@cache
def _expected(name: str, recorded: str) -> Node:
    """The node of an input whose consumer recorded its sha256."""
    path = Path(name)
    if not path.is_file():
        return Node(name, DELETED if guards.is_fleeting(path) else MISSING, recorded)
    found = reading.sha256(path)
    if found != recorded:
        return Node(name, CHANGED, found)
    record = record_of(path)
    return Node(name, SOURCE if record is None else OK, found, record, _inputs(record))


def _inputs(record: dict[str, Any] | None) -> tuple[Node, ...]:
    return tuple(_expected(name, recorded) for name, recorded in sorted((record or {}).get("inputs", {}).items()))


def record_of(path: Path) -> dict[str, Any] | None:
    """The record that a file carries; of a bundle, model, CSV or Markdown, that of a file beside it, made with it."""
    told = reading.record(path)
    if told is not None or path.suffix not in TOLD_BY:
        return told
    digest = reading.sha256(path)
    beside = (reading.record(other) for other in sorted(path.parent.glob(f"*{TOLD_BY[path.suffix]}")))
    return next((record for record in beside if record and digest in record.get("outputs", {}).values()), None)


def _released(path: Path) -> Node | None:
    """The node of a file in a release: its manifest or its seal says what it must be, its record where it is from."""
    manifest = next((p / MANIFEST for p in path.resolve().parents if (p / MANIFEST).is_file()), None)
    if manifest is None:
        return None
    inside = path.resolve().relative_to(manifest.parent).as_posix()
    entries = (json.loads(line) for line in manifest.read_text().splitlines())
    listed = {entry["path"]: entry["sha256"] for entry in entries}
    record = _record(reading.sha256(manifest))
    sealed = json.loads(record.read_text()).get("sealed", {}) if record else {}
    recorded, found = (listed | sealed).get(inside), reading.sha256(path)
    status = UNKNOWN if recorded is None else OK if recorded == found else CHANGED
    return Node(provenance.portable(path), status, found, None, (_manifest(manifest),))


def _manifest(manifest: Path) -> Node:
    """The node of a manifest: from the record of the release that it is of."""
    found, name = reading.sha256(manifest), provenance.portable(manifest)
    record = _record(found)
    return Node(name, OK, found, None, (trace(record),)) if record else Node(name, UNKNOWN, found)


def _record(manifest_sha256: str) -> Path | None:
    """The record of the release whose manifest has that sha256."""
    records = sorted(Path().glob("*/release/release.json"))
    return next((r for r in records if json.loads(r.read_text()).get("manifest_sha256") == manifest_sha256), None)
