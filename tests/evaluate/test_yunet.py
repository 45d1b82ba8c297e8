"""YuNet on ONNX Runtime finds what OpenCV's own detector finds, in pictures of any size."""

import cv2
import numpy as np
import pytest

from accord.models import packaged
from accord.models.adapters.nets.yunet_nets import YuNet
from accord.models.detectors import YUNET


@pytest.fixture(scope="module")
def path():
    return packaged.weights(YUNET)


@pytest.mark.parametrize("least", [0.05, 0.5, 0.9])
@pytest.mark.parametrize("size", [(640, 480), (320, 320), (333, 211), (97, 65)])
def test_faces_are_those_that_opencv_finds(path, photo, faces, least, size):
    """One face, several and none; at a low limit also much that is no face, so that overlaps are judged."""
    ours = YuNet(path, least)
    for key in faces:
        bgr = cv2.cvtColor(photo(*key), cv2.COLOR_RGB2BGR)
        for shown in (bgr, np.hstack([bgr, bgr[:, ::-1]]), bgr[:, :, ::-1] // 9):
            small = cv2.resize(shown, size, interpolation=cv2.INTER_AREA)
            theirs = cv2.FaceDetectorYN.create(str(path), "", size, least, 0.3, 5000).detect(small)[1]
            expected = np.zeros((0, 15)) if theirs is None else theirs
            found = ours.detect(small)
            assert len(found) == len(expected)
            np.testing.assert_allclose(found[:, :14], expected[:, :14], atol=2e-3)
            np.testing.assert_allclose(found[:, 14], expected[:, 14], atol=1e-5)
