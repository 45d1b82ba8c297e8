"""How many passers-by whom nobody annotated are proposed, by their size: people pasted into pictures of others.

    python benchmarks/passers_by.py renders|photographs [--blur 0.02] [--heights 0.05 0.08 ...]

renders: bystanders of the demo, in its pictures without regions. photographs: people of openpeople, in its pictures and
in that of the astronaut (tests/data/photographs). All stand upright and face the camera. Only the pictures' own people
are annotated. Somebody is found where proposals cover half of their outline. Heights are shares of the longer side;
places are drawn by lot beside the annotated people. blur: of whoever is pasted in, out of focus, standard deviation as
a share of their height.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from personal_data import flat, wilson

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests/flow"))

import photographs  # noqa: E402
from pasted import person  # noqa: E402

from accord.checks.personal.bystanders import Known, strangers  # noqa: E402
from accord.checks.personal.proposals import box  # noqa: E402
from accord.imaging.decode import decode  # noqa: E402
from accord.imaging.masks import covered, rasterise  # noqa: E402

HEIGHTS = (0.05, 0.08, 0.12, 0.18, 0.27, 0.4)
FOUND, TRIES, LEAST, EACH = 0.5, 100, 0.01, 3
"""Share of an outline; draws of a place; share of the picture that a whole person covers; people in each scene, one at
a time."""
DEMO = ROOT / "tests/data/demo/delivery"
SMALLEST = {"renders": 0.04, "photographs": 0.01}
"""checks.min_bystander of config/demo.yaml, and of config/config.yaml."""


class Cut(NamedTuple):
    """A picture, uint8 (H, W, 3), and the polygons around a person in it."""

    pixels: np.ndarray
    outline: list


class Scene(NamedTuple):
    """A picture, and the annotated boxes in it: left, top, right, bottom."""

    pixels: np.ndarray
    faces: np.ndarray
    persons: np.ndarray


def renders() -> tuple[list[Cut], list[Scene]]:
    """Whole bystanders of the demo, and every sixteenth picture without regions."""
    cuts, scenes = [], []
    for number, file in enumerate(sorted((DEMO / "annotations").glob("*.json"))):
        drawn, path = json.loads(file.read_text() or "{}"), DEMO / "images" / f"{file.stem}.jpg"
        if "people" not in drawn or not path.exists() or (not drawn["regions"] and number % 16):
            continue
        try:
            pixels = decode(path.read_bytes())
        except Exception:
            continue
        for region in drawn["regions"]:
            outline = [np.reshape(flat(region["polygon"]), (-1, 2)).tolist()]
            whole = rasterise([np.ravel(outline)], pixels.shape[:2]).mean() > LEAST
            cuts += [Cut(pixels, outline)] if whole and region["kind"] == "bystander" else []
        if not drawn["regions"]:
            scenes.append(scene(pixels, drawn["people"]))
    return cuts, scenes


def taken() -> tuple[list[Cut], list[Scene]]:
    """Whole people of the photographs, and all photographs."""
    people = json.loads((ROOT / "tests/data/photographs/people.json").read_text())
    sources = {source: photographs.opened(source) for source in people}
    cuts = [Cut(sources[name], people[name]["person"]) for name in people if name.endswith("_posture")]
    return cuts, [scene(pixels, [people[source]]) for source, pixels in sources.items()]


def scene(pixels: np.ndarray, people: list[dict]) -> Scene:
    boxes = [[one[name] for one in people if one.get(name)] for name in ("face_bbox", "person_bbox")]
    return Scene(pixels, *(np.reshape([[x, y, x + w, y + h] for x, y, w, h in some], (-1, 4)) for some in boxes))


def blurred(cut: Cut, share: float) -> Cut:
    """A cut out of focus."""
    high = np.ptp(np.concatenate([np.reshape(part, (-1, 2)) for part in cut.outline])[:, 1])
    return Cut(cv2.GaussianBlur(cut.pixels, (0, 0), share * high), cut.outline) if share else cut


def pasted(cuts: list[Cut], scenes: list[Scene], height: float) -> Iterator[tuple[np.ndarray, list, Scene]]:
    """Each scene with somebody in it who is as high as that share of its longer side, and their outline."""
    for number, one in enumerate(scenes * EACH):
        rng = np.random.default_rng([number, round(1000 * height)])
        cut = cuts[int(rng.integers(len(cuts)))]
        corners = np.concatenate([np.reshape(part, (-1, 2)) for part in cut.outline])
        high = height * max(one.pixels.shape[:2])
        wide = high * np.ptp(corners[:, 0]) / np.ptp(corners[:, 1])
        place = room(one, wide, high, rng)
        if place:
            yield *person(one.pixels, (cut.pixels, cut.outline), place[0], place[1] + high, high), one


def room(one: Scene, wide: float, high: float, rng: np.random.Generator) -> tuple[float, float] | None:
    """Left and top of a place beside the annotated people; None where there seems to be none."""
    height, width = one.pixels.shape[:2]
    for _ in range(TRIES if wide < width - 8 and high < height - 8 else 0):
        left, top = rng.uniform(4, width - wide - 4), rng.uniform(4, height - high - 4)
        low, high_corner = one.persons[:, :2], one.persons[:, 2:]
        over = (low < [left + wide, top + high]) & (high_corner > [left, top])
        if not over.all(axis=1).any():
            return left, top
    return None


def main(kind: str, heights: list[float], blur: float) -> None:
    cuts, scenes = {"renders": renders, "photographs": taken}[kind]()
    cuts = [blurred(cut, blur) for cut in cuts]
    print(f"{len(cuts)} people in {len(scenes)} pictures")
    found = defaultdict(list)
    for height in heights:
        for pixels, outline, one in pasted(cuts, scenes, height):
            known = Known(one.faces, one.persons, np.zeros(pixels.shape[:2], bool))
            proposed = [box(*other.body) for other in strangers(pixels, known, SMALLEST[kind])]
            shares = [covered(np.ravel(part).tolist(), proposed) for part in outline]
            found[height].append(max(shares) >= FOUND)
        hits = found[height]
        print(f"{height:.0%} of the longer side: {wilson(sum(hits), len(hits)) if hits else 'no room'}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=SMALLEST)
    parser.add_argument("--heights", type=float, nargs="+", default=list(HEIGHTS))
    parser.add_argument("--blur", type=float, default=0.0)
    main(**vars(parser.parse_args()))
