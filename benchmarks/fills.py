"""Whether fills that are bad are told from good ones: planted fills, scored by seam, detail and outline.

    python benchmarks/fills.py [--photographs FOLDER] [--scenes 16]

Pictures: openpeople's people P006 to P010 and scikit-learn's two photographs (both packages are installed), the JPEG
and PNG files of a folder, and, in a table of their own, rendered scenes. The limits were chosen on other pictures. Each
gets a hole, of which half are shaped like a person, the others ellipses and rectangles, with the painter's margin. Good
fills: what was there, and the same with noise of one level. Bad fills are named in the table; those that differ from
the truth by less than VISIBLE levels in the mean are left out, since nobody would see them. Scenes are painted by the
embedded model, too, as the demo is.

Columns: fills; by each score the AUC (the chance that a bad fill scores more than a good one), of the worst flaw too
(accord.privacy.fitting.flaws); and the share that people are asked about under config/config.yaml, by the seam alone,
and in all. Then CPU milliseconds that a region costs, by score.
"""

import argparse
import time
import zlib
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import yaml

from accord.imaging.regions import grown, window_around
from accord.privacy.fitting import detail, flaws, outline, seam, texture
from accord.privacy.fitting.flaws import Flaws
from accord.privacy.painting import painters
from accord_demo.training.data import SETTINGS, SIDE, person_outline

VISIBLE = 2.0
LARGEST_HOLE = 560
GOOD = ("truth", "truth and noise")
REQUEST = painters.Request("background, nobody, empty scene", "person, people, face, text, logo", 14.0, 1, 20)


class Case(NamedTuple):
    """The window of a picture, uint8 (H, W, 3); in it, bool (H, W), a figure and the hole that is painted for it."""

    crop: np.ndarray
    figure: np.ndarray
    hole: np.ndarray


class Scored(NamedTuple):
    """A fill: its kind, the mean difference to the truth in colour levels, its flaws."""

    kind: str
    difference: float
    flaws: Flaws


def main() -> None:
    """Print the tables and the cost."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--photographs", type=Path, help="a folder of more photographs")
    parser.add_argument("--scenes", type=int, default=16)
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    of_photographs = cases(photographs(chosen.photographs))
    table("photographs", [fill for one, *more in of_photographs for fill in scored(one, fills(one, *more))])
    painter, of_scenes = painters.load("embedded"), cases(scenes(chosen.scenes))
    made = ((one, fills(one, *more) | {"embedded model": painted(one, painter)}) for one, *more in of_scenes)
    table("scenes", [fill for one, theirs in made for fill in scored(one, theirs)])
    cost(next(iter(cases(photographs(None))))[0])


def photographs(folder: Path | None) -> dict[str, Callable[[], np.ndarray]]:
    """Name -> function that reads the photograph."""
    people = package("openpeople") / "data" / "curated"
    paths = [path for number in range(6, 11) for path in sorted((people / f"P{number:03}/assets").glob("*_*.jpg"))]
    paths = [path for path in paths if "sheet" not in path.name] + sorted(package("sklearn").rglob("images/*.jpg"))
    paths += sorted(path for path in folder.iterdir() if path.suffix in (".jpg", ".jpeg", ".png")) if folder else []
    return {"/".join(path.parts[-3:]): lambda path=path: cv2.imread(str(path))[..., ::-1] for path in paths}


def scenes(count: int) -> dict[str, Callable[[], np.ndarray]]:
    """Name -> function that renders a scene without people that no model was trained on."""
    from accord_demo.render import empty_scene

    seeds = range(1_000_000, 1_000_000 + count)
    return {str(s): lambda s=s: empty_scene(s, SETTINGS[s % 2], 384, 384).pixels for s in seeds}


def package(name: str) -> Path:
    """The folder of an installed package."""
    return Path(find_spec(name).origin).parent


def cases(pictures: dict[str, Callable[[], np.ndarray]]) -> Iterator[tuple[Case, np.ndarray, np.random.Generator]]:
    """Of each picture a case, another picture, and a generator seeded by the picture's name."""
    names = list(pictures)
    for number, name in enumerate(names):
        rng = np.random.default_rng(zlib.crc32(name.encode()))
        yield case(pictures[name](), rng), pictures[names[(number * 7 + 3) % len(names)]](), rng


def case(picture: np.ndarray, rng: np.random.Generator) -> Case:
    """A hole somewhere in a picture, a quarter to a half as long as its shorter side."""
    shape = picture.shape[:2]
    side = min(rng.uniform(0.28, 0.5) * min(shape), LARGEST_HOLE)
    drawn = figure(side, rng)
    top, left = (int(rng.integers(0, max(1, size - part))) for size, part in zip(shape, drawn.shape, strict=True))
    mask = np.zeros(shape, bool)
    mask[top : top + drawn.shape[0], left : left + drawn.shape[1]] = drawn[: shape[0] - top, : shape[1] - left]
    hole = grown(mask, 2 + 0.03 * side)
    window = window_around(hole, SIDE)
    return Case(*(np.ascontiguousarray(window.of(array)) for array in (picture, mask, hole)))


def figure(side: float, rng: np.random.Generator) -> np.ndarray:
    """A person's outline, an ellipse or a rectangle, `side` px long: bool."""
    mask, middle = np.zeros((2 * SIDE, 2 * SIDE), np.uint8), (SIDE, SIDE)
    kind = rng.integers(4)
    if kind < 2:
        parts = person_outline(np.full(2, SIDE / 2), np.array([rng.uniform(40, 80), 90.0]), rng)
        for part in parts:
            cv2.fillPoly(mask, [part * 2], 1)
    elif kind == 2:
        cv2.ellipse(mask, (middle, (rng.uniform(60, 200), rng.uniform(90, 200)), rng.uniform(0, 180)), 1, -1)
    else:
        box = cv2.boxPoints((middle, (rng.uniform(60, 170), rng.uniform(80, 170)), rng.normal(0, 12)))
        cv2.fillPoly(mask, [box.astype(np.int32)], 1)
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    part = mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1].astype(np.float32)
    times = side / max(part.shape)
    return cv2.resize(part, None, fx=times, fy=times, interpolation=cv2.INTER_LINEAR) > 0.5


def fills(one: Case, other: np.ndarray, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Kind -> what is put into the hole, (H, W, 3). What is pasted is fitted in without a seam, as painters do."""
    truth, longer = one.crop.astype(np.float32), max(one.hole.shape)
    soft = cv2.GaussianBlur(one.figure.astype(np.float32), (0, 0), max(1, 0.006 * longer))[..., None]
    tone = 20.0 if truth[one.hole].mean() > 90 else 235.0
    beside = truth[grown(one.hole, 0.08 * longer) & ~one.hole]
    small = cv2.resize(truth, [max(1, side // 4) for side in one.hole.shape[::-1]], interpolation=cv2.INTER_AREA)
    pasted = {
        "blur": cv2.GaussianBlur(truth, (0, 0), 0.01 * longer),
        "a quarter of the resolution": cv2.resize(small, one.hole.shape[::-1], interpolation=cv2.INTER_CUBIC),
        "slab, fitted in": np.broadcast_to(np.median(beside, 0) * 0.8, truth.shape),
        "another photograph": patch(other, one.hole.shape, rng),
    }
    return {
        "truth": truth,
        "truth and noise": truth + rng.normal(0, 1, truth.shape),
        "membrane": painters.membrane_fill(one.crop, one.hole),
        "Telea": cv2.inpaint(one.crop, one.hole.astype(np.uint8), 5, cv2.INPAINT_TELEA),
        "slab": np.broadcast_to(beside.mean(0), truth.shape),
        **{kind: texture.seamless(fill.astype(np.float32), one.crop, one.hole) for kind, fill in pasted.items()},
        "grain, 14 levels": truth + rng.normal(0, 14, truth.shape),
        **{f"ghost, {much:.0%}": truth + (tone - truth) * much * soft for much in (0.15, 0.25, 0.4)},
        "ghost, blurred": truth + (cv2.GaussianBlur(truth, (0, 0), 0.02 * longer) - truth) * soft,
    }


def patch(picture: np.ndarray, shape: tuple[int, int], rng: np.random.Generator) -> np.ndarray:
    """A part of a picture, which is enlarged where it is too small."""
    times = max(1.0, 1.01 * max(size / side for size, side in zip(shape, picture.shape, strict=False)))
    large = cv2.resize(picture, None, fx=times, fy=times) if times > 1 else picture
    top, left = (int(rng.integers(0, have - want + 1)) for have, want in zip(large.shape, shape, strict=False))
    return large[top : top + shape[0], left : left + shape[1]]


def painted(one: Case, painter: painters.Painter) -> np.ndarray:
    """What a model makes of a case."""
    return painter.paint_all([painters.Job(one.crop, one.hole, REQUEST)])[0]


def scored(one: Case, theirs: dict[str, np.ndarray]) -> Iterator[Scored]:
    """Those fills of a case that are good, or that can be seen."""
    nobody = np.zeros_like(one.hole)
    for kind, fill in theirs.items():
        after = np.where(one.hole[..., None], np.clip(np.round(fill), 0, 255), one.crop).astype(np.uint8)
        difference = float(np.abs(after.astype(int) - one.crop)[one.hole].mean())
        if kind in GOOD or difference >= VISIBLE:
            yield Scored(kind, difference, flaws.of_fill(after, one.hole, nobody))


def table(title: str, found: list[Scored]) -> None:
    """A line for each kind of fill."""
    configured = yaml.safe_load(Path("config/config.yaml").read_text("utf-8"))["privacy"]
    limits = np.array([configured[f"max_{name}"] for name in Flaws._fields])
    good = columns([one for one in found if one.kind in GOOD])
    print(f"\n| {title} | n | AUC seam | detail | outline | worst | asked by seam | asked |\n|" + "---|" * 8)
    for kind in dict.fromkeys(one.kind for one in found):
        theirs = columns([one for one in found if one.kind == kind])
        told = [f"{auc(bad, fine):.2f}" for bad, fine in zip(theirs.T, good.T, strict=True)]
        asked = theirs[:, :3] > limits
        shares = f"{asked[:, 0].mean():.0%} | {asked.any(1).mean():.0%}"
        print(f"| {kind} | {len(theirs)} | {' | '.join([''] * 4 if kind in GOOD else told)} | {shares} |", flush=True)


def columns(found: list[Scored]) -> np.ndarray:
    """Scores, (n, 4): seam, detail, outline, and the worst of them."""
    return np.array([[*one.flaws, one.flaws.worst()] for one in found])


def auc(bad: np.ndarray, good: np.ndarray) -> float:
    """The chance that a bad one scores more than a good one; ties count half."""
    difference = bad[:, None] - good
    return float(((difference > 0) + 0.5 * (difference == 0)).mean())


def cost(one: Case, times: int = 5) -> None:
    """CPU milliseconds of each score, of a window of 1024 px."""
    crop, hole = (cv2.resize(array, (1024, 1024)) for array in (one.crop, one.hole.astype(np.uint8)))
    for module in (seam, detail, outline):
        started = time.process_time()
        for _ in range(times):
            module.score(crop, hole > 0, np.zeros((1024, 1024), bool))
        print(f"{module.__name__.rpartition('.')[2]}: {1000 * (time.process_time() - started) / times:.0f} ms")


if __name__ == "__main__":
    main()
