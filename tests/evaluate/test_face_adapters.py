"""The adapters of body parts and face labels, on photographs; bicubic interpolation."""

import numpy as np

from accord.models.adapters.bicubic import Bicubic
from accord.vocabularies import FACE_PARTS

LABEL = {name: number for number, name in enumerate(FACE_PARTS)}
SWAPPED = {"l_eye": "r_eye", "r_eye": "l_eye", "l_brow": "r_brow", "r_brow": "l_brow"}


def test_the_mesh_puts_parts_where_they_are(adapter, heads):
    for head in (face for faces in heads.values() for face in faces):
        labels = adapter("facemesh").label([head])[0]
        places = {name: np.argwhere(labels == LABEL[name]).mean(axis=0) for name in ("l_eye", "r_eye", "nose", "l_lip")}
        # The person's right eye is on the left of the picture.
        assert places["r_eye"][1] + 30 < places["nose"][1] < places["l_eye"][1] - 30
        assert places["l_eye"][0] + 30 < places["nose"][0] < places["l_lip"][0] - 30
        assert 0.1 < (labels == LABEL["skin"]).mean() < 0.35


def test_a_mirrored_face_has_mirrored_labels(adapter, heads):
    for faces in heads.values():
        plain, mirrored = (adapter("facemesh").label([face])[0] for face in (faces[0], faces[0][:, ::-1]))
        for name in ("skin", "nose", "l_eye", "r_eye", "l_brow", "r_brow", "u_lip", "l_lip"):
            one, other = plain == LABEL[name], mirrored[:, ::-1] == LABEL[SWAPPED.get(name, name)]
            assert (one & other).sum() / (one | other).sum() > 0.6


def test_no_label_where_no_face_is(adapter):
    assert not adapter("facemesh").label([np.full((512, 512, 3), 128, np.uint8)])[0].any()


def test_parts_of_a_person_who_is_there_and_of_nobody(adapter, photo):
    picture = photo("P001", "studio_portrait")
    box = np.array([0, 0, picture.shape[1], picture.shape[0]], float)
    shown, nobody = adapter("blazeparts").parts([picture, np.full_like(picture, 128)], [box, box])
    assert min(shown[part] for part in ("Face", "Nose", "Left eye", "Right eye", "Upper lip")) > 0.9
    assert set(nobody.values()) == {0.0} and set(nobody) == set(shown)


def test_hands_that_hang_are_seen_and_hands_out_of_the_picture_are_not(adapter, photo):
    whole, portrait = photo("P001", "amateur_posture"), photo("P001", "studio_portrait")
    boxes = [np.array([0, 0, picture.shape[1], picture.shape[0]], float) for picture in (whole, portrait)]
    hands = [parts["Hand"] for parts in adapter("blazeparts").parts([whole, portrait], boxes)]
    assert hands[0] > 0.8 > 0.5 > hands[1]


def test_bicubic_keeps_what_is_smooth():
    ramp = np.tile(np.arange(0, 128, 4, dtype=np.uint8)[:, np.newaxis, np.newaxis], (1, 32, 3))
    large = Bicubic({}, side=128).restore([ramp])[0]
    assert large.shape == (128, 128, 3)
    np.testing.assert_allclose(large[8:-8, 0, 0], np.arange(128)[8:-8] - 1.5, atol=1)
