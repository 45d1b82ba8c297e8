"""Deliveries with cheap pictures: a stand-in for the renderer that draws ellipses and knows where they are."""

import sys
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from accord_demo import deliver, studio
from accord_demo.draft import Settings
from accord_demo.picture import seed_of
from accord_demo.scene.objects import SceneObject
from accord_demo.scene.truth import Depicted
from accord_demo.shot import Photograph

sys.path.insert(0, str(Path(__file__).parent))

SMALL = Settings(subjects=24, images_per_subject=3, seed=5, size=192)
CLOTHES, FACE, EYE, NONE = 20, 0, 9, 255


def draw(order) -> Photograph:
    """A person per column before clouds; a head with one eye on a body. The last columns are bystanders'."""
    frame = order.picture.frame
    rng = np.random.default_rng(seed_of(order.seed, order.picture.reference, "drawn"))
    shape = frame.height, frame.width
    pixels = cv2.resize(rng.integers(0, 255, (9, 9, 3)).astype(np.uint8), shape[::-1], interpolation=cv2.INTER_CUBIC)
    labels, instances = np.full(shape, NONE, np.uint8), np.zeros(shape, np.uint8)
    count = len(order.looks) + frame.bystanders
    people = tuple(
        draw_person(order.looks[i] if i < len(order.looks) else None, i, count, pixels, labels, instances)
        for i in range(count)
    )
    board = np.array([[4, 4], [40, 4], [40, 20], [4, 20]], float)
    objects = tuple(SceneObject(kind, "TEXT", board) for kind in frame.objects)
    return Photograph(
        pixels, people, objects, labels, instances, frame.setting, frame.framing, "sunny", (0.5, 0.8, 0.3), "walk",
        "smile", 3.0, -2.0,
    )  # fmt: skip


def draw_person(looks, i: int, count: int, pixels, labels, instances) -> Depicted:
    height, width = labels.shape
    x, wide = round(width * (i + 1) / (count + 1)), round(0.35 * width / count)
    head, body = (x, round(height * 0.3)), (x, round(height * 0.75))
    for canvas, cloth, face, eye in ((labels, CLOTHES, FACE, EYE), (instances, i + 1, i + 1, i + 1)):
        cv2.ellipse(canvas, body, (wide, round(height * 0.4)), 0, 0, 360, cloth, -1)
        cv2.circle(canvas, head, wide // 2, face, -1)
        cv2.circle(canvas, head, max(2, wide // 8), eye, -1)
    pixels[instances == i + 1] = 40 + 60 * i
    keypoints = np.tile([*body, 1.0], (33, 1))
    keypoints[:11, :2], keypoints[30:] = head, [-9.0, height * 2.0, 0.0]
    rows, columns = np.nonzero(instances == i + 1)
    box = (columns.min(), rows.min(), np.ptp(columns) + 1, np.ptp(rows) + 1)
    face_box = (x - wide // 2, head[1] - wide // 2, wide, wide)
    seen = {"tone": 5.0, "hair": "bob", "hair_colour": "black", "beard": "none", "eye_colour": "brown", "makeup": False}
    if looks:
        seen |= {"tone": looks.tone, "hair": looks.hair}
    role = "subject" if looks else "bystander"
    return Depicted(role, SimpleNamespace(**seen), keypoints, face_box, box, len(rows))


@pytest.fixture
def drawing(monkeypatch):
    """Within this the studio draws instead of rendering."""
    monkeypatch.setattr(studio, "_photograph", draw)


@pytest.fixture(scope="session")
def small(tmp_path_factory):
    """A small delivery with everything planted."""
    out = tmp_path_factory.mktemp("small")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(studio, "_photograph", draw)
        deliver.deliver(out, SMALL, jobs=1)
    return out
