"""Photographs and their ground truth, at sizes that are quick to render."""

import dataclasses
from functools import cache

import numpy as np
import pytest

from accord_demo import labels as L
from accord_demo import render
from accord_demo.render import BRANDS, Shot, empty_scene, photograph, sample_person

NAME = {name: i for i, name in enumerate(L.KEYPOINTS)}
FACE = [i for i in L.FACE_KEYPOINTS if not L.KEYPOINTS[i].endswith("_ear")]


def shot(person=1, seed=3, setting="indoor", framing="bust", size=128, **more) -> Shot:
    people = tuple(sample_person(s, hair="short", presentation="masculine") for s in np.atleast_1d(person).tolist())
    return Shot(people, seed, setting, framing, size, size, **more)


@cache
def taken(**more):
    return photograph(shot(**more))


@cache
def pictures():
    """One of each kind."""
    return (
        taken(framing="face", yaw=0.0, pitch=0.0, expression="neutral"),
        taken(setting="outdoor", yaw=0.0, pose="stand"),
        taken(framing="full", pose="wave", yaw=0.0),
        taken(person=(1, 5), framing="full", setting="outdoor"),
        taken(person=(6, 2), framing="face", objects=("logo",)),
        taken(framing="bust", bystanders=2, seed=8),
        taken(framing="full", setting="outdoor", bystanders=1, seed=9),
    )


def inside(box, x, y, slack=0.0):
    left, top, width, height = box
    return left - slack <= x <= left + width + slack and top - slack <= y <= top + height + slack


def test_shapes_and_types():
    for picture in pictures():
        assert picture.pixels.shape == (128, 128, 3)
        assert {picture.pixels.dtype, picture.labels.dtype, picture.instances.dtype} == {np.dtype(np.uint8)}
        assert picture.pixels.std() > 15
        assert set(np.unique(picture.labels)) <= {*range(28), L.UNLABELLED}


def test_labels_and_instances_cover_the_same_pixels():
    for picture in pictures():
        assert np.array_equal(picture.labels == L.UNLABELLED, picture.instances == 0)
        assert set(np.unique(picture.instances)) == set(range(len(picture.people) + 1))


def test_person_boxes_are_tight_and_in_the_frame():
    for picture in pictures():
        for number, person in enumerate(picture.people, 1):
            x, y, w, h = person.person_box
            mask = picture.instances == number
            assert x >= 0 and y >= 0 and x + w <= 128 and y + h <= 128
            assert person.area == mask.sum() == mask[y : y + h, x : x + w].sum()
            assert mask[y].any() and mask[y + h - 1].any() and mask[:, x].any() and mask[:, x + w - 1].any()


def test_face_boxes_hold_the_face_keypoints():
    for picture in pictures():
        for person in picture.people:
            if person.role == "subject":
                x, y, w, h = person.face_box
                assert x >= 0 and y >= 0 and x + w <= 128 and y + h <= 128
                assert all(inside(person.face_box, *person.keypoints[i, :2], slack=1) for i in FACE)


def test_right_is_the_persons_own():
    """Somebody who faces the camera has their right side at smaller x."""
    for picture in pictures()[:3]:
        points = picture.people[0].keypoints
        for name in ("eye", "eye_inner", "eye_outer", "ear", "shoulder", "hip"):
            assert points[NAME[f"right_{name}"], 0] < points[NAME[f"left_{name}"], 0]
        assert points[NAME["mouth_right"], 0] < points[NAME["nose"], 0] < points[NAME["mouth_left"], 0]


def test_the_right_hand_waves():
    points = pictures()[2].people[0].keypoints
    assert points[NAME["right_wrist"], 1] < points[NAME["right_shoulder"], 1]
    assert points[NAME["left_wrist"], 1] > points[NAME["left_hip"], 1] - 10


def test_keypoints_run_from_head_to_foot():
    points = pictures()[2].people[0].keypoints[:, 1]
    for side in ("left", "right"):
        chain = [points[NAME[f"{side}_{n}"]] for n in ("eye", "shoulder", "hip", "knee", "ankle", "foot_index")]
        assert chain == sorted(chain)


def test_visible_keypoints_are_in_the_frame_and_on_the_person():
    for picture in pictures():
        for number, person in enumerate(picture.people, 1):
            for x, y, visible in person.keypoints:
                if visible:
                    assert 0 <= x < 128 and 0 <= y < 128
                    near = picture.instances[max(0, int(y) - 4) : int(y) + 5, max(0, int(x) - 4) : int(x) + 5]
                    assert number in near
            assert set(np.unique(person.keypoints[:, 2])) <= {0, 1}


def test_feet_are_not_visible_in_a_close_up_and_are_in_a_full_figure():
    feet = [NAME["left_ankle"], NAME["right_ankle"]]
    assert pictures()[0].people[0].keypoints[feet, 2].tolist() == [0, 0]
    assert pictures()[2].people[0].keypoints[feet, 2].tolist() == [1, 1]


def test_a_profile_hides_the_far_ear():
    left, right = NAME["left_ear"], NAME["right_ear"]
    points = taken(framing="face", yaw=75.0).people[0].keypoints
    assert (points[left, 2], points[right, 2]) == (0, 1)
    points = taken(framing="face", yaw=-75.0).people[0].keypoints
    assert (points[left, 2], points[right, 2]) == (1, 0)


@pytest.mark.parametrize("yaw", [-40.0, 40.0])
def test_yaw_turns_the_nose_towards_the_persons_left(yaw):
    picture = taken(framing="face", yaw=yaw)
    points = picture.people[0].keypoints
    ears = points[[NAME["left_ear"], NAME["right_ear"]], 0].mean()
    assert np.sign(points[NAME["nose"], 0] - ears) == np.sign(yaw)
    assert picture.head_yaw == pytest.approx(yaw)


def test_labels_around_the_landmarks_of_a_face():
    picture = photograph(shot(framing="face", size=192, yaw=0.0, pitch=0.0, expression="neutral", person=4))
    points, label = picture.people[0].keypoints, picture.labels

    def at(name, dx=0, dy=0):
        x, y = points[NAME[name], :2].astype(int)
        return set(label[y + dy - 2 : y + dy + 3, x + dx - 2 : x + dx + 3].ravel().tolist())

    eye_gap = int(points[NAME["left_eye"], 0] - points[NAME["right_eye"], 0])
    assert at("nose") == {L.NOSE}
    assert L.LEFT_EYE in at("left_eye") and L.RIGHT_EYE in at("right_eye")
    assert L.FACE_SKIN in at("nose", dx=eye_gap // 2) and L.FACE_SKIN in at("nose", dx=-eye_gap // 2)
    above = {*at("left_eye", dy=-eye_gap // 5), *at("left_eye", dy=-eye_gap // 4), *at("left_eye", dy=-eye_gap // 3)}
    assert L.LEFT_EYEBROW in above and L.RIGHT_EYEBROW not in above
    rows = {part: np.nonzero(label == part)[0].mean() for part in (L.HEAD_HAIR, L.NOSE, L.UPPER_LIP, L.LOWER_LIP)}
    assert list(rows.values()) == sorted(rows.values())


def test_left_and_right_labels_lie_on_their_sides():
    label = pictures()[2].labels
    pairs = [(L.LEFT_ARM_SKIN, L.RIGHT_ARM_SKIN), (L.LEFT_SHOE, L.RIGHT_SHOE), (L.LEFT_LEG_SKIN, L.RIGHT_LEG_SKIN)]
    seen = 0
    for left, right in pairs:
        if (label == left).any() and (label == right).any():
            assert np.nonzero(label == left)[1].mean() > np.nonzero(label == right)[1].mean()
            seen += 1
    assert seen >= 2


def test_the_second_subject_stands_to_the_left_of_the_first():
    for picture in pictures()[3:5]:
        first, second = picture.people[:2]
        assert (first.role, second.role) == ("subject", "subject")
        assert first.person_box[0] < second.person_box[0]
        for person in (first, second):
            assert person.keypoints[FACE, 2].mean() > 0.6


def test_bystanders_are_seen():
    for picture in pictures()[5:7]:
        others = [person for person in picture.people if person.role == "bystander"]
        assert others == list(picture.people[1:])
        for person in others:
            assert person.area > 0.005 * 128 * 128
            assert person.keypoints[list(L.FACE_KEYPOINTS), 2].any()


@pytest.mark.parametrize(
    ("setting", "framing", "kind"),
    [
        ("outdoor", "full", "plate"), ("indoor", "face", "card"), ("indoor", "full", "card"),
        ("indoor", "face", "screen"), ("indoor", "bust", "screen"), ("outdoor", "bust", "logo"),
    ],
)  # fmt: skip
def test_objects_are_in_the_frame_uncovered_and_legible(setting, framing, kind):
    picture = photograph(shot(setting=setting, framing=framing, objects=(kind,), size=160, seed=12))
    (found,) = picture.objects
    assert found.kind == kind
    x, y = found.polygon.T
    assert (x >= 0).all() and (y >= 0).all() and (x <= 160).all() and (y <= 160).all()
    area = 0.5 * abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1)))
    assert np.ptp(x) > 0.15 * 160 and area > 0.004 * 160**2
    patch = np.s_[int(y.min()) : int(y.max()) + 1, int(x.min()) : int(x.max()) + 1]
    assert (picture.instances[patch] == 0).all()
    inner = picture.pixels[patch][2:-2, 2:-2].mean(2)
    assert np.percentile(inner, 95) - np.percentile(inner, 5) > 60


def test_objects_say_what_they_show():
    logo = taken(person=(6, 2), framing="face", objects=("logo",)).objects[0]
    assert logo.text in BRANDS
    screen = empty_scene(4, "indoor", 96, 96, objects=("screen",)).objects[0]
    assert screen.text.splitlines()[0].endswith("@example.org")


def test_an_empty_scene_is_empty_and_lit():
    for setting in ("indoor", "outdoor"):
        scene = empty_scene(5, setting, 96, 64)
        assert scene.pixels.shape == (64, 96, 3)
        assert scene.people == () and not scene.instances.any() and (scene.labels == L.UNLABELLED).all()
        assert 30 < scene.pixels.mean() < 235


def test_same_shot_same_bytes_whatever_came_before():
    shots = [
        {"person": (6, 2), "framing": "face", "objects": ("logo",)},
        {"framing": "full", "setting": "outdoor", "bystanders": 1, "seed": 9},
    ]
    forward = [taken(**one) for one in shots]
    backward = [photograph(shot(**one)) for one in reversed(shots)][::-1]
    for one, other in zip(forward, backward, strict=True):
        assert np.array_equal(one.pixels, other.pixels) and np.array_equal(one.labels, other.labels)
        for a, b in zip(one.people, other.people, strict=True):
            assert np.array_equal(a.keypoints, b.keypoints) and a.person_box == b.person_box
    assert not np.array_equal(forward[0].pixels, forward[1].pixels)


def test_exposure_and_distance_do_what_they_say():
    plain = taken(setting="outdoor", yaw=0.0, pose="stand")
    dark = taken(setting="outdoor", yaw=0.0, pose="stand", exposure=-3.0)
    far = taken(setting="outdoor", yaw=0.0, pose="stand", distance=2.0)
    assert dark.pixels.mean() < 0.6 * plain.pixels.mean()
    assert np.array_equal(dark.labels, plain.labels)
    ratio = far.people[0].face_box[3] / plain.people[0].face_box[3]
    assert ratio == pytest.approx(0.5, abs=0.05)


def test_scene_metering_leaves_the_background_alone():
    """Only the tone changes: the place and the outlines stay, and the person darkens."""
    person = sample_person(30, tone=2.0, hair="bald", presentation="masculine")
    light, dark = (
        photograph(Shot((p,), 6, "outdoor", "face", 96, 96, metering="scene"))
        for p in (person, dataclasses.replace(person, tone=9.0))
    )
    assert np.array_equal(light.instances, dark.instances)
    assert np.array_equal(light.pixels[:6], dark.pixels[:6]) and not light.instances[:12].any()
    skin = light.labels == L.FACE_SKIN
    assert dark.pixels[skin].mean() < 0.7 * light.pixels[skin].mean()


def test_the_camera_steps_back_until_an_object_has_room(monkeypatch):
    people = (sample_person(1), sample_person(1000))
    narrow = Shot(people, 3, "outdoor", "full", 64, 96, pose="handsup", objects=("plate",))
    assert photograph(narrow).objects[0].kind == "plate"
    monkeypatch.setattr(render, "STEPS_BACK", (1.0,))
    with pytest.raises(ValueError, match=r"object 'plate': the frame has no room for it .*hint: fewer objects"):
        photograph(narrow)


def test_all_that_is_wrong_with_a_shot_is_said():
    with pytest.raises(
        ValueError, match=r"setting 'moon' is not one of indoor, outdoor; pose 'sit' is not one of.*0 people"
    ):
        Shot((), 1, "moon", "bust", pose="sit")


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"objects": ("plate",)}, r"object 'plate' cannot be shown in a bust framing indoors \(hint: setting outdoor"),
        ({"objects": ("hat",)}, r"object 'hat' is not one of plate, card, screen, logo"),
        ({"setting": "outdoor", "framing": "full", "objects": ("plate",), "bystanders": 1}, "the car would hide them"),
        ({"bystanders": 9}, "9 bystanders: 0 to 4"),
        ({"size": 20}, r"size 20 x 20 is not in 48\.\.4096 px"),
    ],
)
def test_impossible_shots_are_refused(more, message):
    with pytest.raises(ValueError, match=message):
        shot(**more)


def test_impossible_scenes_are_refused():
    with pytest.raises(ValueError, match="scene: object 'card' cannot be shown in a full framing outdoors"):
        empty_scene(1, "outdoor", 64, 64, objects=("card",))
