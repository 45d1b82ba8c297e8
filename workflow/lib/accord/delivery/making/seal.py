"""Seal: the sha256 of all files that a delivery names, written into its tables; theirs and the notices', into its
description. Nothing is written where a file is missing."""

import csv
import hashlib
import io
import re
from pathlib import Path

import yaml

from accord.delivery.judging.faults import shown
from accord.delivery.making.template import NOTICE
from accord.engine import yaml_text
from accord.engine.yaml_text import NotPlainError
from accord.errors import AccordError, Collector, Problem
from accord.files import replace
from accord.intake.delivered import delivery, files, refusals, sheets
from accord.intake.delivered.delivery import DESCRIPTION
from accord.intake.delivered.file_names import located
from accord.intake.delivered.files import FileRefusedError
from accord.intake.reading.forms import MAX_FORM
from accord.intake.reading.images import MAX_ANNOTATION, MAX_IMAGE
from accord.intake.reading.videos import MAX_VIDEO
from accord.text.cells import NotCsvError, is_blank, numbered, separator_line

NAMED = {
    "images.csv": (("file", "sha256", MAX_IMAGE), ("annotations", "annotations_sha256", MAX_ANNOTATION)),
    "forms.csv": (("file", "sha256", MAX_FORM),),
    "videos.csv": (("file", "sha256", MAX_VIDEO), ("annotations", "annotations_sha256", MAX_ANNOTATION)),
}
"""Columns that name files, those of their sha256, and the bytes of the largest."""
HINTS = {"name": refusals.HINTS["name"]}
MISSING = "put the files there, or correct their paths"
FILES_SHOWN = 20
HINT = "a delivery is a folder with delivery.yaml in it: `accord delivery init` makes one"


def seal(root: Path) -> int:
    """Seal the delivery in a folder; returns how many files were digested. Raises AccordError with all that is missing,
    before anything is written."""
    problems = Collector()
    text, said = _description(root, problems)
    tables = {name: _sealed(root, name, problems) for name in _tables(root, said or {}, problems)} if said else {}
    notices = _notices(root, said, problems) if said is not None else {}
    if problems or said is None:
        raise AccordError(problems)
    counts = sum(len(rows) * len(NAMED.get(name, ())) for name, (_, rows) in tables.items())
    data = {name: made for name, (made, _) in tables.items()}
    described = _described(text, said, {name: _sha256(made) for name, made in data.items()}, notices)
    for name, made in data.items():
        replace(root / name, made)
    replace(root / DESCRIPTION, described)
    return counts + len(data) + len(notices)


def unnamed(root: Path) -> list[str]:
    """The files in a delivery's folder that are no part of it, as nothing names them."""
    found = delivery.load(root)
    named = {DESCRIPTION, *sheets.SHEETS, *(f"notices/{notice}.txt" for notice in found.notices)}
    for name, columns in NAMED.items():
        named |= {located(root, row[column]) for row in found.tables[name] for column, *_ in columns}
    there = (path.relative_to(root).as_posix() for path in root.rglob("*") if not path.is_dir())
    return sorted(set(there) - named)


def _description(root: Path, problems: Collector) -> tuple[str, dict | None]:
    where = f"{root.name}/{DESCRIPTION}"
    try:
        text = files.read(root, DESCRIPTION, delivery.MAX_DESCRIPTION).decode()
        said = yaml_text.strings(text)
    except (OSError, FileRefusedError) as error:
        problems.add(where, f"can't be read ({getattr(error, 'reason', type(error).__name__)})", HINT)
        return "", None
    except NotPlainError as error:
        problems.add(where, str(error), HINT)
        return "", None
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError, ValueError) as error:
        problems.add(where, f"is not valid YAML ({type(error).__name__})", "check the file with a YAML linter")
        return "", None
    if not isinstance(said, dict) or not isinstance(said.get("notices"), list):
        problems.add(where, "has no list of notices, or is not a mapping", "see docs/delivery.md")
        return "", None
    return text, said


def _tables(root: Path, said: dict, problems: Collector) -> list[str]:
    """The tables that the delivery has: all that it must have, others as far as its description lists them."""
    listed = said.get("tables") if isinstance(said.get("tables"), dict) else {}
    absent = {name for name in sheets.OPTIONAL if name not in (listed or {})}
    for name in sorted(absent):
        delivery.refuse_unlisted(root, name, problems)
    return [name for name in sheets.SHEETS if name not in absent]


def _sealed(root: Path, name: str, problems: Collector) -> tuple[bytes, list[list[str]]]:
    """A table with the sha256 of the files that it names, and its rows; as it was where it names none, but for Excel's
    first line `sep=`."""
    try:
        data = files.read(root, name, delivery.MAX_TABLE)
        (_, header), *rows = numbered(data) or [(1, [])]
    except FileRefusedError as refused:
        problems.add(name, refused.reason, "a delivery has all tables, even if only with a header")
        return b"", []
    except NotCsvError as wrong:
        problems.add(wrong.place(name), wrong.what, wrong.hint)
        return b"", []
    rows = [(number, cells) for number, cells in rows if not is_blank(cells)]
    as_it_is = name not in NAMED or not rows
    if as_it_is and not separator_line(data.partition(b"\n")[0].decode("utf-8-sig")):
        return data, []
    for column, digest, limit in () if as_it_is else NAMED[name]:
        _fill(root, name, header, rows, (column, digest, limit), problems)
    written = io.StringIO(newline="")
    csv.writer(written, lineterminator="\n").writerows([header, *(cells for _, cells in rows)])
    return written.getvalue().encode(), [] if as_it_is else [cells for _, cells in rows]


def _fill(
    root: Path, name: str, header: list[str], rows: list[tuple[int, list[str]]], what: tuple[str, str, int],
    problems: Collector,
) -> None:  # fmt: skip
    """Write the sha256 of the files of a column into another, which is made where it isn't there."""
    column, digest, limit = what
    if column not in header:
        problems.add(name, f"has no column {column!r}", "docs/delivery.md lists the columns of each table")
        return
    wide = len(header)
    if digest not in header:
        header.append(digest)
    refused: dict[tuple[str, str], list[str]] = {}
    for number, cells in rows:
        if len(cells) not in (wide, len(header)):
            problems.add(f"{name}:{number}", f"has {len(cells)} cells instead of {wide}", "quote cells with commas")
            continue
        cells += [""] * (len(header) - len(cells))
        path = cells[header.index(column)].strip()
        try:
            cells[header.index(digest)] = files.sha256(root, path, limit).hex()
        except FileRefusedError as error:
            reason = (error.reason, HINTS.get(error.check, MISSING))
            refused.setdefault(reason, []).append(f"line {number}: {shown(path)}" if path else f"line {number}")
    for reason, places in refused.items():
        problems.append(_unusable_files(f"{name}, column {column}", *reason, places))


def _unusable_files(where: str, reason: str, hint: str, places: list[str]) -> Problem:
    """Files that can't be digested for one reason, with their lines and paths."""
    count = f" ({len(places)} times)" if len(places) > 1 else ""
    more = [f"... and {len(places) - FILES_SHOWN} more"] if len(places) > FILES_SHOWN else []
    listed = "".join(f"\n    {place}" for place in [*places[:FILES_SHOWN], *more])
    return Problem(where, f"{reason}{count}{listed}", hint)


def _notices(root: Path, said: dict, problems: Collector) -> dict[str, str]:
    """Id -> sha256 of each notice."""
    found = {}
    for number, notice in enumerate(said["notices"], 1):
        name = str(notice.get("id", "")) if isinstance(notice, dict) else ""
        where = f"notices/{name}.txt" if name else f"{DESCRIPTION} notices[{number}]"
        try:
            data = files.read(root, f"notices/{name}.txt" if name else "", delivery.MAX_NOTICE)
        except FileRefusedError as refused:
            problems.add(where, refused.reason, "insert the text that people agreed to")
            continue
        if data.strip() == NOTICE.encode().strip():
            problems.add(where, "still has the text of the template", "insert the text that people agreed to")
        found[name] = _sha256(data)
    return found


def _described(text: str, said: dict, tables: dict[str, str], notices: dict[str, str]) -> bytes:
    """The description with new digests; comments and order stay, unless digests can't be told apart in its text."""
    wanted = {**said, "tables": tables, "notices": [{**n, "sha256": notices[str(n["id"])]} for n in said["notices"]]}
    for name, digest in tables.items():
        text = re.sub(rf"^(\s+[\"']?{re.escape(name)}[\"']?\s*:)[^\n#]*", rf"\1 {digest} ", text, count=1, flags=re.M)
    for name, digest in notices.items():
        start = rf"(\bid:\s*[\"']?{re.escape(name)}[\"']?[\s,][^}}]*?\bsha256:)[ \t]*[^\s,}}#]*"
        text = re.sub(start, rf"\1 {digest}", text, count=1)
    text = re.sub(r"[ \t]+$", "", text, flags=re.M)
    try:
        kept = yaml_text.strings(text) == wanted
    except (yaml.YAMLError, ValueError):
        kept = False
    return (text if kept else yaml.safe_dump(wanted, sort_keys=False, allow_unicode=True)).encode()


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
