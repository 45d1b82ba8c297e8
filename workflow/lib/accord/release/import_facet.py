"""Reading a shard of an unpacked FACET archive: the tables that `derive` makes of a delivery."""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from accord.command_line import meant
from accord.engine.parameter_types import Folder, Sink
from accord.errors import AccordError, Collector, all_problems
from accord.imaging.bundle import BundleWriter
from accord.release.archives import archive_files, facet, formats, reading, shared
from accord.release.archives.facet import Person
from accord.release.archives.reading import Bounded
from accord.release.format.geometry import Size
from accord.release.making.shard_tables import Derived, assemble
from accord.release.making.terms import of_archive
from accord.shards import shard_of
from accord.text.nouns import listed

PICTURES = ("imgs_1", "imgs_2", "imgs_3")
"""Folders of pictures, as they are unpacked."""
ANNOTATORS = "annotators"
"""Who said all that is said: FACET names nobody."""
HAIR = ("hair_color", "hairtype")
LONGEST = 100
"""Bytes of a name: more has no place in a bundle."""
NO_CAMERA, NO_PLACE = (None,) * 4 + ("",) * 2, ("", None, "", "", "")


def run(archive: Folder, *, shard: str, shards: int, terms: dict, files: Sink) -> Derived:
    """The images of a shard, named by their files: that of whoever has the largest box. Each person is a subject.

    What is said of a person is what most annotators said. terms: those of `release.archive.terms`. Raises AccordError
    with every row and picture that can't be read, and where the terms are more than FACET's licence allows.
    """
    stated = formats.terms("facet", terms)
    root = formats.root("facet", archive)
    found = _people(root)
    primary = {image: max(some, key=lambda one: _area(one.box)) for image, some in found.items()}
    here = {image: some for image, some in found.items() if shard_of(primary[image].subject, shards) == shard}
    everyone = [one for some in here.values() for one in some]
    _tell_of_boxes(everyone)
    with all_problems() as problems, BundleWriter(files) as writer:
        pictures = [row for image, some in here.items() for row in _picture(root, image, some, writer, problems)]
    return assemble(
        derivatives=pictures,
        faces=[],
        people=[_person(one, primary[one.image] is one) for one in everyone],
        attributes=[(one.image, one.subject, *said, ANNOTATORS) for one in everyone for said in _said(one)],
        keypoints=[],
        segments=[],
        public=[(image, primary[image].subject, *NO_CAMERA, *NO_PLACE) for image in here],
        aggregate=[],
        checked=[],
        terms=of_archive(here, stated),
    )


def _people(root: Path) -> dict[str, list[Person]]:
    """Image -> the people in it. Raises AccordError with all that is wrong in the table."""
    problems, found = Bounded(), {}
    for file in reading.several(root, facet.FILES, problems)[:1]:
        seen = set()
        for person in facet.people(file, problems):
            _check(person, seen, problems)
            seen.add((person.image, person.subject))
            found.setdefault(person.image, []).append(person)
    if problems:
        raise AccordError(problems)
    return found


def _check(person: Person, seen: set[tuple[str, str]], problems: Bounded) -> None:
    for column, name in (("filename", person.image), ("person_id", person.subject)):
        if not _is_name(name):
            problems.add(person.where, f"{column} is not a plain name")
    if (person.image, person.subject) in seen:
        problems.add(person.where, "duplicates a person in an image")
    if not person.classes[0]:
        problems.add(person.where, "has no class1")
    for column, name in zip(("class1", "class2"), person.classes, strict=True):
        if name and name not in facet.CLASSES:
            problems.add(person.where, f"{column} is not one of FACET's classes{meant(name, facet.CLASSES)}")


def _tell_of_boxes(people: Sequence[Person]) -> None:
    """Write to the log how many people have a box without area, where any has: they stay, but can't be located."""
    without = sum(not _area(one.box) for one in people)
    if without:
        have = "has" if without == 1 else "have"
        print(f"{without:,} of {len(people):,} people {have} no box: theirs is without area", file=sys.stderr)


def _is_name(text: str) -> bool:
    fine = text.isprintable() and not {"/", "\\"} & set(text) and text.strip(".") != ""
    return fine and len(text.encode()) <= LONGEST


def _picture(
    root: Path, image: str, people: Iterable[Person], writer: BundleWriter, problems: Collector
) -> list[tuple]:
    """Rows of Derivatives of one image, which is copied as it is: FACET's pictures are no larger than ours."""
    folders = [name for name in PICTURES if (root / name / image).is_file()] or [PICTURES[0]]
    if len(folders) > 1:
        hint = "give each picture one name: its people can't be told from those of the others"
        problems.add(f"image {image}", f"lies in {listed(folders)}: several pictures would be one", hint)
        return []
    folder = folders[0]
    try:
        data = archive_files.read(root, f"{folder}/{image}")
        size = archive_files.upright_size(data)
    except ValueError as error:
        hint = f"the pictures lie in {', '.join(PICTURES)}: is the archive whole and unchanged?"
        problems.add(f"image {image}", str(error), hint)
        return []
    for one in people:
        if not _overlaps(one.box, size):
            problems.add(one.where, "bounding_box lies outside the picture", "is it the table of these pictures?")
    member = writer.add(f"{image}/{image}", data)
    return [(image, "", kind, "", *member, member.sha256, *size) for kind in ("original", "downsampled")]


def _overlaps(box: list[float], size: Size) -> bool:
    x, y, width, height = box
    return x < size.width and y < size.height and x + width > 0 and y + height > 0


def _area(box: list[float]) -> float:
    return max(box[2], 0) * max(box[3], 0)


def _person(person: Person, is_primary: bool) -> tuple:
    """A row of People; a box without area is none."""
    box = person.box if _area(person.box) else [None] * 4
    return (person.image, person.subject, is_primary, None, *[None] * 4, *box, "")


def _said(person: Person) -> list[tuple[str, str]]:
    """Attribute and value, as most annotators said it; FACET's own name of the class."""
    votes = person.votes
    perceived = [
        (shared.GENDER, facet.gender(votes)),
        (shared.AGE_PRESENTATION, facet.age(votes)),
        (shared.SKIN, facet.skin(votes)),
    ]
    hair = [(name, value) for name in HAIR if (value := facet.most(votes, f"{name}_"))]
    classes = [(name, value) for name, value in zip(("class1", "class2"), person.classes, strict=True) if value]
    return [*perceived, *hair, *classes]
