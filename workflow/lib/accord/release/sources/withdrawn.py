"""withdrawn.csv: pictures and people that may no longer be used, whatever else the archive has of them."""

from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

from accord.release.archives import reading
from accord.release.archives.reading import Bounded
from accord.release.sources import described, people_in_paths
from accord.text.nouns import counted

FILE = "withdrawn.csv"
COLUMNS = ("Image Path", "People Of", "Identity")
HINT = "a picture or video in Image Path, or a person in People Of and Identity, as sources.yaml names them"


MOST_LINES = 5
"""Of lines that name nobody, so many numbers are told."""


class Withdrawn(NamedTuple):
    """Files of the archive, and people as `<people_of>/<name>`, with the numbers of the lines that name them."""

    files: dict[str, list[int]]
    people: dict[str, list[int]]

    def has(self, names: Collection[str], people: Collection[str]) -> bool:
        """Whether a picture of these names, which shows these people, is withdrawn."""
        return not (self.files.keys().isdisjoint(names) and self.people.keys().isdisjoint(people))

    def unmatched(self, names: Collection[str], people: Collection[str]) -> list[int]:
        """Lines that name none of all pictures and people of an archive. A mistyped one leaves in it who withdrew."""
        gone = [self.files[name] for name in self.files.keys() - names]
        gone += [self.people[name] for name in self.people.keys() - people]
        return sorted(line for lines in gone for line in lines)


def read(folder: Path, problems: Bounded) -> Withdrawn:
    """The list, empty where there is none. A line that names nothing, or both, is a problem, so that none is lost."""
    found = Withdrawn({}, {})
    for file in reading.several(folder, (FILE,), problems, needed=False):
        for where, row in reading.table(file, COLUMNS, problems):
            image, people_of, identity = (row[name].strip() for name in COLUMNS)
            image = image.removeprefix("./")
            line = int(where.removeprefix(f"{file}, line "))
            if image and not described.is_plain(image):
                problems.add(where, "names no plain path in the archive", HINT)
            elif image and not people_of and not identity:
                found.files.setdefault(image, []).append(line)
            elif people_of and identity and not image:
                found.people.setdefault(f"{people_of}/{people_in_paths.spelt(identity)}", []).append(line)
            else:
                problems.add(where, "names neither a picture nor a person, or both", HINT)
    return found


def told(unmatched: list[int]) -> str:
    """That lines name no picture and nobody in the archive; "" where all name some."""
    if not unmatched:
        return ""
    numbers = ", ".join(map(str, unmatched[:MOST_LINES])) + (", ..." if len(unmatched) > MOST_LINES else "")
    name, fine = ("names", "it is") if len(unmatched) == 1 else ("name", "they are")
    return (
        f"{counted(len(unmatched), 'line')} of {FILE} ({numbers}) {name} no picture and nobody in the archive. Whoever "
        f"a mistyped line means is still used: correct it. Where their pictures are gone, {fine} right."
    )
