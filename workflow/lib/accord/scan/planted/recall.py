"""Recall: plants leaks at random places of a tree of files, scans it, and counts what was found."""

from pathlib import Path

import numpy as np

from accord.scan.inspection import Inspector
from accord.scan.planted.embedding_leaks import EMBEDDINGS
from accord.scan.planted.leaks import TEXTS, Person
from accord.scan.planted.picture_leaks import CHANGED, EXACT
from accord.scan.walk import walk

ALWAYS = TEXTS | EMBEDDINGS | EXACT
ALL = ALWAYS | CHANGED


def planted(root: Path, person: Person, rng: np.random.Generator) -> dict[str, Path]:
    """One leak of each kind, each at a random place below `root`: kind -> path."""
    paths = {}
    for number, (kind, plant) in enumerate(ALL.items()):
        folders = [f"{letter:x}" for letter in rng.integers(16, size=rng.integers(4))]
        paths[kind] = root.joinpath(*folders, f"n{number}")
        paths[kind].parent.mkdir(parents=True, exist_ok=True)
        plant(person, paths[kind], rng)
    return paths


def found(root: Path, person: Person, paths: dict[str, Path]) -> tuple[dict[str, bool], Inspector]:
    """Whether the scan for the person found each leak, and what it has to say."""
    inspector = Inspector(person.dossier())
    walk([root], inspector)
    places = [Path(finding.place.path) for finding in inspector.findings]
    return {kind: any(place.is_relative_to(path) for place in places) for kind, path in paths.items()}, inspector
