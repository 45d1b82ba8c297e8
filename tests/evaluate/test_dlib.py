"""dlib's face recogniser on torch says what dlib itself says."""

from pathlib import Path

import dlib
import numpy as np
import pytest
import yaml

from accord.errors import AccordError
from accord.models.adapters.dlib_faces import CHIP, PADDING
from accord.models.adapters.nets.dlib_nets import DlibResNet
from accord.models.packaged import Packaged, weights

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def files():
    told = yaml.safe_load((ROOT / "config/models.yaml").read_text())["dlib_faces"]["weights"]
    return {name: weights(Packaged(**file)) for name, file in told.items()}


@pytest.fixture(params=["mkldnn", "torch"])
def either(request, monkeypatch):
    """oneDNN's convolutions, and torch's own, where a processor has none of these."""
    monkeypatch.setattr("torch.backends.mkldnn.is_available", lambda: request.param == "mkldnn")


def test_a_face_s_vector_is_dlib_s(files, either, heads):
    theirs, ours = dlib.face_recognition_model_v1(str(files["net"])), DlibResNet(files["net"])
    points = dlib.shape_predictor(str(files["points"]))
    for face in (face for faces in heads.values() for face in faces):
        found = points(face, dlib.rectangle(0, 0, face.shape[1], face.shape[0]))
        chip = dlib.get_face_chip(face, found, size=CHIP, padding=PADDING)
        for shown in (chip, np.ascontiguousarray(chip[:, ::-1]), 255 - chip):
            expected = np.array(theirs.compute_face_descriptor(shown))
            np.testing.assert_allclose(ours.feature(shown), expected, atol=1e-5 * np.abs(expected).max())


def test_another_file_is_refused(files):
    with pytest.raises(AccordError, match="is not dlib's face recognition network"):
        DlibResNet(files["points"])


def test_a_file_that_was_cut_is_refused(files, tmp_path):
    cut = tmp_path / "net.dat"
    cut.write_bytes(files["net"].read_bytes()[:-100_000])
    with pytest.raises(AccordError, match="is not dlib's face recognition network"):
        DlibResNet(cut)
