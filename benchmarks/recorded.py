"""What a step of a finished run was given, as the files that it made record it: for benchmarks that run it again."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from accord.engine import provenance, step, table
from accord.engine.parameter_types import Folder, Private

Given = dict[str, Any]


def arguments(made: Path) -> tuple[Callable[..., Any], Given]:
    """The function of the step that made a file, and what it was given: tables, paths and settings.

    Paths are those of the project's folder, which this process must be in. Former outputs and files that the step
    writes are left out.
    """
    record = provenance.of(made)
    if record is None:
        sys.exit(f"{made} says nothing of its step: run this in the folder of a project that has run")
    run = step.load(record["step"])
    given: Given = dict(record["params"])
    for key, kind in step.signature(run)[0].items():
        files = [Path(name) for name in record["arguments"].get(key, [])]
        if model := step.table_of(kind):
            given[key] = table.read(files, model)
        elif kind in (Path, list[Path]):
            given[key] = files if kind is not Path else files[0]
        elif kind in (Folder, Private):
            given[key] = Path(given[key])
    return run, given
