"""The tables of a delivery byte for byte: each row beside the very bytes that say it, so that the others can stay."""

import csv
import hashlib
import io
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import yaml

from accord.engine import yaml_text
from accord.errors import Collector, all_problems
from accord.intake.delivered import delivery, files, parsing
from accord.intake.delivered.files import FileRefusedError
from accord.intake.delivered.row import Row, row_of
from accord.intake.delivered.sheets import OPTIONAL, SHEETS
from accord.text.cells import is_blank

BOM = b"\xef\xbb\xbf"


class Record(NamedTuple):
    """A header or row of a CSV table with its line ends (`raw`); `row` is None for the header and for blank lines."""

    raw: bytes
    row: Row | None


class Source(NamedTuple):
    """A delivery whose tables match their digests. `description`: the bytes of delivery.yaml; `notices`: their ids."""

    vendor: str
    name: str
    notices: tuple[str, ...]
    description: bytes
    tables: dict[str, list[Record]]

    def rows(self, *tables: str) -> list[Row]:
        """The rows of tables, in their order."""
        return [record.row for table in tables for record in self.tables[table] if record.row is not None]


def load(root: Path, folder: Callable[[str], Path] | None = None) -> Source:
    """The tables of the delivery in `root`. `folder`: where delivery.yaml and each table lie, if not in `root`.

    Raises AccordError, with all problems, where the description or a table can't be read or was changed.
    """
    place = folder or (lambda name: root)
    with all_problems() as problems:
        described = delivery.describe(place(delivery.DESCRIPTION), delivery.SCHEMA, problems)
        tables = {name: _table(place(name), name, described, problems) for name in SHEETS if described}
    assert described is not None  # else there were problems
    data = files.read(place(delivery.DESCRIPTION), delivery.DESCRIPTION, delivery.MAX_DESCRIPTION)
    notices = tuple(notice["id"] for notice in described["notices"])
    return Source(described["vendor"], described["delivery"], notices, data, tables)


def records(name: str, data: bytes) -> list[Record]:
    """The header and rows of a table that `parsing.parse` takes; joined, their `raw` is `data` again."""
    start = BOM if data.startswith(BOM) else b""
    # Lines end as csv.reader sees them in parsing.parse; a cell in quotes can span several.
    lines = list(io.StringIO(data.removeprefix(BOM).decode(), newline=""))
    reader, found, taken, header = csv.reader(lines, strict=True), [], 0, None
    for cells in reader:
        raw = "".join(lines[taken : reader.line_num]).encode()
        taken = reader.line_num
        if header is None:
            header, row, raw = cells, None, start + raw
        else:
            row = _row(name, header, cells)
        found.append(Record(raw, row))
    return found


def described(description: bytes, tables: dict[str, bytes]) -> bytes:
    """The bytes of delivery.yaml with new digests of some tables; all else in it stays as it was written."""
    said = yaml_text.strings(description.decode())
    text = description.decode()
    for name, data in tables.items():
        digest = hashlib.sha256(data).hexdigest()
        text, said["tables"][name] = text.replace(said["tables"][name], digest), digest
    try:
        plain = yaml_text.strings(text) == said
    except (yaml.YAMLError, yaml_text.NotPlainError):
        plain = False
    return (text if plain else yaml.safe_dump(said, sort_keys=False, allow_unicode=True)).encode()


def _table(folder: Path, name: str, described: dict, problems: Collector) -> list[Record]:
    if name in OPTIONAL and name not in described["tables"]:
        delivery.refuse_unlisted(folder, name, problems)
        return []
    try:
        data = files.read(folder, name, delivery.MAX_TABLE)
    except FileRefusedError as refused:
        problems.add(name, refused.reason, "a delivery has all tables, even if only with a header")
        return []
    if hashlib.sha256(data).hexdigest() != described["tables"][name]:
        hint = f"it was changed or cut after {delivery.DESCRIPTION} was written: find out by whom, or deliver it again"
        problems.add(name, f"does not match its sha256 in {delivery.DESCRIPTION}", hint)
        return []
    before = len(problems)
    parsing.parse(name, data, problems)
    return records(name, data) if len(problems) == before else []


def _row(name: str, header: list[str], cells: list[str]) -> Row | None:
    if is_blank(cells):
        return None
    return row_of(name, header, cells)
