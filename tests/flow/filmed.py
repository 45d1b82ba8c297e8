"""Short videos of people, added to a delivery."""

import hashlib
import json
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import yaml

from accord.imaging import video
from accord.intake.delivered.sheets import SHEETS
from accord.models.detectors import find
from accord_demo.people_of_delivery import Person, people
from accord_demo.recording import SIDE, record
from house import rows_of, sign, write_rows

CAPTURED = "2026-01-01"


def add_videos(delivery: Path, most: int) -> dict[str, str]:
    """Add a video of each of the first people of a rendered delivery who are seen well: reference -> subject.

    The first alone has boxes, so that all others are painted over in their own.
    """
    rows = rows_of(delivery / "people.csv")
    (delivery / "videos").mkdir()
    shown, names, described = {}, list(SHEETS["videos.csv"].required), []
    for subject in sorted({row["subject"] for row in rows}):
        person = _person(delivery, subject)
        if person is None or len(shown) == most:
            continue
        reference = f"VID_{len(shown)}"
        shown[reference] = subject
        file, boxes = f"videos/{reference}.mp4", f"annotations/{reference}.json"
        record(delivery / file, person, dark=False, turned=0, rng=np.random.default_rng(len(shown)))
        told = {"image": reference, "people": [_boxes(delivery / file, subject)] if len(shown) == 1 else []}
        (delivery / boxes).write_text(json.dumps(told))
        sums = [hashlib.sha256((delivery / one).read_bytes()).hexdigest() for one in (file, boxes)]
        cells = [reference, file, sums[0], boxes, sums[1], subject, CAPTURED]
        described.append(dict(zip(names, cells, strict=True)))
        rows.append(dict.fromkeys(rows[0], "") | {"image": reference, "subject": subject, "is_primary": "true"})
    write_rows(delivery / "videos.csv", described, names)
    write_rows(delivery / "people.csv", rows, list(rows[0]))
    document = yaml.safe_load((delivery / "delivery.yaml").read_text())
    document["tables"]["videos.csv"] = ""
    (delivery / "delivery.yaml").write_text(yaml.safe_dump(document, sort_keys=False))
    sign(delivery)
    return shown


def _person(delivery: Path, subject: str) -> Person | None:
    """Somebody of a delivery, alone; None where no picture shows them well enough."""
    rows = [row for row in rows_of(delivery / "people.csv") if row["subject"] == subject]
    with TemporaryDirectory() as folder:
        for name in ("images", "annotations"):
            Path(folder, name).symlink_to(delivery.resolve() / name)
        write_rows(Path(folder, "people.csv"), rows, list(rows[0]))
        return next(iter(people(Path(folder), 1)), None)


def _boxes(file: Path, subject: str) -> dict:
    """Where somebody is in a video: the face as a detector finds it, the body everywhere."""
    seen = [(one.seconds, find(one.pixels())) for one in video.every(file)]
    faces = [[at, *found[0].box[:2], *np.subtract(found[0].box[2:], found[0].box[:2]).tolist()] for at, found in seen]
    return {"subject": subject, "face": faces, "person": [[half / 2, 0, 0, SIDE, SIDE] for half in range(7)]}
