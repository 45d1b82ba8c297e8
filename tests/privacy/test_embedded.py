"""The model that ships: what it weighs, and what it paints."""

import importlib.util
import re
from pathlib import Path

import numpy as np
import pytest

from accord.imaging.regions import grown
from accord.models import detectors
from accord.privacy.painting import painters

ROOT = Path(__file__).parents[2]
CARD = ROOT / "docs" / "inpainting.md"
MEGABYTES = 15


def _benchmark():
    spec = importlib.util.spec_from_file_location("inpainting_benchmark", ROOT / "benchmarks" / "inpainting.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


benchmark = _benchmark()


@pytest.fixture(scope="module")
def painter():
    return painters.load("embedded")


@pytest.fixture(scope="module")
def fills(painter):
    """Method -> mean error and median detail on scenes that the model has not seen."""
    cases = [benchmark.case(number, 256) for number in range(4)]
    measured = {}
    for name, fill in benchmark.methods("embedded").items():
        filled = [fill(one.scene, one.hole) for one in cases]
        errors = [benchmark.error(one, f) for one, f in zip(cases, filled, strict=True)]
        details = [benchmark.detail(one, f) for one, f in zip(cases, filled, strict=True)]
        measured[name] = (np.mean(errors), np.median(details))
    return measured


def test_the_files_are_small_and_hold_no_code():
    files = [path for path in painters.EMBEDDED_FOLDER.rglob("*") if path.is_file()]
    assert {path.suffix for path in files} == {".json", ".safetensors"}
    assert sum(path.stat().st_size for path in files) <= MEGABYTES * 2**20


def test_the_card_names_the_weights(painter):
    assert painter.sha256 in re.findall(r"[0-9a-f]{64}", CARD.read_text("utf-8"))


def test_fills_are_close_to_what_was_there(fills):
    error = {name: measured[0] for name, measured in fills.items()}
    assert error["model"] < 0.6 * min(error["grey"], error["mean colour"])
    assert error["model"] < 1.4 * error["telea"]


def test_fills_are_sharper_than_those_of_plain_methods(fills):
    off = {name: abs(np.log(measured[1])) for name, measured in fills.items()}
    assert off["model"] < off["telea"] and off["model"] < off["membrane"]


def test_the_person_is_gone(painter, bystander):
    hole = grown(bystander.mask, 6)
    nobody = np.zeros_like(hole)
    assert detectors.left_over(bystander.pixels, hole, nobody)
    request = painters.Request("background, nobody, empty street", "person", 14.0, 1, 20)
    painted = np.where(hole[..., None], painter.paint(bystander.pixels, hole, request), bystander.pixels)
    assert detectors.left_over(painted, hole, nobody) == []


def test_the_same_request_gives_the_same_bytes(painter, picture):
    unknown = np.zeros(picture.shape[:2], bool)
    unknown[50:120, 60:150] = True
    request = painters.Request("background", "person", 15.0, 9, 4)
    assert painter.paint(picture, unknown, request).tobytes() == painter.paint(picture, unknown, request).tobytes()
