"""CelebAMask-HQ: attributes and head pose of its faces, and whose they are where CelebA's identities lie beside."""

from collections.abc import Iterator
from pathlib import Path

from accord.analyse.datasets.gathered import Dataset, Gathered
from accord.release.archives import reading, shared
from accord.release.archives.reading import Bounded

ATTRIBUTES = ("CelebAMask-HQ-attribute-anno.txt",)
POSES = ("CelebAMask-HQ-pose-anno.txt",)
MAPPING = ("CelebA-HQ-to-CelebA-mapping.txt",)
IDENTITIES = ("identity_CelebA.txt",)
SIDE = 1024
STRAIGHT = 30.0
"""Degrees of yaw and pitch under which FHIBE calls a head pose typical."""


def read(folder: Path, problems: Bounded) -> Dataset:
    """Images are named by their files, 1024 px wide and high. People are CelebA's identities, else each image's own."""
    made = Gathered(problems)
    owners = _owners(folder, problems)
    for file in reading.several(folder, ATTRIBUTES, problems):
        for where, image, values in _rows(file, problems):
            if set(values.values()) - {1.0, -1.0}:
                problems.add(where, "has attributes that are neither 1 nor -1")
            elif made.person(where, image, owners.get(image, image)):
                made.picture(where, image, SIDE, SIDE)
                _said(where, image, owners.get(image, image), values, made)
    for file in reading.several(folder, POSES, problems, needed=False):
        for where, image, values in _rows(file, problems):
            angles = {name.lower(): abs(value) for name, value in values.items()}
            if (image, owners.get(image, image)) in made and {"yaw", "pitch"} <= angles.keys():
                typical = max(angles["yaw"], angles["pitch"]) < STRAIGHT
                made.say(where, image, owners.get(image, image), "head_pose", "typical" if typical else "atypical")
    return made.dataset()


def _said(where: str, image: str, subject: str, values: dict[str, float], made: Gathered) -> None:
    for name, value in values.items():
        made.say(where, image, subject, name, "yes" if value > 0 else "no")
    if "Male" in values:
        made.say(where, image, subject, shared.GENDER, shared.MALE if values["Male"] > 0 else shared.FEMALE)


def _rows(file: Path, problems: Bounded) -> Iterator[tuple[str, str, dict[str, float]]]:
    """Place, image and numbers by name of a file with the number of rows, their names, and the rows."""
    names, count, seen = [], None, 0
    for number, (where, line) in enumerate(reading.lines(file, problems)):
        cells = line.split()
        if number == 0:
            count = int(line) if line.isdecimal() and len(line) < 9 else None
        elif number == 1:
            names = cells
        elif cells:
            seen += 1
            values = [value for cell in cells[1:] if (value := reading.number(cell)) is not None]
            if len(values) == len(names) == len(cells) - 1:
                yield where, cells[0], dict(zip(names, values, strict=True))
            else:
                problems.add(where, f"must have a name and {len(names)} numbers")
    if count != seen:
        problems.add(str(file), "the number of rows differs from its first line")


def _owners(folder: Path, problems: Bounded) -> dict[str, str]:
    """Image of CelebAMask-HQ -> identity, through the file of CelebA that it was made from."""
    identity = {}
    for file in reading.several(folder, IDENTITIES, problems, needed=False):
        identity = {line.split()[0]: line.split()[-1] for _, line in reading.lines(file, problems) if line}
    owners = {}
    for file in reading.several(folder, MAPPING, problems, needed=False) if identity else ():
        for where, line in list(reading.lines(file, problems))[1:]:
            cells = line.split()
            if len(cells) == 3 and cells[2] in identity:
                owners[f"{cells[0]}.jpg"] = identity[cells[2]]
            elif cells:
                problems.add(where, "is not a valid idx, orig_idx and orig_file of a known identity")
    return owners
