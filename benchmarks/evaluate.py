"""Pictures per second of the evaluate steps, beside the loops that one would write by hand, in one run.

    python benchmarks/evaluate.py [--pictures 16] [--side 2048] [--batch 8] [--models yunet,blazepose,...]
    python benchmarks/evaluate.py --gpu [--precision bfloat16]     # published networks, random weights, on a GPU
    python benchmarks/evaluate.py --gpu --tiny --side 160          # the same code with tiny networks, on any machine

Ours: a shard's bundle, decoded ahead in threads, in batches, through the adapters. Ahead: files decoded ahead in as
many threads, asked one by one: what a loader of a deep learning library does, without its processes. Plain: each file
is opened, decoded and answered before the next one is opened. All three have the same cores and threads and the same
pictures, after a first one to warm up, in turn; told is the best of three times. Printed are pictures per second,
which says how well cores are used that would wait, and pictures per second of processor time (of all threads), which
says how much work a picture is; `ratio`: the latter, ours by the better of the others. `waits`: the share of its time
in which our model waits for pictures, decoded and prepared. `main ms`: with --gpu, processor time of a picture in the
thread that feeds the network, without the network itself: what caps pictures per second, however fast a GPU is.
"""

import argparse
import io
import json
import subprocess
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from PIL import Image

from accord.evaluate.asking import pictures
from accord.imaging.bundle import BundleWriter
from accord.imaging.decode import encode_png
from accord.models import loading, registry, tasks

ROOT = Path(__file__).parents[1]
SHIPPED = "yunet,blazeface,blazepose,blazepeople_masks,selfie_mask,efficientnet,sface,dlib_faces"
GRAIN = 3.0
FACE, ROUNDS = 512, 3
LOOPS = ("ours", "ahead", "plain")
COLUMNS = ("{}/s", "{}/CPU s", "{} main ms")
HEADER = f"| model | {' | '.join(one.format(name) for name in LOOPS for one in COLUMNS)} | waits | GPU | ratio |"


class Work(NamedTuple):
    """A model at work: on a batch of pictures, and on one picture as the documentation of its library asks it; prepare:
    what threads make of a picture ahead, None: nothing; nets: its networks of torch, those of both ways."""

    name: str
    face: bool
    ours: Callable[[Sequence[np.ndarray]], Any]
    plain: Callable[[Image.Image], Any]
    prepare: Callable[[np.ndarray], Any] | None = None
    nets: Sequence[Any] = ()


class Speed(NamedTuple):
    """Pictures per second, and per second of processor time; ms of processor time of a picture in the main thread
    outside the network (NaN: not known); the shares of the time that the model waited, and that a GPU was busy (NaN:
    none)."""

    rate: float
    of_processor: float
    main: float
    waits: float
    busy: float


def main(argv: list[str] | None = None) -> None:
    """Measure and print a line for each model."""
    flags = parser().parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        shards = {face: shard(Path(folder) / str(face), flags, face) for face in (False, True)}
        workers = pictures.threads(flags.batch)
        print(
            f"{flags.pictures} pictures of {flags.side} px, batches of {flags.batch}, {workers} threads that decode\n"
        )
        print(f"{HEADER}\n{'|---' * (HEADER.count('|') - 1)}|")
        for work in nets(Path(folder), flags) if flags.gpu else shipped(flags.models.split(",")):
            print(line(work.name, measured(work, *shards[work.face], flags.batch)), flush=True)


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    made.add_argument("--pictures", type=int, default=16)
    made.add_argument("--side", type=int, default=2048, help="longest side of a picture, px")
    made.add_argument("--batch", type=int, default=8)
    made.add_argument("--models", default=SHIPPED, help="names in config/models.yaml; with --gpu, of the networks")
    made.add_argument("--gpu", action="store_true", help="DETR, Mask2Former, ViTPose, Stable Diffusion inpainting")
    made.add_argument("--tiny", action="store_true", help="with --gpu: networks of a few thousand weights")
    made.add_argument("--precision", default="bfloat16", help="with --gpu: of ours; the plain loop is float32")
    made.add_argument("--steps", type=int, default=20, help="with --gpu: of the diffusion model")
    return made


def shipped(names: Sequence[str]) -> Iterator[Work]:
    """Models whose weights packages ship, each with the adapter that runs it."""
    settings = {"models": str(ROOT / "config/models.yaml"), "run": list(names)}
    listed = registry.read(settings, ROOT / "workflow/schemas/models.schema.yaml")
    for name in names:
        told = json.loads(listed.spec(name))
        method = tasks.method_of(told["task"])
        adapter = loading.load(told, ROOT / "weights", method)
        ask = asking(adapter, method)
        yield Work(name, told["task"] == "face_verification", ask, lambda image, ask=ask: ask([np.asarray(image)]))


def nets(folder: Path, flags: argparse.Namespace) -> Iterator[Work]:
    """Networks at their published sizes with random weights, through our adapters and as their documentation does."""
    import evaluate_nets

    wanted = evaluate_nets.NETS if flags.models == SHIPPED else flags.models.split(",")
    for name in wanted:
        made = evaluate_nets.made(name, folder / name, flags.tiny, flags.precision, flags.batch, flags.steps)
        if made is None:
            print(f"{name:<20} no adapter for it here")
        else:
            yield Work(name, False, *made)


def asking(adapter: Any, method: str) -> Callable[[Sequence[np.ndarray]], Any]:
    """The question of a task: poses are asked of the middle of each picture."""
    if method != "estimate":
        return getattr(adapter, method)
    return lambda images: adapter.estimate(images, [middle(image.shape) for image in images])


def middle(shape: tuple[int, ...]) -> np.ndarray:
    """x0, y0, x1, y1 of a box around the middle of a picture of (height, width, ...)."""
    height, width = shape[:2]
    return np.array([0.2 * width, 0.1 * height, 0.8 * width, 0.95 * height])


def shard(folder: Path, flags: argparse.Namespace, face: bool) -> tuple[Path, pd.DataFrame, list[Path]]:
    """A bundle, its rows, and the same pictures as files."""
    folder.mkdir()
    records, files = [], []
    with BundleWriter(folder / "files.tar") as writer:
        for number, pixels in enumerate(photographs(flags.pictures, FACE if face else flags.side, face)):
            data = encode_png(pixels)
            height, width = pixels.shape[:2]
            member = writer.add(f"{number}.png", data)
            records.append({"image": str(number), **member._asdict(), "height": height, "width": width})
            files.append(folder / f"{number}.png")
            files[-1].write_bytes(data)
    return folder / "files.tar", pd.DataFrame(records), files


def photographs(count: int, side: int, square: bool) -> Iterator[np.ndarray]:
    """Pictures (height, width, 3) uint8 of a longest side, with a camera's grain: photographs where a package has some,
    else smooth noise."""
    found = find_spec("openpeople")
    package = Path(found.submodule_search_locations[0]) if found else None
    known = sorted(package.glob("data/curated/*/assets/*.jpg")) if package else []
    for number in range(count):
        rng = np.random.default_rng(number)
        if known:
            with Image.open(known[number % len(known)]) as opened:
                image = opened.convert("RGB")
        else:
            image = Image.fromarray(rng.integers(0, 256, (30, 20 + 10 * (number % 3), 3), dtype=np.uint8))
        scale = side / max(image.size)
        size = (side, side) if square else (round(image.width * scale), round(image.height * scale))
        pixels = np.asarray(image.resize(size, Image.Resampling.BICUBIC), dtype=np.float32)
        yield (pixels + GRAIN * rng.standard_normal(pixels.shape, dtype=np.float32)).clip(0, 255).astype(np.uint8)


def measured(work: Work, bundle: Path, rows: pd.DataFrame, files: list[Path], batch: int) -> list[Speed]:
    """The speeds of LOOPS."""
    first = [np.asarray(Image.open(file).convert("RGB")) for file in files[:batch]]
    prepare = work.prepare and (lambda row, picture: work.prepare(picture))
    work.ours([prepare(None, picture) for picture in first] if prepare else first)
    work.plain(Image.fromarray(first[0]))
    loops = (
        lambda: timed(
            lambda: ((len(some), images) for some, images in pictures.stream(bundle, rows, batch, prepare)),
            work.ours,
            work.nets,
        ),
        lambda: timed(lambda: ahead(files, batch), work.plain, work.nets),
        lambda: timed(lambda: ((1, opened(file)) for file in files), work.plain, work.nets),
    )
    found = [[loop() for loop in loops] for _ in range(ROUNDS)]
    return [max(speeds, key=lambda speed: speed.of_processor) for speeds in zip(*found, strict=True)]


def ahead(files: list[Path], batch: int) -> Iterator[tuple[int, Image.Image]]:
    """Pictures decoded in threads, up to two batches before they are asked for."""
    with ThreadPoolExecutor(pictures.threads(batch)) as pool:
        coming = deque(pool.submit(opened, file) for file in files[: 2 * batch])
        for file in [*files[2 * batch :], *[None] * len(coming)]:
            yield 1, coming.popleft().result()
            if file:
                coming.append(pool.submit(opened, file))


def opened(file: Path) -> Image.Image:
    """A picture as the libraries' documentation opens it, decoded at once, so that its time is that of waiting."""
    return Image.open(io.BytesIO(file.read_bytes())).convert("RGB")


def timed(batches: Callable[[], Iterator[tuple[int, Any]]], answer: Callable, nets: Sequence[Any]) -> Speed:
    """The speed of a loop over (count, pictures)."""
    count, working = 0, 0.0
    with Utilisation() as gpu, Within(nets) as within:
        started, spent, main = time.perf_counter(), time.process_time(), time.thread_time()
        for size, images in batches():
            begun = time.perf_counter()
            answer(images)
            working += time.perf_counter() - begun
            count += size
        whole, spent = time.perf_counter() - started, time.process_time() - spent
        main = 1000 * (time.thread_time() - main - within.spent) / count if nets else float("nan")
    return Speed(count / whole, count / spent, main, 1 - working / whole, gpu.mean())


class Within:
    """Processor seconds that this thread spends within networks of torch, until a GPU has done with them."""

    def __init__(self, nets: Sequence[Any]) -> None:
        self._nets, self.spent = nets, 0.0

    def __enter__(self) -> "Within":
        self._hooks = [net.register_forward_pre_hook(self._begin) for net in self._nets]
        self._hooks += [net.register_forward_hook(self._end) for net in self._nets]
        return self

    def __exit__(self, *failure) -> None:
        for hook in self._hooks:
            hook.remove()

    def _begin(self, *_: Any) -> None:
        self._begun = time.thread_time()

    def _end(self, *_: Any) -> None:
        import torch

        if torch.cuda.is_available():
            torch.cuda.synchronize()
        self.spent += time.thread_time() - self._begun


class Utilisation:
    """How busy the GPU is, as nvidia-smi samples it five times a second."""

    COMMAND = ("nvidia-smi", "--query-gpu=utilization.gpu", "--format=csv,noheader,nounits", "-lms", "200")

    def __enter__(self) -> "Utilisation":
        self._seen: list[float] = []
        try:
            self._process = subprocess.Popen(self.COMMAND, stdout=subprocess.PIPE, text=True)
        except FileNotFoundError:
            self._process = None
            return self
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        return self

    def __exit__(self, *failure) -> None:
        if self._process:
            self._process.terminate()
            self._process.wait()
            self._reader.join()
            self._process.stdout.close()

    def mean(self) -> float:
        return float(np.mean(self._seen)) / 100 if self._seen else float("nan")

    def _read(self) -> None:
        self._seen += [float(row) for row in self._process.stdout if row.strip().isdecimal()]


def line(name: str, speeds: list[Speed]) -> str:
    """A line of the table."""
    ours, *others = speeds
    busy = "-" if np.isnan(ours.busy) else f"{ours.busy:.0%}"
    told = " | ".join(f"{speed.rate:.2f} | {speed.of_processor:.2f} | {milliseconds(speed.main)}" for speed in speeds)
    ratio = ours.of_processor / max(other.of_processor for other in others)
    return f"| {name} | {told} | {ours.waits:.0%} | {busy} | {ratio:.2f} |"


def milliseconds(spent: float) -> str:
    """A time as the table shows it."""
    return "-" if np.isnan(spent) else f"{spent:.1f}"


if __name__ == "__main__":
    main()
