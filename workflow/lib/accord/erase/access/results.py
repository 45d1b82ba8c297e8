"""Rows of a run's tables that speak of a person: what was said of her, found, predicted, scored.

Of an image that also shows others, only rows under her own id are given, and those of tables that say nothing of
what is seen; the rest is counted. Ids of other people and of their images are not told.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow.parquet as pq

PLAIN = frozenset({"verdicts", "permits", "derivatives", "settled"})
"""Tables whose rows on an image say the same whoever else is in it."""
SOMEBODY, PICTURE = "another person", "another image"
IMAGE, SUBJECT = "image", "subject"
PEOPLE = ("people.parquet", "video_people.parquet")
"""Intake's tables of who is in images, and in videos."""


class Found(NamedTuple):
    """rows: table -> rows; withheld: table -> rows on shared images that also speak of others."""

    rows: dict[str, list[dict[str, Any]]]
    withheld: dict[str, int]


class Known(NamedTuple):
    """Whom the answer is for: her id and images, the images among them that show others, and the ids of others."""

    subject: str
    images: frozenset[str]
    shared: frozenset[str]
    others: dict[str, str]


def known(results: Path, subject: str, images: frozenset[str]) -> Known:
    """The person among the people and images of a run."""
    depicted: dict[str, set[str]] = {}
    people, pictures = set(), set()
    tables = [file for name in PEOPLE for file in sorted(results.glob(f"intake/*/{name}"))]
    for file in tables:
        for row in pq.read_table(file, columns=[IMAGE, SUBJECT]).to_pylist():
            depicted.setdefault(row[IMAGE], set()).add(row[SUBJECT])
            people.add(row[SUBJECT])
            pictures.add(row[IMAGE])
    shared = frozenset(image for image in images if depicted.get(image, set()) - {subject})
    others = dict.fromkeys(pictures - images, PICTURE) | dict.fromkeys(people - {subject}, SOMEBODY)
    return Known(subject, images, shared, others)


def find(results: Path, her: Known) -> Found:
    """All rows, by table: `room/table`, those of the shards together."""
    rows: dict[str, list[dict[str, Any]]] = {}
    withheld: Counter[str] = Counter()
    for file in sorted(results.rglob("*.parquet")):
        parts = file.relative_to(results).with_suffix("").parts
        name = "/".join([parts[0], *parts[-1:]]) if len(parts) > 2 and parts[0] != "analyse" else "/".join(parts)
        for row in _naming(file, her):
            if _is_hers(row, name, her):
                rows.setdefault(name, []).append(_without_others(row, her.others))
            elif not row.get(SUBJECT):
                withheld[name] += 1
    return Found(dict(sorted(rows.items())), dict(sorted(withheld.items())))


def _naming(file: Path, her: Known) -> Iterator[dict[str, Any]]:
    """Rows under her id, and rows on her images that are under nobody's or under another's id."""
    columns = pq.read_schema(file).names
    filters: list[list[tuple[str, str, Collection[str]]]] = []
    if SUBJECT in columns:
        filters.append([(SUBJECT, "in", {her.subject})])
    if IMAGE in columns and her.images:
        filters.append([(IMAGE, "in", set(her.images))])
    if filters:
        yield from pq.read_table(file, filters=filters).to_pylist()


def _is_hers(row: dict[str, Any], name: str, her: Known) -> bool:
    of = row.get(SUBJECT) or ""
    if of == her.subject:
        return True
    return not of and (row[IMAGE] not in her.shared or name.rpartition("/")[2] in PLAIN)


def _without_others(value: Any, others: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {name: _without_others(one, others) for name, one in value.items()}
    if isinstance(value, list):
        return [_without_others(one, others) for one in value]
    if isinstance(value, bytes):
        return value.hex()
    return others.get(value, value) if isinstance(value, str) else value
