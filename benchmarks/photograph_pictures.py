"""The pictures of docs/photographs.md: what is pasted into photographs before painting, and as each painter that needs
no download leaves it.

    python benchmarks/photograph_pictures.py docs/photographs
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests/flow"))

import photographs  # noqa: E402

from accord.imaging.masks import rasterise  # noqa: E402
from accord.imaging.regions import Window, region_mask, window_around  # noqa: E402
from accord.privacy.painting.candidates import Outcome, Task, View, paint  # noqa: E402
from accord.privacy.painting.painters import EmbeddedPainter  # noqa: E402
from accord.privacy.painting.prompts import Prompts  # noqa: E402
from accord.privacy.painting.request import Request  # noqa: E402

SHOWN = {"IMG_02": "bystander", "IMG_11": "passer", "IMG_06": "plate", "IMG_07": "screen", "IMG_08": "sign"}
CANDIDATES = {"embedded": 2, "membrane": 0}
"""Painter -> fills that are tried: without any the membrane is left."""
GUIDANCE, STEPS = 14.0, 20
SMALLEST, HEIGHT, BAR, QUALITY = 280, 320, 22, 80
"""Px of the sides of windows, of what is shown, and of the line above it; JPEG's quality."""


def shown(shot: photographs.Shot, painter: EmbeddedPainter, words: Prompts) -> tuple[Image.Image, list[str]]:
    """What is pasted into a picture before and after, side by side; and figures, a line for each painter."""
    before, regions = photographs.composed(shot)
    kind, outline = regions[0]
    shape = before.shape[:2]
    person = photographs.outlines_of(shot.source)["person"]
    declared = rasterise([np.ravel(outline)], shape)
    subjects = rasterise([np.ravel(polygon) for polygon in person], shape) & ~declared
    hole = region_mask(np.ravel(outline), shape) & ~subjects
    panels, lines = {"before": before}, []
    for name, count in CANDIDATES.items():
        after = before.copy()
        view = View(after, hole, hole | subjects, hole | subjects, subjects)
        start = time.process_time()
        (done,) = paint([Task(view, lambda number: asked(words, kind, number))], painter, min(count, 1), count)
        lines.append(figures(shot, name, done, hole, time.process_time() - start))
        panels[name] = after
    return beside(panels, window_around(hole, SMALLEST)), lines


def asked(words: Prompts, kind: str, number: int) -> Request:
    return Request(words.of(kind, "outdoor"), words.negative, GUIDANCE, number + 1, STEPS)


def figures(shot: photographs.Shot, name: str, done: Outcome, hole: np.ndarray, seconds: float) -> str:
    told = ", ".join(f"{flaw} {score:.2f}" for flaw, score in done.flaws._asdict().items())
    return f"{shot.image} {name}: {done.method}, {told}, {int(hole.sum())} px, {seconds:.1f} CPU s"


def beside(panels: dict[str, np.ndarray], window: Window) -> Image.Image:
    """Windows of pictures side by side, each under its name."""
    parts = {name: Image.fromarray(window.of(pixels)) for name, pixels in panels.items()}
    width = round(HEIGHT * next(iter(parts.values())).width / next(iter(parts.values())).height)
    made = Image.new("RGB", ((width + 4) * len(parts) - 4, HEIGHT + BAR), "white")
    draw = ImageDraw.Draw(made)
    for number, (name, part) in enumerate(parts.items()):
        left = number * (width + 4)
        draw.text((left + 2, 2), name, fill="black", font=ImageFont.load_default(size=15))
        made.paste(part.resize((width, HEIGHT), Image.Resampling.LANCZOS), (left, BAR))
    return made


def main(out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    painter = EmbeddedPainter.load()
    words = Prompts.read(ROOT / "config/demo-prompts.yaml")
    for shot in photographs.SHOTS:
        if shot.image in SHOWN:
            made, lines = shown(shot, painter, words)
            made.save(out / f"{SHOWN[shot.image]}.jpg", quality=QUALITY)
            print(*lines, sep="\n", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    main(parser.parse_args().out)
