"""WIDER FACE: faces of `wider_face_*_bbx_gt.txt`."""

from collections.abc import Iterator
from pathlib import Path

from accord.analyse.datasets.gathered import Dataset, Gathered
from accord.analyse.datasets.sizes_file import SIZES, read_sizes
from accord.release.archives import reading
from accord.release.archives.reading import Bounded

FILES = ("wider_face_*_bbx_gt.txt", "wider_face_split/wider_face_*_bbx_gt.txt")
STATES = {
    "blur": ("clear", "normal", "heavy"),
    "expression": ("typical", "exaggerate"),
    "illumination": ("normal", "extreme"),
    "invalid": ("no", "yes"),
    "occlusion": ("none", "partial", "heavy"),
    "pose": ("typical", "atypical"),
}
"""The numbers after x, y, width, height of a face, in their order, and what 0, 1, 2 of each stand for."""


def read(folder: Path, problems: Bounded) -> Dataset:
    """Images are named as in the file (event/file), people by that and their number; invalid faces are left out."""
    made = Gathered(problems)
    for file in reading.several(folder, FILES, problems):
        made.read_from(file)
        for where, image, subject, cells in _faces(file, problems):
            _face(where, image, subject, cells, made)
    for file in reading.several(folder, SIZES, problems, needed=False):
        read_sizes(file, made)
    return made.dataset()


def _faces(file: Path, problems: Bounded) -> Iterator[tuple[str, str, str, list[str]]]:
    """Place, image, name and cells of each face.

    An image is its name, its number of faces, and a line for each; one without faces can have a line of zeros.
    """
    left, image = 0, ""
    count: int | None = None
    for where, line in reading.lines(file, problems):
        if left and count is not None:
            left -= 1
            yield where, image, f"{image}:{count - left}", line.split()
        elif image and count is None:
            if not (line.isdecimal() and len(line) < 7):
                problems.add(where, "is not a number of faces")
                return
            left = count = int(line)
        elif line.endswith((".jpg", ".jpeg", ".png")):
            image, count = line, None
        elif line and not (count == 0 and set(line.split()) == {"0"}):
            problems.add(where, "is neither an image name nor a face")
            return
    if left or (image and count is None):
        problems.add(str(file), "ends in the middle of an image")


def _face(where: str, image: str, subject: str, cells: list[str], made: Gathered) -> None:
    box = [reading.number(cell) for cell in cells[:4]]
    states = dict(zip(STATES, cells[4:], strict=False))
    fine = len(cells) == 4 + len(STATES) and None not in box
    if not fine or not all(cell.isdecimal() and int(cell) < len(STATES[name]) for name, cell in states.items()):
        made.problems.add(where, f"is not a face: x, y, width, height, {', '.join(STATES)}")
    elif states["invalid"] == "1":
        made.left_out["invalid faces"] += 1
    elif made.person(where, image, subject, face=box):
        for name in (name for name in STATES if name != "invalid"):
            made.say(where, image, subject, name, STATES[name][int(states[name])])
        event = image.partition("/")[0].partition("--")[2]
        if event:
            made.say(where, image, subject, "event", event)
