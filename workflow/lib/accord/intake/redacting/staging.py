"""A change of a delivery that is written down whole before anything is touched, so that it can be gone on with.

`.redaction/` in the delivery holds what is to be: the new tables and delivery.yaml, and the list of the files that go.
Files are removed first, then the tables take their places, delivery.yaml last: until then the delivery is no valid one.
"""

import json
import os
import shutil
import stat
from collections.abc import Iterable
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from accord.errors import AccordError, Collector, Problem
from accord.files import PRIVATE_FOLDER, replace
from accord.intake.delivered import delivery, files
from accord.intake.delivered.files import MEBIBYTE, FileRefusedError
from accord.intake.delivered.sheets import SHEETS

FOLDER = ".redaction"
UNFINISHED = f"{FOLDER}.partial"
WORK = "work.json"
MAX_WORK = 256 * MEBIBYTE
REPLACED = (*SHEETS, delivery.DESCRIPTION)
WRITABLE = "make the file and its folder writable for whoever runs this; nothing was changed"


class Work(NamedTuple):
    """What is to be done: `gone`, the files that go; `kept`, name -> new bytes of tables and delivery.yaml; `told`,
    what is told of it when it is done."""

    gone: list[str]
    kept: dict[str, bytes]
    told: dict


def place(root: Path, name: str) -> Path:
    """The folder that holds the table `name`, or delivery.yaml, as it will be once what is staged is done."""
    staged = root / FOLDER
    return staged if os.path.lexists(staged / name) else root


def stage(root: Path, work: Work) -> None:
    """Write down what is to be done, whole or not at all."""
    unfinished = root / UNFINISHED
    with _explained(root):
        unfinished.mkdir(mode=PRIVATE_FOLDER)
        for name, data in work.kept.items():
            replace(unfinished / name, data, stat.S_IMODE((root / name).stat().st_mode))
        replace(unfinished / WORK, json.dumps({"gone": work.gone, "told": work.told}, indent=1).encode())
        unfinished.rename(root / FOLDER)


def staged(root: Path) -> dict | None:
    """What is told of the work that is staged; None where there is none. Raises AccordError where it can't be read."""
    work = _read(root)
    return work["told"] if work else None


def finish(root: Path) -> None:
    """Do what is staged, or what is left of it. Raises AccordError where something is in the way."""
    work = _read(root)
    left = [name for name in REPLACED if os.path.lexists(root / FOLDER / name)]
    if work is not None:
        check(root, work["gone"], left)
    with _explained(root):
        for path in work["gone"] if work else ():
            _remove(root, files.parts(path))
        for name in left:
            (root / FOLDER / name).replace(root / name)
        for folder in (root / FOLDER, root / UNFINISHED):
            if folder.is_dir():
                shutil.rmtree(folder)


def check(root: Path, gone: Iterable[str], replaced: Iterable[str]) -> None:
    """Raise AccordError with all that is in the way of removing and replacing files of a delivery. Touches nothing."""
    problems = Collector()
    if not os.access(root, os.W_OK | os.X_OK, effective_ids=True):
        problems.add(root.name, "the folder of the delivery can't be written to", WRITABLE)
    for path in sorted({*gone, *replaced}):
        try:
            with _inside(root, files.parts(path)) as (folder, name):
                _check_one(folder, name, path, problems)
        except FileNotFoundError:
            continue
        except (OSError, FileRefusedError):
            hint = "put the file itself where the link is, or remove the link, and run again; nothing was changed"
            problems.add(path, "the path goes through a link or a file, or can't be entered", hint)
    if problems:
        raise AccordError(problems)


def _check_one(folder: int, name: str, path: str, problems: Collector) -> None:
    if not stat.S_ISREG(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
        hint = "remove it, or put the file itself there, and run again; nothing was changed"
        problems.add(path, "is a link, or no regular file", hint)
    elif not os.access(name, os.W_OK, dir_fd=folder, effective_ids=True):
        problems.add(path, "the file is read-only", WRITABLE)
    elif not os.access(".", os.W_OK | os.X_OK, dir_fd=folder, effective_ids=True):
        problems.add(path, "lies in a read-only folder", WRITABLE)


def _read(root: Path) -> dict | None:
    if not os.path.lexists(root / FOLDER):
        return None
    try:
        work = json.loads(files.read(root, f"{FOLDER}/{WORK}", MAX_WORK))
        if all(files.parts(path) for path in work["gone"]) and isinstance(work["told"], dict):
            return work
    except FileRefusedError as refused:
        if refused.check == "missing_file" and not any((root / FOLDER).iterdir()):
            return None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        pass
    hint = "it is not an interrupted change of this library: find out who put it there, and remove it"
    raise AccordError(Problem(f"{root.name}/{FOLDER}", "can't be read", hint))


def _remove(root: Path, parts: list[str]) -> None:
    """Remove a file if it is there, and the folders above it that are empty then."""
    with suppress(FileNotFoundError), _inside(root, parts) as (folder, name):
        os.unlink(name, dir_fd=folder)
    for depth in range(len(parts) - 1, 0, -1):
        with suppress(OSError), _inside(root, parts[:depth]) as (folder, name):
            os.rmdir(name, dir_fd=folder)


@contextmanager
def _inside(root: Path, parts: list[str]):
    """The folder of a path, opened without following a link, and the name in it."""
    opened = [os.open(root, os.O_RDONLY | os.O_DIRECTORY)]
    try:
        for part in parts[:-1]:
            opened.append(os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=opened[-1]))
        yield opened[-1], parts[-1]
    finally:
        for folder in opened:
            os.close(folder)


@contextmanager
def _explained(root: Path):
    try:
        yield
    except OSError as error:
        hint = "free the disk or correct the permissions, and run the same again: it goes on where it was"
        raise AccordError(Problem(root.name, f"the delivery can't be changed ({error.strerror})", hint)) from None
