"""What is drawn of people in other units, sizes or conventions: each kind of mistake is listed before a run."""

import io
import json
from pathlib import Path

import numpy as np
import pytest
from intake_cases import Maker
from PIL import Image

from accord.consent.deciding.eligible import Terms
from accord.delivery import command
from accord.delivery.judging.judge import Settings

DEMO = Path(__file__).parents[1] / "data/demo/delivery"
NAMES = ("IMG_000002", "IMG_000004", "IMG_000010")
"""Rendered pictures of one person each, about 640 x 768 px."""
TERMS = Terms("2026-11-01", 18)


def mapped(document, change):
    """The document with all coordinates, (n, 2), as `change` has them."""
    person = document["people"][0]
    for name in ("face_bbox", "person_bbox"):
        x, y, width, height = person[name]
        corners = change(np.array([[x, y], [x + width, y + height]], float))
        person[name] = [*corners.min(axis=0).tolist(), *np.ptp(corners, axis=0).tolist()]
    person["keypoints"] = {
        name: [*map(float, change(np.array([[x, y]], float))[0]), seen]
        for name, (x, y, seen) in person["keypoints"].items()
    }
    for segment in person["segments"]:
        points = change(np.array([[point["x"], point["y"]] for point in segment["polygon"]], float))
        segment["polygon"] = points.tolist()
    return document


def only(document, change, *keys):
    """The same of some keys of a person alone."""
    person, new = document["people"][0], mapped(json.loads(json.dumps(document)), change)["people"][0]
    person.update({key: new[key] for key in keys})
    return document


BOXES, POINTS = ("face_bbox", "person_bbox"), ("keypoints", "segments")


def boxes(document, change):
    person = document["people"][0]
    person.update({name: change(*person[name]) for name in BOXES})
    return document


SIZE = np.array([640.0, 768.0])
SHARES, PERCENT = (lambda points: points / SIZE), (lambda points: points / SIZE * 100)
MISTAKES = {
    "all in shares": lambda d: mapped(d, SHARES),
    "all in percent": lambda d: mapped(d, PERCENT),
    "boxes in shares": lambda d: only(d, SHARES, *BOXES),
    "boxes in percent": lambda d: only(d, PERCENT, *BOXES),
    "the face's box in shares": lambda d: only(d, SHARES, "face_bbox"),
    "the face's box in percent": lambda d: only(d, PERCENT, "face_bbox"),
    "keypoints in shares": lambda d: only(d, SHARES, "keypoints"),
    "keypoints in percent": lambda d: only(d, PERCENT, "keypoints"),
    "segments in percent": lambda d: only(d, PERCENT, "segments"),
    "corners": lambda d: boxes(d, lambda x, y, w, h: [x, y, x + w, y + h]),
    "sides of boxes swapped": lambda d: boxes(d, lambda x, y, w, h: [x, y, h, w]),
    "axes of boxes swapped": lambda d: boxes(d, lambda x, y, w, h: [y, x, h, w]),
    "all axes swapped": lambda d: mapped(d, lambda points: points[:, ::-1]),
    "boxes of half the size": lambda d: only(d, lambda points: points / 2, *BOXES),
    "all of half the size": lambda d: mapped(d, lambda points: points / 2),
    "all of twice the size": lambda d: mapped(d, lambda points: points * 2),
    "centres in place of corners": lambda d: boxes(d, lambda x, y, w, h: [x + w / 2, y + h / 2, w, h]),
    "off the picture": lambda d: boxes(d, lambda x, y, w, h: [x - 900, y, w, h]),
}


OTHERS = "1 of 2 images have boxes elsewhere: the others may have the same mistake"


def turned(document, change):
    """A picture that lies on its side in the file, with EXIF's 6, and what was drawn on it as it lies there."""
    return change(document, lambda points: np.stack([points[:, 1], 640 - points[:, 0]], axis=1))


@pytest.fixture(scope="module")
def faces():
    return {name: (DEMO / f"images/{name}.jpg").read_bytes() for name in NAMES}


def judged(root, documents, data):
    maker = Maker(root)
    for name, document in documents.items():
        subject = f"s-{name}"
        maker.subject(subject)
        maker.image(name, subject, data=data[name])
        document["people"][0]["subject"] = subject
        document["people"][0].pop("annotators", None)
        maker.files[f"annotations/{name}.json"] = json.dumps({**document, "regions": []}).encode()
    for name in ("a1", "a2", "q1"):
        maker.annotator(name)
    return command.check(maker.write(), TERMS, Settings(200_000_000))


def drawn(name):
    return json.loads((DEMO / f"annotations/{name}.json").read_text())


def test_right_annotations_stop_nothing(tmp_path, faces):
    found = judged(tmp_path / "delivery", {name: drawn(name) for name in NAMES}, faces)
    assert sorted(found.passing) == sorted(NAMES), found.faults


@pytest.mark.parametrize("mistake", MISTAKES)
def test_each_mistake_stops_its_image_and_no_other(tmp_path, faces, mistake):
    documents = {NAMES[0]: MISTAKES[mistake](drawn(NAMES[0])), NAMES[1]: drawn(NAMES[1])}
    found = judged(tmp_path / "delivery", documents, faces)
    whats = {name: {fault.what for fault in found.faults if name in fault.images} for name in documents}
    assert whats[NAMES[0]]
    # What intake refuses is refused wherever it stands; else one mistake in so many images is likely in all.
    others = set() if any("annotations: " in what for what in whats[NAMES[0]]) else {OTHERS}
    assert whats[NAMES[1]] == others
    assert found.passing == (() if others else (NAMES[1],))


READ_AS = {
    "all in shares": "units",
    "all in percent": "read as percent of the picture (0 to 100)",
    "corners": "read as corners (x_min, y_min, x_max, y_max)",
    "axes of boxes swapped": "read as y, x, height, width",
    "all of half the size": "read as px of a copy of the picture about 0.5 times its size",
    "all of twice the size": "read as px of a copy of the picture about 2 times its size",
}


@pytest.mark.parametrize("mistake", READ_AS)
def test_the_mistake_is_named(tmp_path, faces, mistake):
    found = judged(tmp_path / "delivery", {NAMES[0]: MISTAKES[mistake](drawn(NAMES[0]))}, faces)
    assert any(READ_AS[mistake] in fault.what for fault in found.faults), found.faults


@pytest.mark.parametrize("change", [mapped, lambda d, change: only(d, change, *BOXES)])
def test_what_was_drawn_on_the_picture_as_stored_is_named(tmp_path, faces, change):
    exif = Image.Exif()
    exif[0x0112] = 6
    data = io.BytesIO()
    picture = Image.open(io.BytesIO(faces[NAMES[0]]))
    picture.transpose(Image.Transpose.ROTATE_90).save(data, "JPEG", quality=95, exif=exif)
    found = judged(tmp_path / "right", {NAMES[0]: drawn(NAMES[0])}, {NAMES[0]: data.getvalue()})
    assert found.passing == (NAMES[0],), found.faults
    found = judged(tmp_path / "wrong", {NAMES[0]: turned(drawn(NAMES[0]), change)}, {NAMES[0]: data.getvalue()})
    assert found.passing == ()
    assert any("read as px of the picture as stored" in fault.what for fault in found.faults), found.faults
