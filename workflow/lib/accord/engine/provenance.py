"""Provenance: how a file came about, carried by the file itself.

Times and hosts stay out, so that identical runs give identical bytes.
"""

import hashlib
import json
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from accord.errors import AccordError, Problem

STORED = re.compile(r"^\.snakemake/storage/[^/]+/[^/]+/")
"""How Snakemake calls its local copy of an object: folder, provider, bucket, then the object's name."""
CHUNK = 1 << 16
"""Bytes that are read at once: most files are small, and a large piece of memory for each takes longer than they."""
OPENING, CLOSING = "<!-- provenance ", " -->"


def record(step: str, code: str, inputs: Mapping[str, Sequence[Path]], params: dict[str, Any]) -> dict[str, Any]:
    """What is recorded of a step: its name, the digest of its code, its parameters, its inputs' sha256, and which of
    these were given for which argument.

    Raises AccordError with all inputs that are not there.
    """
    arguments = {name: [portable(path) for path in paths] for name, paths in inputs.items()}
    sums = _sums([path for paths in inputs.values() for path in paths])
    return {"step": step, "code": code, "params": params, "inputs": sums, "arguments": arguments}


def _sums(paths: list[Path]) -> dict[str, str]:
    """Path -> sha256 of files. Raises AccordError with all those that are not there."""
    hint = "create it first, or check the spelling"
    missing = [Problem(portable(path), "is missing", hint) for path in paths if not path.is_file()]
    if missing:
        raise AccordError(missing)
    return {portable(path): sha256(path) for path in paths}


def with_outputs(record: dict[str, Any], sinks: dict[str, Path]) -> dict[str, Any]:
    """The provenance record with the sha256 of the files that the step wrote itself, by parameter name."""
    return {**record, "outputs": {name: sha256(path) for name, path in sorted(sinks.items())}} if sinks else record


def of_file(record: dict[str, Any], name: str) -> dict[str, Any]:
    """The record of one of the files that a step returned together: it names it, so that no two are the same."""
    return {**record, "file": name}


def of_run(record: dict[str, Any]) -> dict[str, Any]:
    """What the records of all files of one run of a step have in common."""
    return {key: value for key, value in record.items() if key != "file"}


def portable(path: Path) -> str:
    """The path relative to the working folder, so that it holds wherever that folder lies.

    Of the local copy of an object it is the object's name, so that it holds wherever the results are kept.
    """
    return STORED.sub("", Path(os.path.relpath(path)).as_posix())


def sha256(path: Path) -> str:
    """The sha256 of a file, as hexadecimal digits."""
    return measured(path)[0]


def measured(path: Path | str) -> tuple[str, int]:
    """The sha256 of a file, as hexadecimal digits, and its size in bytes."""
    place = os.open(path, os.O_RDONLY)
    try:
        chunk = os.read(place, CHUNK)
        hashed, size = hashlib.sha256(chunk), len(chunk)
        while len(chunk) == CHUNK:  # an ordinary file gives less only at its end
            chunk = os.read(place, CHUNK)
            hashed.update(chunk)
            size += len(chunk)
    finally:
        os.close(place)
    return hashed.hexdigest(), size


def into_text(text: str, record: dict[str, Any]) -> str:
    """The text with its provenance as a comment at the end (HTML and Markdown show none of it)."""
    told = json.dumps(record, sort_keys=True).replace(">", "\\u003e")
    return f"{text.rstrip()}\n{OPENING}{told}{CLOSING}\n"


def footer(record: dict[str, Any]) -> dict[bytes, bytes]:
    """The provenance as a Parquet footer holds it."""
    return {b"provenance": json.dumps(record, sort_keys=True).encode()}


def of(path: Path) -> dict[str, Any] | None:
    """The provenance that a file carries (Parquet footer, JSON key, comment in text).

    None where it carries none that can be read, as in a file that was cut.
    """
    path = Path(path)
    try:
        if path.suffix == ".parquet":
            return _of_parquet(path)
        if path.suffix == ".json":
            document = json.loads(path.read_text())
            return document.get("provenance") if isinstance(document, dict) else None
        if path.suffix in (".html", ".md", ".csv", ".svg"):
            found = re.search(f"{re.escape(OPENING)}(.*){re.escape(CLOSING)}\\s*$", path.read_text())
            return json.loads(found[1]) if found else None
    except (ValueError, OSError):
        return None
    return None


def _of_parquet(path: Path) -> dict[str, Any] | None:
    import pyarrow.parquet as pq

    footer = pq.read_schema(path).metadata or {}
    return json.loads(footer[b"provenance"]) if b"provenance" in footer else None
