"""Copies of revoked files outside a release, byte for byte: found before the release forgets what was in them."""

import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from accord.engine.provenance import sha256
from accord.errors import AccordError, Collector, Problem
from accord.release.erasing.orders import Order

NOTHING = hashlib.sha256().hexdigest()
"""The sha256 of an empty file, which is a copy of nothing."""


def find(order: Order, release: Path, folders: Iterable[Path]) -> list[Path]:
    """Files below folders, but not in the release, that hold what an order revokes and nothing that stays.

    Links are not followed. Raises AccordError where a folder is none, or a file can't be read.
    """
    folders = list(folders)
    if strange := [folder for folder in folders if not folder.is_dir()]:
        raise AccordError([Problem(str(folder), "no such folder", "name folders to search") for folder in strange])
    stay = {leaf.content["sha256"] for leaf in order.staying()} | {NOTHING}
    wanted = {leaf.content["sha256"] for leaf in order.going() if "row" not in leaf.content} - stay
    problems = Collector()
    own = release.resolve()
    found = sorted({path for folder in folders for path in _matching(folder.resolve(), own, wanted, problems)})
    if problems:
        raise AccordError(problems)
    return found


def _matching(folder: Path, release: Path, wanted: set[str], problems: Collector) -> Iterator[Path]:
    def unread(error: OSError) -> None:
        problems.add(str(error.filename), "can't be read", "give yourself the right to, and try again")

    for above, folders, names in os.walk(folder, onerror=unread):
        folders[:] = [name for name in folders if Path(above, name) != release]
        if not wanted or Path(above).is_relative_to(release):
            return
        for path in (Path(above, name) for name in names):
            try:
                if path.is_file() and not path.is_symlink() and sha256(path) in wanted:
                    yield path
            except OSError as error:
                unread(error)


def delete(found: Iterable[Path]) -> list[Problem]:
    """Delete copies; returns those that can't be deleted, as problems."""
    problems = Collector()
    for path in found:
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            problems.add(str(path), f"is a copy and can't be deleted ({error.strerror})", "delete it yourself")
    return list(problems)
