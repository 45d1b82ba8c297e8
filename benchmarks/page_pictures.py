"""Pages of the demo's results as a browser shows them: the report, the review page, the viewer of failures."""

import contextlib
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image
from playwright.sync_api import Page

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests/review")]

from page_reviewer import decide, open_queue, read, signed_in  # noqa: E402

from accord.checks.settling import items  # noqa: E402
from accord.checks.tables.findings import Findings, Images, Items, Proposals  # noqa: E402
from accord.engine import table  # noqa: E402
from browsers import launched  # noqa: E402

CONFIG = ("--config", "config/config.yaml", "config/demo.yaml")
RESULTS = ROOT / "results"
SIDE, HEIGHT, GAP, WIDE = 794, 992, 12, 1180
"""Of the report's picture, px: each of its two pages, the stripe between them, and the window that is reduced."""
BOX = 8
"""Numbers of an outline that is a box."""
STRIPE = (217, 226, 236)
NAME, PASSWORD = "ada", "correct horse battery staple"
PORT, SECONDS_TO_START = 8797, 120
SMALL, LARGE = {"width": 1024, "height": 640}, {"width": 1200, "height": 760}
SEEN = "() => [...document.querySelectorAll('{}')].slice(0, {}).every((one) => one.naturalWidth > 0)"


def report() -> Image.Image:
    """The report's first page and the page of a model, side by side."""
    made = Image.new("RGB", (2 * SIDE + GAP, HEIGHT), STRIPE)
    with launched() as browser:
        page = browser.new_page(viewport={"width": WIDE, "height": round(WIDE * HEIGHT / SIDE)})
        for number, name in enumerate(("index.html", "models/blazepose.html")):
            page.goto((RESULTS / "report" / name).as_uri())
            made.paste(shot(page).resize((SIDE, HEIGHT), Image.Resampling.LANCZOS), (number * (SIDE + GAP), 0))
    return made


def inpainting() -> Image.Image:
    """A bystander that was painted out, before and after."""
    with reviewing("inpainting", LARGE) as page:
        for _ in range(before_largest()):
            decide(page, "dismiss")
        page.keyboard.press("b")
        page.keyboard.press("c")
        page.wait_for_function(SEEN.format(".pane img", 2))
        return shot(page)


def annotation() -> Image.Image:
    """Keypoints over a picture."""
    with reviewing("annotations", SMALL) as page:
        go_to(page, "keypoints")
        page.locator(".pane.ready").first.wait_for()
        return shot(page)


def many() -> Image.Image:
    """Twenty pictures on a page, one of them marked."""
    with reviewing("objectionable", SMALL) as page:
        page.wait_for_function("() => document.querySelectorAll('.tile[data-state=ready]').length >= 15")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("2")
        return shot(page)


def look() -> Image.Image:
    """The pictures on which a model did worst."""
    command = [sys.executable, "-m", "accord", "look", "blazepose", "--port", str(PORT), *CONFIG]
    with serving(command) as said, launched() as browser:
        page = browser.new_page(viewport=SMALL)
        page.goto(said)
        page.locator(".failure").first.wait_for()
        page.wait_for_function(SEEN.format(".failure img", 6))
        return shot(page)


@contextlib.contextmanager
def reviewing(queue: str, size: dict[str, int]) -> Iterator[Page]:
    """The review page on the demo's results, as somebody sees it who opens a queue; in a vault that is deleted."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        results = asked(folder / "results") if queue == "objectionable" else RESULTS
        where = ("--vault", str(folder / "vault"), "--results", str(results), *CONFIG)
        (folder / "password").write_text(PASSWORD + "\n")
        accord("review", "add", *where, "--name", NAME, "--password-file", str(folder / "password"))
        accord("review", "assign", *where, "--queue", queue, "--reviewer", NAME)
        command = [sys.executable, "-m", "accord", "review", "serve", *where, "--port", str(PORT)]
        with serving(command) as url, launched() as browser:
            page = signed_in(browser, url, NAME, PASSWORD)
            page.set_viewport_size(size)
            open_queue(page, queue)
            yield page


def asked(results: Path) -> Path:
    """Results as those of the demo, in which every image of a shard is to be seen (`checks.see_all`)."""
    results.mkdir()
    for room in ("intake", "privacy"):
        (results / room).symlink_to(RESULTS / room)
    shard = min(path.name for path in (RESULTS / "intake").iterdir() if path.is_dir())
    images = table.read([RESULTS / "intake" / shard / "images.parquet"], Images)
    settled = table.read([RESULTS / "checks" / shard / "settled.parquet"], Findings)
    (results / "checks").mkdir()
    found = items.run(images, settled, table.empty(Proposals), see_all=True)
    table.write(found, Items, results / "checks/items.parquet")
    return results


def before_largest() -> int:
    """How many painted regions are to be reviewed before the drawn outline that spans most: they come by their ids."""
    found = table.read(sorted(RESULTS.glob("privacy/*/items.parquet")), Items).sort_values("item")
    spans = [np.ptp(one[::2]) * np.ptp(one[1::2]) if len(one) > BOX else 0 for one in found["polygon"]]
    return int(np.argmax(spans))


def go_to(page: Page, kind: str) -> None:
    """Decide on items until one of a kind comes, which the demo must have."""
    while read(page)["kind"] != kind:
        decide(page, "dismiss")
        if not page.locator(".panel").count():
            raise SystemExit(f"the demo has no item of kind {kind}")


@contextlib.contextmanager
def serving(command: list[str]) -> Iterator[str]:
    """The address that a command serves, as it prints it; it is stopped in the end."""
    with tempfile.TemporaryDirectory() as name, (Path(name) / "log").open("wb") as log:
        process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log)
        try:
            yield address(process, Path(name) / "log")
        finally:
            process.terminate()
            process.wait(20)


def address(process: subprocess.Popen, log: Path) -> str:
    """The address in what a server printed, once it answers there."""
    end = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < end and process.poll() is None:
        found = re.search(r"http://\S+", log.read_text())
        with contextlib.suppress(OSError):
            if found:
                socket.create_connection(("127.0.0.1", PORT), 1).close()
                return found[0]
        time.sleep(0.2)
    raise SystemExit(f"nothing is served:\n{log.read_text()}")


def accord(*words: str) -> None:
    subprocess.run([sys.executable, "-m", "accord", *words], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def shot(page: Page) -> Image.Image:
    """What the window shows, once it tells of nothing that was done."""
    page.wait_for_function("() => !document.querySelector('.toast')")
    return Image.open(BytesIO(page.screenshot(animations="disabled"))).convert("RGB")
