"""What detectors find in photographs: in each picture of openpeople alone, and with a bystander, a plate, a screen
and a sign pasted in where there is room. Only its subject is annotated.

    python benchmarks/photograph_detectors.py [--people N]

Something that was planted is found where proposals cover half of it, of its kind or of any; a proposal is false that
lies beside what was planted.
"""

import argparse
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import cv2
import numpy as np
import pandas as pd

from outlines import outlined
from personal_data import wilson

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests/flow"))

import photographs  # noqa: E402
from pasted import Thing, person, thing  # noqa: E402

from accord.checks.brands.detectors import Brands, View  # noqa: E402
from accord.checks.looking import personal_data  # noqa: E402
from accord.checks.looking.logos import apart  # noqa: E402
from accord.checks.looking.texts import MOST, SURE  # noqa: E402
from accord.checks.personal.proposals import Seen  # noqa: E402
from accord.imaging.masks import covered, rasterise  # noqa: E402
from accord.models import ocr  # noqa: E402

KINDS = ("amateur_posture", "amateur_selfie", "studio_portrait", "studio_posture")
TEXT_SIDE, SMALLEST_FACE, LOGO_SCORE = 736, 0.02, 0.6
FOUND, BESIDE = 0.5, 0.1
HEIGHTS = (0.3, 0.6)
"""Of bystanders, shares of the picture's height."""
TRIES = 200
BRANDS = Brands(ROOT / "config/brands.csv", LOGO_SCORE)
SIGNS = (
    "ADIDAS", "AUDI", "BOSCH", "CANON", "CARREFOUR", "CHANEL", "GUCCI", "HEINEKEN", "IKEA", "LEGO", "NIKE", "PEPSI",
    "PUMA", "SAMSUNG", "SIEMENS", "SONY", "STARBUCKS", "TOYOTA", "VODAFONE",
)  # fmt: skip
"""Names on signs, of the brands of the list."""
LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"


def seen(pixels: np.ndarray, subject: dict) -> list[Seen]:
    """What is proposed in a picture of which only the subject is outlined."""
    lines = [line for line in ocr.read(pixels, TEXT_SIDE, MOST) if line.score >= SURE]
    read = {"polygon": [line.corners.ravel() for line in lines], "text": [line.text for line in lines]}
    texts = pd.DataFrame(read | {"score": [line.score for line in lines]})
    x, y, width, height = subject["face_bbox"]
    body = rasterise([np.ravel(polygon) for polygon in subject["person"]], pixels.shape[:2])
    known = personal_data.Known(np.array([[x, y, x + width, y + height]]), body)
    logos = apart(BRANDS.detect(View(pixels, texts)))
    personal = personal_data._texts(pixels, texts if len(texts) else None, SURE)
    return [*personal, *personal_data._people(pixels, known, SMALLEST_FACE), *logos]


def planted(picture: np.ndarray, body: np.ndarray, others: list[str], rng) -> Iterator[tuple[str, np.ndarray, list]]:
    """Kind, picture, and outlines of what is pasted into a picture, beside its subject."""
    taken = cv2.dilate(body.astype(np.uint8), np.ones((9, 9))) > 0
    place = room(taken, rng, height=rng.uniform(*HEIGHTS) * len(body), aspect=0.34)
    if place:
        left, top, _, height = place
        source = others[int(rng.integers(len(others)))]
        cut = photographs.opened(source), photographs.outlines_of(source)["person"]
        yield "bystander", *person(picture, cut, left, top + height, height)
    for kind, aspect, lines in things(rng):
        place = room(taken, rng, height=rng.uniform(0.03, 0.07) * len(body) * len(lines), aspect=aspect)
        if place:
            made, outline = thing(picture, Thing(kind, place, lines))
            yield kind, made, [outline]


def things(rng) -> Iterator[tuple[str, float, tuple[str, ...]]]:
    """Kind, width over height, and lines of things that are pasted in."""
    letters = ["".join(rng.choice(list(LETTERS), size=n)) for n in (1, 2)]
    yield "license_plate", 4.2, (f"{letters[0]} {letters[1]} {rng.integers(1000, 9999)}",)
    yield "screen", 1.5, ("Tel. 030", str(rng.integers(5_000_000, 9_999_999)))
    yield "logo", 2.5, (str(rng.choice(SIGNS)),)


def room(taken: np.ndarray, rng, height: float, aspect: float) -> tuple[int, int, int, int] | None:
    """left, top, width, height, px, of a place in a picture that is free; None where there seems to be none."""
    rows, columns = round(height), round(height * aspect)
    for _ in range(TRIES):
        if rows >= taken.shape[0] - 8 or columns >= taken.shape[1] - 8:
            return None
        top, left = int(rng.integers(4, taken.shape[0] - rows - 4)), int(rng.integers(4, taken.shape[1] - columns - 4))
        if not taken[top : top + rows, left : left + columns].any():
            return left, top, columns, rows
    return None


def is_covered(outlines: list[list[float]], proposed: list[Seen]) -> bool:
    """Whether proposals cover enough of all outlines, px."""
    return min(covered(outline, [one.polygon for one in proposed]) for outline in outlines) >= FOUND


def people() -> list[str]:
    package = Path(find_spec("openpeople").submodule_search_locations[0])
    return sorted(path.name for path in (package / "data/curated").iterdir() if path.is_dir())


def main(count: int) -> None:
    found, false, seconds = defaultdict(list), defaultdict(list), []
    others = [source for source in photographs.SOURCES if source.endswith("studio_posture")]
    for number, source in enumerate(f"{who}/{kind}" for who in people()[:count] for kind in KINDS):
        rng = np.random.default_rng([1, number])
        picture = photographs.opened(source)
        subject = outlined(picture)
        body = rasterise([np.ravel(polygon) for polygon in subject["person"]], picture.shape[:2])
        strangers = [other for other in others if other.partition("/")[0] != source.partition("/")[0]]
        cases = [("nothing", picture, []), *planted(picture, body, strangers, rng)]
        for kind, pixels, outlines in cases:
            start = time.process_time()
            proposed = seen(pixels, subject)
            seconds.append(time.process_time() - start)
            flat = [np.ravel(outline).tolist() for outline in outlines]
            if flat:
                of_kind = [one for one in proposed if one.kind == kind]
                found[kind].append([is_covered(flat, some) for some in (proposed, of_kind)])
            rest = [(one.kind, one.detector) for one in proposed if covered(one.polygon, flat) < BESIDE]
            false[kind].append(rest)
            print(source, kind, *(found[kind][-1:] if flat else ()), rest, flush=True)
    for kind, hits in found.items():
        every, alike = map(sum, zip(*hits, strict=True))
        print(f"{kind:16} found {wilson(every, len(hits))}, of the right kind {alike}")
    for kind, rest in false.items():
        print(f"{kind:16} proposals beside it in {sum(map(bool, rest))} of {len(rest)}")
    print(f"nothing planted, and something proposed: {wilson(sum(map(bool, false['nothing'])), len(false['nothing']))}")
    print(f"{np.mean(seconds):.2f} CPU s a picture")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=10)
    main(parser.parse_args().people)
