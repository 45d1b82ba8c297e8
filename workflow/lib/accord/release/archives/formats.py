"""The public datasets that a run can be made on: how their archives are called, known, and what their licences forbid.

A further one is an entry here, its importer `release/import_<format>.py`, its rule in
`workflow/rules/release_archive.smk`, and its name in the schema of the settings.
"""

import hashlib
from pathlib import Path
from typing import Any, NamedTuple

from accord.consent.deciding.grants import TRAIN
from accord.errors import AccordError, Problem
from accord.release.format.fhibe import FACE_TABLE, WHOLE_TABLE

SETTING = "release.archive"
COLLECTED = "ai_face"
"""The format of archives whose pictures have sources, each with terms of its own."""
SEARCHED = "search"
"""No archive: pictures that a search of the web finds, of people who consented to nothing (docs/rapid-test.md)."""


class Format(NamedTuple):
    """What people call a dataset; the folder that is named; its table, under any of the names that it may have; the
    terms that its licence forbids, whatever the settings say; further tables that may be there."""

    label: str
    folder: str
    table: tuple[str, ...]
    forbidden: frozenset[str] = frozenset()
    further: tuple[str, ...] = ()


FORMATS = {
    "fhibe": Format(
        "FHIBE",
        "the folder fhibe.<version>_downsampled_public, which holds data/",
        (WHOLE_TABLE,),
        frozenset({TRAIN}),
        (FACE_TABLE,),
    ),
    "facet": Format(
        "FACET",
        "the folder with annotations/, imgs_1/, imgs_2/ and imgs_3/",
        ("annotations/annotations.csv", "annotations.csv"),
        frozenset({TRAIN}),
    ),
    "ccv1": Format(
        "Casual Conversations",
        "the folder with CasualConversations.json and the videos",
        ("CasualConversations.json",),
        frozenset({TRAIN}),
    ),
    "ai_face": Format(
        "AI-Face",
        "the folder with sources.yaml, the tables of annotations and the sources' folders",
        ("sources.yaml",),
        further=("annotations.csv", "train.csv", "test.csv", "withdrawn.csv"),
    ),
    SEARCHED: Format("a search", "no folder: the vault lists who is searched for", (), frozenset({TRAIN})),
}


class Terms(NamedTuple):
    """What may be done with pictures besides evaluating models on this machine: train models with them (`train`), give
    them to a model on somebody else's server (`external`)."""

    train: bool = False
    external: bool = False


class Archive(NamedTuple):
    """An archive as the settings have it; `terms` as they are written there; `collect`: how faces are cut out of it,
    None where they aren't."""

    format: str
    path: str
    terms: dict[str, Any]
    collect: dict[str, Any] | None = None


def chosen(setting: dict[str, Any] | None) -> Archive | None:
    """The archive that a run is made on; None for deliveries. Raises AccordError as `terms` does, and where
    faces are to be collected from an archive without sources."""
    if setting is None:
        return None
    found = Archive(setting["format"], setting.get("path", SEARCHED), setting.get("terms", {}), setting.get("collect"))
    terms(found.format, found.terms)
    if found.collect and found.format != COLLECTED:
        hint = f"only an archive in the format {COLLECTED} has sources to collect from: leave it out"
        raise AccordError(Problem(f"{SETTING}.collect", f"is set for the format {found.format}", hint))
    return found


def root(name: str, folder: Path) -> Path:
    """The folder of an archive in the format `name`, without links. Raises AccordError where its table isn't there."""
    about = FORMATS[name]
    if not any((folder / table).is_file() for table in about.table):
        raise AccordError(Problem(f"{SETTING}.path", f"has no {about.table[0]}", f"for {name} it is {about.folder}"))
    return folder.resolve()


def tables(name: str, folder: Path) -> list[Path]:
    """The tables of an archive in the format `name` that are there."""
    about = FORMATS[name]
    return [folder / table for table in (*about.table, *about.further) if (folder / table).is_file()]


def annotations(archive: Archive) -> list[Path]:
    """The files of an archive that say what its pictures are, whose change changes everything: those that are there."""
    return tables(archive.format, Path(archive.path))


def digest(archive: Archive | None) -> str:
    """A digest of the contents of these files: an older file that is put back changes it, which its time would not
    tell."""
    made = hashlib.blake2b(digest_size=16)
    for path in annotations(archive) if archive else []:
        with path.open("rb") as file:
            made.update(f"{path.name} {hashlib.file_digest(file, 'sha256').hexdigest()} ".encode())
    return made.hexdigest()


def touched(archive: Archive | None) -> str:
    """The time of the table of an archive of sources, which people touch where pictures have changed: Snakemake takes a
    small file of the same content for the same file."""
    if archive is None or archive.format != COLLECTED:
        return ""
    return " ".join(str(path.stat().st_mtime_ns) for path in annotations(archive)[:1])


def terms(name: str, stated: dict[str, Any]) -> Terms:
    """The terms of an archive in the format `name`: as stated, false where nothing is.

    Raises AccordError where what is stated is forbidden by the dataset's licence.
    """
    found = Terms(**{term: stated[term] for term in Terms._fields if term in stated})
    label, hint = FORMATS[name].label, f"{SETTING}.terms can't allow it: leave it out"
    problems = [
        Problem(f"{SETTING}.terms.{term}", f"is true, but the licence of {label} forbids it", hint)
        for term in sorted(FORMATS[name].forbidden)
        if getattr(found, term)
    ]
    if problems:
        raise AccordError(problems)
    return found
