"""What checks.personal_data finds of regions that annotators drew, as if they had drawn none, and what it sees besides.

    python benchmarks/personal_data.py DELIVERY/images DELIVERY/annotations [--every N]

A region is found where proposals cover half of it. Of pictures without regions every N-th is looked at.
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np

from accord.checks.looking import personal_data
from accord.checks.looking.texts import MOST, SURE
from accord.imaging.decode import decode
from accord.imaging.masks import covered, rasterise
from accord.models import ocr

Z, FOUND, SMALL = 1.96, 0.5, 0.01
TEXT_SIDE, SMALLEST_FACE = 448, 0.04


def wilson(hits: int, of: int) -> str:
    share, spread = hits / of, Z * Z / of
    half = Z * np.sqrt(share * (1 - share) / of + spread / (4 * of))
    low, high = ((share + spread / 2 + sign * half) / (1 + spread) for sign in (-1, 1))
    return f"{hits}/{of} = {100 * share:.1f}% [{100 * low:.1f}, {100 * high:.1f}]"


def flat(polygon: list) -> list[float]:
    return [float(v) for p in polygon for v in ((p["x"], p["y"]) if isinstance(p, dict) else p)]


def proposed(pixels: np.ndarray, people: list[dict]) -> list:
    """What is proposed in a picture of which only the people are outlined."""
    import pandas as pd

    lines = [line for line in ocr.read(pixels, TEXT_SIDE, MOST) if line.score >= SURE]
    texts = pd.DataFrame({"polygon": [line.corners.ravel() for line in lines], "text": [line.text for line in lines]})
    texts["score"] = [line.score for line in lines]
    boxes = [[p[name] for p in people if p.get(name)] for name in ("face_bbox", "person_bbox")]
    corners = [np.array([[x, y, x + w, y + h] for x, y, w, h in some]).reshape(-1, 4) for some in boxes]
    known = personal_data.Known(*corners, np.zeros(pixels.shape[:2], bool))
    return [
        *personal_data._texts(pixels, texts if len(texts) else None, SURE),
        *personal_data._people(pixels, known, SMALLEST_FACE),
    ]


def main(images: Path, annotations: Path, every: int) -> None:
    found: dict[str, list[bool]] = {}
    right: dict[str, list[bool]] = {}
    false, seconds, clean = [], [], 0
    for file in sorted(annotations.glob("*.json")):
        drawn, picture = json.loads(file.read_text()), images / f"{file.stem}.jpg"
        clean += not drawn.get("regions")
        if not picture.exists() or "people" not in drawn or (not drawn["regions"] and clean % every):
            continue
        try:
            pixels = decode(picture.read_bytes())
        except Exception:
            continue
        start = time.process_time()
        seen = proposed(pixels, drawn["people"])
        seconds.append(time.process_time() - start)
        for region in drawn["regions"]:
            polygon = flat(region["polygon"])
            mask = rasterise([polygon], pixels.shape[:2])
            kind = region["kind"] + (" (part of one, under 1%)" if mask.mean() < SMALL else "")
            found.setdefault(kind, []).append(covered(polygon, [s.polygon for s in seen]) >= FOUND)
            alike = [s.polygon for s in seen if s.kind == region["kind"]]
            right.setdefault(kind, []).append(covered(polygon, alike) >= FOUND)
        if not drawn["regions"]:
            false.append([(s.kind, s.reason) for s in seen])
    for kind in sorted(found):
        hits, alike = found[kind], right[kind]
        print(f"{kind:36s} found {wilson(sum(hits), len(hits))}, of the right kind {sum(alike)}")
    print(f"pictures without regions in which something is proposed: {wilson(sum(map(bool, false)), len(false))}")
    print(f"{np.mean(seconds):.2f} CPU s a picture; falsely: {[one for some in false for one in some]}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("images", type=Path)
    parser.add_argument("annotations", type=Path)
    parser.add_argument("--every", type=int, default=1)
    given = parser.parse_args()
    main(given.images, given.annotations, given.every)
