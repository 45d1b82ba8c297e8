"""Copies: outputs beyond those that a step makes, which carry the genuine record of another file."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from accord.audit.telling import reading
from accord.audit.telling.checks import About, Check
from accord.engine import step, table
from accord.engine.parameter_types import Files, Typed
from accord.errors import AccordError, Problem

COPIES = About("lineage")
HINT = "one of them was copied from another place: find out by whom, delete both, and run the workflow again"
WITH_RECORD = (".parquet", ".json", ".html", ".md", ".svg")
"""Endings of files that carry their record themselves."""


def checks(outputs: Iterable[Path]) -> list[Check]:
    """Every record of a run of a step may be carried by as many files of a kind as the step makes, and no more."""
    carried: dict[str, list[Path]] = defaultdict(list)
    for path in outputs:
        if path.suffix in WITH_RECORD and (told := reading.record(path)):
            carried[json.dumps(told, sort_keys=True)].append(path)
    problems = [problem for told in sorted(carried) for problem in _problems(json.loads(told), sorted(carried[told]))]
    return COPIES.held("copies", problems, f"{len(carried)} records of steps: no file is a copy of another one")


def _problems(record: dict[str, Any], paths: list[Path]) -> Iterator[Problem]:
    if file := record.get("file"):
        made, kind = Counter([file]), lambda _: file
    else:
        made = _made(record["step"])
        kind = reading.sha256 if made is None else _kind
    for one, count in Counter(map(kind, paths)).items():
        same = [path.as_posix() for path in paths if kind(path) == one]
        most = 1 if made is None else made[one]
        if count > most:
            what = f"carry the record of {most} output(s) of {record['step']}"
            yield Problem(" and ".join(same), what, HINT)


def _made(name: str) -> Counter | None:
    """How many outputs of each kind a step makes; None where its code doesn't say."""
    try:
        _, returns = step.signature(step.load(name))
    except AccordError:
        return None
    kinds = step.outputs(returns).values()
    return None if returns is Files or Typed in kinds else Counter(map(_of, kinds))


def _of(kind: Any) -> tuple[str, ...] | str:
    model = step.table_of(kind)
    return tuple(table.arrow_schema(model).names) if model else ".json" if kind is dict else "text"


def _kind(path: Path) -> tuple[str, ...] | str:
    """What sets one output of a step apart from the others: its columns, or what file it is."""
    if path.suffix != ".parquet":
        return ".json" if path.suffix == ".json" else "text"
    columns = reading.columns(path)
    return "unreadable" if columns is None else columns
