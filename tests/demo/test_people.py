"""The people: sampling, body, pose, paint; each against geometry or a stated rule."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord_demo import labels as L
from accord_demo.people.body import aligning, rotation
from accord_demo.people.noise import ValueNoise, smoothstep
from accord_demo.people.outfit import draw_outfit
from accord_demo.people.palette import SKIN, linear, skin_albedo
from accord_demo.people.person import BEARDS, HAIR_STYLES
from accord_demo.people.pose import POSES, Stance, rest_shape, strike
from accord_demo.people.skin import head_paint
from accord_demo.people.template import template
from accord_demo.render import sample_person
from accord_demo.scene.part import vertex_normals

direction = st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda v: np.linalg.norm(v) > 0.1)


@settings(max_examples=50, deadline=None)
@given(direction, direction)
def test_aligning_turns_one_direction_into_the_other(u, v):
    u, v = np.array(u), np.array(v)
    if np.dot(u, v) < -0.999 * np.linalg.norm(u) * np.linalg.norm(v):
        return
    R = aligning(u, v)
    np.testing.assert_allclose(R @ R.T, np.eye(3), atol=1e-9)
    assert R @ u / np.linalg.norm(u) == pytest.approx(v / np.linalg.norm(v), abs=1e-6)


def test_rotation_about_the_vertical_turns_the_front_to_the_left_side():
    assert rotation([0, 1, 0], 90) @ [0, 0, 1] == pytest.approx([1, 0, 0])


def test_normals_of_a_box_corner():
    P = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])
    normals = vertex_normals(P, np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2]]))
    assert normals[0] == pytest.approx(-np.ones(3) / np.sqrt(3))


def test_noise_meets_its_lattice_and_repeats():
    noise = ValueNoise(np.random.default_rng(1), 8)
    cells = np.array([[0, 0, 0], [3, 1, 7], [5, 5, 2.0]])
    lattice = noise.lattice.reshape(8, 8, 8)
    assert noise(cells, 1.0) == pytest.approx([lattice[0, 0, 0], lattice[3, 1, 7], lattice[5, 5, 2]])
    points = np.random.default_rng(2).uniform(0, 8, (50, 3))
    assert noise(points + 8, 1.0) == pytest.approx(noise(points, 1.0), abs=1e-4)
    halfway = noise(np.array([[0, 0, 7.5]]), 1.0)
    assert halfway == pytest.approx([(lattice[0, 0, 7] + lattice[0, 0, 0]) / 2], abs=1e-6)


def test_smoothstep_runs_both_ways():
    assert smoothstep(2, 4, np.array([1, 2, 3, 4, 5])).tolist() == [0, 0, 0.5, 1, 1]
    assert smoothstep(4, 2, np.array([1, 3, 5])).tolist() == [1, 0.5, 0]


def test_linear_colour_of_a_known_grey():
    assert linear("#bcbcbc") == pytest.approx([0.5029] * 3, abs=1e-3)
    assert linear("#000000").tolist() == [0, 0, 0]


def test_tones_darken_from_one_to_ten_and_meet_the_swatches():
    albedo = np.array([skin_albedo(t, (1, 1, 1)).mean() for t in np.linspace(1, 10, 37)])
    assert (np.diff(albedo) < 0).all()
    assert skin_albedo(10, (1, 1, 1)) == pytest.approx(SKIN[9])
    assert skin_albedo(4, (1, 1, 1)) == pytest.approx(SKIN[3])


def test_a_person_is_what_was_asked_for():
    person = sample_person(7, presentation="masculine", age=64, tone=8.5, hair="curly")
    assert (person.presentation, person.age, person.tone, person.hair) == ("masculine", 64, 8.5, "curly")
    assert person == sample_person(7, presentation="masculine", age=64, tone=8.5, hair="curly")


def test_drawn_people_keep_to_the_vocabularies():
    people = [sample_person(seed) for seed in range(80)]
    for person in people:
        assert person.hair in HAIR_STYLES[person.presentation]
        assert person.beard in BEARDS
        assert 19 <= person.age <= 80
        assert 1 <= person.tone <= 10
        assert person.presentation == "masculine" or person.beard == "none"
    assert len({person.hair for person in people}) > 8
    assert len({person.build for person in people}) == 80


def test_all_that_is_wrong_with_a_person_is_said():
    with pytest.raises(ValueError, match=r"presentation 'x' is not one of.*age 7 is not.*tone 11 is not.*hair 'y'"):
        sample_person(1, presentation="x", age=7, tone=11, hair="y")


def test_outfits_change_with_the_seed_and_stay_with_it():
    person = sample_person(3)
    assert draw_outfit(5, person) == draw_outfit(5, person)
    assert len({draw_outfit(seed, person) for seed in range(20)}) > 15


def test_limbs_take_the_directions_of_the_pose():
    t, person = template(), sample_person(2)
    V = rest_shape(t.body, person.build, "neutral", person.lids)
    for name, side in (("handsup", 1), ("stand", -1)):
        pose = strike(t.body, V, Stance(name), np.random.default_rng(0))
        for arm in "LR":
            hand, shoulder = (t.body.joint(pose, f"{bone}.{arm}") for bone in ("wrist", "upperarm01"))
            assert (hand - shoulder)[1] * side > 2


def test_skinning_without_rotation_moves_nothing():
    t = template()
    heads = t.body.heads(t.body.V)
    assert t.body.skin(t.body.V, t.body.pose(heads, {})) == pytest.approx(t.body.V, abs=2e-2)


def test_bones_keep_their_length_in_every_pose():
    t, person = template(), sample_person(4)
    V = rest_shape(t.body, person.build, "smile", person.lids)
    heads = t.body.heads(V)
    for name in POSES:
        pose = strike(t.body, V, Stance(name, "smile", 20, 5, 10, 2), np.random.default_rng(1))
        for upper, lower in (("upperarm01.L", "lowerarm01.L"), ("upperleg01.R", "lowerleg01.R")):
            moved = t.body.joint(pose, lower) - t.body.joint(pose, upper)
            rest = heads[t.body.bone[lower]] - heads[t.body.bone[upper]]
            assert np.linalg.norm(moved) == pytest.approx(np.linalg.norm(rest), rel=1e-6)


def test_template_is_symmetric_in_its_labels():
    t = template()
    for left, right in ((L.LEFT_ARM_SKIN, L.RIGHT_ARM_SKIN), (L.LEFT_LEG_SKIN, L.RIGHT_LEG_SKIN)):
        assert t.canonical[t.label == left, 0].min() > 0
        assert t.canonical[t.label == right, 0].max() <= 0
        assert (t.label == left).sum() == pytest.approx((t.label == right).sum(), rel=0.05)


def test_head_paint_follows_the_tone_and_not_what_was_painted_before():
    person = sample_person(11, tone=3.0, hair="bald", presentation="masculine")
    darker = dataclasses.replace(person, tone=8.0)
    light, _, label = head_paint(person, 500)
    dark, _, _ = head_paint(darker, 500)
    skin = label == L.FACE_SKIN
    assert light[skin].mean() > 2 * dark[skin & (light.sum(2) > 0)].mean()
    head_paint.cache_clear()
    assert np.array_equal(head_paint(person, 500)[0], light)
    assert L.HEAD_HAIR not in np.unique(label[light.sum(2) > 0])
