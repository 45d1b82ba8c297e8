"""A run's results, a vault and a page of reviews for tests: small rendered pictures, a few items of each queue."""

import io
import socket
import threading
import time
from contextlib import contextmanager

import numpy as np
import pandas as pd
import pyarrow
import pyarrow.parquet as pq
import review_cases
import uvicorn
from PIL import Image
from review_cases import PASSWORD
from starlette.testclient import TestClient

from accord.engine import table
from accord.imaging import bundle
from accord.intake.tables import Keypoints, People, Segments
from accord.review.database import store, work
from accord.review.drawn.drawings import Part, region
from accord.review.page import pages, server

HOST = "http://127.0.0.1:8765"
WIDTH, HEIGHT = 320, 240
SECRET = "Secret place"
"""What the camera wrote into every picture."""


def picture(number, width=WIDTH, height=HEIGHT, turned=False):
    """A JPEG with EXIF: a ramp and a bright square whose place depends on the number."""
    pixels = np.zeros((height, width, 3), np.uint8)
    pixels[..., 0] = np.linspace(0, 255, width, dtype=np.uint8)
    pixels[..., 1] = (37 * number) % 256
    pixels[80:160, 40:120] = (250, 240, 60)
    exif = Image.Exif()
    exif[0x010E] = SECRET
    if turned:
        exif[0x0112] = 6
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "JPEG", quality=90, exif=exif)
    return buffer.getvalue()


def fill(results, room, table, pictures, shard="00", **more):
    """Write pictures (image -> file) and their table as a shard's step does."""
    folder = results / room / shard
    folder.mkdir(parents=True, exist_ok=True)
    with bundle.BundleWriter(folder / "images.tar") as tar:
        members = [(image, tar.add(f"{image}.jpg", data), data) for image, data in sorted(pictures.items())]
    rows = []
    for image, member, data in members:
        with Image.open(io.BytesIO(data)) as opened:
            size = {"width": opened.width, "height": opened.height}
            turn = opened.getexif().get(0x0112, 1)
        rows.append({"image": image, **member._asdict(), **size, **({"orientation": turn} if room == "intake" else {})})
    pq.write_table(pyarrow.Table.from_pandas(pd.DataFrame(rows)), folder / table)


def results(folder):
    """The pictures of some images, as delivered and as privacy made them."""
    images = {f"img{number:02}": picture(number) for number in range(12)}
    fill(folder, "intake", "images.parquet", images)
    annotate(folder / "intake/00", images)
    fill(folder, "privacy", "painted.parquet", {image: picture(number + 100) for number, image in enumerate(images)})
    return folder


def annotate(folder, images, people=()):
    """Tables of what annotators drew of one person in each image: a nose, a hidden eye, and no more than the boxes of
    `people`, rows of People."""
    points = [
        (image, "sub", number, at, 60.0, visible, "x")
        for image in images
        for number, at, visible in ((0, 60.0, True), (2, 50.0, False))
    ]
    table.write(table.rows(points, Keypoints), Keypoints, folder / "keypoints.parquet")
    table.write(table.rows(people, People), People, folder / "people.parquet")
    table.write(table.empty(Segments), Segments, folder / "segments.parquet")


def drawn(image):
    """The name of the drawing of the landmarks in an image."""
    return region((image, "sub", "landmarks"), [Part(0, True, (60.0, 60.0)), Part(2, False, (50.0, 60.0))])


def everything():
    """Two or three items of each queue."""
    rows = []
    for number, queue in enumerate(CHECKS):
        for turn in range(2 if queue != "logos" else 3):
            # Nobody draws twice on one picture: each drawing is of another.
            image = f"img{number + turn if queue in SPREAD else number:02}"
            row = {"item": f"{queue}-{turn}", "queue": queue, "image": image, "subject": f"sub{number:02}"}
            more = {"region": drawn(image)} if queue == "annotations" else {}
            rows.append({**row, "check": CHECKS[queue], **MORE.get(queue, {}), **more})
    return review_cases.items(*rows)


SPREAD = ("agreement", "objectionable", "annotations")
"""Queues whose items are of different images."""
CHECKS = {
    "logos": "logo", "personal_data": "personal_data", "inpainting": "person_in_region", "web": "web_match",
    "duplicates": "duplicate_near", "safety": "safety_nudity", "objectionable": "objectionable",
    "patterns": "pattern_device", "agreement": "agreement", "annotations": "annotation_wrong",
}  # fmt: skip
MORE = {
    "personal_data": {"kind": "card"},
    "duplicates": {"other": "img11", "polygon": [], "kind": "near"},
    "web": {"polygon": [], "kind": ""},
    "safety": {"polygon": [], "kind": "nudity"},
    "objectionable": {"polygon": [], "kind": "", "reason": "every image is seen", "score": None, "threshold": None},
    "patterns": {"polygon": [], "kind": "pattern_device"},
    "agreement": {"polygon": [], "kind": "face"},
    "annotations": {"polygon": [], "kind": "landmarks", "reason": "drawn at random"},
}


MADE = {}
"""What was made before: who is asked -> file -> its bytes. Making it anew takes a second of the disk's time."""


def house(folder, items=None, people=("ada", "bob"), votes=2):
    """A vault and results in a folder; returns both paths."""
    key = (*people, votes)
    if items is None and key in MADE:
        for name, data in MADE[key].items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            (folder / name).write_bytes(data)
        return folder / "vault", folder / "results"
    with review_cases.asked(folder / "vault", everything() if items is None else items, people, votes):
        results(folder / "results")
    if items is None:
        files = [file for file in sorted(folder.rglob("*")) if file.is_file()]
        MADE[key] = {str(file.relative_to(folder)): file.read_bytes() for file in files}
    return folder / "vault", folder / "results"


class Visitor:
    """Somebody with a browser of their own, which sends what the page's own scripts send."""

    def __init__(self, app, name="", host=HOST, address=""):
        client = (address or f"10.0.0.{len(name)}", 5)
        self.client = TestClient(app, base_url=host, raise_server_exceptions=False, client=client)
        self.host = host
        self.csrf = self.get("/api/me").json()["csrf"]
        if name:
            answer = self.sign_in(name)
            assert answer.status_code == 200, answer.text

    def get(self, path, **more):
        return self.client.get(path, **more)

    def post(self, path, body, **headers):
        given = {"origin": self.host, "x_csrf_token": self.csrf, **headers}
        given = {name.replace("_", "-"): value for name, value in given.items() if value is not None}
        return self.client.post(path, json=body, headers=given)

    def sign_in(self, name, password=PASSWORD):
        answer = self.post("/api/sign-in", {"name": name, "password": password})
        self.csrf = answer.json().get("csrf", self.csrf)
        return answer

    def next(self, queue, after=""):
        return self.get(f"/api/queues/{queue}/next", params={"after": after}).json()["item"]

    def vote(self, item, decision, **more):
        return self.post("/api/vote", {"item": item["id"], "decision": decision, **more})


def page(folder, clock=time.monotonic, **more):
    """The page over a house in a folder, its failures in the list `failed`."""
    vault, of = house(folder, **more)
    failed = []
    app = pages.create(vault, of, server.origin("127.0.0.1", 8765, False), failed.append, clock)
    app.vault, app.results, app.failed = vault, of, failed
    return app


@contextmanager
def served(vault, of):
    """The page on a free port of this machine; gives its URL."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    app = pages.create(vault, of, server.origin("127.0.0.1", port, False))
    runs = uvicorn.Server(uvicorn.Config(app, port=port, log_level="error", access_log=False, ws="none"))
    thread = threading.Thread(target=runs.run, daemon=True)
    thread.start()
    try:
        while not runs.started:
            time.sleep(0.01)
        yield f"http://127.0.0.1:{port}/"
    finally:
        runs.should_exit = True
        thread.join(10)


def settled(vault):
    """item -> (decision, how many regions), of what is settled."""
    with store.reading(vault) as db:
        found = work.decided(db, None)
    return {row.item: (row.decision, len(row.polygon) // 2) for row in found.itertuples()}
