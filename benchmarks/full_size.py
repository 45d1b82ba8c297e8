"""What a picture of a camera's size costs from checks to evaluation: CPU seconds, and how often it is decoded.

    python benchmarks/full_size.py [--pictures 4] [--megapixels 12] [--shard 00]     # in the folder of the demo, run

Pictures of the demo in which nothing is to be painted out are enlarged, given a camera's noise, and stored as JPEGs;
what is annotated in them is enlarged alike. Checks, privacy, derivatives and all small models then run on one of them
and on all, with the demo's settings and in this process: what each picture more costs is printed. Decodings are those
of the whole picture: the original, or the PNG without metadata that is made of it.
"""

import argparse
import io
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import numpy as np
import pandas as pd
from PIL import Image

from accord.engine import memory
from accord.engine.parameter_types import Former
from accord.imaging import bundle, decode
from recorded import Given, arguments

NOISE, QUALITY = 3.0, 92
"""Of the pictures: the noise's standard deviation, of 255; the quality of the JPEGs."""
LENGTHS = ("x", "y", "width", "height")
Made = dict[str, tuple[Callable[..., Any], Given]]


def main() -> None:
    """Print a line for each step, and one for all."""
    flags = parser().parse_args()
    steps = {name: arguments(Path(f"results/{file.format(flags.shard)}.parquet")) for name, file in FILES.items()}
    memory.keep_freed()
    decoded = counted()
    with TemporaryDirectory() as folder:
        place = Path(folder)
        enlarged = large(steps, flags.pictures, flags.megapixels * 1e6, place / "images.tar")
        taken(first(enlarged), place)  # models are loaded
        one = taken(first(enlarged), place)
        decoded.clear()
        some = taken(enlarged, place)
    print(f"| step | CPU s for each picture of {flags.megapixels:g} MP |\n|---|---|")
    each = {name: (some[name] - one[name]) / (flags.pictures - 1) for name in some}
    for name, seconds in (each | {"all": sum(each.values())}).items():
        print(f"| {name} | {seconds:.2f} |")
    for what, times in sorted(decoded.items()):
        print(f"{what}: decoded {times / flags.pictures:.2f} times")


FILES = {
    "checks.look": "checks/{}/decode", "privacy.paint": "privacy/{}/pictures", "release.derive": "release/{}/people",
    "evaluate.small": "evaluate/{}/yunet",
}  # fmt: skip


def large(steps: Made, count: int, pixels: float, path: Path) -> Made:
    """What the steps are given, of some pictures alone, and these enlarged."""
    looked, painted = steps["checks.look"][1], steps["privacy.paint"][1]
    images = looked["images"][~looked["images"]["image"].isin(painted["regions"]["image"])]
    images = images[images["image"].isin(steps["release.derive"][1]["pictures"]["image"])].iloc[:count]
    by = dict(zip(images["image"], np.sqrt(pixels / (images["width"] * images["height"])), strict=True))
    images = stored(images, looked["bundle"], by, path)
    made = {}
    for name, (run, given) in steps.items():
        given = {key: scaled(value, by) if isinstance(value, pd.DataFrame) else value for key, value in given.items()}
        made[name] = run, given | ({"images": images, "bundle": path} if "images" in given else {})
    return made


def stored(images: pd.DataFrame, tar: Path, by: dict[str, float], path: Path) -> pd.DataFrame:
    """The images, enlarged and written into a bundle."""
    rows, rng = [], np.random.default_rng(0)
    with bundle.BundleWriter(path) as writer:
        for row in images.to_dict("records"):
            small = decode.decode(bundle.read(tar, bundle.Member(*(row[name] for name in bundle.Member._fields))))
            wide = cv2.resize(small, None, fx=by[row["image"]], fy=by[row["image"]], interpolation=cv2.INTER_CUBIC)
            noisy = np.clip(wide + rng.normal(0, NOISE, wide.shape), 0, 255).astype(np.uint8)
            file = io.BytesIO()
            Image.fromarray(noisy).save(file, "JPEG", quality=QUALITY)
            member = writer.add(f"{row['image']}.jpg", file.getvalue())
            height, width = noisy.shape[:2]
            rows.append(row | member._asdict() | {"media": "image/jpeg", "width": width, "height": height})
    return pd.DataFrame(rows).astype(images.dtypes)


def scaled(rows: pd.DataFrame, by: dict[str, float]) -> pd.DataFrame:
    """The rows of the images, coordinates in px of the larger ones."""
    if "image" not in rows:
        return rows
    rows = rows[rows["image"].isin(by)].reset_index(drop=True)
    factor = rows["image"].map(by)
    for name in rows.columns:
        if name == "polygon":
            rows[name] = [polygon * times for polygon, times in zip(rows[name], factor, strict=True)]
        elif name.rpartition("_")[2] in LENGTHS and rows[name].dtype == float:
            rows[name] = rows[name] * factor
    return rows


def first(steps: Made) -> Made:
    """The same of the first picture alone."""
    image = steps["checks.look"][1]["images"]["image"].iloc[0]

    def only(value: Any) -> Any:
        return value[value["image"] == image] if isinstance(value, pd.DataFrame) and "image" in value else value

    return {name: (run, {key: only(value) for key, value in given.items()}) for name, (run, given) in steps.items()}


def taken(steps: Made, place: Path) -> dict[str, float]:
    """CPU seconds of each step, each given what the step before it made."""
    spent, made = {}, {}
    for name, (run, given) in steps.items():
        files = place / f"{name}.tar"
        start = time.process_time()
        made[name] = run(**{**given, **following(name, made, place, files)}, former=Former({}))
        spent[name] = time.process_time() - start
    return spent


def following(name: str, made: dict[str, Any], place: Path, files: Path) -> Given:
    """What a step takes from the steps before it, and where it writes."""
    if name == "privacy.paint":
        return {"files": files}
    if name == "release.derive":
        painted = made["privacy.paint"]
        public = {"pictures": painted.pictures, "public": painted.public}
        return {**public, "bundle": place / "privacy.paint.tar", "files": files}
    if name == "evaluate.small":
        told = {key: getattr(made["release.derive"], key) for key in ("derivatives", "faces", "people", "segments")}
        rows = {key: value.rows if hasattr(value, "rows") else value for key, value in told.items()}
        return {**rows, "files": place / "release.derive.tar"}
    return {}


def counted() -> Counter:
    """How often whole pictures are decoded from now on, by their format."""
    found, bounded = Counter(), decode._bounded

    def counting(data: bytes, max_pixels: int) -> Any:
        width, height = decode.opened(data).size
        if width * height > 1 << 22:  # no derivative is as large
            found["the original" if data.startswith(b"\xff\xd8") else "the PNG made of it"] += 1
        return bounded(data, max_pixels)

    decode._bounded = counting
    return found


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    made.add_argument("--pictures", type=int, default=4)
    made.add_argument("--megapixels", type=float, default=12.0)
    made.add_argument("--shard", default="00")
    return made


if __name__ == "__main__":
    main()
