"""How close inpainting comes to what was really there: the embedded model beside plainer fills.

    python benchmarks/inpainting.py [--scenes 24] [--side 384] [--model embedded]

Scenes without people that the model was not trained on get a hole with a person's outline, a rectangle or an ellipse.
Error: mean absolute difference to the truth inside the hole, colour levels (smaller is closer; a blur scores well).
Detail: mean gradient of the fill over that of the truth (1 is as sharp as the truth). Seconds of CPU time per hole.
"""

import argparse
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

SEED = 1_000_000
STEPS = 20
PROMPT = "background, nobody, empty scene"
NEGATIVE = "person, people, face, text, logo"
GUIDANCE = 14.0


class Case(NamedTuple):
    """A scene, uint8 (side, side, 3), and a hole in it, bool (side, side)."""

    scene: np.ndarray
    hole: np.ndarray


def main() -> None:
    """Fill all holes with all methods and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scenes", type=int, default=24)
    parser.add_argument("--side", type=int, default=384)
    parser.add_argument("--model", default="embedded")
    chosen = parser.parse_args()
    cases = [case(number, chosen.side) for number in range(chosen.scenes)]
    print(f"{'method':<12} {'error':>8} {'detail':>8} {'seconds':>8}")
    for name, fill in methods(chosen.model).items():
        started = time.process_time()
        fills = [fill(one.scene, one.hole) for one in cases]
        seconds = (time.process_time() - started) / len(cases)
        errors = [error(one, filled) for one, filled in zip(cases, fills, strict=True)]
        details = [detail(one, filled) for one, filled in zip(cases, fills, strict=True)]
        print(f"{name:<12} {np.mean(errors):8.2f} {np.median(details):8.2f} {seconds:8.2f}")


def case(number: int, side: int) -> Case:
    """The scene of a number, indoors and outdoors in turn, and its hole."""
    import cv2

    from accord_demo.render import empty_scene
    from accord_demo.training.data import SETTINGS, hole

    scene = empty_scene(SEED + number, SETTINGS[number % 2], side, side).pixels
    small = hole(np.random.default_rng(number))
    return Case(scene, cv2.resize(small.astype(np.uint8), (side, side), interpolation=cv2.INTER_NEAREST) > 0)


def methods(model: str) -> dict[str, Callable]:
    """Name -> function of (scene, hole) that returns the filled scene."""
    import cv2

    from accord.privacy.painting import painters

    painter = painters.load(model)
    request = painters.Request(PROMPT, NEGATIVE, GUIDANCE, 1, STEPS)
    return {
        "grey": lambda scene, hole: np.where(hole[..., None], np.uint8(128), scene),
        "mean colour": lambda scene, hole: np.where(hole[..., None], scene[~hole].mean(0), scene).astype(np.uint8),
        "membrane": painters.membrane_fill,
        "telea": lambda scene, hole: cv2.inpaint(scene, hole.astype(np.uint8), 5, cv2.INPAINT_TELEA),
        "pieces": pieces,
        "model": lambda scene, hole: painter.paint(scene, hole, request),
    }


def pieces(scene: np.ndarray, hole: np.ndarray) -> np.ndarray:
    """What the model's last stage makes of a membrane alone: shows what diffusion adds."""
    from accord.privacy.fitting import texture
    from accord.privacy.painting import painters
    from accord.privacy.painting.diffusion import SIDE

    small, hidden = texture.shrink(scene, hole, SIDE)
    return texture.fit_with_pieces(painters.membrane_fill(small, hidden), scene, hole, hidden)


def error(one: Case, filled: np.ndarray) -> float:
    """Mean absolute difference inside the hole, colour levels."""
    return float(np.abs(filled[one.hole].astype(float) - one.scene[one.hole]).mean())


def detail(one: Case, filled: np.ndarray) -> float:
    """Mean gradient inside the hole, over that of the truth."""
    return gradient(np.where(one.hole[..., None], filled, one.scene), one.hole) / gradient(one.scene, one.hole)


def gradient(picture: np.ndarray, mask: np.ndarray) -> float:
    """Mean absolute difference of neighbours, colour levels, inside a mask."""
    values = picture.astype(float)
    steps = np.abs(np.diff(values, axis=0))[:, :-1] + np.abs(np.diff(values, axis=1))[:-1]
    return float(steps[mask[:-1, :-1]].mean())


if __name__ == "__main__":
    main()
