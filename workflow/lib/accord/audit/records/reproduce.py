"""Doing a step again: a step is a pure function, so what it makes must be, byte for byte, what lies there.

This finds what no digest can: a table that was exchanged, with every record of its sha256 exchanged too. Steps that
evaluate a model, read a delivery or write a bundle are left out; what they made is told by an attestation (`attest`).
Rows that were taken over from a former output are made anew, too (`accord.engine.kept`).
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from accord.abuse import quarantine
from accord.audit.evidence.lineage import Node
from accord.audit.targets.places import Places
from accord.audit.telling import reading
from accord.audit.telling.checks import About, Check
from accord.engine import file_outputs, provenance, source, step, table
from accord.engine.parameter_types import Files, Folder, Former, Private
from accord.errors import AccordError, Problem

AGAIN = About("lineage")
OTHER = "it was exchanged, with the records of its sha256, or made by other packages: run the workflow again"
PLAIN = (str, int, float, bool, dict, list, list[str], list[float], list[int], list[dict])
"""Kinds of parameters that a provenance record tells whole."""

Provenance = dict[str, Any]
Tell = Callable[[str], None]


def silent(line: str) -> None:
    """Tell nobody."""


def checks(nodes: Iterable[Node], places: Places, tell: Tell = silent) -> list[Check]:
    """Do again every step that can be, and compare. `tell` takes each difference, at once, and how far it is: lines."""
    made: dict[str, list[str]] = defaultdict(list)
    for node in nodes:
        if node.record and Path(node.path).is_file():
            made[json.dumps(provenance.of_run(node.record), sort_keys=True)].append(node.path)
    problems, same, left = [], 0, set()
    for number, (told, wrong) in enumerate(_compared(made, places), 1):
        name = json.loads(told)["step"]
        if wrong is None:
            left.add(name)
        else:
            found = [Problem(path, f"is not what {name} makes of its inputs", OTHER) for path in wrong]
            same += len(made[told]) - len(wrong)
            problems += found
            for problem in found:
                tell(f"DIFFERS: {problem.where} {problem.what}")
        tell(f"made again: {number} of {len(made)} runs of steps, {len(problems)} differences so far")
    fine = f"{same} outputs were made again, and are the same"
    told_left = [AGAIN.none("made again", f"not done again: {', '.join(sorted(left))}")] if left else []
    return [*AGAIN.held("made again", sorted(problems), fine), *told_left]


def _compared(made: dict[str, list[str]], places: Places) -> Iterator[tuple[str, list[str] | None]]:
    """Each record, with those of its files that its step doesn't make; None where it can't be done again here."""
    if places.jobs < 2 or len(made) < 2:
        yield from ((told, _wrong(told, made[told], places)) for told in sorted(made))
        return
    with ProcessPoolExecutor(min(places.jobs, len(made)), get_context("spawn")) as pool:
        asked = {pool.submit(_wrong, told, made[told], places): told for told in sorted(made)}
        for done in as_completed(asked):
            yield asked[done], done.result()


def _wrong(told: str, paths: list[str], places: Places) -> list[str] | None:
    files = outputs(json.loads(told), places)
    return None if files is None else [path for path in paths if not _is_one_of(Path(path), files)]


def outputs(record: Provenance, places: Places) -> list[bytes] | None:
    """What a step makes from the inputs that its provenance names, each output; see `named`."""
    made = named(record, places)
    return None if made is None else list(made.values())


def named(record: Provenance, places: Places, *, by_any_code: bool = False) -> dict[str, bytes] | None:
    """What a step makes from the inputs of its provenance, by name; empty where it fails now, None where it can't be
    done again here.

    `by_any_code`: also where the code of this checkout is not the one that made it.
    """
    if not by_any_code and not is_ours(record):
        return None
    kinds = _kinds(record)
    if Private in kinds and Folder not in kinds:
        return _outputs(record, places)
    inputs = [(name, reading.sha256(Path(name)) if Path(name).is_file() else "") for name in sorted(record["inputs"])]
    matches = places.vault / quarantine.FOLDER if Private in kinds else Path()
    found = [reading.key(path) for path in sorted(matches.glob("*.json"))] if Private in kinds else []
    run = json.dumps(provenance.of_run(record), sort_keys=True)
    return _of_files(run, tuple(inputs), tuple(found), places.vault, places.weights)


@lru_cache(maxsize=128)
def _of_files(
    record: str, inputs: tuple[tuple[str, str], ...], matches: tuple[tuple, ...], vault: Path, weights: Path
) -> dict[str, bytes] | None:
    """The outputs of a step that depend on files alone, and so on their sha256: made once in a process. matches: with
    known abuse material, which look at pictures; weights: the folder of models' weights."""
    return _outputs(json.loads(record), Places(vault=vault, config={"evaluate": {"weights": str(weights)}}))


def is_ours(record: Provenance) -> bool:
    """Whether the code that a provenance record names is that of this checkout."""
    try:
        return source.digest(record["step"]) == record["code"]
    except (ValueError, SyntaxError):
        return False


def _kinds(record: Provenance) -> list[Any]:
    try:
        return list(step.signature(step.load(record["step"]))[0].values())
    except AccordError:
        return []


def tables(record: Provenance) -> dict[str, list[Path]]:
    """Which of the inputs that a provenance record names were which table of its step."""
    kinds, _ = step.signature(step.load(record["step"]))
    given = record.get("arguments", {})
    return {key: [Path(name) for name in given.get(key, [])] for key, kind in kinds.items() if step.table_of(kind)}


def _outputs(record: Provenance, places: Places) -> dict[str, bytes] | None:
    try:
        run = step.load(record["step"])
    except (ValueError, AccordError):
        return None
    kinds, returns = step.signature(run)
    given = _arguments(kinds, record, places)
    if given is None:
        return None
    try:
        with quarantine.unrecorded():
            made = run(**given)
        if returns is Files:
            return file_outputs.documents(made, record)
        with TemporaryDirectory() as folder:
            outs = {key: Path(folder) / key for key in step.outputs(returns)}
            step.write(made, returns, outs, record)
            return {key: path.with_name(path.name + step.PARTIAL).read_bytes() for key, path in outs.items()}
    except (AccordError, OSError, ValueError, KeyError, TypeError):
        return {}


def _arguments(kinds: dict[str, Any], record: Provenance, places: Places) -> dict[str, Any] | None:
    """The arguments of a step; None where the record doesn't tell them all, or where the step writes by itself."""
    params, files, given = dict(record["params"]), _files(record), tables(record)
    for key, kind in kinds.items():
        if kind is Former:
            params[key] = Former()
        elif kind is Private and key in params:
            params[key] = places.vault
        elif kind is Folder and key == "weights" and not record["step"].startswith("evaluate."):
            params[key] = places.weights
        elif kind == list[Path]:
            params[key] = files.get(key, [])
        elif kind is Path and files.get(key):
            params[key] = files[key][0]
        elif key not in given and kind not in (*PLAIN, Path):
            return None
    if {path for paths in files.values() for path in paths} != set(map(Path, record["inputs"])):
        return None
    try:
        return params | {key: table.read(mine, step.table_of(kinds[key])) for key, mine in given.items()}
    except AccordError:
        return None


def _files(record: Provenance) -> dict[str, list[Path]]:
    return {key: [Path(name) for name in names] for key, names in record.get("arguments", {}).items()}


def _is_one_of(path: Path, files: list[bytes]) -> bool:
    """Whether a file is one of those that were made; a table also where only its bytes differ, not its content."""
    if reading.sha256(path) in {hashlib.sha256(data).hexdigest() for data in files}:
        return True
    if path.suffix != ".parquet":
        return False
    try:
        found = pq.read_table(path, partitioning=None)
        return any(found.equals(pq.read_table(pa.BufferReader(data))) for data in files if data[:4] == b"PAR1")
    except (OSError, pa.ArrowException):
        return False
