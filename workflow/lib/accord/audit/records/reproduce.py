"""Doing a step again: a step is a pure function, so what it makes must be, byte for byte, what lies there.

This finds what no digest can: a table exchanged together with every record of its sha256. Steps that give
a large model batches, and those that write into the vault or a release, are left out; what they made is told by an
attestation (`attest`) or by the release's seal. Rows and pictures that were taken over from a former output are made
anew, too (`accord.engine.kept`).
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import ExitStack
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from accord.abuse import quarantine
from accord.audit.evidence.lineage import Node
from accord.audit.records.recorded_arguments import ONE_BY_ONE, Provenance, arguments
from accord.audit.targets.places import Places
from accord.audit.telling import reading
from accord.audit.telling.checks import About, Check
from accord.engine import file_outputs, provenance, source, step
from accord.engine.parameter_types import Files, Folder, Private, Sink
from accord.errors import AccordError, Problem
from accord.files import temporary
from accord.release.searching import guards

AGAIN = About("lineage")
OTHER = "it was replaced along with the records of its sha256, or made with other packages: rerun the workflow"

SEARCH = "release.import_search"
Tell = Callable[[str], None]


class Digest(bytes):
    """The sha256 of an output in place of its bytes: a bundle is too large to be held."""


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
            found = [Problem(path, f"differs from what {name} makes from its inputs", OTHER) for path in wrong]
            same += len(made[told]) - len(wrong)
            problems += found
            for problem in found:
                tell(f"DIFFERS: {problem.where} {problem.what}")
        tell(f"rerun: {number} of {len(made)} step runs, {len(problems)} differences so far")
    fine = f"{same} outputs were reproduced identically"
    told_left = [AGAIN.none("reproduced", f"not rerun: {', '.join(sorted(left))}")] if left else []
    return [*AGAIN.held("reproduced", sorted(problems), fine), *told_left]


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
    if list[Folder] in kinds or (Private in kinds and Folder not in kinds):
        return _outputs(record, places)
    inputs = [(name, reading.sha256(Path(name)) if Path(name).is_file() else "") for name in sorted(record["inputs"])]
    found = [reading.key(path) for path in _of_vault(places.vault)] if Private in kinds else []
    run = json.dumps(provenance.of_run(record), sort_keys=True)
    return _of_files(run, tuple(inputs), tuple(found), places.vault, places.weights)


def _of_vault(vault: Path) -> list[Path]:
    """What steps that know models read in the vault: matches with known abuse material, and reviewers' decisions."""
    return [*sorted((vault / quarantine.FOLDER).glob("*.json")), *sorted(vault.glob("*.sqlite*"))]


@lru_cache(maxsize=128)
def _of_files(
    record: str, inputs: tuple[tuple[str, str], ...], vaulted: tuple[tuple, ...], vault: Path, weights: Path
) -> dict[str, bytes] | None:
    """The outputs of a step that depend on files alone, and so on their sha256: made once in a process. vaulted: what
    tells the state of files of the vault; weights: the folder of models' weights."""
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


def _outputs(record: Provenance, places: Places) -> dict[str, bytes] | None:
    try:
        run = step.load(record["step"])
    except (ValueError, AccordError):
        return None
    kinds, returns = step.signature(run)
    given = arguments(kinds, record, places)
    if given is None or _is_of_search(record):
        return None
    try:
        with ExitStack() as open_files, quarantine.unrecorded():
            # Without a name: of a killed audit no picture is left anywhere.
            sinks = {key: open_files.enter_context(temporary()) for key, kind in kinds.items() if kind is Sink}
            made = run(**given, **{key: Path(f"/proc/self/fd/{file.fileno()}") for key, file in sinks.items()})
            bundles = {key: Digest(hashlib.file_digest(file, "sha256").digest()) for key, file in sinks.items()}
        return {**bundles, **_written(made, returns, record)}
    except (AccordError, OSError, ValueError, KeyError, TypeError) as error:
        return None if record["step"] == ONE_BY_ONE and isinstance(error, AccordError) else {}


def _is_of_search(record: Provenance) -> bool:
    """Whether a step would search anew, or needs what a search has deleted: it can't be done again, and must not be."""
    inputs = [Path(name) for name in record["inputs"]]
    return record["step"] == SEARCH or any(not path.exists() and guards.is_fleeting(path) for path in inputs)


def _written(made: Any, returns: Any, record: Provenance) -> dict[str, bytes]:
    """The bytes of what a step returned, by name."""
    if returns is Files:
        return file_outputs.documents(made, record)
    with TemporaryDirectory() as folder:
        outs = {key: Path(folder) / key for key in step.outputs(returns)}
        step.write(made, returns, outs, record)
        return {key: path.with_name(path.name + step.PARTIAL).read_bytes() for key, path in outs.items()}


def _is_one_of(path: Path, files: list[bytes]) -> bool:
    """Whether a file is one of those that were made; a table also where only its bytes differ, not its content."""
    digests = {(data if isinstance(data, Digest) else hashlib.sha256(data).digest()).hex() for data in files}
    if reading.sha256(path) in digests:
        return True
    if path.suffix != ".parquet":
        return False
    try:
        found = pq.read_table(path, partitioning=None)
        return any(found.equals(pq.read_table(pa.BufferReader(data))) for data in files if data[:4] == b"PAR1")
    except (OSError, pa.ArrowException):
        return False
