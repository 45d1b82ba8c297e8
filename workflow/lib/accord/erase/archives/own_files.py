"""Files of one's own about an archive (votes, predictions, scores, submissions, truth), without the rows of people."""

import csv
import io
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa
import pyarrow.parquet as pq

from accord.engine import configuration
from accord.errors import AccordError, Problem, all_problems
from accord.files import replace

Named = Mapping[Path, Mapping[str, frozenset[str]]]
"""File -> column -> what a row that goes has in it."""


class People(Protocol):
    """People of an archive by their ids, and the names of their images."""

    @property
    def subjects(self) -> frozenset[str]: ...

    @property
    def images(self) -> frozenset[str]: ...


PARQUET = (".parquet", ".pq")
HINT = "use an uncompressed CSV file in UTF-8 with a header line, or Parquet"


def named(config: dict[str, Any], people: People) -> Named:
    """What goes of the files that the settings `analyse.casual` and `analyse.fakes` name.

    A submission names fakes that the archive doesn't know: the truth says whose they are. Raises AccordError where a
    file can't be read.
    """
    analyse = configuration.section(config, "analyse")
    casual, fakes = (configuration.section(analyse, name) for name in ("casual", "fakes"))
    found: dict[Path, dict[str, frozenset[str]]] = {
        Path(file): {"image": people.images} for file in fakes.get("scores") or []
    }
    if casual.get("votes"):
        found[Path(casual["votes"])] = {"subject": people.subjects}
    for file in casual.get("predictions") or []:
        found[Path(file)] = {"video": people.images}
    if told := casual.get("submissions"):
        truth = {"subject": people.subjects, "video": people.images}
        theirs = _theirs(Path(told["truth"]), truth) | people.images
        found |= {Path(file): {"filename": theirs} for file in told["files"]}
        found[Path(told["truth"])] = truth | {"filename": theirs}
    with all_problems() as problems:
        for file in found:
            try:
                rows(file)
            except AccordError as error:
                problems += error.problems
    return found


def count(files: Named) -> int:
    """How many rows go."""
    return sum(sum(map(_goes(about), rows(file)[1])) for file, about in files.items())


def take_out(files: Named) -> int:
    """Write the files without these rows, the others byte for byte as they were in CSV; returns how many went.

    The truth goes last: it is what says which files of submissions are whose.
    """
    gone = 0
    for file, about in files.items():
        goes = [_goes(about)(row) for row in rows(file)[1]]
        if any(goes):
            replace(file, without(file, goes))
        gone += sum(goes)
    return gone


def _theirs(truth: Path, about: Mapping[str, frozenset[str]]) -> frozenset[str]:
    return frozenset(row.get("filename", "") for row in rows(truth)[1] if _goes(about)(row)) - {""}


def _goes(about: Mapping[str, Collection[str]]) -> Callable[[Mapping[str, str]], bool]:
    return lambda row: any(row.get(column, "") in values for column, values in about.items())


def rows(file: Path) -> tuple[list[str], list[dict[str, str]]]:
    """The text of each record of a CSV file, the header first (none of Parquet), and the cells of the others."""
    try:
        if file.suffix.lower() in PARQUET:
            rows = pq.read_table(file, partitioning=None).to_pylist()
            return [], [{name: str(value).strip() for name, value in row.items()} for row in rows]
        records = list(_records(file.read_bytes().decode("utf-8-sig")))
    except (OSError, ValueError, csv.Error, pa.ArrowException) as error:
        raise AccordError(Problem(str(file), f"is not a readable table ({type(error).__name__})", HINT)) from None
    if not records:
        raise AccordError(Problem(str(file), "is empty", HINT))
    header = [cell.strip() for cell in records[0][1]]
    cells = [dict(zip(header, map(str.strip, record), strict=False)) for _, record in records[1:]]
    return [text for text, _ in records], cells


def _records(text: str) -> Iterator[tuple[str, list[str]]]:
    """The records of a CSV file as they are written, and their cells."""
    lines = list(io.StringIO(text, newline=""))
    reader, begin = csv.reader(lines, strict=True), 0
    for record in reader:
        yield "".join(lines[begin : reader.line_num]), record
        begin = reader.line_num


def without(file: Path, goes: list[bool]) -> bytes:
    if file.suffix.lower() in PARQUET:
        table, written = pq.read_table(file, partitioning=None), io.BytesIO()
        pq.write_table(table.filter(pa.array([not gone for gone in goes])), written)
        return written.getvalue()
    header, *texts = rows(file)[0]
    return "".join([header, *(text for text, gone in zip(texts, goes, strict=True) if not gone)]).encode()
