"""The template of a delivery: a folder with a commented description, the headers of all tables, and what each column
holds."""

from collections.abc import Iterator
from pathlib import Path

from accord.errors import AccordError, Collector
from accord.intake.delivered.delivery import DESCRIPTION
from accord.intake.delivered.sheets import OPTIONAL, SHEETS
from accord.intake.reading.forms import SCOPES
from accord.text import days
from accord.vocabularies import ATTRIBUTES, PERSON

FOLDERS = ("images", "annotations", "forms", "notices")
NOTICE = "Put here, word for word, the text that people agreed to.\n"
README = "README.md"
DESCRIBED = """\
# Describes the delivery. `accord delivery seal` fills in every sha256; fill in the rest.
format: accord-delivery/1
vendor: {vendor}      # the same in all your deliveries
delivery: {delivery}  # a name that you use only once
created: "{created}"  # the day, in quotes
contact: ""           # whom to ask
rendered: false       # true: people and scenes are rendered, none is photographed

# The texts that people agreed to, each in notices/<id>.txt. forms.csv names them by id.
notices:
  - id: notice-1
    version: "1"
    language: en      # BCP 47
    # valid_from: "2026-01-01"   # the first day on which people were given it: no form that names it is older
    sha256: ""

# One line for each table; all six must be there, even if only with their header. A seventh, videos.csv, is listed
# only if you deliver videos.
tables:
{tables}
"""
ANNOTATION = """\
{"image": "IMG_1",
 "people": [{"subject": "S1", "face_bbox": [410, 220, 96, 120], "person_bbox": [330, 200, 260, 700]}],
 "regions": []}
"""
COLUMNS = {
    "image": "your reference for the image or video",
    "file": "path of the file in this folder",
    "sha256": "left empty: `accord delivery seal` fills it in",
    "annotations": "path of the image's annotation file, as annotations/IMG_1.json",
    "annotations_sha256": "left empty: `accord delivery seal` fills it in",
    "subject": "your reference for the person",
    "user_date_captured": "day, as 2026-03-01",
    "user_hour_captured": "14:05, or a quarter of the day as 12:00-17:59",
    "location_country": "English name as in UN M49",
    "location_region": "any text",
    "country_of_residence": "English name as in UN M49",
    "is_primary": "true for exactly one person of each image, else false",
    "attribute": "a column of images.csv or people.csv that was filled in by someone other than the person",
    "annotator": "who filled it in: their reference in annotators.csv",
    "qa_annotator": "who checked it",
    "birth_date": "day, as 1990-05-01",
    "role": "annotator or qa",
    "consents": "true; false: withdrew the use of their demographics",
    "form": "your reference for the form",
    "kind": "consent or copyright",
    "party": "subject_primary or subject_secondary; of copyright: rightsholder",
    "scopes": f"of copyright: copyright; of consent, with | between them: {', '.join(SCOPES[:7])}, or of one attribute",
    "signed_on": "day, as 2026-01-02",
    "expires_on": "last day on which it is valid; empty for no end",
    "notice": "id of the text that was agreed to",
    "language": "of the form, BCP 47",
    "joint": "true in all rows of a file that several people signed together; else empty",
    "age": "years",
    "nationality": "country names, with | between several",
}


MAY_BE_EMPTY = {
    ("images.csv", "user_date_captured"): "empty: the camera's day counts",
    ("videos.csv", "user_date_captured"): "empty: nobody's age is known, and the video can't be published",
    ("annotated.csv", "subject"): "empty for an attribute of the image as a whole",
    ("forms.csv", "image"): "empty: the form covers all images of the person",
    ("forms.csv", "expires_on"): "",
    ("forms.csv", "notice"): "empty for copyright, which needs none",
}
"""Columns that a table's header must have, and rows may leave empty; and what that says."""


def write(root: Path, vendor: str, delivery: str) -> None:
    """Write the template into a folder that is new or empty. Raises AccordError, with all that is wrong, before."""
    problems = Collector()
    for flag, name in (("--vendor", vendor), ("--delivery", delivery)):
        if not _is_name(name):
            problems.add(flag, "not a valid name", "letters, digits, dot, hyphen and underscore; at most 64")
    if root.exists() and (not root.is_dir() or any(root.iterdir())):
        problems.add(str(root), "is not an empty folder", "name a folder that is new or empty")
    if problems:
        raise AccordError(problems)
    for folder in FOLDERS:
        (root / folder).mkdir(parents=True, exist_ok=True)
    for path, text in files(vendor, delivery).items():
        (root / path).write_text(text, encoding="utf-8")


def files(vendor: str, delivery: str) -> dict[str, str]:
    """The files of the template by their paths."""
    needed = {name: sheet for name, sheet in SHEETS.items() if name not in OPTIONAL}
    tables = "\n".join(f'  {name}: ""' for name in needed)
    described = DESCRIBED.format(vendor=f'"{vendor}"', delivery=f'"{delivery}"', created=days.today(), tables=tables)
    headers = {name: ",".join((*sheet.required, *sheet.optional)) + "\n" for name, sheet in needed.items()}
    return {
        DESCRIPTION: described,
        **headers,
        "notices/notice-1.txt": NOTICE,
        "annotations/EXAMPLE.json": ANNOTATION,
        README: "\n".join(_readme()) + "\n",
    }


def _readme() -> Iterator[str]:
    """What to do, and what each column holds."""
    yield from (
        "# How to fill this in",
        "",
        "1. Put pictures into `images/`, signed forms into `forms/`, the texts that people agreed to into `notices/`,",
        "   and for each picture an annotation file into `annotations/` (`EXAMPLE.json` shows one).",
        "2. Write a row for each image, person in an image, person, form and annotator into the tables below. Tables",
        "   are CSV in UTF-8 with commas. An empty cell means: not given. Don't change the headers. Each row needs the",
        "   columns marked `yes`.",
        "3. `accord delivery seal FOLDER`, then `accord delivery validate FOLDER`; both list all problems at once.",
    )
    for name, sheet in SHEETS.items():
        only = [f"Only if you deliver videos: make this table, and list it in {DESCRIPTION}.", ""]
        yield from (
            "",
            f"## {name}",
            "",
            *(only if name in OPTIONAL else ()),
            "| column | needed | what it holds |",
            "|---|---|---|",
        )
        for column in (*sheet.required, *sheet.optional):
            note = MAY_BE_EMPTY.get((name, column), "")
            yield f"| {column} | {_needed(name, column)} | {_about(column)}{'; ' + note if note else ''} |"


def _needed(table: str, column: str) -> str:
    if column not in SHEETS[table].required:
        return ""
    return "may be empty" if (table, column) in MAY_BE_EMPTY or column.endswith("sha256") else "yes"


def _about(column: str) -> str:
    attribute = ATTRIBUTES.get(column)
    if column in COLUMNS or attribute is None:
        return COLUMNS.get(column, "any text").replace("|", "\\|")
    several = "several, with \\| between them: " if attribute.multiple else "one of: "
    said = several + "; ".join(attribute.labels) if attribute.labels else "any text"
    told = "" if attribute.public or attribute.of != PERSON else " (only published in aggregate)"
    return f"{said}{told}"


def _is_name(text: str) -> bool:
    plain = text.isascii() and all(letter.isalnum() or letter in "._-" for letter in text)
    return plain and 0 < len(text) <= 64 and text[0].isalnum()
