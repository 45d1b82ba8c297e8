"""sources.yaml: where the pictures of a dataset of made and real faces come from, and what may be done with them."""

from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from accord.command_line import meant
from accord.engine import yaml_files
from accord.errors import Collector, all_problems
from accord.release.archives.formats import Terms
from accord.release.sources import people_in_paths

FILE = "sources.yaml"
REAL = "real"
CATEGORIES = ("deepfake", "gan", "diffusion", REAL)
TEXTS = ("subset", "category", "method", "folder")
KEYS = (*TEXTS, "terms", "people", "people_of", "frames")
HINT = "docs/ai-face.md#add-a-source shows one"
FILES = "see docs/ai-face.md for the files that are read, and their formats"
LONGEST = 100
MOST_FRAMES = 10_000
AGES = ((0, 1, 2, 3, 4), (0, 1, 3, 4, 5))
"""Codes of the five age groups: as the table has them, and as its documentation numbers them."""


class Source(NamedTuple):
    """A source. folder: where its pictures or videos lie in the archive; people: how paths in it name people, "" where
    they don't; people_of: sources with the same name here mean the same people; frames: faces of a video."""

    subset: str
    category: str
    method: str
    folder: str
    terms: Terms
    people: str
    people_of: str
    frames: int

    @property
    def label(self) -> int:
        """0 of real faces, 1 of made ones."""
        return int(self.category != REAL)


class Described(NamedTuple):
    """The sources, in the order of their folders; and the codes of the five age groups in the table of annotations,
    None where its values must tell."""

    sources: list[Source]
    ages: tuple[int, ...] | None


def read(file: Path) -> Described:
    """What sources.yaml says. Raises AccordError with all that is wrong in it."""
    told = yaml_files.keys(file, "file of sources", HINT)
    with all_problems() as problems:
        entries = told.get("sources")
        if not set(told) <= {"sources", "ages"} or not isinstance(entries, list) or not entries:
            problems.add(str(file), "needs a list `sources`, may have `ages`, and nothing else", HINT)
            entries = []
        found = [_source(entry, f"{file}, sources[{place}]", problems) for place, entry in enumerate(entries)]
        sources = [one for one in found if one is not None]
        _check_folders(sources, file, problems)
        ages = _ages(told, file, problems)
    return Described(sorted(sources, key=lambda one: one.folder), ages)


def of_path(sources: list[Source], path: str) -> Source | None:
    """The source in whose folder a path of the archive lies."""
    parents = set(map(str, PurePosixPath(path).parents))
    return next((one for one in sources if one.folder in parents), None)


def is_plain(path: str) -> bool:
    """Whether a text is a relative path in plain parts: nothing in it leads up or elsewhere."""
    parts = path.split("/")
    plain = all(part.strip(". ") and "\\" not in part and ":" not in part for part in parts)
    return plain and path.isprintable()


def _source(entry: Any, where: str, problems: Collector) -> Source | None:
    before = len(problems)
    if not isinstance(entry, dict):
        problems.add(where, "is not a map of keys", HINT)
        return None
    for key in entry:
        if key not in KEYS:
            problems.add(where, f"has an unknown key {key!r}{meant(key, KEYS)}", f"a source has {', '.join(KEYS)}")
    texts = [_text(entry, key, where, problems) for key in TEXTS]
    if texts[1] and texts[1] not in CATEGORIES:
        problems.add(
            where, f"has the category {texts[1]!r}{meant(texts[1], CATEGORIES)}", f"one of {', '.join(CATEGORIES)}"
        )
    if texts[3] and not is_plain(texts[3]):
        problems.add(where, "has a folder that is no plain path in the archive", "write it as FF++/FaceSwap")
    terms, frames = _terms(entry, where, problems), _frames(entry, where, problems)
    people, people_of = entry.get("people", ""), entry.get("people_of", texts[0])
    if not isinstance(people, str) or (people and not people_in_paths.is_pattern(people)):
        problems.add(where, "has a pattern `people` that can't be read", people_in_paths.HINT)
    if not isinstance(people_of, str) or not people_of.isprintable():
        problems.add(where, "has no plain text in `people_of`", HINT)
    if len(problems) > before:
        return None
    subset, category, method, folder = texts
    return Source(subset, category, method, folder, terms, people, people_of, frames)


def _text(entry: dict, key: str, where: str, problems: Collector) -> str:
    value = entry.get(key)
    if isinstance(value, str) and value.strip() == value and value.isprintable() and 0 < len(value.encode()) <= LONGEST:
        return value
    problems.add(where, f"has no {key}, or one that is no plain text of at most {LONGEST} bytes", HINT)
    return ""


def _terms(entry: dict, where: str, problems: Collector) -> Terms:
    """What may be done with its pictures besides evaluating models: it must be said, since nothing can be assumed."""
    value = entry.get("terms")
    fine = isinstance(value, dict) and set(value) == set(Terms._fields)
    if not fine or not all(isinstance(one, bool) for one in value.values()):
        problems.add(
            where, "needs terms with train and external, true or false", "terms: {train: false, external: false}"
        )
        return Terms()
    return Terms(**value)


def _frames(entry: dict, where: str, problems: Collector) -> int:
    value = entry.get("frames", 1)
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST_FRAMES:
        problems.add(where, f"has frames that are no number from 1 to {MOST_FRAMES}", "faces taken of each video")
        return 1
    return value


def _ages(told: dict, file: Path, problems: Collector) -> tuple[int, ...] | None:
    value = told.get("ages")
    if value is None:
        return None
    if value not in [list(known) for known in AGES]:
        problems.add(str(file), "has other codes of ages", f"one of {' and '.join(str(list(known)) for known in AGES)}")
        return None
    return tuple(value)


def _check_folders(sources: list[Source], file: Path, problems: Collector) -> None:
    folders = [one.folder for one in sources]
    for folder in sorted(set(folders)):
        if folders.count(folder) > 1:
            problems.add(
                str(file), f"has the folder {folder!r} {folders.count(folder)} times", "give each source its own"
            )
        for other in folders:
            if other.startswith(f"{folder}/"):
                problems.add(str(file), f"has the folder {other!r} inside of {folder!r}", "sources may not be nested")
    told: dict[tuple[str, str], str] = {}
    for one in sources:
        if told.setdefault((one.subset, one.method), one.category) != one.category:
            problems.add(str(file), f"has {one.subset}, {one.method} in two categories", "they are one source")
