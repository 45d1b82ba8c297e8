"""A run of photographs, from delivery to release: what was planted is found, what is clean survives, what was declared
is painted and nothing else is, and the release verifies. Beside them, one photograph of a real person."""

from pathlib import Path

import cv2
import numpy as np
import pandas as pd
import photographs
import pytest
from photographs import ASTRONAUT, PHOTOGRAPHS, PORTRAIT, PORTRAITS, SHOTS, VENDOR

from accord import shards
from accord.imaging import bundle
from accord.imaging.decode import decode
from accord.models import detectors
from accord.models.adapters import opencv
from accord.models.packaged import weights
from house import House

pytestmark = pytest.mark.slow

HOLD = ("logos", "personal_data", "duplicates", "web", "safety", "patterns")
SETTINGS = {
    "intake": {"deliveries": [PHOTOGRAPHS, PORTRAIT]},
    "shards": 1,
    "checks": {
        "brands": "config/brands.csv", "logo_gallery": None, "web_list": None, "min_bystander": 0.02, "text_side": 736,
        "policies": dict.fromkeys(HOLD, "hold"),
    },
    "privacy": {"candidates": 2, "steps": 5, "policies": {"inpainting": "pass"}},
    "release": {"publish": "always"},
}  # fmt: skip
"""Nobody decides anything: what people are asked about is not released."""


def taken(folder: Path) -> House:
    """A house in which the photographs went from delivery to release."""
    house = House(folder)
    photographs.deliver(folder / PHOTOGRAPHS, PHOTOGRAPHS)
    photographs.deliver(folder / PORTRAIT, PORTRAIT, PORTRAITS, rendered=False)
    house.configure(**SETTINGS)
    house.run("results/release/release.json")
    return house


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    return taken(tmp_path_factory.mktemp("photographs") / "house")


def table(house, name: str) -> pd.DataFrame:
    return pd.read_parquet(house.folder / f"results/{name}.parquet")


def opaque(image: str, delivery: str = PHOTOGRAPHS) -> str:
    return shards.opaque_id(VENDOR, delivery, image)


def pictures(house, room: str, rows: str) -> dict[str, np.ndarray]:
    """Image -> (height, width, 3) uint8, as they lie in a room's bundle."""
    held = house.folder / f"results/{room}/00/images.tar"
    return {row.image: decode(bundle.read(held, row)) for row in table(house, f"{room}/00/{rows}").itertuples()}


@pytest.fixture(scope="module")
def before(house):
    return pictures(house, "intake", "images")


@pytest.fixture(scope="module")
def after(house):
    return pictures(house, "privacy", "pictures")


def declared(shot) -> list[tuple[str, list]]:
    """Kind and outline of what annotators declared in a picture."""
    return [] if shot.planted else photographs.composed(shot)[1]


def reach(outline, shape) -> np.ndarray:
    """(height, width) bool: as far as an outline's painting may go, which closes bays and grows by 2 px and 3%."""
    corners = np.array(outline)
    canvas = np.zeros(shape, np.uint8)
    cv2.fillPoly(canvas, [cv2.convexHull(np.round(corners).astype(np.int32))], 1)
    margin = 4 + int(np.ceil(0.03 * np.ptp(corners, axis=0).max()))
    return cv2.dilate(canvas, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * margin + 1, 2 * margin + 1))) > 0


def test_what_was_planted_is_found_and_what_is_clean_survives(house):
    verdicts = table(house, "release/verdicts").set_index("image")
    told = {row.Index: row.check if row.verdict != "pass" else "" for row in verdicts.itertuples()}
    planted = {opaque(shot.image): shot.stopped for shot in SHOTS}
    assert told == planted | {opaque(shot.image, PORTRAIT): shot.stopped for shot in PORTRAITS}


def test_detectors_propose_what_nobody_declared_and_nothing_else(house):
    proposals = pd.concat([table(house, f"checks/00/{name}_proposals") for name in ("personal_data", "logos")])
    left = proposals[proposals["covered"] < 0.5]
    kinds = {"undeclared bystander": "bystander", "undeclared plate": "license_plate", "undeclared sign": "logo"}
    wanted = {(opaque(shot.image), kinds[shot.planted]) for shot in SHOTS if shot.planted in kinds}
    assert set(zip(left["image"], left["kind"], strict=True)) == wanted and len(left) == len(wanted)


def test_what_was_declared_changes_and_no_other_pixel(before, after):
    for shot in (*SHOTS, *PORTRAITS):
        image = opaque(shot.image, PORTRAIT if shot.source == ASTRONAUT else PHOTOGRAPHS)
        if image not in after:
            continue
        changed = (before[image] != after[image]).any(axis=2)
        regions = [reach(outline, changed.shape) for _, outline in declared(shot)]
        assert not (changed & ~np.logical_or.reduce([np.zeros_like(changed), *regions])).any(), shot.image
        for _, outline in declared(shot):
            inside = np.zeros(changed.shape, np.uint8)
            cv2.fillPoly(inside, [np.round(outline).astype(np.int32)], 1)
            assert changed[inside > 0].mean() > 0.9, shot.image


def test_a_bystander_is_seen_before_and_nobody_but_the_subject_after(before, after):
    (shot,) = [shot for shot in SHOTS if shot.pasted and not shot.planted and shot.pasted[0].startswith("P008")]
    seen = [detectors.faces_yunet(of[opaque(shot.image)]) for of in (before, after)]
    assert [len(faces) for faces in seen] == [2, 1]
    x, y, width, height = photographs.outlines_of(shot.source)["face_bbox"]
    left, top, right, bottom = seen[1][0].box
    assert x < (left + right) / 2 < x + width and y < (top + bottom) / 2 < y + height


def test_detectors_find_nobody_in_what_was_painted(after):
    for shot in SHOTS:
        for _, outline in declared(shot):
            picture = after[opaque(shot.image)]
            painted = reach(outline, picture.shape[:2])
            assert detectors.left_over(picture, painted, _body(shot, painted.shape)) == [], shot.image


def test_exactly_these_pictures_are_released(house, after):
    (release,) = (house.folder / "releases").glob("*.*.*")
    released = {decode(path.read_bytes()).tobytes() for path in release.rglob("main_*.png")}
    wanted = {opaque(shot.image) for shot in SHOTS if not shot.stopped} | {opaque(PORTRAITS[0].image, PORTRAIT)}
    assert released == {after[image].tobytes() for image in wanted} and len(released) == len(wanted)


def test_aligned_faces_are_upright_and_in_the_middle(house):
    """As in FFHQ, by a detector that did not draw the annotations' eyes: 0.1 of the way to the mouth below them is the
    middle of the square, whose side is 3.6 times that way or 4 times the distance of the eyes."""
    paths = sorted((house.folder / "releases").rglob("faces_crop_and_align_*.png"))
    assert len(paths) == sum(not shot.stopped for shot in (*SHOTS, *PORTRAITS))
    for path in paths:
        right, left = eyes(decode(path.read_bytes()))
        middle, across = (right + left) / 2, left - right
        assert abs(middle[0] - 0.5) < 0.06 and 0.4 < middle[1] < 0.5, path.name
        assert abs(across[1]) < 0.1 * across[0] and 0.15 < across[0] < 0.3, path.name


def eyes(picture: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """x, y of the right and the left eye of the largest face, as shares of the picture's side."""
    net = opencv.yunet(weights(detectors.YUNET), detectors.THRESHOLDS["face_yunet"])
    faces = opencv.find_faces(net, picture, detectors.YUNET_SIDE)
    face = max(faces, key=lambda row: row[2] * row[3]) / len(picture)
    return face[4:6], face[6:8]


def test_the_release_verifies_and_its_audit_passes(house):
    (release,) = (house.folder / "releases").glob("*.*.*")
    where = str(release.relative_to(house.folder))
    verified = house.accord("release", "verify", where)
    assert verified.returncode == 0, verified.stdout + verified.stderr
    audited = house.accord("audit", where, "--config", "config/config.yaml", "config/demo.yaml", "config/test.yaml")
    assert audited.returncode == 0, audited.stdout + audited.stderr


def _body(shot, shape) -> np.ndarray:
    canvas = np.zeros(shape, np.uint8)
    for outline in photographs.outlines_of(shot.source)["person"]:
        cv2.fillPoly(canvas, [np.round(outline).astype(np.int32)], 1)
    return canvas > 0
