"""The shipped demo is what its settings make: pictures rendered again are the same."""

import json
from pathlib import Path

import numpy as np
import pytest

from accord.imaging.decode import decode
from accord_demo.draft import Settings
from accord_demo.plan import make_plan, to_render
from accord_demo.studio import order, take

DEMO = Path(__file__).parents[1] / "data/demo"
# Byte-identical with the pinned numpy; with another one, or without AVX2, up to 0.1% of the pixels differ slightly,
# and JPEG spreads each of them over its block of 16 x 16.
SLIGHT, FEW = 8, 0.02
MEGABYTE = 1_000_000


@pytest.fixture(scope="module")
def truth():
    return json.loads((DEMO / "ground_truth.json").read_text())


@pytest.fixture(scope="module")
def plan(truth):
    return make_plan(Settings(**truth["made_with"]))


def chosen(plan):
    """A full figure, a small picture, and one that the planted bias degrades."""
    pictures = to_render(plan)
    full = next(p for p in pictures if p.frame.framing == "full" and not p.frame.blur and not p.secondary)
    small = min(pictures, key=lambda p: p.frame.width * p.frame.height)
    return full, small, next(p for p in pictures if p.frame.blur and p.frame.framing == "full")


@pytest.mark.slow
def test_pictures_rendered_again_are_the_same(plan):
    for picture in chosen(plan):
        shipped = decode((DEMO / "delivery" / picture.file).read_bytes())
        data, record = take(order(picture, plan.subjects, plan.settings.seed, plan.settings.size))
        again = decode(data)
        assert again.shape == shipped.shape == (record["height"], record["width"], 3)
        away = np.abs(again.astype(int) - shipped.astype(int)).max(2)
        assert (away > SLIGHT).mean() <= FEW, picture.reference


def test_the_plan_names_what_is_shipped(plan, truth):
    assert [p.reference for p in plan.clean()] == truth["clean"]
    files = {p.file for p in plan.pictures.values() if "file" not in p.absent}
    assert {f"images/{path.name}" for path in (DEMO / "delivery/images").iterdir()} == files


def test_the_demo_is_small_enough_and_large_enough(truth):
    assert sum(path.stat().st_size for path in DEMO.rglob("*") if path.is_file()) <= 30 * MEGABYTE
    assert len(truth["clean"]) >= 360
