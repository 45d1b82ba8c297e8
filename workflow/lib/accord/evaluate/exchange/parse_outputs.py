"""What a file of outputs says of some pictures: every entry held against its picture, all problems told together."""

from collections.abc import Set
from pathlib import Path
from typing import Any, NamedTuple

from accord.errors import Collector
from accord.evaluate.exchange.formats import Format
from accord.evaluate.exchange.json_stream import entries
from accord.evaluate.exchange.names import Picture, key, shown

EMPTY = "a picture without detections needs an entry with null or empty detections"
EXAMPLES = 3


class Taken(NamedTuple):
    """The rows of a task's table, without their model; the pictures that the file leaves out, as it may."""

    rows: list[tuple]
    left_out: frozenset[Picture]


def take(
    file: Path,
    form: Format,
    pictures: dict[str, Picture],
    strangers: Set[str] | None,
    problems: Collector,
    optional: Set[tuple[str, str]] = frozenset(),
) -> Taken:
    """What a file says of `pictures` (key -> picture).

    strangers: ids of images that may be in the file besides these; None for any. optional: (image, subject) of pictures
    that need no entry where the file has one of none of them (`left_out`). What is wrong is told to `problems`: entries
    that can't be right, pictures without an entry or with two, files that nobody knows.
    """
    where, seen, found = file.name, set(), []
    unknown, elsewhere = [], 0
    try:
        for path, entry in entries(file):
            name = key(path)
            if name not in pictures:
                is_known = strangers is None or name.split("_")[0] in strangers
                elsewhere += is_known
                unknown += [] if is_known else [path]
            elif name in seen:
                problems.add(
                    f"{where}: {shown(path)}", "is in the file more than once", "keep one entry for each picture"
                )
            else:
                seen.add(name)
                found += _read(path, entry, form, pictures[name], where, problems)
    except ValueError as error:
        problems.add(where, str(error), "must be a JSON object: path of a picture -> the model's answer")
        return Taken([], frozenset())
    _tell(where, problems, "lists {n} unknown file(s)", unknown, "check the dataset and its version")
    left_out = _left_out(pictures, optional, seen) if seen or elsewhere else set()
    missing = [name for name in pictures if name not in seen | left_out]
    _tell(where, problems, "has no entry for {n} pictures", missing, EMPTY)
    return Taken(found, frozenset(pictures[name] for name in left_out))


def _left_out(pictures: dict[str, Picture], optional: Set[tuple[str, str]], seen: set[str]) -> set[str]:
    """The optional pictures; none of them where the file speaks of some."""
    free = {name for name, picture in pictures.items() if (picture.image, picture.subject) in optional}
    return set() if free & seen else free


def _read(path: str, entry: Any, form: Format, picture: Picture, where: str, problems: Collector) -> list[tuple]:
    try:
        if not isinstance(entry, dict):
            raise ValueError("has an entry that is not an object")
        return list(form.read(entry, picture))
    except ValueError as error:
        problems.add(f"{where}: {shown(path)}", str(error), "see docs/exchange.md for the content of an entry")
        return []


def _tell(where: str, problems: Collector, what: str, names: list[str], hint: str) -> None:
    if names:
        some = ", ".join(shown(name) for name in names[:EXAMPLES])
        problems.add(where, f"{what.format(n=len(names))}: {some}{', ...' if len(names) > EXAMPLES else ''}", hint)
