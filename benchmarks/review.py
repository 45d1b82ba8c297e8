"""Milliseconds of the review page with 10,000 items in a queue, and its memory; against a page that sends it all.

Run: python benchmarks/review.py [ITEMS] [MEGAPIXELS]. The server is a process of its own, asked over HTTP by one client
and by a headless browser; pictures are JPEGs of 12 megapixels. A page load is the HTML, the first item and its picture.
CPU time is that of the server: it is the same on a busy machine.
"""

import io
import json
import shutil
import socket
import statistics
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx2
import numpy as np
import pandas as pd
from PIL import Image

from accord.engine import table
from accord.imaging import bundle, decode
from accord.review.database import accounts, items, store, work
from accord.review.page import pictures
from accord.review.tables import Items

PASSWORD = "correct horse battery"
QUEUE, NAME = "logos", "ada"
FILES, ROUNDS, LOADS = 24, 60, 15
SERVE = (
    "import sys; from pathlib import Path; from accord.review.page import server; "
    "server.serve([], port=int(sys.argv[1]))"
)


def main() -> None:
    """Print medians and 95th percentiles."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    megapixels = float(sys.argv[2]) if len(sys.argv) > 2 else 12.0
    with TemporaryDirectory() as name:
        folder = Path(name)
        make(folder, count, megapixels)
        port = free_port()
        start = time.perf_counter()
        server = subprocess.Popen([sys.executable, "-c", SERVE, str(port)], cwd=folder, stderr=subprocess.DEVNULL)
        try:
            client = httpx2.Client(base_url=f"http://127.0.0.1:{port}")
            wait_for(client)
            print(f"{count} items, {megapixels:g} MP; start-up {time.perf_counter() - start:.1f} s")
            requests(client, server.pid)
            browser(f"http://127.0.0.1:{port}/")
            print(f"memory {memory(server.pid)} MB after all of that")
        finally:
            server.terminate()
            server.wait()
        naive(folder)


def make(folder: Path, count: int, megapixels: float) -> None:
    """A vault with that many items in one queue, and results with a picture for each (several share a file)."""
    rng = np.random.default_rng(1)
    images = [f"{number:016x}" for number in range(count)]
    width = round((megapixels * 1e6 * 4 / 3) ** 0.5)
    shard = folder / "results/intake/00"
    shard.mkdir(parents=True)
    with bundle.BundleWriter(shard / "images.tar") as tar:
        files = [tar.add(f"{number}.jpg", photograph(rng, width, width * 3 // 4)) for number in range(FILES)]
    members = pd.DataFrame([files[number % FILES] for number in range(count)])
    members.assign(image=images, width=width, height=width * 3 // 4).to_parquet(shard / "images.parquet")
    box = [100.0, 100.0, 400.0, 100.0, 400.0, 300.0, 100.0, 300.0]
    rows = [
        (f"i{image}", QUEUE, image, "s", "", f"r{image}", "logo", "logo", box, 0.7, 0.6, "a brand") for image in images
    ]
    with store.opened(folder / "vault") as db:
        accounts.add(db, NAME, accounts.REVIEWER, PASSWORD)
        work.add_items(db, table.rows(rows, Items))
        work.assign(db, QUEUE, [NAME])


def photograph(rng: np.random.Generator, width: int, height: int) -> bytes:
    """A JPEG with the detail of a photograph: noise of several scales."""
    total = sum(
        np.asarray(
            Image.fromarray(rng.integers(0, 80, (height // scale, width // scale, 3), dtype=np.uint8)).resize(
                (width, height), Image.Resampling.BILINEAR
            ),
            np.uint16,
        )
        for scale in (2, 16, 128)
    )
    buffer = io.BytesIO()
    Image.fromarray(total.astype(np.uint8)).save(buffer, "JPEG", quality=90)
    return buffer.getvalue()


def requests(client: httpx2.Client, pid: int) -> None:
    """Each kind of request, one after the other, as the page's scripts make them."""
    headers = {"origin": str(client.base_url).rstrip("/"), "x-csrf-token": client.get("/api/me").json()["csrf"]}
    found = client.post("/api/sign-in", json={"name": NAME, "password": PASSWORD}, headers=headers).json()
    headers["x-csrf-token"] = found["csrf"]
    print(f"memory {memory(pid)} MB when somebody has signed in")
    laps, after = Laps(pid), ""
    for _ in range(ROUNDS):
        laps.of("HTML", lambda: client.get("/"))
        laps.of("queues", lambda: client.get("/api/queues"))
        item = laps.of("next item", lambda at=after: client.get(f"/api/queues/{QUEUE}/next?after={at}")).json()["item"]
        view, full = (item["pictures"][0][key] for key in ("view", "full"))
        laps.of("picture", lambda view=view: client.get(f"/picture/{view}"))
        laps.of("picture, close up", lambda full=full: client.get(f"/picture/{full}"))
        said = {"item": item["id"], "decision": "dismiss"}
        laps.of("decision", lambda said=said: client.post("/api/vote", json=said, headers=headers))
        after = item["id"]
        time.sleep(0.15)  # the limit on requests is for 40 in a second
    laps.add_up("page load", ("HTML", "next item", "picture"))
    laps.tell()


class Laps:
    """Times of several things that are done again and again: of the clock, and of a server's CPU, s."""

    def __init__(self, pid: int):
        self._pid = pid
        self._clock: dict[str, list[float]] = {}
        self._cpu: dict[str, list[float]] = {}

    def of(self, name: str, does):
        """Do something and note how long it took; its answer must be that of a success."""
        cpu, start = cpu_time(self._pid), time.perf_counter()
        answer = does()
        self._clock.setdefault(name, []).append(time.perf_counter() - start)
        self._cpu.setdefault(name, []).append(cpu_time(self._pid) - cpu)
        assert answer.status_code == 200, answer.text
        return answer

    def add_up(self, name: str, parts: tuple[str, ...]) -> None:
        """Note what several things take together."""
        for times in (self._clock, self._cpu):
            times[name] = [sum(each) for each in zip(*(times[part] for part in parts), strict=True)]

    def tell(self) -> None:
        """Print it."""
        for name, taken in self._clock.items():
            tell(name, taken)
            tell("    CPU", self._cpu[name])


def cpu_time(pid: int) -> float:
    """CPU time of all threads of a process, s (Linux)."""
    threads = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9


def browser(url: str) -> None:
    """From the address to the first picture on the screen, and from a key to the next one, in a headless browser."""
    from playwright.sync_api import sync_playwright

    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        page = opened.new_page()
        page.goto(url)
        page.locator("input[name=name]").fill(NAME)
        page.locator("input[name=password]").fill(PASSWORD)
        page.keyboard.press("Enter")
        page.locator(".home").wait_for()
        loads, keys = [], []
        for _ in range(LOADS):
            page.goto("about:blank")
            page.goto(f"{url}#queue/{QUEUE}")
            page.locator(".pane.ready").wait_for()
            loads.append(page.evaluate(SHOWN))
        for _ in range(LOADS):
            page.wait_for_timeout(700)
            keys.append(1000 * page.evaluate(PRESSED))
        opened.close()
    tell("browser: first picture", [one / 1000 for one in loads])
    tell("browser: key to next picture", [one / 1000 for one in keys])


SHOWN = "() => performance.getEntriesByType('resource').filter((e) => e.name.includes('/picture/'))[0].responseEnd"
PRESSED = """() => new Promise((done) => {
  const from = performance.now(), item = document.querySelector('.panel').dataset.item;
  const look = () => {
    const shown = document.querySelector('.panel').dataset.item !== item && document.querySelector('.pane.ready');
    if (shown) done((performance.now() - from) / 1000); else requestAnimationFrame(look);
  };
  dispatchEvent(new KeyboardEvent('keydown', { key: 'd' }));
  look();
})"""


def naive(folder: Path) -> None:
    """The same load where the page gets the list of all items, and pictures as they were delivered."""
    found = pictures.Pictures(folder / "results")
    times: dict[str, list[float]] = {}
    for number in range(10):
        text = lap(times, "naive: list of all items", lambda: listed(folder))
        place = found.find(pictures.BEFORE, f"{number:016x}")
        data = lap(times, "naive: whole picture, without metadata", lambda place=place: whole(place))
    for name, taken in times.items():
        tell(name, taken)
    print(f"naive: {len(text) / 1e6:.1f} MB of list, {len(data) / 1e6:.1f} MB of picture")


def listed(folder: Path) -> str:
    """All items of the queue, as JSON."""
    with store.opened(folder / "vault") as db:
        return json.dumps([dict(zip(work.Item._fields, row, strict=True)) for row in db.execute(items.SELECT)])


def whole(place: pictures.Place) -> bytes:
    """The picture in its own size, decoded and encoded again."""
    return pictures.encoded(decode.reduced(bundle.read(place.bundle, place), 100_000), 90)


def lap(times: dict[str, list[float]], name: str, does):
    """Do something and note how long it took."""
    start = time.perf_counter()
    found = does()
    times.setdefault(name, []).append(time.perf_counter() - start)
    return found


def tell(name: str, taken: list[float]) -> None:
    """One line: median and 95th percentile in ms."""
    print(f"{name:40} median {1000 * statistics.median(taken):7.1f} ms   p95 {1000 * np.quantile(taken, 0.95):7.1f} ms")


def memory(pid: int) -> int:
    """Resident memory of a process, MB."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return round(int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1024)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def wait_for(client: httpx2.Client) -> None:
    """Wait until the server answers."""
    for _ in range(600):
        try:
            client.get("/api/me")
            return
        except httpx2.TransportError:
            time.sleep(0.02)
    raise SystemExit("the server doesn't answer")


if __name__ == "__main__":
    main()
