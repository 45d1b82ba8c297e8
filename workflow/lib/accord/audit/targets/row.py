"""The audit of a row of a table: the lineage of the images that it speaks of, down to their deliveries.

People are told as numbers, with states and days; ids stay out of what is told, but those that were asked for.
"""

from pathlib import Path

from accord.audit.evidence import consents
from accord.audit.evidence.consents import Moment
from accord.audit.evidence.lineage import Node
from accord.audit.records import rows_of_images
from accord.audit.targets import file, image
from accord.audit.targets.places import Places
from accord.audit.telling.checks import About, Check, Found, Section
from accord.errors import AccordError, Problem

ITEM, CONSENT = About("item"), About("consent")
MOST = 1000
"""Images of a row whose consent is told; one that speaks of more is an aggregate."""

MOST_ROWS = 20
"""Rows of an aggregate that are followed."""

SHOWN = 3
IDS = frozenset({"subject", "annotator", "source", "member", "reference", "region", "form", *rows_of_images.IMAGE})
"""Columns of ids, which are told only where they were asked for."""

HINT = "give key columns of the table: --row image=ID, or --row attribute=A --row group=G"


def audit(path: Path, wanted: dict[str, str], places: Places) -> tuple[Node, Found]:
    """All checks of the rows that have the wanted values. Raises AccordError where there is no such row."""
    root, told = file.checks(path, places)
    if path.suffix != ".parquet" or not wanted.keys() <= set(rows_of_images.names(path)):
        columns = ", ".join(rows_of_images.names(path)) or "none: it is not a table"
        raise AccordError(Problem(path.as_posix(), f"lacks a column given with --row; it has {columns}", HINT))
    rows = rows_of_images.rows(path, wanted)
    if not rows:
        raise AccordError(Problem(path.as_posix(), "has no row with these values", HINT))
    images = _images(rows) or set().union(*(_behind(root, one) for one in rows[:MOST_ROWS]))
    found = [ITEM.passed("row", f"{len(rows)} row(s), of {len(images)} image(s)", path.as_posix())]
    found += _aggregate(rows, images, path)
    sections = [Section("The row", tuple(rows[0]), [_told(row, wanted) for row in rows[:SHOWN]])]
    for number, one in enumerate(sorted(images)[:SHOWN], 1):
        checks, more = image.of_image(one, f"image {number}", root, places)
        found += checks
        sections += more
    if len(images) > SHOWN:
        found += everyone(sorted(images)[:MOST], places)
    return root, Found([*told, *found], sections)


def everyone(images: list[str], places: Places) -> list[Check]:
    """Whether everyone in many images consents now."""
    try:
        with consents.opened(places.vault) as asked:
            ended = sum(asked.ended(one, Moment(places.today)) is not None for one in images)
    except AccordError as error:
        return CONSENT.held("now", error.problems, "")
    problems = [Problem("row", f"{ended} of its {len(images)} images now lack consent", "rerun the workflow")][:ended]
    return CONSENT.held("now", problems, f"everyone in its {len(images)} images consents")


def _images(rows: list[dict]) -> set[str]:
    return {row[column] for row in rows for column in rows_of_images.IMAGE if row.get(column)}


def _behind(root: Node, row: dict) -> set[str]:
    """The images behind a row of an aggregate: those that all tables it was made from have under its keys."""
    keys = {name: str(value) for name, value in row.items() if isinstance(value, str) and value not in ("", "all")}
    parts: dict[frozenset, set[str]] = {}
    for path in rows_of_images.of_items(root.inputs):
        shared = frozenset(keys) & set(rows_of_images.names(path))
        if shared:
            mine = rows_of_images.rows(path, {name: keys[name] for name in shared}, (*shared, "image"))
            parts.setdefault(shared, set()).update(row["image"] for row in mine)
    return set.intersection(*parts.values()) if parts else set()


def _aggregate(rows: list[dict], images: set[str], path: Path) -> list[Check]:
    """A row that counts images must count those that are behind it."""
    if len(rows) != 1 or not isinstance(rows[0].get("images"), int) or not images:
        return []
    said = rows[0]["images"]
    if said == len(images):
        return [ITEM.passed("counted", f"the row counts {said} images, as many as its inputs have", path.as_posix())]
    what = f"the row counts {said} images; upstream, {len(images)} have its keys"
    return [
        ITEM.warned("counted", what, path.as_posix(), "a step in between may have excluded some, or the row was edited")
    ]


def _told(row: dict, wanted: dict[str, str]) -> tuple:
    """The cells of a row; ids that weren't asked for are left out."""
    hidden = IDS - wanted.keys()
    return tuple("(withheld)" if name in hidden and value else value for name, value in row.items())
