"""How many logos are found, and how much else is taken for one, with Wilson's intervals.

    python benchmarks/logos.py demo [--shots 60] [--seed 1000]      # in the renderer's scenes, every detector alone
    python benchmarks/logos.py photographs --fonts FOLDER ...       # names and shapes painted into real photographs
    python benchmarks/logos.py texts FILE ...                       # what of running text is taken for a brand
    python benchmarks/logos.py speed                                # lines a second

demo: a third of the shots show a logo, a third a card, a screen or a plate (text in the same hand), a third neither;
stored as the demo's are: 768 px, JPEG. photographs: those of openpeople and scikit-learn, each once as it is
and once with a sign of each kind (benchmarks/signs.py), read by the OCR of checks.texts, held against the list.
"""

import argparse
import csv
import io
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd
from PIL import Image
from rapidfuzz.distance import Indel

import signs
from accord.analyse.faces.rates import wilson
from accord.checks.brands import gallery as logo_gallery
from accord.checks.brands import logo_brands
from accord.checks.brands import names as brand_names
from accord.checks.looking.logos import SAME, apart, matches
from accord.imaging.masks import covered
from accord.models import ocr
from accord_demo.render import Shot, sample_person
from accord_demo.render import photograph as rendered

ROOT = Path(__file__).parents[1]
LIST = ROOT / "config/brands.csv"
THRESHOLD, SIDE, MOST, SURE = 0.6, 448, 100, 0.5
FULL = 1280
"""Px at which text is searched in production (checks.text_side)."""
TOLD = 10
OTHERS = (("card", "indoor"), ("screen", "indoor"), ("plate", "outdoor"))
COLUMNS = ("image", "polygon")
WRONG = {"o": "0", "i": "1", "l": "1", "s": "5", "b": "8", "z": "2", "g": "9", "m": "rn"}
"""Letters, and look-alikes that they are replaced by on a sign that is to be read wrong."""
OTHER = str.maketrans("abcdefghijklmnopqrstuvwxyz", "eprhuklnymhtnrubsmzlaxwyxs")
"""Letters, and others."""
WITH, WITHOUT = "pictures with signs", "pictures as they are"
LINE = 8
"""Words on a line of running text."""


def main() -> None:
    """Render, look, and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parts = parser.add_subparsers(dest="what", required=True)
    made = {name: parts.add_parser(name) for name in ("demo", "photographs", "texts", "speed")}
    made["demo"].add_argument("--shots", type=int, default=60)
    made["demo"].add_argument("--seed", type=int, default=1000)
    made["photographs"].add_argument("--fonts", type=Path, nargs="+", default=[Path("/usr/share/fonts")])
    made["photographs"].add_argument("--rounds", type=int, default=1)
    made["texts"].add_argument("files", type=Path, nargs="+")
    asked = parser.parse_args()
    {"demo": demo, "photographs": photographs, "texts": texts, "speed": speed}[asked.what](asked)


def demo(asked: argparse.Namespace) -> None:
    """A line per detector."""
    brands = brand_names.read(ROOT / "tests/data/demo/brands.csv")
    gallery = logo_gallery.read((ROOT / "tests/data/demo/logos").glob("*.png"))
    truth, seen, spent = [], {"text": [], "shape": [], "both": []}, {"text": 0.0, "shape": 0.0}
    for number in range(asked.shots):
        pixels, objects = shot(asked.seed + number, number % 3)
        truth += [(str(number), one.polygon.ravel().tolist()) for one in objects if one.kind == "logo"]
        start = time.process_time()
        text = logo_brands.find(lines_of(pixels, SIDE), brands, THRESHOLD)
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
    taken = rendered(Shot((sample_person(seed),), seed, setting, framing, objects=objects))
    buffer = io.BytesIO()
    Image.fromarray(taken.pixels).save(buffer, "JPEG", quality=90)
    return np.asarray(Image.open(buffer)), taken.objects


def lines_of(pixels: np.ndarray, side: int) -> list[tuple[str, list[float], float]]:
    """Text, polygon and score of what checks.texts would keep."""
    return [
        (line.text, line.corners.ravel().tolist(), line.score)
        for line in ocr.read(pixels, side, MOST)
        if line.score >= SURE
    ]


def photographs(asked: argparse.Namespace) -> None:
    """A line per kind of sign, and one for photographs as they are."""
    brands, faces = brand_names.read(LIST), signs.fonts(asked.fonts)
    shapes = sorted((ROOT / "tests/data/demo/logos").glob("*.png"))
    gallery, kinds, rng = logo_gallery.read(shapes), names_by_kind(), np.random.default_rng(5)
    rows, files = [], pictures()
    for path in files:
        scene = signs.photograph(path)
        rows += judged(scene, [], brands, gallery)
        for _ in range(asked.rounds):
            inks = {kind: signs.lettering(some[rng.integers(len(some))], faces[rng.integers(len(faces))])
                    for kind, some in kinds.items()}  # fmt: skip
            inks["shape"] = np.asarray(Image.open(shapes[rng.integers(len(shapes))]).convert("RGB"), np.float32)
            rows += judged(*with_signs(scene, inks, rng), brands, gallery)
        print(".", end="", flush=True)
    print(f"\n{len(files)} photographs, {len(faces)} fonts, {len(brands)} brands")
    tell(pd.DataFrame(rows))


def with_signs(scene: np.ndarray, inks: dict[str, np.ndarray], rng: np.random.Generator) -> tuple[np.ndarray, list]:
    """The scene with a sign of each kind, and kind, sign and corners of each that there was room for."""
    there = []
    for kind, ink in inks.items():
        sign = signs.drawn(rng, signs.SIDE)
        sign = sign._replace(height=3 * sign.height) if ink.ndim == 3 else sign
        corners = signs.place(ink, sign, scene.shape[1::-1], [other for _, _, other in there], rng)
        if corners is not None:
            scene = signs.paint(scene, ink, sign, corners, rng)
            there.append((kind, sign, corners))
    return signs.finished(scene, rng), there


def names_by_kind() -> dict[str, list[str]]:
    """Brands that we listed ourselves, by how hard they are; and with a letter wrong, as OCR might read them."""
    with LIST.open(newline="", encoding="utf-8") as file:
        ours = [(row["brand"], row["word"]) for row in csv.DictReader(file) if row["source"] == "accord"]
    upper = [name.upper() if number % 2 else name for number, (name, _) in enumerate(ours)]
    sizes = [len(brand_names.plain(name)) for name, _ in ours]
    told = list(zip(upper, sizes, (word for _, word in ours), strict=True))
    short, long = ([one for one in told if (one[1] <= logo_brands.SHORT) == is_short] for is_short in (True, False))
    return {
        "short name": [name for name, _, word in short if word != "yes"],
        "long name": [name for name, _, word in long if word != "yes"],
        "ordinary word": [name for name, _, word in told if word == "yes"],
        "short name, a look-alike": [alike(name) for name, _, word in short if not word and alike(name) != name],
        "long name, a look-alike": [alike(name) for name, _, word in long if not word and alike(name) != name],
        "long name, another letter": [other(name) for name, _, word in long if not word],
    }


def alike(name: str) -> str:
    """The name with the last letter that has a look-alike replaced by it."""
    at = [place for place, letter in enumerate(name) if letter.casefold() in WRONG]
    return name[: at[-1]] + WRONG[name[at[-1]].casefold()] + name[at[-1] + 1 :] if at else name


def other(name: str) -> str:
    """The name with its third letter replaced by another one."""
    letter = name[2].casefold().translate(OTHER)
    return name[:2] + (letter.upper() if name[2].isupper() else letter) + name[3:]


def pictures() -> list[Path]:
    """Photographs that packages ship, sheets of many pictures apart."""
    people, learn = (Path(find_spec(name).origin).parent for name in ("openpeople", "sklearn"))
    found = [path for path in people.rglob("*.jp*g") if "sheet" not in path.name]
    return sorted([*found, *(learn / "datasets/images").glob("*.jpg")])


def judged(pixels: np.ndarray, there: list, brands: brand_names.Names, gallery: list) -> list[dict]:
    """Of each sign, whether it was read at all and whether it was proposed; of the picture, what else was proposed."""
    lines = lines_of(pixels, FULL)
    seen = apart([*logo_brands.find(lines, brands, THRESHOLD), *logo_gallery.find(pixels, gallery, THRESHOLD)])
    proposed, read = [list(one.polygon) for one in seen], [polygon for _, polygon, _ in lines]
    places = [corners.ravel().tolist() for _, _, corners in there]
    rows = [
        {"kind": kind, **sign._asdict(), "found": is_at(place, proposed), "read": is_at(place, read)}
        for (kind, sign, _), place in zip(there, places, strict=True)
    ]
    wrong = sum(not is_at(polygon, places) for polygon in proposed)
    whole = {"kind": WITH if there else WITHOUT, "proposed": len(proposed), "wrong": wrong}
    return [*rows, whole]


def is_at(polygon: list[float], others: list[list[float]]) -> bool:
    """Whether one of the others covers it by half, or it one of them."""
    return any(max(covered(polygon, [one]), covered(one, [polygon])) >= SAME for one in others)


def tell(rows: pd.DataFrame) -> None:
    """Rates by kind, by what makes a sign hard to see, and of pictures as a whole."""
    each = rows[~rows["kind"].isin([WITH, WITHOUT])]
    named = each[each["kind"] != "shape"]
    hard = {
        "letters under 50 px": named[named["height"] < 50], "faint": named[named["contrast"] < 100],
        "partly hidden": named[named["hidden"] > 0], "turned by over 10 degrees": named[named["turn"].abs() > 10],
        "none of the first three": named.query("height >= 50 and contrast >= 100 and hidden == 0"),
    }  # fmt: skip
    for what, some in (*each.groupby("kind"), *hard.items()):
        print(f"{what:28s} found {rate(some['found'].sum(), len(some))}  read {rate(some['read'].sum(), len(some))}")
    for what, some in rows[rows["kind"].isin([WITH, WITHOUT])].groupby("kind"):
        proposed, wrong = int(some["proposed"].sum()), int(some["wrong"].sum())
        right, without = rate(proposed - wrong, proposed), rate((some["wrong"] > 0).sum(), len(some))
        print(f"{what:28s} proposals that are logos {right}  pictures with one that is none {without}")


def rate(hits: int, trials: int) -> str:
    """Of trials, with Wilson's interval; of none nothing is known."""
    if not trials:
        return "0/0"
    low, high = wilson(int(min(hits, trials)), int(trials))
    return f"{hits}/{trials} [{low:.3f}, {high:.3f}]"


def texts(asked: argparse.Namespace) -> None:
    """What of running text is proposed: set as a page, each line alone, and each of its words alone as a sign."""
    brands = brand_names.read(LIST)
    words = [word for path in asked.files for word in prose(path)]
    lines = [" ".join(words[at : at + LINE]) for at in range(0, len(words), LINE)]
    page = [(text, [0.0, 25.0 * n, 400.0, 25.0 * n, 400.0, 25.0 * n + 20, 0.0, 25.0 * n + 20], 0.99)
            for n, text in enumerate(lines)]  # fmt: skip
    blocks = [page[at : at + MOST] for at in range(0, len(page), MOST)]
    once = sorted({word.strip(".,:;()") for word in words if word[0].isalpha()})
    told = {
        "lines of a page": (sum(len(logo_brands.find(block, brands, THRESHOLD)) for block in blocks), len(page)),
        "lines, each alone": (alone(lines, brands), len(lines)),
        "different words, each a sign": (alone(once, brands), len(once)),
        "the same in capitals": (alone([word.upper() for word in once], brands), len(once)),
    }
    for what, counts in told.items():
        print(f"{what:32s} {rate(*counts)}")


def alone(lines: list[str], brands: brand_names.Names) -> int:
    """How many lines would be proposed if each were the only one in its picture."""
    place = [0.0, 0.0, 400.0, 0.0, 400.0, 20.0, 0.0, 20.0]
    return sum(len(logo_brands.find([(text, place, 0.99)], brands, THRESHOLD)) for text in lines)


def prose(path: Path) -> Iterator[str]:
    """The words of a file's sentences: tables, headings and code left out."""
    block = False
    for line in path.read_text(encoding="utf-8").splitlines():
        block ^= line.startswith("```")
        if not block and line[:1].isalpha() and "|" not in line and "`" not in line:
            yield from line.split()


def speed(_: argparse.Namespace) -> None:
    """Lines a second against 5,000 brands and all, and by comparing each with each, as was done before."""
    rng = np.random.default_rng(5)
    with LIST.open(newline="", encoding="utf-8") as file:
        listed = [brand_names.brand(row["brand"], row["word"]) for row in csv.DictReader(file)]
    words = [word for path in sorted((ROOT / "docs").glob("*.md")) for word in prose(path)]
    lines = [" ".join(rng.choice(words, rng.integers(1, 6))) for _ in range(2000)]
    for brands in ([listed[n] for n in rng.permutation(len(listed))[:5000]], listed):
        start = time.process_time()
        names = brand_names.Names(brands)
        made = time.process_time()
        alone(lines, names)
        spent = time.process_time() - made
        loop = time.process_time()
        for text in lines[:20]:
            compared(text, brands)
        each = (time.process_time() - loop) / 20
        fast, slow = len(lines) / spent, 1 / each
        print(f"{len(brands)} brands: ready in {made - start:.2f} s, {fast:,.0f} lines/s; one by one {slow:,.1f}")


def compared(text: str, brands: list[brand_names.Brand]) -> float:
    """The greatest similarity of a brand and as many neighbouring words, brand by brand."""
    words, best = [word.casefold() for word in brand_names.words(text)], 0.0
    for brand in brands:
        for start in range(max(0, len(words) - brand.words) + 1 if words else 0):
            best = max(best, Indel.normalized_similarity("".join(words[start : start + brand.words]), brand.plain))
    return best


def report(name: str, proposed: pd.DataFrame, truth: pd.DataFrame) -> None:
    """A line: recall over true logos and precision over proposals."""
    found, missed, false = matches(proposed, truth)
    print(f"{name:6s} recall {rate(found, found + missed)}  precision {rate(len(proposed) - false, len(proposed))}")


if __name__ == "__main__":
    main()
