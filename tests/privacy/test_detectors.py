import numpy as np
import pytest

from accord.errors import AccordError
from accord.models import detectors, packaged
from accord.models.detectors import Found


def masks(*boxes):
    made = np.zeros((100, 100), bool)
    for top, bottom, left, right in boxes:
        made[top:bottom, left:right] = True
    return made


@pytest.mark.parametrize(
    ("box", "counts"),
    [
        ((20, 20, 40, 40), True),  # wholly painted
        ((20, 0, 40, 60), True),  # 20 of 60 rows painted: a third
        ((20, 0, 40, 80), False),  # 20 of 80: a quarter
        ((60, 60, 80, 80), False),  # elsewhere
        ((-40, 20, 40, 40), False),  # its part outside the image counts as not painted
        ((20, 20, 58, 40), True),  # 20 columns painted, 18 of the subject's
        ((20, 20, 61, 40), False),  # 20 columns painted, 21 of the subject's
    ],
)
def test_a_finding_counts_where_a_third_of_it_is_painted_and_less_is_the_subjects(box, counts):
    painted, subject = masks((20, 40, 20, 40)), masks((20, 40, 40, 70))
    assert detectors.inside(Found("face_yunet", 0.9, box), painted, subject) is counts


@pytest.mark.parametrize("level", [0, 127, 255])
def test_nobody_is_in_an_empty_picture(level):
    assert detectors.find(np.full((150, 120, 3), level, np.uint8)) == []


def test_all_detectors_find_the_person_of_the_test_picture(bystander):
    found = detectors.left_over(bystander.pixels, bystander.mask, np.zeros_like(bystander.mask))
    assert {one.check for one in found} == {"face_yunet", "face_blazeface", "person_blazepose"}


def test_a_subject_is_no_bystander(bystander):
    nobody = np.zeros_like(bystander.mask)
    nobody[:20, :20] = True
    assert detectors.left_over(bystander.pixels, nobody, bystander.mask) == []


def test_anchors_are_those_that_the_networks_were_trained_with():
    assert len(detectors._anchors(224, ((8, 2), (16, 2), (32, 6)))) == 2254
    faces = detectors._anchors(192, ((4, 1),))
    assert faces.shape == (2304, 2)
    assert faces[0] == pytest.approx([2 / 192, 2 / 192])
    assert faces[1] == pytest.approx([6 / 192, 2 / 192])


def test_missing_weights_are_named():
    with pytest.raises(AccordError) as caught:
        packaged.weights(packaged.Packaged("no_such_package", "models/one.onnx", ""))
    assert "model one.onnx: its weights are not installed" in str(caught.value)
    assert "hint: install the package that contains it: no_such_package" in str(caught.value)
