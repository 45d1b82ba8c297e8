"""The demo's forged faces: exact masks, artefacts as planted, an archive that is read without a complaint."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from accord.engine.parameter_types import Former
from accord.errors import AccordError
from accord.release import import_ai_face, list_sources
from accord.release.sources import splits
from accord_demo import forgeries, forging
from accord_demo.forging import Face
from accord_demo.people_of_delivery import Person

DELIVERY = Path(__file__).parents[1] / "data/demo/delivery"
POINTS = np.array([[22.0, 26], [42, 26], [32, 36], [25, 46], [39, 46]])


def face(seed: int) -> Face:
    noise = np.random.default_rng(seed).integers(40, 200, (8, 8, 3)).astype(np.uint8)
    return Face(cv2.resize(noise, (64, 64), interpolation=cv2.INTER_CUBIC), POINTS + seed)


@pytest.mark.parametrize("forge", [forging.poisson, forging.coarse])
def test_a_swap_changes_the_face_and_not_a_pixel_elsewhere(forge):
    real, other = face(0), face(2)
    made = forge(real, other, 1.0)
    assert np.array_equal(made.picture[~made.mask], real.picture[~made.mask])
    changed = (made.picture != real.picture).any(2)
    assert changed[made.mask].mean() > 0.8 and 0.1 < made.mask.mean() < 0.6
    assert all(made.mask[round(y), round(x)] for x, y in real.points)
    weak = forge(real, other, 0.3).picture.astype(float) - real.picture
    assert 0 < np.abs(weak).mean() < 0.5 * np.abs(made.picture.astype(float) - real.picture).mean()


def test_a_grid_is_a_peak_at_the_highest_frequency():
    def peak(picture: np.ndarray) -> float:
        return float(np.abs(np.fft.fft2(picture.astype(float).mean(2)))[32, 32])

    real = face(1)
    made = [peak(forging.grid(real, strength).picture) for strength in (0.45, 1.0)]
    assert made[1] > 1.5 * made[0] > 3 * peak(real.picture)
    assert forging.grid(real, 1.0).mask.all()


def test_a_cut_moves_the_points_with_the_picture():
    """A white dot at a point is where the point is said to be, mirrored or not."""
    for seed in range(6):
        picture = np.zeros((200, 200, 3), np.uint8)
        points = np.array([[80.0, 90], [120, 90], [100, 110], [85, 130], [115, 130]])
        cv2.circle(picture, (80, 90), 4, (255, 255, 255), -1)
        found = forging.cut(Face(picture, points), 64, 0.6, np.random.default_rng(seed))
        y, x = np.unravel_index(found.picture.sum(2).argmax(), (64, 64))
        assert min(np.hypot(*(point - (x, y))) for point in found.points[:2]) < 2.5
        assert found.points[0, 0] < found.points[1, 0] and found.points[3, 0] < found.points[4, 0]


def test_the_archive_is_read_and_splits_keep_swapped_people_together(tmp_path):
    out = tmp_path / "ai"
    with pytest.raises(AccordError, match="--each: is less than 2"):
        forgeries.main([str(out), "--delivery", str(DELIVERY), "--each", "1"])
    assert forgeries.main([str(out), "--delivery", str(DELIVERY), "--subjects", "6", "--each", "2"]) == 0
    made = list_sources.run([], archive=out, shards=1, cut=False)
    listed = made["00/listed.parquet"].rows
    planted = listed["image"].str.startswith("later/")
    assert (~planted).sum() == 6 * (4 + 2 + 1 + 1) and (listed["train"] == ~planted).all()
    assert listed.loc[~planted, "label"].value_counts().to_dict() == {0: 24, 1: 24}
    assert not listed["split"].eq("none").any()
    assert listed.groupby("subject")["split"].nunique().max() == 1
    read = import_ai_face.run(listed, archive=out, terms={"train": True}, files=tmp_path / "files.tar", former=Former())
    assert len(read.sources) == len(listed) and set(read.attributes["attribute"]) >= {"gender", "skin"}
    masks = {path.relative_to(out / "masks").as_posix() for path in (out / "masks").rglob("*.png")}
    assert masks == set(listed.loc[listed["label"] == 1, "image"])
    assert json.loads((out / "planted.json").read_text())["missed"]["strength"] == forgeries.WEAKER


def test_further_people_with_weak_artefacts_are_in_the_test_alone():
    points = np.array([[80.0, 90], [120, 90], [100, 110], [np.nan, np.nan], [115, 130]])
    picture = np.random.default_rng(1).integers(0, 256, (200, 200, 3), np.uint8)
    aside = [Person(number, 30, "Female", 6, picture, points) for number in range(5)]
    made = list(forgeries._tested(aside, 2, 1))
    names = sorted({one.path.split("/")[2] for one in made})
    assert len(made) == 10 and [name[:3] for name in names] == ["000", "001", "002", "003", "004"]
    assert splits.splits([[f"Rendered/{name}"] for name in names]) == ["test"] * 5
    assert all(one.mask.all() and len(np.unique(one.picture)) > 9 for one in made)


@pytest.mark.parametrize(
    ("gender", "skin", "enlarged", "weak"), [("Male", 1, 4, 0), ("Female", 2, 4, 0), ("Female", 6, 0, 4),
                                             ("Male", 6, 0, 0), ("Female", 4, 0, 0)],
)  # fmt: skip
def test_what_is_planted_concerns_the_people_that_are_said(gender, skin, enlarged, weak):
    points = np.array([[80.0, 90], [120, 90], [100, 110], [85, 130], [115, 130]])
    picture = np.random.default_rng(1).integers(0, 256, (200, 200, 3), np.uint8)
    made = list(forgeries._planted(Person(7, 30, gender, skin, picture, points), 4, np.random.default_rng(2)))
    assert sum(one.path.startswith("later/enlarged/007/") and one.mask is None for one in made) == enlarged
    assert sum(one.path.startswith("later/weak/007/") and one.mask.all() for one in made) == weak
    assert len(made) == enlarged + weak
