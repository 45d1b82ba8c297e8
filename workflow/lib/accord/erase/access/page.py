"""The page of an answer in plain words, and the zip file that holds all of it."""

import json
import shutil
import zipfile
from collections.abc import Iterable
from typing import Any, BinaryIO

import jinja2
from markupsafe import Markup

from accord.command_line import as_json
from accord.consent.deciding.scope_words import words
from accord.engine import resources
from accord.erase.access.answer import Answer
from accord.text.nouns import counted

SHOWN = 50
"""Rows of a table that the page shows; all are in data.json."""
DAY = (1980, 1, 1, 0, 0, 0)
"""The earliest day of a zip file: the same answer gives the same bytes."""
TEMPLATE = resources.beside(__name__) / "page.html.j2"


def write(answer: Answer, file: BinaryIO) -> None:
    """Write the zip file: the page, the data, pictures, videos and receipts under numbers, so that no name says who it
    is about. Videos are copied piece by piece."""
    files = {"index.html": page(answer.document).encode(), "data.json": (as_json(answer.document) + "\n").encode()}
    files |= {f"pictures/{n}.png": one.data for n, one in enumerate(answer.pictures, 1) if one.data}
    files |= {f"receipts/{n}.json": json.dumps(one, indent=1).encode() for n, one in answer.receipts.items()}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name, DAY), data)
        for number, video in enumerate(answer.videos, 1):
            if video.file is not None:
                with (
                    archive.open(zipfile.ZipInfo(f"videos/{number}.mp4", DAY), "w", force_zip64=True) as member,
                    video.file.open("rb") as source,
                ):
                    shutil.copyfileobj(source, member)


def page(document: dict[str, Any]) -> str:
    """The document in plain words, as HTML that needs nothing else than the pictures beside it."""
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    template = environment.from_string(TEMPLATE.read_text(encoding="utf-8"))
    shown = {"rows": _rows, "tables": _tables, "lists": _lists, "consents": _consents, "counted": counted}
    return template.render(told=document, **shown) + "\n"


def _consents(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What somebody agreed to or withdrew, with what each scope permits in words."""
    return [{**one, "to": words(one["scope"])} for one in events]


def _rows(rows: list[dict[str, Any]], columns: Iterable[str]) -> Markup:
    """A table of some columns; one that is wider than the screen is scrolled, also by keys."""
    names = list(columns)
    head = Markup("").join(Markup('<th scope="col">{}</th>').format(_words(name)) for name in names)
    body = Markup("").join(
        Markup("<tr>{}</tr>").format(Markup("").join(Markup("<td>{}</td>").format(_cell(row[name])) for name in names))
        for row in rows[:SHOWN]
    )
    more = len(rows) - SHOWN
    rest = Markup("<p>{} more rows are in data.json.</p>").format(more) if more > 0 else ""
    table = Markup('<div class="scroll" tabindex="0"><table><tr>{}</tr>{}</table></div>{}')
    return table.format(head, body, rest)


def _tables(found: dict[str, list[dict[str, Any]]]) -> Markup:
    """Tables under their names, folded."""
    line = Markup("<details><summary>{}: {}</summary>{}</details>")
    return Markup("").join(
        line.format(name, counted(len(rows), "row"), _rows(rows, rows[0])) for name, rows in found.items()
    )


def _lists(rows: list[dict[str, Any]]) -> Markup:
    """Rows that have different columns, a table for each name in their column `table`."""
    of: dict[str, list] = {}
    for row in rows:
        of.setdefault(row["table"], []).append({name: value for name, value in row.items() if name != "table"})
    found = {name: [{column: row.get(column, "") for column in some[0]} for row in some] for name, some in of.items()}
    return _tables(found)


def _cell(value: Any) -> str:
    text = "" if value is None else str(value)
    return text if len(text) < 200 else f"{text[:200]} ..."


def _words(name: str) -> str:
    return name.replace("_", " ")
