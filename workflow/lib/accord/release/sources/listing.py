"""All pictures of an archive of sources: whose, of which source, what is said of them, and in which split they are."""

import os
from collections.abc import Iterator
from pathlib import Path, PurePath, PurePosixPath
from typing import Any, NamedTuple

import pandas as pd

from accord.engine import table
from accord.errors import AccordError
from accord.release.archives.reading import Bounded
from accord.release.source_tables import Listed
from accord.release.sources import described, people_in_paths, published_table, splits, withdrawn
from accord.release.sources.described import Described, Source
from accord.release.sources.published_table import Said
from accord.shards import shard_of
from accord.text.nouns import counted

PICTURES, VIDEOS = (".jpg", ".jpeg", ".png"), (".mp4",)
LONGEST = 200
"""Bytes of a path inside the archive."""
FRAME = "#"
"""Between a video's path and the number of a frame, in the name of a face that is cut out of it."""
NOTHING = Said("", "", None, "", "", "", "")


class Item(NamedTuple):
    """A picture, or a frame (`index` of `frames`) of a video."""

    image: str
    file: str
    index: int | None
    source: Source


class Found(NamedTuple):
    """The pictures that may be used, how many were withdrawn, and lines of withdrawn.csv that name none."""

    listed: pd.DataFrame
    withdrawn: int
    unmatched: list[int]


def listed(root: Path, shards: int, *, cut: bool) -> Found:
    """Table Listed of an archive, by image.

    cut: the pictures are those that lie in the sources' folders, whose faces will be cut out; else those of the
    published table, which are faces already. Splits are those of all pictures, the withdrawn ones too, so that a
    withdrawal moves nobody. Raises AccordError with all that is wrong in any of the files.
    """
    told = described.read(root / described.FILE)
    problems = Bounded(described.FILES)
    gone = withdrawn.read(root, problems)
    said = {one.image: one for one in published_table.read(root, told.ages, problems)}
    items = list(_lying(root, told, problems) if cut else _named(root, told, said, problems))
    _check(items, said, told, root, problems)
    _check_people(items, said, root, problems)
    if problems:
        raise AccordError(problems)
    people = [people_of(item.source, item.file) for item in items]
    drawn = splits.splits(people)
    rows = [
        _row(item, shown, split, said.get(item.image, NOTHING), shards)
        for item, shown, split in zip(items, people, drawn, strict=True)
        if not gone.has((item.file, item.image), shown)
    ]
    unmatched = gone.unmatched({name for item in items for name in (item.file, item.image)}, set().union(*people))
    return Found(table.rows(sorted(rows), Listed), len(items) - len(rows), unmatched)


def _named(root: Path, told: Described, said: dict[str, Said], problems: Bounded) -> Iterator[Item]:
    """The pictures of the table."""
    if not said:
        problems.add(str(root), f"has no {' or '.join(published_table.FILES)} with pictures")
    for image, row in said.items():
        source = described.of_path(told.sources, image)
        if not _is_name(image) or not image.lower().endswith(PICTURES):
            problems.add(row.where, f"{published_table.IMAGE} is no plain path to a JPEG or PNG in the archive")
        elif source is None:
            problems.add(row.where, "is of an unknown source", f"name its folder in {described.FILE}")
        else:
            yield Item(image, image, None, source)


def _lying(root: Path, told: Described, problems: Bounded) -> Iterator[Item]:
    """The pictures, and frames of videos, that lie in the sources' folders."""
    for source in told.sources:
        for file in files(root, root / source.folder, problems):
            ending = PurePosixPath(file).suffix.lower()
            if ending in PICTURES:
                yield Item(file, file, None, source)
            elif ending in VIDEOS:
                for index in range(source.frames):
                    yield Item(f"{file}{FRAME}{index:04}", file, index, source)


def files(root: Path, folder: Path, problems: Bounded) -> Iterator[str]:
    """Paths of files in a folder and below, in order. A link is a problem, and so is an odd name, escaped."""
    for inside, folders, names in os.walk(folder):
        folders.sort()
        for name in folders:
            if (path := Path(inside) / name).is_symlink():
                problems.add(f"folder {path.relative_to(root).as_posix()!a}", "is a link", "put the pictures there")
        for name in sorted(names):
            path = Path(inside) / name
            text = path.relative_to(root).as_posix()
            if path.suffix.lower() not in (*PICTURES, *VIDEOS):
                continue
            if _is_name(text) and not path.is_symlink():
                yield text
            else:
                what = f"is a link, or has a path that is not plain or longer than {LONGEST} bytes"
                problems.add(f"file {text!a}", what, "put the file there, under a plain name")


def _check(items: list[Item], said: dict[str, Said], told: Described, root: Path, problems: Bounded) -> None:
    filled = {item.source.folder for item in items}
    for source in told.sources:
        if source.folder not in filled:
            problems.add(str(root / described.FILE), f"has the source {source.folder!r}, which has no pictures")
    for item in items:
        row = said.get(item.image)
        if row and row.target not in (None, item.source.label):
            problems.add(row.where, f"Target is {row.target}, but its source is {item.source.category}")
    known = {item.image for item in items}
    for image, row in said.items():
        if image not in known and _is_name(image) and described.of_path(told.sources, image):
            problems.add(row.where, "is missing in its source's folder")


def _check_people(items: list[Item], said: dict[str, Said], root: Path, problems: Bounded) -> None:
    """A picture of another form than the pattern would be of nobody: in any split, and found by no withdrawal."""
    unlike: dict[str, list[Item]] = {}
    for item in items:
        if item.source.people and not people_in_paths.people(item.source.people, _within(item.source, item.file)):
            unlike.setdefault(item.source.folder, []).append(item)
    for folder, some in unlike.items():
        first = some[0]
        line = f" ({PurePath(said[first.image].where).name})" if first.image in said else ""
        what = f"has the source {folder!r}, whose pattern `people` doesn't fit {counted(len(some), 'picture')} of it"
        form = people_in_paths.shape(_within(first.source, first.file))
        hint = f"the first is of the form {form}{line}: write a pattern that fits all, or split the source"
        problems.add(str(root / described.FILE), what, hint)


def _within(source: Source, file: str) -> str:
    return file.removeprefix(f"{source.folder}/")


def people_of(source: Source, file: str) -> list[str]:
    """Whom a picture shows, the first of all those whose identity it has; itself where nobody is known."""
    names = people_in_paths.people(source.people, _within(source, file)) if source.people else []
    return [f"{source.people_of}/{name}" for name in names] or [file]


def _row(item: Item, people: list[str], split: str, said: Said, shards: int) -> tuple[Any, ...]:
    source = item.source
    return (
        item.image, item.file, item.index, source.frames if item.index is not None else None,
        people[0], "\n".join(people), shard_of(people[0], shards),
        source.subset, source.category, source.method, source.label, split,
        said.gender, said.age, said.tone, said.skin, *source.terms,
    )  # fmt: skip


def _is_name(text: str) -> bool:
    return len(text.encode()) <= LONGEST and described.is_plain(text)
