"""Copies: outputs beyond those that a step makes, which carry the genuine record of another file."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from accord.audit.telling import reading
from accord.audit.telling.checks import About, Check
from accord.engine import provenance, step, table
from accord.engine.parameter_types import Files, Typed
from accord.errors import AccordError, Problem

COPIES = About("lineage")
HINT = "one of them is a copy: find out who made it, delete both, and rerun the workflow"
WITH_RECORD = (".parquet", ".json", ".html", ".md", ".svg")
"""Endings of files that carry their record themselves."""


def checks(outputs: Iterable[Path], results: Path) -> list[Check]:
    """Every record of a run of a step may be carried by as many files of a kind as the step makes, and no more.

    Where the results of another configuration lie in a folder of their own under `results`, each has its own.
    """
    told = {path: record for path in outputs if path.suffix in WITH_RECORD and (record := reading.record(path))}
    others = _others(told, results)
    carried: dict[tuple[str, str], list[Path]] = defaultdict(list)
    for path, record in told.items():
        carried[json.dumps(record, sort_keys=True), _run(path, record, results, others)].append(path)
    problems = [found for key in sorted(carried) for found in _problems(json.loads(key[0]), sorted(carried[key]))]
    return COPIES.held("copies", problems, f"{len(carried)} step records: no file is a copy of another")


def _others(told: dict[Path, dict[str, Any]], results: Path) -> set[Path]:
    """The folders under `results` with results of another configuration: they hold what was made from files in them.
    What was made in one folder and copied into another names the files of the first."""
    above = {path: _above(path, record, results) for path, record in told.items()}
    return {one for path, one in above.items() if one != results and _are_in(told[path]["inputs"], one)}


def _above(path: Path, record: dict[str, Any], results: Path) -> Path:
    """The folder that has the folder of the step's room: `results`, or one under it."""
    room, below = record["step"].split(".")[0], path.relative_to(results).parts[:-1]
    return results.joinpath(*below[: below.index(room)]) if room in below else results


def _are_in(names: Iterable[str], folder: Path) -> bool:
    """Whether any of the files that a record names lies in a folder."""
    return any(Path(name).is_relative_to(provenance.portable(folder)) for name in names)


def _run(path: Path, record: dict[str, Any], results: Path, others: set[Path]) -> str:
    """In which of the other folders a file lies, "" for none, if it was made from no results. What was made from some
    names them in its record, and so has no equal of another configuration."""
    if _are_in(record["inputs"], results):
        return ""
    return max((one.as_posix() for one in others if path.is_relative_to(one)), key=len, default="")


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
