"""`python benchmarks/video_costs.py [--seconds 4]`: what Casual Conversations' 45,186 videos cost, from measured parts.

A short H.264 video of a photograph that moves is written; each part is done with it and timed in CPU seconds: decoding
every frame, and of the wanted ones converting, finding the face, cutting it out, and asking for age and gender. The
sums take the length of such a video (a minute), its rate, and 100 faces each: products, measured on no such archive.
"""

import argparse
import io
import os
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from time import process_time
from typing import Any

# One thread each, before anything that has its own: CPU time is told, not how many cores are there.
os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")

import av
import cv2
import numpy as np
import yaml
from PIL import Image

from accord.imaging import face_crops, video
from accord.imaging.decode import encode_png
from accord.models import loading, tasks

cv2.setNumThreads(1)

SETS = {"mini set": 6_022, "all": 45_186}
LENGTH, TIMES, MARGIN, SIDE = 60, 100, 1.3, 256
PHOTOGRAPH = Path("tests/data/photographs/astronaut.jpg")
PARTS = ("decoding", "pixels", "faces", "crops", "model")


def main() -> None:
    """Write the video, time its parts, and print what the sets cost."""
    flags = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    flags.add_argument("--seconds", type=int, default=4, help="length of the video that is measured (default 4)")
    flags.add_argument("--width", type=int, default=1920, help="px (default 1920)")
    flags.add_argument("--height", type=int, default=1080, help="px (default 1080)")
    flags.add_argument("--rate", type=int, default=30, help="frames a second (default 30)")
    flags.add_argument("--faces", type=int, default=12, help="frames whose face is looked at (default 12)")
    flags.add_argument("--models", type=Path, default=Path("config/models.yaml"), help="entries of models")
    told = flags.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "minute.mp4"
        write(path, told.seconds * told.rate, told.rate, told.width, told.height)
        spent, size = measured(path, told.faces, yaml.safe_load(told.models.read_text()))
    print(f"measured on {told.seconds} s of {told.width} x {told.height}, {told.rate} frames a second, H.264")
    each = {"decoding": spent["decoding"] / (told.seconds * told.rate)}
    each |= {part: spent[part] / told.faces for part in PARTS[1:]}
    print(
        ", ".join(f"{part} {1000 * each[part]:.1f} ms" for part in PARTS), f"CPU a frame, a crop of {size / 1e3:.0f} KB"
    )
    for name, count in SETS.items():
        frames = {"decoding": count * LENGTH * told.rate} | dict.fromkeys(PARTS[1:], count * TIMES)
        hours = {part: each[part] * frames[part] / 3600 for part in PARTS}
        said = ", ".join(f"{part} {hours[part]:.0f}" for part in PARTS)
        print(
            f"{name}, {count} videos of {LENGTH} s, {TIMES} faces each: {sum(hours.values()):.0f} CPU hours ({said}),"
        )
        print(f"    crops of {count * TIMES * size / 1e9:.0f} GB")


def measured(path: Path, faces: int, listed: dict) -> tuple[dict[str, float], float]:
    """CPU seconds by part, and the mean size of a crop in bytes."""
    spent: dict[str, float] = defaultdict(float)
    finder, looker = (_loaded(name, listed) for name in ("yunet", "dlib_age_gender"))
    with clocked(spent, "decoding"):
        count = sum(1 for _ in video.every(path))
    wanted = {int((index + 0.5) / faces * count) for index in range(faces)}
    sizes = []
    for stored in video.every(path):
        if stored.index not in wanted:
            continue
        with clocked(spent, "pixels"):
            pixels = stored.pixels()
        with clocked(spent, "faces"):
            face = face_crops.largest(finder, pixels)
        assert face is not None, "the photograph's face was not found"
        with clocked(spent, "crops"):
            cut = face_crops.crop(pixels, face, MARGIN, SIDE)
            sizes.append(len(encode_png(cut.pixels)))
        half = np.array([face.width, face.height]) * cut.scale / 2
        middle = len(cut.pixels) / 2
        with clocked(spent, "model"):
            looker.look([cut.pixels], [np.concatenate([middle - half, middle + half])])
    assert len(sizes) == faces, "fewer frames than faces: measure a longer video"
    return spent, sum(sizes) / faces


@contextmanager
def clocked(spent: dict[str, float], part: str) -> Iterator[None]:
    """Adds the CPU seconds of what is done meanwhile."""
    began = process_time()
    yield
    spent[part] += process_time() - began


def _loaded(name: str, listed: dict) -> Any:
    """A model, warm."""
    entry = {"name": name, "batch": 1, "options": {}, **listed[name]}
    model = loading.load(entry, Path("weights"), tasks.method_of(entry["task"]))
    grey = np.full((SIDE, SIDE, 3), 90, np.uint8)
    if name == "yunet":
        model.detect([grey])
    else:
        model.look([grey], [np.array([60, 60, 190, 190])])
    return model


def write(path: Path, count: int, rate: int, width: int, height: int) -> None:
    """A video of a photograph whose picture drifts, with the face a third of the frame high, as in a video call."""
    with Image.open(io.BytesIO(PHOTOGRAPH.read_bytes())) as image:
        whole = np.asarray(image.convert("RGB"))
    scale = max((width + 64) / whole.shape[1], (height + 64) / whole.shape[0])
    ground = cv2.resize(whole, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    with av.open(str(path), "w", format="mp4") as container:
        stream = container.add_stream("libx264", rate=rate, options={"preset": "veryfast", "x264-params": "threads=1"})
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        stream.codec_context.time_base = Fraction(1, rate)
        for number in range(count):
            left, top = number // 2 % 64, number // 4 % 64
            frame = av.VideoFrame.from_ndarray(
                np.ascontiguousarray(ground[top : top + height, left : left + width]), format="rgb24"
            )
            frame.pts, frame.time_base = number, Fraction(1, rate)
            container.mux(stream.encode(frame))
        container.mux(stream.encode())


if __name__ == "__main__":
    main()
