"""A delivery as a whole: its description, its notices, its tables. All or nothing, with every problem at once."""

import hashlib
import json
import os
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import yaml

from accord.engine import resources, yaml_text
from accord.errors import AccordError, Collector
from accord.intake.delivered import copies, files, parsing
from accord.intake.delivered.files import MEBIBYTE, FileRefusedError
from accord.intake.delivered.row import Row
from accord.intake.delivered.sheets import OPTIONAL, SHEETS
from accord.intake.reading import evidence
from accord.intake.reading.evidence import Signature
from accord.text.identity import rewriting
from accord.text.nouns import listed

DESCRIPTION = "delivery.yaml"
MAX_DESCRIPTION = MEBIBYTE
MAX_TABLE = 64 * MEBIBYTE
MAX_NOTICE = 4 * MEBIBYTE
MOST_ERRORS = 50
"""Errors of a description that are told: a list of nothing but errors would be as many as it is long."""
TRUE = ("true", "1")
VIDEOS = "videos.csv"
CHANGED = f"does not match its sha256 in {DESCRIPTION}"
REFERRING = {
    ("people.csv", "image"): ("images.csv", "videos.csv"),
    ("people.csv", "subject"): ("subjects.csv",),
    ("forms.csv", "subject"): ("subjects.csv",),
}
"""Table and column -> the tables that have what it refers to."""
SCHEMA = resources.schema("delivery.schema.json")


class Notice(NamedTuple):
    """The text that people agreed to, of which the sha256 was found to be right; `valid_from`: the first day on which
    it was used, "" where not given."""

    version: str
    language: str
    sha256: str
    valid_from: str = ""


class Delivery(NamedTuple):
    """A delivery whose tables could be read. `notices`: id -> notice; `tables`: file name -> rows; `rendered`: whether
    its people and scenes are rendered, not photographed; `copied`: references of what is given several times, and
    `conflicts`: sha256 of forms -> why they are no evidence (`evidence.conflicts`), also where `tables` are a share of
    the delivery's; `created`: the day on which it was made."""

    root: Path
    vendor: str
    name: str
    notices: dict[str, Notice]
    tables: dict[str, list[Row]]
    rendered: bool = False
    copied: frozenset[str] = frozenset()
    created: str = ""
    conflicts: Mapping[str, str] = MappingProxyType({})

    def signatures(self) -> list[Signature]:
        """Its forms as evidence."""
        return [evidence.signature(self.root, self.vendor, row) for row in self.tables["forms.csv"]]


def load(root: Path, schema: Path = SCHEMA) -> Delivery:
    """The delivery in a folder. Raises AccordError with all that keeps it from being read."""
    problems = Collector()
    found = read(root, schema, problems)
    if found is None or problems:
        raise AccordError(problems)
    return found


def read(root: Path, schema: Path, problems: Collector) -> Delivery | None:
    """What can be read of the delivery in a folder; None where delivery.yaml says nothing usable.

    What was changed since its sha256 was taken is read all the same: with any problem, `load` refuses the whole."""
    described = describe(root, schema, problems)
    digests = described["tables"] if described else {}
    there = described or Path(root, DESCRIPTION).is_file()
    tables = {name: _table(root, name, digests.get(name), problems) for name in SHEETS if there}
    if described is None:
        return None
    _check_shared(tables, problems)
    _check_spellings(tables, problems)
    notices = {n["id"]: notice for n in described["notices"] if (notice := _notice(root, n, problems))}
    about = (root, described["vendor"], described["delivery"], notices, tables, is_rendered(described))
    opened = Delivery(*about, copies.of(tables), described["created"])
    return opened._replace(conflicts=evidence.conflicts(opened.signatures()))


def describe(root: Path, schema: Path, problems: Collector) -> dict | None:
    """What delivery.yaml says, checked against its JSON Schema; None (and problems) where it says nothing usable."""
    where = f"{Path(root).name}/{DESCRIPTION}"
    if not Path(root).is_dir():
        problems.add(Path(root).name, "is not a folder", "name the folder that holds delivery.yaml")
        return None
    try:
        document = yaml_text.strings(files.read(root, DESCRIPTION, MAX_DESCRIPTION).decode())
    except FileRefusedError as refused:
        problems.add(where, refused.reason, "a delivery is a folder with delivery.yaml in it: see docs/delivery.md")
        return None
    except yaml_text.NotPlainError as error:
        problems.add(where, str(error), "a delivery's description is plain YAML: see docs/delivery.md")
        return None
    except (yaml.YAMLError, ValueError) as error:
        problems.add(where, f"is not valid YAML ({type(error).__name__})", "check the file with a YAML linter")
        return None
    return document if _fits(document, schema, where, problems) else None


def is_rendered(described: dict) -> bool:
    """Whether delivery.yaml says that the delivery's people and scenes are rendered; photographs are the default."""
    return described.get("rendered", "false").lower() in TRUE


def _fits(document: object, schema: Path, where: str, problems: Collector) -> bool:
    import jsonschema

    validator = jsonschema.Draft202012Validator(json.loads(schema.read_text()))
    errors = sorted(islice(validator.iter_errors(document), MOST_ERRORS), key=lambda error: error.json_path)
    empty = [error for error in errors if _is_unsealed(error)]
    if empty:
        problems.add(where, f"is not sealed: {len(empty)} sha256 are empty", "run `accord delivery seal FOLDER`")
    for error in (error for error in errors if error not in empty):
        rule = json.dumps(error.validator_value) if len(json.dumps(error.validator_value)) < 80 else ""
        meant = error.schema.get("description") if isinstance(error.schema, dict) else None
        hint = f"{meant}; see docs/delivery.md" if meant else "see docs/delivery.md"
        problems.add(f"{where} {error.json_path}", f"breaks {error.validator} {rule}".strip(), hint)
    return not errors


def _is_unsealed(error: Any) -> bool:
    """Whether an error of the schema is a sha256 that is left to be filled in."""
    path = list(error.absolute_path)
    return error.instance == "" and path != [] and (path[0] == "tables" or path[-1] == "sha256")


def _table(root: Path, name: str, digest: str | None, problems: Collector) -> list[Row]:
    if name in OPTIONAL and digest is None:
        refuse_unlisted(root, name, problems)
        return []
    try:
        data = files.read(root, name, MAX_TABLE)
    except FileRefusedError as refused:
        problems.add(name, refused.reason, "a delivery has all tables, even if only with a header")
        return []
    if digest and hashlib.sha256(data).hexdigest() != digest:
        hint = f"changed or truncated after {DESCRIPTION} was written: `accord delivery seal`, or deliver it again"
        problems.add(name, CHANGED, hint)
    return parsing.parse(name, data, problems)


def _check_shared(tables: dict[str, list[Row]], problems: Collector) -> None:
    """No reference may be an image's and a video's: forms, people and withdrawals name both by it alone."""
    images = {row["image"]: row.line for row in tables["images.csv"]}
    for row in tables[VIDEOS]:
        if row["image"] in images:
            where = f"{VIDEOS}:{row.line}"
            problems.add(
                where, f"has the reference of images.csv, line {images[row['image']]}", "give it one of its own"
            )


def _check_spellings(tables: dict[str, list[Row]], problems: Collector) -> None:
    """No table may write all of another's references differently: each of its rows would be of somebody unknown."""
    for (name, column), others in REFERRING.items():
        references = {row[column] for row in tables[name]} - {""}
        change = rewriting(references, {row[column] for other in others for row in tables[other]})
        if change:
            problem = f"none of its {column}s is in {listed(list(others), 'or')}: they seem to be written differently"
            problems.add(name, f"{problem}, in {change}", "write each reference in one way in all tables")


def refuse_unlisted(root: Path, name: str, problems: Collector) -> None:
    """A problem where a table that need not be there is, and delivery.yaml doesn't list it: nobody would read it."""
    if os.path.lexists(Path(root, name)):
        hint = f'add `{name}: ""` to its tables and seal the delivery again, or remove the file'
        problems.add(name, f"is there, but {DESCRIPTION} does not list it", hint)


def _notice(root: Path, notice: dict, problems: Collector) -> Notice | None:
    path = f"notices/{notice['id']}.txt"
    try:
        data = files.read(root, path, MAX_NOTICE)
    except FileRefusedError as refused:
        problems.add(path, refused.reason, "deliver the text that people agreed to")
        return None
    if hashlib.sha256(data).hexdigest() != notice["sha256"]:
        problems.add(path, f"does not match its sha256 in {DESCRIPTION}", "deliver the exact text that was agreed to")
    return Notice(notice["version"], notice["language"], notice["sha256"], notice.get("valid_from", ""))
