"""What one start of Snakemake leaves for the next and for the jobs: JSON that is taken whole or not at all.

Nothing of it is needed: it can be found again, and is, wherever it isn't what its reader asks for.
"""

import contextlib
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from accord import files
from accord.engine import run_lock

FOLDER = Path(".snakemake/accord")
"""Beside Snakemake's own records, which a copy of a project has too."""


def read(path: Path, of: Any) -> Any:
    """What was kept under the key `of`; None where there is nothing, something else, or a part of it."""
    try:
        digest, _, data = path.read_bytes().partition(b"\n")
    except OSError:
        return None
    if digest.decode("ascii", "replace") != hashlib.sha256(data).hexdigest():
        return None
    found = json.loads(data)
    return found["found"] if found["of"] == _sum(of) else None


def keep(path: Path, of: Any, found: Any) -> None:
    """Replace what was kept, where it differs. Where nothing can be written, nothing is kept."""
    data = json.dumps({"of": _sum(of), "found": found}, sort_keys=True).encode()
    whole = hashlib.sha256(data).hexdigest().encode() + b"\n" + data
    with contextlib.suppress(OSError):
        if not path.is_file() or path.read_bytes() != whole:
            path.parent.mkdir(parents=True, exist_ok=True)
            files.replace(path, whole, files.PRIVATE_FILE)


def found(path: Path, of: Any, find: Callable[[], Any], *, main: bool) -> Any:
    """What is found as Snakemake starts: by the process that plans (`main`) each time, and kept; its jobs read that.

    A job that finds nothing kept, as on a machine that doesn't share the project's folder, finds it itself. While a run
    goes on, nobody else changes what its jobs read.
    """
    if not main and (known := read(path, of)) is not None:
        return known
    new = json.loads(json.dumps(find()))
    if main and run_lock.live() is None:
        keep(path, of, new)
    return new


def _sum(key: Any) -> str:
    return hashlib.sha256(json.dumps(key, sort_keys=True).encode()).hexdigest()
