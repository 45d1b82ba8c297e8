"""The picture of the README: the report's first page and the page of a model, side by side, as a browser shows them.

    python benchmarks/report_picture.py results/report blazepose docs/report.png

Needs Chromium, and the report of a finished run of the demo: its people are rendered.
"""

import argparse
import shutil
import subprocess
import tempfile
from pathlib import Path

from PIL import Image

SIDE, HEIGHT, GAP = 794, 992, 12
"""Px of each page in the picture, and of the stripe between them."""
WIDE = 1180
"""Px of the window in which each is shown before it is reduced: all columns of its tables fit."""
STRIPE, COLOURS = (217, 226, 236), 256
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
QUIET = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-device-scale-factor=1")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("report", type=Path, help="folder of a report")
    parser.add_argument("model", help="the model whose page is shown")
    parser.add_argument("out", type=Path, help="a PNG file")
    chosen = parser.parse_args()
    pages = [chosen.report / "index.html", chosen.report / "models" / f"{chosen.model}.html"]
    made = Image.new("RGB", (2 * SIDE + GAP, HEIGHT), STRIPE)
    with tempfile.TemporaryDirectory() as folder:
        for number, page in enumerate(pages):
            made.paste(shot(page, Path(folder) / f"{number}.png"), (number * (SIDE + GAP), 0))
    made.quantize(COLOURS, Image.Quantize.MAXCOVERAGE).save(chosen.out, optimize=True)


def shot(page: Path, out: Path) -> Image.Image:
    """The top of a page, SIDE x HEIGHT px."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None or not page.is_file():
        raise SystemExit(f"{page}: is not there, or no Chromium is: apt-get install chromium")
    size = f"--window-size={WIDE},{round(WIDE * HEIGHT / SIDE)}"
    command = [browser, *QUIET, size, f"--screenshot={out}", page.resolve().as_uri()]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    return Image.open(out).convert("RGB").resize((SIDE, HEIGHT), Image.Resampling.LANCZOS)


if __name__ == "__main__":
    main()
