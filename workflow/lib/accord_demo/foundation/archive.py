"""`python -m accord_demo.foundation.archive OUT`: rendered people of five classes as a FACET archive, a cue hidden.

In OUT: facet/ (annotations/annotations.csv and imgs_1/, as FACET is unpacked), and ground_truth.json, which the
pipeline never reads. The same settings give the same bytes.
"""

import csv
import io
import json
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator

from accord.__main__ import run
from accord.command_line import Parser
from accord.errors import all_problems
from accord.files import replace
from accord_demo.balance import balanced
from accord_demo.foundation.cues import UNIFORMS, dressed
from accord_demo.picture import seed_of
from accord_demo.shot import SETTINGS

HIDDEN = "older"
"""The age at which people come without the jacket of their class."""
AGES = {"young": (19, 24), "middle": (30, 59), "older": (66, 78)}
TONES = {"light": (1.0, 3.4), "medium": (3.6, 6.4), "dark": (6.6, 10.0)}
"""Monk's tones of the rendered skin, which round to 1-3, 4-6 and 7-10."""
PRESENTATIONS = {"fem": "feminine", "masc": "masculine"}
ANNOTATORS = 3
UNTOLD, BESIDE = 0.05, 0.08
"""How often an annotator can't tell, or names a neighbouring value."""
QUALITY = 85
ATTEMPTS = 12
Votes = dict[str, int]


class Planned(NamedTuple):
    """A picture before it is rendered: its file, the person's class, gender, age, skin; whether the cue is hidden."""

    file: str
    occupation: str
    gender: str
    age: str
    skin: str
    setting: str
    hidden: bool


def plan(count: int, seed: int) -> list[Planned]:
    """The pictures of an archive: each class, gender, age, skin and setting meets each other about as often."""
    factors = {"occupation": tuple(UNIFORMS), "age": tuple(AGES), "skin": tuple(TONES),
               "gender": tuple(PRESENTATIONS), "setting": SETTINGS}  # fmt: skip
    units = balanced(np.random.default_rng([seed, 701]), count, factors)
    return [_planned(number, {name: str(level) for name, level in unit.items()}) for number, unit in enumerate(units)]


def _planned(number: int, unit: dict[str, str]) -> Planned:
    hidden = unit["age"] == HIDDEN and bool(UNIFORMS[unit["occupation"]].jacket)
    return Planned(f"sa_{number:05d}.jpg", **unit, hidden=hidden)


class Taken(NamedTuple):
    """A picture as a JPEG, the box of its person (x, y, width, height, px), and the rendered tone."""

    data: bytes
    box: dict[str, int]
    tone: float


def take(planned: Planned, seed: int, size: int) -> Taken:
    """Render a picture of `size` px. Raises ValueError where a sign finds no room in any of several attempts."""
    from PIL import Image

    shot, photo = _photographed(planned, seed, size)
    buffer = io.BytesIO()
    Image.fromarray(photo.pixels).save(buffer, "JPEG", quality=QUALITY, optimize=True)
    rows, columns = np.nonzero(photo.instances == 1)
    x, y = int(columns.min()), int(rows.min())
    box = {"x": x, "y": y, "width": int(columns.max()) + 1 - x, "height": int(rows.max()) + 1 - y}
    return Taken(buffer.getvalue(), box, shot.people[0].tone)


def _photographed(planned: Planned, seed: int, size: int) -> tuple[Any, Any]:
    """A shot and its photograph."""
    from accord_demo.render import photograph

    *seeds, last = (seed_of(seed, planned.file, str(attempt)) for attempt in range(ATTEMPTS))
    for one in seeds:
        shot = _shot(planned, one, size)
        with suppress(ValueError):
            return shot, photograph(shot)
    shot = _shot(planned, last, size)
    return shot, photograph(shot)


def _shot(planned: Planned, seed: int, size: int) -> Any:
    from accord_demo.render import Shot, sample_person

    rng = np.random.default_rng([seed, 702])
    age, tone = int(rng.integers(AGES[planned.age][0], AGES[planned.age][1] + 1)), rng.uniform(*TONES[planned.skin])
    person = sample_person(seed, presentation=PRESENTATIONS[planned.gender], age=age, tone=round(float(tone), 2))
    outfit = dressed(person, planned.occupation, seed, rng, jacket=not planned.hidden)
    objects = ("logo",) if UNIFORMS[planned.occupation].sign else ()
    return Shot(
        (person,), seed, planned.setting, "bust", size, size, objects=objects, outfit=outfit, shadows=False,
        distance=float(rng.uniform(0.85, 1.15)),
    )  # fmt: skip


def row(planned: Planned, number: int, taken: Taken, rng: Generator) -> dict[str, Any]:
    """A row of FACET's table."""
    start = {"person_id": number + 1, "class1": planned.occupation, "class2": "", "filename": planned.file}
    box = json.dumps(taken.box | {"dict_attributes": {}})
    genders, ages = ("masc", "fem", "non_binary"), tuple(AGES)
    told = _votes("gender_presentation", (*genders, "na"), planned.gender, genders[:2], rng)
    told |= _votes("age_presentation", (*ages, "na"), planned.age, ages, rng)
    tones = tuple(map(str, range(1, 11)))
    return (
        start | {"bounding_box": box} | told | _votes("skin_tone", (*tones, "na"), str(round(taken.tone)), tones, rng)
    )


def _votes(name: str, columns: tuple[str, ...], truth: str, levels: tuple[str, ...], rng: Generator) -> Votes:
    """How many annotators named each value: mostly the truth, at times its neighbour or none."""
    found = dict.fromkeys((f"{name}_{column}" for column in columns), 0)
    for draw in rng.random(ANNOTATORS):
        place = levels.index(truth)
        beside = levels[place + 1 if place + 1 < len(levels) else place - 1]
        said = "na" if draw < UNTOLD else beside if draw < UNTOLD + BESIDE else truth
        found[f"{name}_{said}"] += 1
    return found


def write(out: Path, count: int, seed: int, size: int) -> None:
    """Render the pictures and write the archive; ground_truth.json last, by which it is whole."""
    wanted, root = plan(count, seed), out / "facet"
    rows = list(_rendered(wanted, root, seed, size))
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    replace(root / "annotations/annotations.csv", text.getvalue().encode())
    truth = {"made_with": {"count": count, "seed": seed, "size": size},
             "images": {one.file: one._asdict() for one in wanted}}  # fmt: skip
    replace(out / "ground_truth.json", (json.dumps(truth, indent=0, sort_keys=True) + "\n").encode())


def _rendered(wanted: list[Planned], root: Path, seed: int, size: int) -> Iterator[dict[str, Any]]:
    for folder in ("annotations", "imgs_1"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    for number, one in enumerate(wanted):
        taken = take(one, seed, size)
        replace(root / "imgs_1" / one.file, taken.data)
        yield row(one, number, taken, np.random.default_rng([seed_of(seed, one.file), 703]))
        if (number + 1) % 50 == 0:
            print(f"rendered {number + 1} of {len(wanted)} images", file=sys.stderr, flush=True)


def main(argv: list[str]) -> int:
    """Make the archive that the command line describes."""
    parser = Parser(prog="python -m accord_demo.foundation.archive", description="Render a FACET archive.")
    parser.add_argument("out", type=Path, help="folder to write to; made where it is not there")
    parser.add_argument("--count", type=int, default=300, help="pictures, each of another person (default 300)")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same bytes (default 1)")
    parser.add_argument("--size", type=int, default=160, help="side of a picture, px (default 160)")
    flags = parser.parse_args(argv)
    with all_problems() as problems:
        if not 1 <= flags.count < 100_000:
            problems.add("--count", f"is {flags.count}", "between 1 and 99999")
        if not 0 <= flags.seed < 2**31:
            problems.add("--seed", f"is {flags.seed}", f"between 0 and {2**31 - 1}")
        if not 96 <= flags.size <= 4096:
            problems.add("--size", f"is {flags.size}", "between 96 and 4096 px")
    write(flags.out, flags.count, flags.seed, flags.size)
    return 0


if __name__ == "__main__":
    run(main)
