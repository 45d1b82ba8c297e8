"""Exports of a release: written under another name, renamed when whole, and written down as a copy.

Only a valid release is exported. The folder is for its owner alone.
"""

import shutil
from collections.abc import Callable, Iterable
from datetime import date
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from accord.errors import AccordError, Problem
from accord.files import PRIVATE_FOLDER
from accord.release.exporting import record, register, samples
from accord.release.exporting.formats import coco, fiftyone, huggingface, webdataset
from accord.release.exporting.record import Record
from accord.release.exporting.samples import Sample
from accord.release.format import videos
from accord.release.papers import datasheet
from accord.release.seal.seal import PUBLIC_KEY, TERMS
from accord.release.seal.verification import verify

FORMATS: dict[str, ModuleType] = {
    "coco": coco, "fiftyone": fiftyone, "huggingface": huggingface, "webdataset": webdataset,
}  # fmt: skip
Write = Callable[[Iterable[Sample], Path, dict[str, str]], None]


class Made(NamedTuple):
    """What was exported: images, the people in them, how often they appear (one person in one image), appearances
    without a box (they have no annotation in COCO); how many videos were left out, since no format has a place for
    them."""

    images: int
    people: int
    appearances: int
    without_box: int
    videos_left_out: int


def export(
    kind: str, release: Path, out: Path, *, day: date, vault: Path | None = None, key: Path | None = None
) -> Made:
    """Export a release into a new folder. `day`: on which it is offered; `vault`: the publisher's, which lists copies.

    Raises AccordError where the release isn't valid, or the folder is there already.
    """
    _check(release, out)
    verdict = verify(release, key)
    if verdict.problems or verdict.statement is None:
        hint = "run accord release verify, and get the release again"
        raise AccordError([*verdict.problems, Problem(str(release), "is not valid, so it was not exported", hint)])
    told = {name: verdict.statement[name] for name in ("dataset", "version", "root")}
    found = list(samples.read(release))
    partial = register.unfinished(out)
    shutil.rmtree(partial, ignore_errors=True)
    register.add(register.place(release, vault), register.Copy(kind, told["version"], out, day))
    partial.mkdir(parents=True, mode=PRIVATE_FOLDER)
    try:
        facts = told | {"published": day.isoformat(), "caution": _caution(release)}
        FORMATS[kind].write(found, partial, facts)
        _finish(kind, release, partial, told, frozenset(one.image for one in found))
        partial.rename(out)
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise
    shown = [person for one in found for person in one.people]
    without, left_out = sum(person.person_box is None for person in shown), len(list(release.glob(videos.PATTERN)))
    return Made(len(found), len({person.subject for person in shown}), len(shown), without, left_out)


def _check(release: Path, out: Path) -> None:
    problems = []
    if out.exists() or out.is_symlink():
        problems.append(Problem(str(out), "already exists", "give another folder, or delete it"))
    if out.resolve().is_relative_to(release.resolve()):
        problems.append(Problem(str(out), "is inside the release, which must not change", "give a folder elsewhere"))
    if problems:
        raise AccordError(problems)


def _caution(release: Path) -> str:
    """What readers of the release are told first, as its datasheet has it; "" for nothing."""
    file = release / datasheet.DATASHEET
    return datasheet.caution_of(file.read_text(encoding="utf-8")) if file.is_file() else ""


def _finish(kind: str, release: Path, folder: Path, told: dict[str, str], images: frozenset[str]) -> None:
    """Terms and public key beside the data; last, the record that says that all is there."""
    for name in (TERMS, PUBLIC_KEY):
        if (release / name).is_file():
            (folder / name).write_bytes((release / name).read_bytes())
    known = record.leaves_of(release, images)
    record.write(folder, Record(kind, told["version"], told["root"], known, []))
