"""Deliveries of drawn people: small pictures with nothing to paint out, for benchmarks of how much runs again."""

import argparse
import importlib.util
from dataclasses import replace
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[1]
FACE = {2: (0.68, 0.4), 5: (0.32, 0.4), 9: (0.62, 0.75), 10: (0.38, 0.75)}
"""Eyes and corners of the mouth (BlazePose's numbers), as shares of the face box: they align the face picture."""


def draw(place: Path, subjects: int, flags: argparse.Namespace, *, vendor: str = "acme", seed: int = 0) -> Path:
    """A delivery of drawn pictures, as the tests of the demo draw them."""
    from accord_demo import deliver, studio
    from accord_demo.draft import Settings

    spec = importlib.util.spec_from_file_location("drawn", ROOT / "tests/demo/conftest.py")
    drawn = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(drawn)
    studio._photograph = lambda order: _textured(drawn.draw(_plain(order)), order)
    settings = Settings(subjects, flags.images, flags.seed + seed, flags.size, defects=False, bias=False)
    deliver.deliver(place, settings, jobs=1)
    about = place / "delivery/delivery.yaml"
    told = yaml.safe_load(about.read_text())
    about.write_text(yaml.safe_dump({**told, "vendor": vendor}, sort_keys=False))
    return place / "delivery"


def _plain(order):
    """The order of a picture without bystanders and objects, which would have to be painted out."""
    picture = order.picture
    return order._replace(picture=replace(picture, frame=picture.frame._replace(bystanders=0, objects=())))


def _textured(photograph, order):
    """A drawn photograph under a pattern of its own: faces of one colour would all be copies of each other."""
    import cv2
    import numpy as np

    from accord_demo.picture import seed_of

    height, width = photograph.pixels.shape[:2]
    rng = np.random.default_rng(seed_of(order.seed, order.picture.reference, "texture"))
    coarse = rng.integers(0, 255, (height // 4, width // 4, 3)).astype(np.uint8)
    pattern = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    people = tuple(_faced(person) for person in photograph.people)
    return replace(photograph, pixels=cv2.addWeighted(photograph.pixels, 0.5, pattern, 0.5, 0), people=people)


def _faced(person):
    """A drawn person with eyes and a mouth."""
    x, y, wide, high = person.face_box
    keypoints = person.keypoints.copy()
    for index, (across, down) in FACE.items():
        keypoints[index, :2] = x + across * wide, y + down * high
    return replace(person, keypoints=keypoints)
