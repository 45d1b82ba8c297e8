"""What a file of outputs says of some pictures: every entry held against its picture, all problems told together."""

from collections import Counter
from collections.abc import Iterable, Set
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from accord.errors import Collector
from accord.evaluate.exchange import units, values
from accord.evaluate.exchange.formats import Format
from accord.evaluate.exchange.json_stream import entries
from accord.evaluate.exchange.names import Picture, key, shown
from accord.text.identity import rewriting

EMPTY = "a picture without detections needs an entry with null or empty detections"
EXAMPLES = 3


class Taken(NamedTuple):
    """The rows of a task's table, without their model; the pictures that the file leaves out, as it may; and the
    labels of detections that were ignored, which are not of people, with how many there were."""

    rows: list[tuple]
    left_out: frozenset[Picture]
    ignored: Counter[str]


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
    labels: Counter[str] = Counter()
    wrong: dict[str, list[str]] = {}
    try:
        for path, entry in entries(file):
            name = key(path)
            labels += values.labels_of(entry)
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
                found += _read(path, entry, form, pictures[name], wrong)
    except ValueError as error:
        problems.add(where, str(error), "must be a JSON object: path of a picture -> the model's answer")
        return Taken([], frozenset(), labels)
    if unknown and pictures and not (seen or elsewhere):
        what = f"none of its {len(unknown)} entries names one of {len(pictures)} pictures: {shown(unknown[0])}"
        problems.add(where, f"{what}, where the release has {shown(min(pictures))}", _spelling_hint(unknown, pictures))
        return Taken([], frozenset(), labels)
    for reason, paths in wrong.items():
        _tell_entries(where, reason, paths, problems)
    _check(where, form, found, pictures, labels, problems)
    del labels[str(values.PERSON)]
    _tell(where, problems, "lists {n} unknown file(s)", unknown, "check the dataset and its version")
    left_out = _left_out(pictures, optional, seen) if seen or elsewhere else set()
    missing = [name for name in pictures if name not in seen | left_out]
    _tell(where, problems, "has no entry for {n} pictures", missing, EMPTY)
    return Taken(found, frozenset(pictures[name] for name in left_out), labels)


def _spelling_hint(unknown: list[str], pictures: Iterable[str]) -> str:
    """What to do about a file of which no entry is known."""
    change = rewriting(map(key, unknown), pictures)
    reason = f"ids seem to be written differently, in {change}: " if change else ""
    return f"{reason}name pictures as the release's table does; check the dataset and its version"


def _left_out(pictures: dict[str, Picture], optional: Set[tuple[str, str]], seen: set[str]) -> set[str]:
    """The optional pictures; none of them where the file speaks of some."""
    free = {name for name, picture in pictures.items() if (picture.image, picture.subject) in optional}
    return set() if free & seen else free


def _read(path: str, entry: Any, form: Format, picture: Picture, wrong: dict[str, list[str]]) -> list[tuple]:
    """The rows of an entry; `wrong` gets the path under the reason where it can't be right."""
    try:
        if not isinstance(entry, dict):
            raise ValueError("has an entry that is not an object")
        return list(form.read(entry, picture))
    except ValueError as error:
        wrong.setdefault(str(error), []).append(path)
        return []


def _tell_entries(where: str, reason: str, paths: list[str], problems: Collector) -> None:
    """One problem for all entries with the same mistake."""
    hint = "see docs/exchange.md for the content of an entry"
    if len(paths) == 1:
        problems.add(f"{where}: {shown(paths[0])}", reason, hint)
    else:
        _tell(where, problems, f"{reason} ({{n}} entries)", paths, hint)


def _check(
    where: str,
    form: Format,
    rows: list[tuple],
    pictures: dict[str, Picture],
    labels: Counter[str],
    problems: Collector,
) -> None:
    """Problems of a file as a whole: coordinates in another unit, and labels of which none is a person's."""
    columns = [name for name in form.table.to_schema().columns if name != "model"]
    if wrong := units.mistake(pd.DataFrame(rows, columns=columns), pictures.values()):
        problems.add(where, wrong, "see docs/exchange.md for coordinates and sizes")
    if labels and str(values.PERSON) not in labels:
        what = f"has no detection of a person among {labels.total():,}: its labels are {values.named(labels)}"
        problems.add(where, what, f"the label of people is {values.PERSON} (the number); leave out `labels` if all are")


def _tell(where: str, problems: Collector, what: str, names: list[str], hint: str) -> None:
    if names:
        some = ", ".join(shown(name) for name in names[:EXAMPLES])
        problems.add(where, f"{what.format(n=len(names))}: {some}{', ...' if len(names) > EXAMPLES else ''}", hint)
