"""How often the traces of checks.consistency are seen, and wrongly seen, on pictures of the demo changed in known ways.

    python benchmarks/traces.py tests/data/demo

The thresholds were chosen on every third picture; the rates are those of the others. Pictures of the planted bias,
which are blurred and dark, are told apart.
"""

import io
import json
import sys
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from accord.checks.files import light, traces
from accord.checks.looking.consistency import BLUR, DETAIL, SAVED_TWICE, SHALLOW
from accord.imaging.masks import rasterise

Z = 1.96


def wilson(hits: int, of: int) -> str:
    share, spread = hits / of, Z * Z / of
    half = Z * np.sqrt(share * (1 - share) / of + spread / (4 * of))
    low, high = ((share + spread / 2 + sign * half) / (1 + spread) for sign in (-1, 1))
    return f"{hits}/{of} = {100 * share:.1f}% [{100 * low:.1f}, {100 * high:.1f}]"


def saved(image: Image.Image, quality: int) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=quality)
    return buffer.getvalue()


def grey(data: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(data)).convert("L"))


def seen(data: bytes, people: np.ndarray) -> dict[str, bool]:
    """What each check says of a file. people: bool (H, W) at the file's size, as stored."""
    whole = grey(data)
    small = light.small(whole)
    mask = light.small(people.astype(np.uint8)).astype(bool)
    near, far = light.crispness(small, mask), light.crispness(small, ~mask)
    twice = traces.saved_twice(data, traces.JPEG)
    return {
        "saved_twice": twice is not None and twice > SAVED_TWICE,
        "upscaled": traces.detail(whole) < DETAIL,
        "blur": light.sharpness(small) < BLUR,
        "shallow_focus": None not in (near, far) and near / max(far, 1.0) > SHALLOW,
    }


def changed(data: bytes, people: np.ndarray) -> dict[str, tuple[bytes, np.ndarray]]:
    """The file changed in known ways, each with the people's mask at its size."""
    image = Image.open(io.BytesIO(data)).convert("RGB")
    pixels = np.asarray(image)
    out = {"as taken": (data, people)}
    for quality in (60, 75, 85, 90, 95):
        out[f"saved again at {quality}"] = saved(image, quality), people
    contrast = np.clip((pixels.astype(float) - 128) * 1.4 + 128, 0, 255).astype(np.uint8)
    out["more contrast, 92"] = saved(Image.fromarray(contrast), 92), people
    for times in (1.5, 2):
        size = [round(side * times) for side in image.size]
        mask = cv2.resize(people.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST).astype(bool)
        out[f"enlarged {times} times, 92"] = saved(image.resize(size, Image.Resampling.BICUBIC), 92), mask
    for sigma in (3, 6):
        soft = cv2.GaussianBlur(pixels, (0, 0), sigma)
        out[f"blurred, {sigma} px"] = saved(Image.fromarray(soft), 85), people
        back = np.where(people[..., None], pixels, soft)
        out[f"background blurred, {sigma} px"] = saved(Image.fromarray(back), 85), people
    return out


def _flat(polygon: list[dict]) -> list[float]:
    return [value for point in polygon for value in (point["x"], point["y"])]


def main(demo: Path) -> None:
    truth = json.loads((demo / "ground_truth.json").read_text())
    bias = set(truth["bias"]["images"])
    counts: dict[str, dict[str, list[bool]]] = {}
    for place, name in enumerate(truth["clean"]):
        data = (demo / f"delivery/images/{name}.jpg").read_bytes()
        image = Image.open(io.BytesIO(data))
        if place % 3 == 0 or image.getexif().get(0x0112, 1) != 1:
            continue
        drawn = json.loads((demo / f"delivery/annotations/{name}.json").read_text())
        polygons = [_flat(s["polygon"]) for person in drawn["people"] for s in person["segments"]]
        people = rasterise(polygons, image.size[::-1])
        ways = {"planted bias": (data, people)} if name in bias else changed(data, people)
        for way, (file, mask) in ways.items():
            for check, hit in seen(file, mask).items():
                counts.setdefault(way, {}).setdefault(check, []).append(hit)
    for way, checks in counts.items():
        for check, hits in checks.items():
            print(f"{way:28s} {check:14s} {wilson(sum(hits), len(hits))}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
