"""withdrawn.csv: pictures and people that may no longer be used, whatever else the archive has of them."""

from pathlib import Path
from typing import NamedTuple

from accord.release.archives import reading
from accord.release.archives.reading import Bounded

FILE = "withdrawn.csv"
COLUMNS = ("Image Path", "People Of", "Identity")
HINT = "a picture or video in Image Path, or a person in People Of and Identity, as sources.yaml names them"


class Withdrawn(NamedTuple):
    """Files of the archive, and people as `<people_of>/<name>`."""

    files: frozenset[str]
    people: frozenset[str]


def read(folder: Path, problems: Bounded) -> Withdrawn:
    """The list, empty where there is none. A line that names nothing, or both, is a problem, so that none is lost."""
    files, people = set(), set()
    for file in reading.several(folder, (FILE,), problems, needed=False):
        for where, row in reading.table(file, COLUMNS, problems):
            image, people_of, identity = (row[name].strip() for name in COLUMNS)
            if image and not people_of and not identity:
                files.add(image.removeprefix("./"))
            elif people_of and identity and not image:
                people.add(f"{people_of}/{identity}")
            else:
                problems.add(where, "names neither a picture nor a person, or both", HINT)
    return Withdrawn(frozenset(files), frozenset(people))
