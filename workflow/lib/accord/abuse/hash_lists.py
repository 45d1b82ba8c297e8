"""Lists of hashes of known abuse material: read whole, or refused with every line that is wrong."""

import csv
import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from accord.errors import Collector, all_problems

LENGTHS = {"pdq": 64, "md5": 32, "sha1": 40}
"""Kinds of hashes, and how many hexadecimal digits each has."""
OTHER_NAMES = {"photo_md5": "md5", "video_md5": "md5"}
HINT = "each line is `pdq`, `md5` or `sha1`, a space and the hash; or the file is a CSV with columns of these names"


class Signal(NamedTuple):
    """A hash of a list. `source`: the name of the list's file without its ending."""

    kind: str
    value: str
    source: str


def read(paths: Iterable[Path]) -> list[Signal]:
    """All signals of some lists, in their order, each once per list.

    A list is a file of threatexchange's local-file exchange (one `kind hash` per line; lines that begin with # are
    comments), or a CSV with a header that names at least one kind. Raises AccordError with every line that is neither,
    without quoting it.
    """
    found: dict[Signal, None] = {}
    with all_problems() as problems:
        for path in paths:
            lines = _lines(Path(path), problems)
            pairs = _table(lines) if lines and set(_header(lines[0])) & set(LENGTHS) else _plain(lines)
            for line, kind, value in pairs:
                _add(found, Path(path), line, OTHER_NAMES.get(kind, kind), value.strip().lower(), problems)
    return list(found)


def _lines(path: Path, problems: Collector) -> list[str]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        problems.add(str(path), "is not a valid list of hashes", HINT)
        return []
    return text.splitlines()


def _header(line: str) -> list[str]:
    return [name.strip().lower() for name in next(csv.reader([line]), [])] if "," in line or " " not in line else []


def _table(lines: list[str]) -> Iterable[tuple[int, str, str]]:
    header = _header(lines[0])
    for number, row in enumerate(csv.reader(lines[1:]), start=2):
        cells = dict(zip(header, row, strict=False))
        given = [(number, kind, cells[kind]) for kind in LENGTHS if cells.get(kind, "").strip()]
        yield from given or [(number, "", "")]


def _plain(lines: list[str]) -> Iterable[tuple[int, str, str]]:
    for number, line in enumerate(lines, start=1):
        if line.strip() and not line.startswith("#"):
            kind, _, value = line.strip().partition(" ")
            yield number, kind.lower(), value


def _add(found: dict, path: Path, line: int, kind: str, value: str, problems: Collector) -> None:
    if kind not in LENGTHS:
        problems.add(f"{path}, line {line}", "not a known kind of hash", HINT)
    elif not re.fullmatch(f"[0-9a-f]{{{LENGTHS[kind]}}}", value):
        problems.add(
            f"{path}, line {line}", f"is not a valid {kind} hash", f"{LENGTHS[kind]} hexadecimal digits are needed"
        )
    else:
        found[Signal(kind, value, path.stem)] = None
