"""A delivery of which parts are hostile, beside a good one: the flow ends, exactly what is in order is released,
nothing of outside is in it, and nothing that a vendor wrote runs as a formula or is told in a name or a log.
Deliveries that can't be read as a whole stop a run at its start, and are named."""

import csv
import hashlib
import io
import json
import os
import shutil
import tarfile
from typing import NamedTuple

import cv2
import hostile_pictures
import numpy as np
import pandas as pd
import pytest
import yaml
from hostile_pictures import Seen
from PIL import Image
from small import SMALL

from accord import shards
from accord.imaging import bundle
from accord.imaging.decode import decode
from accord.text.references import normal
from house import House, part_of_demo, rows_of, sign, write_rows

pytestmark = pytest.mark.slow

SECRET = b"secret-outside-the-delivery-91c2"
CANARY = "canary7f3a"
FORMULAS = ("=", "+", "-", "@", "\t", "\r")
ODD = "\u202eegami\u200b-🧑🏿‍🦽-e\u0301"
SETTINGS = {
    **SMALL,
    "shards": 1,
    "release": {"reserve": 0.0, "publish": "always"},
    "intake": {"deliveries": ["delivery", "good"]},
}
DISGUISED = {"transparent": 6, "16 bits": 9, "Display P3": 10, "two pictures": 13}
"""Kind of picture -> number of its row in images.csv."""
OUTLINED = {"wound twice": 4, "under a segment": 14}
"""Rows of images with a card in them."""
INTACT = 12
LAUGHS = "[x]\nb0: &b0 [x, x]\n" + "".join(f"b{n}: &b{n} [*b{n - 1}, *b{n - 1}]\n" for n in range(1, 40))
MERGED = "[x]\nb0: &b0 {x: y}\n" + "".join(f"b{n}: &b{n} {{<<: [*b{n - 1}, *b{n - 1}]}}\n" for n in range(1, 40))
DESCRIBED = {"aliases": f"contact: {LAUGHS}", "merged": f"contact: {MERGED}", "twice": "vendor: acme\n"}
"""Deliveries whose delivery.yaml says more than it may: what is added to it."""


class Attacked(NamedTuple):
    """Houses after a run. rows: of the hostile delivery's images.csv; refused: image -> check and a part of the reason;
    seen: image -> what viewers see; outlined: image -> its regions; said: what the run printed; stopped, cut: what runs
    printed with deliveries that can't be read, and whether anything was released then."""

    house: House
    rows: list[dict[str, str]]
    refused: dict[str, tuple[str, str]]
    seen: dict[str, Seen]
    outlined: dict[str, list]
    said: str
    stopped: tuple[str, bool]
    cut: tuple[str, bool]


@pytest.fixture(scope="module")
def attacked(tmp_path_factory):
    """A house with a good delivery, and one that was attacked, after a run."""
    house = House(tmp_path_factory.mktemp("hostile") / "house")
    delivery, good = part_of_demo(house.folder / "delivery", 5), part_of_demo(house.folder / "good", 1, first=6)
    for folder in (delivery, good):
        forms_of_those_shown(folder)
    sign(good, vendor="honest")
    (house.folder.parent / "outside.jpg").write_bytes(SECRET)
    rows = rows_of(delivery / "images.csv")
    refused = astray(delivery, rows)
    for number, row in enumerate(rows[4:]):
        row["location_region"] = f'{FORMULAS[number % len(FORMULAS)]}HYPERLINK("{CANARY}")'
        row["location_country"] = f"=cmd|{CANARY}"
    spoken(delivery, rows[4])
    seen = hostile_pictures.disguised(delivery, {name: rows[at] for name, at in DISGUISED.items()})
    outlined = hostile_pictures.covered(delivery, *(rows[at] for at in OUTLINED.values()))
    write_rows(delivery / "images.csv", rows, list(rows[0]))
    refused |= hostile_pictures.broken(delivery, rows[INTACT])
    renamed(delivery, rows[5]["image"], f"{CANARY}{ODD}")
    flooded(delivery)
    sign(delivery)
    stopped, cut = (tried(house, names) for names in (unreadable(house), cut_short(house)))
    house.configure(**SETTINGS)
    said = house.run("results/release/release.json")
    return Attacked(house, rows_of(delivery / "images.csv"), refused, seen, outlined, said, stopped, cut)


def forms_of_those_shown(delivery) -> None:
    """Leave out the forms of people in no image: two vendors' people can't have the same signed files."""
    shown, rows = {row["subject"] for row in rows_of(delivery / "people.csv")}, rows_of(delivery / "forms.csv")
    write_rows(delivery / "forms.csv", [row for row in rows if row["subject"] in shown], list(rows[0]))


def unreadable(house) -> list[str]:
    """Deliveries whose description hurts."""
    for name, more in DESCRIBED.items():
        shutil.copytree(house.folder / "good", house.folder / name)
        with (house.folder / name / "delivery.yaml").open("a") as opened:
            opened.write(more)
    return list(DESCRIBED)


def cut_short(house) -> list[str]:
    """A delivery one of whose tables has rows of one cell."""
    shutil.copytree(house.folder / "good", house.folder / "cut")
    with (house.folder / "cut/people.csv").open("a") as opened:
        opened.write("x\n" * 50_000)
    sign(house.folder / "cut", vendor="cut")
    return ["cut"]


def tried(house, names: list[str]) -> tuple[str, bool]:
    """What a run prints and logs that has more deliveries beside the others, and whether anything is released."""
    house.configure(**SETTINGS | {"intake": {"deliveries": ["delivery", *names, "good"]}})
    said = house.run("results/release/release.json", check=False)
    logs = [path.read_text() for path in (house.folder / "logs/intake").rglob("*.log")]
    return "\n".join([said, *logs]), any(house.folder.glob("releases/*"))


def astray(delivery, rows) -> dict[str, tuple[str, str]]:
    """Files that are elsewhere, or nothing that can be read; returns what must be told of each image."""
    through_link(delivery, rows[0])
    rows[1]["file"] = "../../outside.jpg"
    (delivery / rows[2]["file"]).unlink()
    os.mkfifo(delivery / rows[2]["file"])
    rows[3]["annotations"] = "annotations/../../../outside.jpg"
    told = (
        ("path", "through a link"),
        ("path", "is outside"),
        ("path", "not a regular file"),
        ("path", "annotations: "),
    )
    return dict(zip([row["image"] for row in rows[:4]], told, strict=True))


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
    """Twenty thousand annotations of an image that isn't there, and as many rows with nothing in them."""
    rows = rows_of(delivery / "annotated.csv")
    rows += [{**rows[0], "image": f"none-{number}"} for number in range(20_000)]
    write_rows(delivery / "annotated.csv", rows, list(rows[0]))
    with (delivery / "annotated.csv").open("a") as opened:
        opened.write("\n" * 10_000 + ",,,,\n" * 10_000)


def opaque(house, image: str, delivery: str = "delivery") -> str:
    about = yaml.safe_load((house.folder / delivery / "delivery.yaml").read_text())
    return shards.opaque_id(about["vendor"], about["delivery"], normal(image))


@pytest.fixture(scope="module")
def wanted(attacked) -> set[str]:
    """The ids of all images that are in order: all of the demo's that nobody attacked, or that can be read in spite."""
    good = {opaque(attacked.house, row["image"], "good") for row in rows_of(attacked.house.folder / "good/images.csv")}
    kept = {opaque(attacked.house, row["image"]) for row in attacked.rows if row["image"] not in attacked.refused}
    return good | kept - {held(attacked)}


def held(attacked) -> str:
    """The image in which a segment lies over a region: who it shows is for people to say."""
    return opaque(attacked.house, list(attacked.outlined)[list(OUTLINED).index("under a segment")])


@pytest.fixture(scope="module")
def pictures(attacked) -> dict[str, np.ndarray]:
    """Image -> its pixels as they were released."""
    folder = attacked.house.folder / "results/privacy/00"
    rows = pd.read_parquet(folder / "pictures.parquet").itertuples()
    return {row.image: decode(bundle.read(folder / "images.tar", row)) for row in rows}


def test_exactly_what_is_in_order_is_released(attacked, wanted, pictures):
    verdicts = pd.read_parquet(attacked.house.folder / "results/release/verdicts.parquet").set_index("image")
    assert set(verdicts.index[verdicts["verdict"] == "pass"]) == wanted
    told = {row.Index: (row.verdict, row.room) for row in verdicts.itertuples() if row.Index not in wanted}
    refused = {opaque(attacked.house, image): ("fail", "intake") for image in attacked.refused}
    assert told == refused | {held(attacked): ("review", "privacy")}
    released = [decode(path.read_bytes()) for path in attacked.house.folder.glob("releases/*/data/**/main_*.png")]
    assert len(released) == len(wanted)
    assert {picture.tobytes() for picture in released} == {pictures[image].tobytes() for image in wanted}


def test_each_refusal_is_told_with_its_reason(attacked):
    refused = pd.read_parquet(attacked.house.folder / "results/intake/00/refused.parquet")
    fatal = refused[refused["fatal"]]
    told = {image: list(zip(of["check"], of["reason"], strict=True)) for image, of in fatal.groupby("image")}
    assert set(told) == {opaque(attacked.house, image) for image in attacked.refused}
    for image, (check, reason) in attacked.refused.items():
        ((found, said),) = told[opaque(attacked.house, image)]
        assert found == check and reason in said, (image, found, said)


def test_what_viewers_see_is_what_is_released(attacked, pictures):
    made = pd.read_parquet(attacked.house.folder / "results/privacy/00/conversions.parquet")
    told = {(row.image, row.conversion) for row in made.itertuples()}
    assert told == {(opaque(attacked.house, image), seen.conversion) for image, seen in attacked.seen.items()}
    for image, seen in attacked.seen.items():
        picture = pictures[opaque(attacked.house, image)].astype(int)
        assert np.abs(picture - seen.pixels).max() <= seen.most, image


def test_regions_are_painted_however_they_are_drawn(attacked, pictures):
    folder = attacked.house.folder / "results/intake/00"
    before = {row.image: row for row in pd.read_parquet(folder / "images.parquet").itertuples()}
    for image, polygons in attacked.outlined.items():
        name = opaque(attacked.house, image)
        changed = (decode(bundle.read(folder / "images.tar", before[name])) != pictures[name]).any(axis=2)
        inside = np.zeros(changed.shape, np.uint8)
        for polygon in polygons:
            cv2.fillPoly(inside, [np.round(polygon).astype(np.int32)], 1)
        assert changed[inside > 0].mean() > 0.9, image


def test_deliveries_that_cannot_be_read_stop_a_run_and_are_named(attacked):
    """A release without them would drop all of their people: somebody has to take them out of the config."""
    said, released = attacked.stopped
    for name, reason in zip(DESCRIBED, ("anchor (&)", "anchor (&)", "a key twice"), strict=True):
        assert any(name in line and reason in line for line in said.splitlines()), (name, said[-3000:])
    assert not released


def test_a_table_of_cut_rows_stops_a_run_and_is_named(attacked):
    said, released = attacked.cut
    assert any("cut/people.csv" in line and "instead of" in line for line in said.splitlines()), said[-3000:]
    assert not released


def test_nothing_of_outside_is_published(attacked):
    house = attacked.house
    (release,) = (house.folder / "releases").glob("*.*.*")
    for path in release.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            assert SECRET not in data, path
    for path in (house.folder / "results").rglob("*.tar"):
        with tarfile.open(path) as bundle:
            assert not [name for name in bundle.getnames() if name.startswith("/") or ".." in name]


def test_no_cell_of_a_release_is_a_formula(attacked):
    house = attacked.house
    cells = [
        (path.name, cell)
        for path in house.folder.glob("releases/*/**/*.csv")
        for row in csv.reader(io.StringIO(path.read_text()))
        for cell in row
        if cell.startswith(FORMULAS) and not _is_number(cell)
    ]
    assert cells == []


def test_no_word_of_the_vendor_s_is_in_a_name_or_a_log(attacked):
    house = attacked.house
    assert CANARY not in attacked.said
    assert [path for path in house.folder.rglob("*") if CANARY in path.name] == []
    logs = [path for path in (house.folder / "logs").rglob("*.log") if CANARY in path.read_text(errors="replace")]
    assert logs == []


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
