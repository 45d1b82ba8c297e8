"""Writing of PNGs: CPU ms and MB per megapixel, as Pillow wrote them (level 3) and as encode_png does, in one run.

    PYTHONPATH=workflow/lib python benchmarks/png.py [PICTURE ...]

Without pictures: photographs of the tests and of the package openpeople, and one of them with a camera's noise.
"""

import io
import sys
from importlib.util import find_spec
from pathlib import Path
from time import process_time

import numpy as np
from PIL import Image

from accord.imaging.decode import decode, encode_png

ASTRONAUT = Path(__file__).parents[1] / "tests/data/photographs/astronaut.jpg"
PEOPLE, KINDS = ("P001", "P004"), ("amateur_posture", "amateur_selfie", "studio_portrait")
NOISE = 3.0
"""Standard deviation of a camera's noise, of 255."""


def main() -> None:
    """Print a line for each picture, and one for all."""
    pictures = {Path(name).name: decode(Path(name).read_bytes()) for name in sys.argv[1:]} or photographs()
    sums = np.zeros(5)
    encode_png(np.zeros((8, 8), np.uint8))
    for name, pixels in pictures.items():
        sums += told(name, pixels, measured(pixels))
    if len(pictures) > 1:
        print(line("all", sums))


def photographs() -> dict[str, np.ndarray]:
    """Name -> pixels."""
    package = Path(find_spec("openpeople").submodule_search_locations[0]) / "data/curated"
    paths = [ASTRONAUT, *(package / person / "assets" / f"{kind}.jpg" for person in PEOPLE for kind in KINDS)]
    found = {f"{path.parts[-3]} {path.stem}": decode(path.read_bytes()) for path in paths}
    noise = np.random.default_rng(0).normal(0, NOISE, (1600, 1600, 3))
    noisy = np.clip(found["P001 amateur_posture"][:1600, :1600] + noise, 0, 255).astype(np.uint8)
    return {**found, "P001 with noise": noisy}


def measured(pixels: np.ndarray) -> np.ndarray:
    """Megapixels; CPU seconds and bytes of the former way, then of the present one."""
    figures = [pixels.shape[0] * pixels.shape[1] / 1e6]
    for way in (formerly, encode_png):
        start = process_time()
        data = way(pixels)
        figures += [process_time() - start, len(data)]
        if not np.array_equal(np.asarray(Image.open(io.BytesIO(data))), pixels):
            sys.exit("the PNG has other pixels")
    return np.array(figures)


def formerly(pixels: np.ndarray) -> bytes:
    """As Pillow writes a PNG at level 3."""
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG", compress_level=3)
    return buffer.getvalue()


def told(name: str, pixels: np.ndarray, figures: np.ndarray) -> np.ndarray:
    """The figures, printed."""
    print(line(f"{name} {pixels.shape[1]} x {pixels.shape[0]}", figures))
    return figures


def line(name: str, figures: np.ndarray) -> str:
    """Both ways side by side, and their ratios."""
    size, before, weight, now, lighter = figures
    ms = f"{before / size * 1000:.0f} -> {now / size * 1000:.0f} ms/MP ({now / before:.2f})"
    return f"{name}: {ms}, {weight / size / 1e6:.2f} -> {lighter / size / 1e6:.2f} MB/MP ({lighter / weight:.2f})"


if __name__ == "__main__":
    main()
