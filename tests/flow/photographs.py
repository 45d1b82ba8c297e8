"""A delivery of photographs: the people of the package openpeople, with bystanders, plates, screens and signs pasted
in, some of which nobody declares; and, as a delivery of its own, one photograph of a real person.

The same packages give the same bytes. `people.json` holds the outlines of all sources (benchmarks/outlines.py).
"""

import io
import json
import sys
from datetime import datetime, timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import Image

sys.path.insert(0, str(Path(__file__).parent))

from delivered import Delivered
from pasted import Polygon, Thing, person, thing

from accord.vocabularies import ANCESTRIES, PRONOUNS, SKIN_COLORS
from accord_demo.devices import DEVICES, exif
from accord_demo.places import PLACES, Place

DATA = Path(__file__).parents[1] / "data/photographs"
ASTRONAUT = "astronaut"
SIDE, QUALITY, WORSE = 1024, 90, 80
"""Px of the longer side of pictures; JPEG's quality, and that of a copy."""
TURNED = 6
"""EXIF's orientation of a picture whose first row is its right side."""
FIRST_DAY, APART = datetime(2025, 9, 1, 10, 5), timedelta(days=8)
"""When pictures are said to be taken: within a week clothes, place and time of day would have to differ."""
VENDOR, PHOTOGRAPHS, PORTRAIT = "lens", "photographs", "portrait"


class Who(NamedTuple):
    """What a subject says of themselves."""

    pronoun: str
    birth_date: str
    ancestry: str
    skin: str
    place: Place


class Passer(NamedTuple):
    """A person who is pasted in: from which picture, where, and how high, px."""

    source: str
    left: float
    foot: float
    height: float


class Shot(NamedTuple):
    """A delivered picture. `pasted`: what is in it besides; `drawn`: outlines of others who were there already;
    `planted`: what is wrong, "" for nothing; `stopped`: the check that must say so."""

    image: str
    source: str
    pasted: Thing | Passer | None = None
    drawn: tuple[Polygon, ...] = ()
    orientation: int = 1
    planted: str = ""
    stopped: str = ""


SHE, HE = PRONOUNS[:2]
SUBJECTS = {
    "P001": Who(SHE, "1986-02-03", ANCESTRIES[2], SKIN_COLORS[3], PLACES[6]),
    "P002": Who(SHE, "1984-05-17", ANCESTRIES[17], SKIN_COLORS[4], PLACES[7]),
    "P005": Who(HE, "1965-11-30", ANCESTRIES[16], SKIN_COLORS[3], PLACES[7]),
    "P007": Who(HE, "1995-07-09", ANCESTRIES[9], SKIN_COLORS[1], PLACES[3]),
    "P008": Who(HE, "1987-03-21", ANCESTRIES[15], SKIN_COLORS[2], PLACES[10]),
    "P009": Who(SHE, "2001-01-14", ANCESTRIES[15], SKIN_COLORS[2], PLACES[10]),
    ASTRONAUT: Who(SHE, "1956-11-19", ANCESTRIES[19], SKIN_COLORS[5], PLACES[4]),
}
COUPLE = [[562, 345], [600, 336], [687, 336], [687, 421], [562, 421]]
"""Two who sit on the lawn behind P001, px."""
SHOTS = (
    Shot("IMG_01", "P001/studio_portrait"),
    Shot("IMG_02", "P001/amateur_posture", Passer("P008/studio_posture", 66, 760, 440), (COUPLE,)),
    Shot("IMG_03", "P001/amateur_selfie"),
    Shot("IMG_04", "P005/amateur_selfie", orientation=TURNED),
    Shot("IMG_05", "P005/studio_portrait"),
    Shot("IMG_06", "P005/amateur_posture", Thing("license_plate", (40, 720, 130, 34), ("B MX 4821",))),
    Shot("IMG_07", "P009/amateur_selfie", Thing("screen", (12, 36, 170, 106), ("Tel. 030", "5550143"))),
    Shot("IMG_08", "P009/amateur_posture", Thing("logo", (560, 90, 120, 60), ("SIEMENS",))),
    Shot("IMG_09", "P007/studio_portrait"),
    Shot("IMG_10", "P001/studio_portrait", planted="duplicate", stopped="duplicate_near"),
    Shot("IMG_11", "P007/amateur_posture", Passer("P006/studio_posture", 40, 760, 430),
         planted="undeclared bystander", stopped="personal_data"),
    Shot("IMG_12", "P008/amateur_posture", Thing("license_plate", (30, 560, 140, 36), ("M KL 9276",)),
         planted="undeclared plate", stopped="personal_data"),
    Shot("IMG_13", "P008/amateur_selfie", planted="wrong keypoint", stopped="keypoints_in_mask"),
    Shot("IMG_14", "P002/amateur_selfie", planted="wrong country", stopped="country_gps"),
    Shot("IMG_15", "P002/amateur_posture", Thing("logo", (500, 470, 150, 70), ("ADIDAS",)),
         planted="undeclared sign", stopped="logo"),
)  # fmt: skip
PORTRAITS = (Shot("IMG_01", ASTRONAUT),)
SOURCES = tuple(
    dict.fromkeys(
        source
        for shot in (*SHOTS, *PORTRAITS)
        for source in (shot.source, *([shot.pasted.source] if isinstance(shot.pasted, Passer) else []))
    )
)


def opened(source: str) -> np.ndarray:
    """A source, (height, width, 3) uint8 RGB, its longer side SIDE px at most."""
    package = Path(find_spec("openpeople").submodule_search_locations[0])
    person_of, _, name = source.partition("/")
    path = package / f"data/curated/{person_of}/assets/{name}.jpg" if name else DATA / f"{source}.jpg"
    with Image.open(path) as image:
        image.thumbnail((SIDE, SIDE), Image.Resampling.LANCZOS)
        return np.asarray(image.convert("RGB"))


def composed(shot: Shot) -> tuple[np.ndarray, list[tuple[str, Polygon]]]:
    """The upright picture, (height, width, 3) uint8 RGB, and kind and outline of all that must be painted out of it."""
    picture = opened(shot.source)
    drawn = [("bystander", outline) for outline in shot.drawn]
    if shot.pasted is None:
        return picture, drawn
    if isinstance(shot.pasted, Thing):
        picture, outline = thing(picture, shot.pasted)
        return picture, [(shot.pasted.kind, outline), *drawn]
    source, *where = shot.pasted
    picture, outlines = person(picture, (opened(source), outlines_of(source)["person"]), *where)
    return picture, [*(("bystander", outline) for outline in outlines), *drawn]


def outlines_of(source: str) -> dict:
    """Boxes, keypoints and polygons of the person in a source, px."""
    return json.loads((DATA / "people.json").read_text())[source]


def deliver(folder: Path, name: str, shots: tuple[Shot, ...] = SHOTS, *, rendered: bool = True) -> Path:
    """Write a delivery of these pictures, sealed."""
    made = Delivered(folder, VENDOR, name, rendered=rendered)
    for number, shot in enumerate(shots):
        subject = shot.source.partition("/")[0]
        who, taken = SUBJECTS[subject], FIRST_DAY + number * APART
        picture, regions = composed(shot)
        block = exif(
            DEVICES[number % 3], taken, who.place.latitude, who.place.longitude, "outdoor", shot.orientation, 1
        )
        made.image(shot.image, encoded(picture, shot, block), subject, taken, place_said(shot, who.place))
        made.person(shot.image, subject, said(who, taken))
        drawn = [] if shot.planted.startswith("undeclared") else regions
        made.annotation(shot.image, subject, outlined(shot), drawn)
    for subject in sorted({shot.source.partition("/")[0] for shot in shots}):
        made.subject(subject, SUBJECTS[subject].birth_date)
    return made.sealed()


def encoded(picture: np.ndarray, shot: Shot, block: bytes) -> bytes:
    """The file as a device stores it: turned by EXIF's orientation; a copy is smaller, and worse."""
    image = Image.fromarray(picture)
    if shot.orientation == TURNED:
        image = image.transpose(Image.Transpose.ROTATE_90)
    if shot.planted == "duplicate":
        image = image.resize([round(side * 0.9) for side in image.size], Image.Resampling.LANCZOS)
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=WORSE if shot.planted == "duplicate" else QUALITY, exif=block)
    return buffer.getvalue()


def outlined(shot: Shot) -> dict:
    """The outlines of the subject of a picture; with the nose in a corner where that is planted."""
    found = outlines_of(shot.source)
    if shot.planted == "wrong keypoint":
        found["keypoints"]["0. Nose"] = [5.0, 5.0, 1]
    if shot.planted == "duplicate":
        found = json.loads(json.dumps(found), parse_float=lambda number: 0.9 * float(number))
    return found


def place_said(shot: Shot, place: Place) -> Place:
    """Where the picture is said to be taken: elsewhere than GPS says where that is planted."""
    return PLACES[12] if shot.planted == "wrong country" else place


def said(who: Who, taken: datetime) -> dict[str, str]:
    """The columns of people.csv."""
    age = (taken - datetime.fromisoformat(who.birth_date)).days // 365.25
    skin = dict.fromkeys(("natural_skin_color", "apparent_skin_color"), who.skin)
    who_they_are = {"pronoun": who.pronoun, "ancestry": who.ancestry, "nationality": who.place.country}
    return {"age": f"{age:.0f}", **who_they_are, **skin}
