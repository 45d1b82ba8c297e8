"""A delivery with each fault planted several times, and with what only looking at pictures can find."""

import json
from collections import Counter

import cv2
import numpy as np
import pytest

from accord.errors import AccordError
from accord.imaging.decode import decode
from accord_demo import deliver
from accord_demo.draft import Settings
from accord_demo.plan import make_plan
from accord_demo.planting import files

TWICE = Settings(subjects=30, images_per_subject=3, seed=5, size=160, rounds=2, unseen=True)


@pytest.fixture(scope="module")
def plan():
    return make_plan(TWICE)


def test_each_fault_is_planted_as_often_as_asked(plan):
    once = make_plan(Settings(30, 3, 5, 160))
    twice = Counter(defect.kind for defect in plan.defects if defect.stopped)
    assert twice == {kind: 2 * count for kind, count in Counter(d.kind for d in once.defects if d.stopped).items()}


def test_no_picture_has_two_faults_that_stop_it(plan):
    stopped = Counter(image for defect in plan.defects for image in defect.stopped + defect.either)
    assert max(stopped.values()) == 1


def test_what_nobody_outlined_is_known_to_the_truth_alone(tmp_path, drawing):
    deliver.deliver(tmp_path, TWICE, jobs=1)
    truth = json.loads((tmp_path / "ground_truth.json").read_text())
    overlooked = {d["images"][0]: d["kind"] for d in truth["defects"] if d["kind"].startswith("overlooked_")}
    assert Counter(overlooked.values()) == {
        f"overlooked_{thing}": 2 for thing in ("plate", "card", "screen", "logo", "bystander")
    }
    told = {region["image"] for region in truth["regions"]}
    for image in overlooked:
        assert json.loads((tmp_path / f"delivery/annotations/{image}.json").read_text())["regions"] == []
        assert image in told
    assert not set(overlooked) & set(truth["clean"])


def test_one_person_goes_by_two_names(plan):
    for defect in (d for d in plan.defects if d.kind == "one_person_two_subjects"):
        first, second = (plan.subjects[reference] for reference in defect.subjects)
        assert first.looks == second.looks
        assert first.birth_date != second.birth_date


def test_a_frame_lies_around_the_whole_picture():
    pixels = np.full((100, 200, 3), 200, np.uint8)
    framed = decode(files.made("framed", cv2.imencode(".jpg", pixels)[1].tobytes(), b""))
    assert framed.shape[:2] == files.size_after("framed", 200, 100)[::-1]
    light = framed[:, :, 0] > 100
    assert light[framed.shape[0] // 2, framed.shape[1] // 2]
    assert abs(light.mean() - 1 / 1.6**2) < 0.03


def test_rounds_need_subjects():
    with pytest.raises(AccordError, match="--rounds: is 3 for 30 subjects"):
        deliver.main(["nowhere", "--subjects", "30", "--rounds", "3"])
