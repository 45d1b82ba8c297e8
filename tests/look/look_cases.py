"""Results and a ledger in a folder: i1 of ann, i2 of ann and bob, i3 of bob; a detector of faces was run on all."""

import numpy as np
import pandas as pd
import pyarrow
import pyarrow.parquet as pq
from consent_cases import ANN, BOB, Shard
from starlette.testclient import TestClient

from accord.engine import table
from accord.imaging.bundle import BundleWriter
from accord.imaging.decode import encode_png
from accord.intake.tables import Annotators, Forms, Images, People, Refused
from accord.look.failures import worst
from accord.look.failures.drawn import Sources
from accord.look.page import routes
from accord.look.views.consented import Consented, Settings
from accord.review.page import server

HOST = "http://127.0.0.1:8766"
WIDTH, HEIGHT = 800, 400
AFRICA, ASIA = "0. Africa", "11. Asia"
VALUES = {("i1", ANN): 0.9, ("i2", ANN): 0.1, ("i2", BOB): 0.5, ("i3", BOB): 0.3}
SETTINGS = Settings("2026-11-01", 18, None, False)


def house(folder):
    """The shard, with its results in the folder `results`."""
    shard = Shard(folder)
    shard.record()
    results = folder / "results"
    intake = results / "intake/00"
    intake.mkdir(parents=True)
    told = {"images": (shard.images, Images), "people": (shard.people, People), "forms": (shard.forms, Forms),
            "annotators": ([], Annotators), "refused": ([], Refused)}  # fmt: skip
    for name, (rows, kind) in told.items():
        table.write(table.rows(rows, kind), kind, intake / f"{name}.parquet")
    released(results)
    write(results / "analyse/scores/face_localization.parquet", [
        {"task": "face_localization", "model": "yunet", "metric": "ar_iou", "image": image, "subject": subject,
         "value": value} for (image, subject), value in VALUES.items()
    ])  # fmt: skip
    write(results / "analyse/members.parquet", [
        {"image": image, "subject": subject, "attribute": "ancestry", "group": AFRICA if subject == ANN else ASIA}
        for image, subject in VALUES
    ])  # fmt: skip
    return shard


def released(results):
    """Grey pictures with a face box each, and what the detector found: a box in i1 alone."""
    rows = []
    (results / "release/00").mkdir(parents=True)
    with BundleWriter(results / "release/00/files.tar") as tar:
        for image in ("i1", "i2", "i3"):
            data = encode_png(np.full((HEIGHT, WIDTH, 3), 128, np.uint8))
            size = {"kind": "downsampled", "width": WIDTH, "height": HEIGHT}
            rows.append({"image": image, **tar.add(f"{image}.png", data)._asdict(), **size})
    write(results / "release/00/derivatives.parquet", rows)
    box = {"face_x": 80.0, "face_y": 120.0, "face_width": 160.0, "face_height": 200.0}
    write(results / "release/00/people.parquet", [{"image": i, "subject": s, **box} for i, s in VALUES])
    found = {"model": "yunet", "image": "i1", "x0": 400.0, "y0": 80.0, "x1": 600.0, "y1": 320.0, "score": 0.75}
    write(results / "evaluate/00/yunet.parquet", [{**found, "label": "face"}])


def write(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pyarrow.Table.from_pandas(pd.DataFrame(rows)), path)


def page(shard, key="key", settings=SETTINGS, port=8766, **how):
    """The page over a house."""
    results = shard.folder / "results"
    found = worst.find(results, "yunet", **how)
    looked = routes.Looked(shard.vault, Sources(results, "yunet", found.task), found)
    where = server.origin("127.0.0.1", port, False)._replace(page="look")
    return routes.create(looked, Consented(shard.vault, results, settings), where, key, [].append)


class Visitor:
    """Somebody with a browser, who has the key or not."""

    def __init__(self, app, key="key"):
        self.client = TestClient(app, base_url=HOST, raise_server_exceptions=False)
        csrf = self.client.get("/api/me").json()["csrf"]
        self.let_in = self.client.post("/api/sign-in", json={"password": key},
                                       headers={"origin": HOST, "x-csrf-token": csrf})  # fmt: skip

    def told(self):
        return self.client.get("/api/failures").json()

    def ranks(self):
        return [one["rank"] for one in self.told()["failures"]]

    def picture(self, rank, variant="both"):
        names = {one["rank"]: one["pictures"][variant] for one in self.told()["failures"]}
        return self.client.get(f"/picture/{names[rank]}")
