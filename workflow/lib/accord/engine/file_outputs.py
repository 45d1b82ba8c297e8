"""Files that a step returns together: their bytes, each with the record of how it came about."""

import hashlib
import io
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO

from accord.engine import provenance
from accord.engine.parameter_types import Kept, Pieces, Typed
from accord.errors import AccordError, Problem

BESIDE = (".csv", ".md")
"""Endings of files whose provenance others made with them tell: CSV has no place for one, Markdown is read as it is."""


def flat(outs: Iterable[Path | list[Path]]) -> list[Path]:
    """The paths of outputs, of which some are lists."""
    return [path for out in outs for path in (out if isinstance(out, list) else [out])]


def make_folders(paths: list[Path]) -> None:
    """Make the folders of outputs. Raises AccordError where a folder lies in a file's place, or the other way round."""
    hint, folders = "move it away, or name another place", [path for path in paths if path.is_dir()]
    problems = [Problem(str(path), "is a folder, where a file is to be written", hint) for path in folders]
    above = sorted({parent for path in paths for parent in path.parents})
    problems += [Problem(str(at), "is a file, where a folder is needed", hint) for at in above if at.is_file()]
    if problems:
        raise AccordError(problems)
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)


def named(paths: list[Path]) -> dict[str, Path]:
    """Name -> path of each: relative to the folder of the first."""
    return {path.relative_to(paths[0].parent).as_posix(): path for path in paths}


def placed(made: dict[str, Any], paths: list[Path], record: dict[str, Any]) -> dict[Path, bytes]:
    """Path -> bytes. Raises AccordError where the names that were made aren't those that were asked for."""
    asked = named(paths)
    problems = [
        Problem(name, "is an output of the rule, but the step does not produce it", "see the rule's output")
        for name in asked.keys() - made
    ]
    problems += [
        Problem(name, "is produced by the step, but not an output of the rule", "see the rule's output")
        for name in made.keys() - asked
    ]
    if problems:
        raise AccordError(sorted(problems))
    return {asked[name]: data for name, data in documents(made, record).items()}


def documents(made: dict[str, Any], record: dict[str, Any]) -> dict[str, bytes]:
    """Name -> bytes of each file, with its provenance; the sha256 of those that carry none is in the others'.

    Each record names its file, so that two files with nothing in them aren't taken for copies of each other.
    """
    plain = {name: text.encode() for name, text in made.items() if name.endswith(BESIDE)}
    digests = {name: hashlib.sha256(data).hexdigest() for name, data in sorted(plain.items())}
    told = {**record, "outputs": digests} if digests else record
    return {
        name: plain[name] if name in plain else _told(value, provenance.of_file(told, name))
        for name, value in made.items()
    }


def _told(value: Any, record: dict[str, Any]) -> bytes:
    if isinstance(value, dict):
        return f"{json.dumps({**value, 'provenance': record}, indent=1, sort_keys=True)}\n".encode()
    return provenance.into_text(value, record).encode() if isinstance(value, str) else _parquet(value, record)


def _parquet(value: Any, record: dict[str, Any]) -> bytes:
    buffer = io.BytesIO()
    if isinstance(value, Typed):
        write_typed(value, buffer, record)
        return buffer.getvalue()
    import pyarrow as pa

    from accord.engine import table

    arrow = pa.Table.from_pandas(value, preserve_index=False)
    table.save(arrow.replace_schema_metadata(provenance.footer(record)), buffer)
    return buffer.getvalue()


def write_typed(value: Typed, to: Path | BinaryIO, record: dict[str, Any]) -> None:
    """Write a table to Parquet, checked, with its provenance; where it is `Kept`, with what its rows were made from."""
    from accord.engine import pieces, table

    if isinstance(value.rows, Pieces):
        pieces.write(value.rows, value.model, to, record)
        return
    rows, made_from = value.rows if isinstance(value.rows, Kept) else (value.rows, None)
    table.write(rows, value.model, to, record, made_from)
