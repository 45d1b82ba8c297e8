"""How many of the renderer's logos are found, and how much else is taken for one, with Wilson's intervals.

    python benchmarks/logos.py [--shots 60] [--seed 1000]

A third of the shots show a logo, a third a card, a screen or a plate (text in the same hand), a third neither.
Pictures are stored as the demo's are: 768 px, JPEG. Every detector alone and all together, at the threshold of 0.6.
"""

import argparse
import io
import time
from pathlib import Path

import numpy as np
import pandas as pd
from PIL import Image

from accord.analyse.rates import wilson
from accord.checks import logo_brands, logo_gallery, ocr
from accord.checks.logos import apart, matches
from accord.demo.render import Shot, photograph, sample_person

ROOT = Path(__file__).parents[1]
THRESHOLD, SIDE, MOST, SURE = 0.6, 448, 100, 0.5
TOLD = 10
OTHERS = (("card", "indoor"), ("screen", "indoor"), ("plate", "outdoor"))
COLUMNS = ("image", "polygon")


def main() -> None:
    """Render, look, and print a line per detector."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shots", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1000)
    asked = parser.parse_args()
    brands = logo_brands.read(ROOT / "tests/data/demo/brands.csv")
    gallery = logo_gallery.read((ROOT / "tests/data/demo/logos").glob("*.png"))
    truth, seen, spent = [], {"text": [], "shape": [], "both": []}, {"text": 0.0, "shape": 0.0}
    for number in range(asked.shots):
        pixels, objects = shot(asked.seed + number, number % 3)
        truth += [(str(number), one.polygon.ravel().tolist()) for one in objects if one.kind == "logo"]
        start = time.process_time()
        lines = [(line.text, line.corners.ravel().tolist(), line.score) for line in ocr.read(pixels, SIDE, MOST)]
        text = logo_brands.find([line for line in lines if line[2] >= SURE], brands, THRESHOLD)
        middle = time.process_time()
        shape = logo_gallery.find(pixels, gallery, THRESHOLD)
        spent["text"] += middle - start
        spent["shape"] += time.process_time() - middle
        for name, found in (("text", text), ("shape", shape), ("both", [*text, *shape])):
            seen[name] += [(str(number), list(one.polygon)) for one in apart(found)]
        if number % TOLD == TOLD - 1:
            print(f"{number + 1} of {asked.shots} shots, {len(truth)} logos", flush=True)
    for name, rows in seen.items():
        report(name, pd.DataFrame(rows, columns=COLUMNS), pd.DataFrame(truth, columns=COLUMNS))
    print(", ".join(f"{name} {seconds / asked.shots:.2f} CPU s per picture" for name, seconds in spent.items()))


def shot(seed: int, kind: int) -> tuple[np.ndarray, tuple]:
    """A picture as it is delivered, and the objects in it. kind: 0 with a logo, 1 with another sign, 2 with none."""
    other, setting = OTHERS[seed % 3]
    objects = [("logo",), (other,), ()][kind]
    setting = setting if kind == 1 else ("indoor", "outdoor")[seed // 3 % 2]
    framing = "full" if other == "plate" and kind == 1 else ("full", "bust")[seed // 6 % 2]
    taken = photograph(Shot((sample_person(seed),), seed, setting, framing, objects=objects))
    buffer = io.BytesIO()
    Image.fromarray(taken.pixels).save(buffer, "JPEG", quality=90)
    return np.asarray(Image.open(buffer)), taken.objects


def report(name: str, proposed: pd.DataFrame, truth: pd.DataFrame) -> None:
    """A line: recall over true logos and precision over proposals."""
    found, missed, false = matches(proposed, truth)
    right = len(proposed) - false
    rates = []
    for what, hits, trials in (("recall", found, found + missed), ("precision", right, len(proposed))):
        low, high = wilson(hits, trials)
        rates.append(f"{what} {hits}/{trials} [{low:.3f}, {high:.3f}]")
    print(f"{name:6s} {'  '.join(rates)}")


if __name__ == "__main__":
    main()
