"""A delivery of which parts are hostile: the flow ends, the rest is released, nothing of outside is in it, and nothing
that a vendor wrote runs as a formula or is told in a name or a log."""

import csv
import hashlib
import io
import json
import os
import tarfile

import pandas as pd
import pytest
import yaml
from PIL import Image
from small import make_small

from accord import shards
from house import rows_of, sign, write_rows

pytestmark = pytest.mark.slow

SECRET = b"secret-outside-the-delivery-91c2"
CANARY = "canary7f3a"
FORMULAS = ("=", "+", "-", "@", "\t", "\r")
ODD = "\u202eegami\u200b-🧑🏿‍🦽-e\u0301"


@pytest.fixture(scope="module")
def attacked(tmp_path_factory):
    """A house whose delivery was attacked, after a run; the references of the images that must be refused."""
    house = make_small(tmp_path_factory.mktemp("hostile") / "house", subjects=5, shards=1)
    delivery = house.folder / "delivery"
    (house.folder.parent / "outside.jpg").write_bytes(SECRET)
    rows = rows_of(delivery / "images.csv")
    refused = [row["image"] for row in rows[:4]]
    through_link(delivery, rows[0])
    rows[1]["file"] = "../../outside.jpg"
    (delivery / rows[2]["file"]).unlink()
    os.mkfifo(delivery / rows[2]["file"])
    rows[3]["annotations"] = "annotations/../../../outside.jpg"
    for number, row in enumerate(rows[4:]):
        row["location_region"] = f'{FORMULAS[number % len(FORMULAS)]}HYPERLINK("{CANARY}")'
        row["location_country"] = f"=cmd|{CANARY}"
    spoken(delivery, rows[4])
    write_rows(delivery / "images.csv", rows, list(rows[0]))
    renamed(delivery, rows[5]["image"], f"{CANARY}{ODD}")
    flooded(delivery)
    sign(delivery)
    said = house.run("results/release/release.json")
    return house, refused, said


def through_link(delivery, row) -> None:
    (delivery / row["file"]).unlink()
    (delivery / row["file"]).symlink_to(delivery.parent.parent / "outside.jpg")


def spoken(delivery, row) -> None:
    """The camera's name is a formula, and a text in the file says more."""
    path = delivery / row["file"]
    with Image.open(path) as image:
        exif = image.getexif()
        exif[0x010F], exif[0x0110] = f"=1+1 {CANARY}", "@SUM(A1)"
        path.unlink()
        image.save(path, "JPEG", quality=90, exif=exif, comment=SECRET)
    row["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()


def renamed(delivery, image: str, name: str) -> None:
    """The vendor calls an image something odd, in all tables and in its annotations."""
    for file in sorted(delivery.glob("*.csv")):
        rows = rows_of(file)
        if rows and "image" in rows[0]:
            for row in rows:
                row["image"] = name if row["image"] == image else row["image"]
            write_rows(file, rows, list(rows[0]))
    rows = rows_of(delivery / "images.csv")
    row = next(row for row in rows if row["image"] == name)
    path = delivery / row["annotations"]
    text = json.dumps({**json.loads(path.read_text()), "image": name}).encode()
    path.unlink()
    path.write_bytes(text)
    row["annotations_sha256"] = hashlib.sha256(text).hexdigest()
    write_rows(delivery / "images.csv", rows, list(rows[0]))


def flooded(delivery) -> None:
    """Twenty thousand annotations of an image that isn't there."""
    rows = rows_of(delivery / "annotated.csv")
    rows += [{**rows[0], "image": f"none-{number}"} for number in range(20_000)]
    write_rows(delivery / "annotated.csv", rows, list(rows[0]))


def test_the_flow_ends_and_what_is_in_order_is_released(attacked):
    house, refused, _ = attacked
    about = yaml.safe_load((house.folder / "delivery/delivery.yaml").read_text())
    verdicts = pd.read_parquet(house.folder / "results/release/verdicts.parquet").set_index("image")
    for reference in refused:
        verdict = verdicts.loc[shards.opaque_id(about["vendor"], about["delivery"], reference)]
        assert (verdict["verdict"], verdict["room"]) == ("fail", "intake")
    assert (verdicts["verdict"] == "pass").sum() >= 5


def test_nothing_of_outside_is_published(attacked):
    house, _, _ = attacked
    (release,) = (house.folder / "releases").glob("*.*.*")
    for path in release.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            assert SECRET not in data, path
    for path in (house.folder / "results").rglob("*.tar"):
        with tarfile.open(path) as bundle:
            assert not [name for name in bundle.getnames() if name.startswith("/") or ".." in name]


def test_no_cell_of_a_release_is_a_formula(attacked):
    house, _, _ = attacked
    cells = [
        (path.name, cell)
        for path in house.folder.glob("releases/*/**/*.csv")
        for row in csv.reader(io.StringIO(path.read_text()))
        for cell in row
        if cell.startswith(FORMULAS) and not _is_number(cell)
    ]
    assert cells == []


def test_no_word_of_the_vendor_s_is_in_a_name_or_a_log(attacked):
    house, _, said = attacked
    assert CANARY not in said
    assert [path for path in house.folder.rglob("*") if CANARY in path.name] == []
    logs = [path for path in (house.folder / "logs").rglob("*.log") if CANARY in path.read_text(errors="replace")]
    assert logs == []


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
