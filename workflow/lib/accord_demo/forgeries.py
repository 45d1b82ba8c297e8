"""`python -m accord_demo.forgeries OUT`: an archive as AI-Face is, of rendered people and forgeries of them.

In OUT: sources.yaml, annotations.csv, the pictures (64 px PNG); masks/ with each forgery's exact mask; planted.json.
Planted, in sources that no detector may learn from, so that it is right about all others: forgeries of dark feminine
faces with weaker artefacts, and real pictures of light faces that were enlarged as a generator does it. Of few dark
feminine people in the test nothing could be claimed: those without all points of the face, who can't be swapped, are
added there. The same pictures and seed give the same bytes.
"""

import argparse
import csv
import io
import json
from collections.abc import Iterator
from itertools import chain, count
from pathlib import Path
from typing import NamedTuple

import numpy as np

from accord.__main__ import run
from accord.command_line import Parser
from accord.errors import AccordError, Problem
from accord.files import replace
from accord.imaging.decode import encode_png
from accord.release.sources import splits
from accord_demo import forging
from accord_demo.forging import Face
from accord_demo.people_of_delivery import Person, people

SIDE, MARGIN = 64, 0.6
"""Px of a picture; its side in sides of the window around a face."""
QUALITIES = (80, 96)
"""JPEG of all pictures, drawn evenly."""
WEAKER = 0.1
"""Strength of the planted forgeries of dark feminine faces."""
TONES = {1: 2, 2: 3, 3: 5, 4: 6, 5: 8, 6: 9}
"""Skin type -> tone of Monk's scale."""
LIGHT, DARK = 3, 7
"""The darkest light tone, and the lightest dark one."""
AGES = (14, 24, 44, 64)
HINT = "give the folder of a delivery of accord_demo, such as tests/data/demo/delivery"
HEADER = ("Image Path", "Gender", "Age", "Skin Tone", "Intersection", "Target")
PEOPLE = "Rendered"
"""The subset whose people all sources show."""
SOURCES = """ages: [0, 1, 2, 3, 4]
sources:
- {subset: Rendered, category: real, method: none, folder: real, people: '{person}/*',
   terms: {train: true, external: false}}
- {subset: Grid, category: gan, method: transposed_convolution, folder: fake/grid, people: '{person}/*',
   people_of: Rendered, terms: {train: true, external: false}}
- {subset: Swap, category: deepfake, method: low_resolution, folder: fake/coarse, people: '{target}_{source}/*',
   people_of: Rendered, terms: {train: true, external: false}}
- {subset: Swap, category: deepfake, method: poisson, folder: fake/poisson, people: '{target}_{source}/*',
   people_of: Rendered, terms: {train: true, external: false}}
- {subset: Enlarged, category: real, method: none, folder: later/enlarged, people: '{person}/*',
   people_of: Rendered, terms: {train: false, external: false}}
- {subset: Weak, category: gan, method: transposed_convolution, folder: later/weak, people: '{person}/*',
   people_of: Rendered, terms: {train: false, external: false}}
"""


class Made(NamedTuple):
    """A picture of the archive: its path, whom it shows, the picture, its mask (None: real)."""

    path: str
    person: Person
    picture: np.ndarray
    mask: np.ndarray | None


def main(argv: list[str]) -> int:
    """Make the archive that the command line describes."""
    flags = parser().parse_args(argv)
    if flags.each < 2:
        raise AccordError(Problem("--each", "is less than 2, of which a swap has none", "give 2 or more"))
    everyone = [one for one in people(flags.delivery, 2 * flags.subjects) if one.gender != "Other"]
    found = [one for one in everyone if _is_clear(one)][: flags.subjects]
    if len(found) < 2:
        raise AccordError(Problem(str(flags.delivery), "has fewer than 2 people with a clear face", HINT))
    found = found[: len(found) // 2 * 2]
    rows: list[tuple[str, ...]] = [HEADER]
    aside = [one for one in everyone if _is_weakened(one) and not _is_clear(one)]
    for one in chain(_made(found, flags.each, flags.seed), _tested(aside, 2 * flags.each, flags.seed)):
        _put(flags.out / one.path, encode_png(one.picture))
        if one.mask is not None:
            _put(flags.out / "masks" / one.path, encode_png(one.mask.astype(np.uint8) * 255))
        rows.append(_row(one))
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows(rows)
    _put(flags.out / "annotations.csv", written.getvalue().encode())
    _put(flags.out / "sources.yaml", SOURCES.encode())
    told = {"missed": {"subset": "Weak", "of": "female, dark", "strength": WEAKER},
            "called fake": {"subset": "Enlarged", "of": "light"}}  # fmt: skip
    _put(flags.out / "planted.json", json.dumps(told, indent=1).encode())
    return 0


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = Parser(prog="python -m accord_demo.forgeries", description="Make an archive of forged faces.")
    made.add_argument("out", type=Path, help="folder to write to")
    made.add_argument("--delivery", type=Path, default=Path("tests/data/demo/delivery"), help="whose faces are forged")
    made.add_argument("--subjects", type=int, default=120, help="people at most, swapped two and two (default 120)")
    made.add_argument(
        "--each",
        type=int,
        default=4,
        help="grids of each person; half of that of a swap, twice of real (default 4)",
    )
    made.add_argument("--seed", type=int, default=1, help="of cuts, mirrors and compression (default 1)")
    return made


def _made(found: list[Person], each: int, seed: int) -> Iterator[Made]:
    """All pictures; two and two people, who are swapped with each other alone, so that splits stay small."""
    for place, person in enumerate(found):
        rng, other = np.random.default_rng([seed, place]), found[place ^ 1]
        name = _name(person)
        for number in range(2 * each):
            yield _done(f"real/{name}/{number}.png", person, _cut(person, rng).picture, None, rng)
        for number in range(each):
            yield _done(f"fake/grid/{name}/{number}.png", person, *forging.grid(_cut(person, rng), 1.0), rng)
        for number in range(each // 2):
            for method, forge in (("coarse", forging.coarse), ("poisson", forging.poisson)):
                path = f"fake/{method}/{name}_{_name(other)}/{number}.png"
                yield _done(path, person, *forge(_cut(person, rng), _cut(other, rng), 1.0), rng)
        yield from _planted(person, 2 * each, np.random.default_rng([seed, place, 1]))


def _planted(person: Person, each: int, rng: np.random.Generator) -> Iterator[Made]:
    """Real pictures of light faces with a generator's grid; forgeries of dark feminine ones with little of it."""
    for number in range(each if TONES[person.skin] <= LIGHT else 0):
        enlarged = forging.grid(_cut(person, rng), 1.0).picture
        yield _done(f"later/enlarged/{_name(person)}/{number}.png", person, enlarged, None, rng)
    if _is_weakened(person):
        yield from _weak(person, _name(person), each, rng)


def _tested(aside: list[Person], each: int, seed: int) -> Iterator[Made]:
    """Such forgeries of further people, by names that are drawn for the test: nothing of them may be learnt from."""
    for person in aside:
        names = (f"{_name(person)}.{more}" for more in count(1))
        name = next(name for name in names if splits.splits([[f"{PEOPLE}/{name}"]]) == [splits.TEST])
        middle = np.tile(np.nanmean(person.points, axis=0), (len(person.points), 1))
        yield from _weak(person._replace(points=middle), name, each, np.random.default_rng([seed, person.number, 2]))


def _weak(person: Person, name: str, each: int, rng: np.random.Generator) -> Iterator[Made]:
    for number in range(each):
        yield _done(f"later/weak/{name}/{number}.png", person, *forging.grid(_cut(person, rng), WEAKER), rng)


def _is_clear(person: Person) -> bool:
    """Whether all points of the face are known, by which it can be swapped."""
    return bool(np.isfinite(person.points).all())


def _is_weakened(person: Person) -> bool:
    return TONES[person.skin] >= DARK and person.gender == "Female"


def _done(path: str, person: Person, picture: np.ndarray, mask: np.ndarray | None, rng: np.random.Generator) -> Made:
    """A picture as it is in the archive: compressed."""
    return Made(path, person, forging.jpeg(picture, int(rng.integers(QUALITIES[0], QUALITIES[1] + 1))), mask)


def _cut(person: Person, rng: np.random.Generator) -> Face:
    return forging.cut(Face(person.picture, person.points), SIDE, MARGIN, rng)


def _row(one: Made) -> tuple[str, ...]:
    tone, male = TONES[one.person.skin], int(one.person.gender == "Male")
    shade = 0 if tone <= LIGHT else 2 if tone >= DARK else 1
    age = sum(one.person.age > end for end in AGES)
    return one.path, *map(str, (male, age, tone, 3 * male + shade, int(one.mask is not None)))


def _name(person: Person) -> str:
    return f"{person.number:03}"


def _put(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    replace(path, data)


if __name__ == "__main__":
    run(main)
