"""`python -m accord_demo.rapid.archive OUT`: rendered people as an archive in FHIBE's format, for a Rapid Test.

In OUT: fhibe/ (the table and the pictures, as FHIBE is unpacked), and ground_truth.json, which the pipeline never
reads. The same settings give the same bytes.
"""

import csv
import io
import json
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from accord.__main__ import run
from accord.command_line import Parser
from accord.errors import all_problems
from accord.files import replace
from accord.imaging.decode import encode_png
from accord.release.format.fhibe import RAW, WHOLE_COLUMNS, WHOLE_TABLE
from accord.release.format.sheet import cell
from accord_demo.picture import seed_of
from accord_demo.rapid.plan import PRESENTATIONS, Planned, plan, tone
from accord_demo.shot import SETTINGS, Photograph

ATTEMPTS = 12
AGES = (22, 60)
TURN = 62.0
"""Degrees by which a head is turned away: some detectors still find the face."""
QUALITY, CUT, FRAME = 40, 0.06, 6
"""Of copies: JPEG quality, share cut off each side, px of the frame."""


def write(out: Path, seed: int, size: int) -> None:
    """Render the pictures and write the archive; ground_truth.json last, by which it is whole."""
    wanted, root, rows = plan(seed), out / "fhibe", []
    for number, one in enumerate(wanted):
        photo = photographed(one, seed, size)
        pixels = copied(one, photo.pixels)
        replace(_made(root / _path(one)), encode_png(pixels))
        rows += _rows(one, photo, pixels.shape, seed)
        if (number + 1) % 50 == 0:
            print(f"rendered {number + 1} of {len(wanted)} images", file=sys.stderr, flush=True)
    text = io.StringIO()
    writer = csv.DictWriter(text, WHOLE_COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    replace(_made(root / WHOLE_TABLE), text.getvalue().encode())
    replace(out / "ground_truth.json", (json.dumps(truth(seed, size), indent=0, sort_keys=True) + "\n").encode())


def truth(seed: int, size: int) -> dict[str, Any]:
    """What is planted: of each picture who is in it, whose it is said to be, and what is wrong."""
    told = {one.image: {"subject": one.subject, "person": one.person, "skin": one.skin, "planted": one.planted}
            for one in plan(seed)}  # fmt: skip
    return {"made_with": {"seed": seed, "size": size}, "images": told}


def photographed(one: Planned, seed: int, size: int) -> Photograph:
    """Render a picture; of a copy, what it is made from. Raises ValueError where nothing finds room in any attempt."""
    from accord_demo.render import photograph

    *seeds, last = (seed_of(seed, one.source or one.image, str(attempt)) for attempt in range(ATTEMPTS))
    for number in seeds:
        with suppress(ValueError):
            return photograph(_shot(one, number, seed, size))
    return photograph(_shot(one, last, seed, size))


def copied(one: Planned, pixels: np.ndarray) -> np.ndarray:
    """The pixels of a picture; of a copy, changed as copies are."""
    if one.copy == "recompressed":
        data = cv2.imencode(".jpg", pixels[:, :, ::-1], [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1]
        return np.ascontiguousarray(cv2.imdecode(data, cv2.IMREAD_COLOR)[:, :, ::-1])
    if one.copy == "cropped":
        cut = round(CUT * len(pixels))
        return np.ascontiguousarray(pixels[cut:-cut, cut:-cut])
    if one.copy == "framed":
        return np.pad(pixels, ((FRAME, FRAME), (FRAME, FRAME), (0, 0)), constant_values=245)
    return pixels


def _shot(one: Planned, number: int, seed: int, size: int) -> Any:
    from accord_demo.render import Shot

    rng = np.random.default_rng([number, 802])
    people = [_looks(one.person, one, seed), *([_looks(one.beside, one, seed)] if one.beside else [])]
    setting = SETTINGS[int(rng.integers(len(SETTINGS)))]
    return Shot(
        tuple(people), number, setting, "bust" if one.beside else "face", size, size, shadows=False,
        distance=float(rng.uniform(0.85, 1.15)), yaw=TURN if one.turned else None,
    )  # fmt: skip


def _looks(person: str, one: Planned, seed: int) -> Any:
    from accord_demo.render import sample_person

    age = int(np.random.default_rng([seed_of(seed, person), 803]).integers(*AGES))
    return sample_person(
        seed_of(seed, person), presentation=one.presentation, age=age, tone=tone(person, one.skin, seed)
    )


def _rows(one: Planned, photo: Photograph, shape: tuple[int, ...], seed: int) -> list[dict[str, str]]:
    """The rows of FHIBE's table about a picture: one for each person in it."""
    names = (one.subject, f"{one.subject}_{one.beside}")
    return [_row(one, name, depicted, place == 0, shape)
            for place, (name, depicted) in enumerate(zip(names, photo.people, strict=False))]  # fmt: skip


def _row(one: Planned, name: str, depicted: Any, is_primary: bool, shape: tuple[int, ...]) -> dict[str, str]:
    said = {
        "image_id": one.image, "filepath": _path(one), "json_path": "", "subject_id": name, "is_primary": is_primary,
        "image_height": shape[0], "image_width": shape[1], "age": depicted.person.age,
        "pronoun": [PRESENTATIONS[one.presentation]], "natural_skin_color": one.skin,
        "face_bbox": _box(depicted.face_box, one, shape), "person_bbox": _box(depicted.person_box, one, shape),
    }  # fmt: skip
    return {column: cell(value) for column, value in said.items()}


def _box(box: Any, one: Planned, shape: tuple[int, ...]) -> list[float] | None:
    """x, y, width and height in the picture as it is written."""
    if box is None:
        return None
    whole = shape[0] / (1 - 2 * CUT) if one.copy == "cropped" else shape[0]
    move = FRAME if one.copy == "framed" else -round(CUT * whole) if one.copy == "cropped" else 0
    x, y, width, height = map(float, box)
    return [round(x + move, 2), round(y + move, 2), round(width, 2), round(height, 2)]


def _path(one: Planned) -> str:
    return f"{RAW}/{one.subject}/{one.image}/main_{one.image}.png"


def _made(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def main(argv: list[str]) -> int:
    """Make the archive that the command line describes."""
    parser = Parser(prog="python -m accord_demo.rapid.archive", description="Render the archive of the Rapid Test.")
    parser.add_argument("out", type=Path, help="folder to write to; made where it is not there")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same bytes (default 1)")
    parser.add_argument("--size", type=int, default=160, help="side of a picture, px (default 160)")
    flags = parser.parse_args(argv)
    with all_problems() as problems:
        if not 0 <= flags.seed < 2**31:
            problems.add("--seed", f"is {flags.seed}", f"between 0 and {2**31 - 1}")
        if not 96 <= flags.size <= 1024:
            problems.add("--size", f"is {flags.size}", "between 96 and 1024 px")
    write(flags.out, flags.seed, flags.size)
    return 0


if __name__ == "__main__":
    run(main)
