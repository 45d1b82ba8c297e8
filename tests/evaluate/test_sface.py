"""SFace's network on torch: its numbers are those in the file, and what it says is what OpenCV says."""

import cv2
import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

from accord.errors import AccordError
from accord.models import packaged
from accord.models.adapters.nets import onnx_tensors
from accord.models.adapters.nets.sface_nets import SFace
from accord.models.detectors import YUNET
from accord.privacy.proof.faces import SFACE


@pytest.fixture(scope="module")
def both():
    path = packaged.weights(SFACE)
    return cv2.FaceRecognizerSF.create(str(path), ""), SFace(path)


@pytest.fixture(params=["mkldnn", "torch"])
def either(request, monkeypatch):
    """oneDNN's convolutions, and torch's own, where a processor has none of these."""
    monkeypatch.setattr("torch.backends.mkldnn.is_available", lambda: request.param == "mkldnn")


def test_a_face_s_vector_is_opencv_s(both, either, heads):
    theirs, ours = both
    for face in (face for faces in heads.values() for face in faces):
        bgr = cv2.cvtColor(cv2.resize(face, (112, 112), interpolation=cv2.INTER_AREA), cv2.COLOR_RGB2BGR)
        for shown in (bgr, bgr[:, ::-1].copy(), 255 - bgr):
            expected = theirs.feature(shown)[0]
            np.testing.assert_allclose(ours.feature(shown), expected, atol=2e-5 * np.abs(expected).max())


@pytest.mark.parametrize("file", [SFACE, YUNET], ids=["sface", "yunet"])
def test_numbers_are_those_that_onnx_reads(file):
    """Quantised ones by the definition of DequantizeLinear, (x - zero) * scale, block by block."""
    path = packaged.weights(file)
    told, graph = onnx_tensors.read(path), onnx.load(path).graph
    plain = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    for name, values in plain.items():
        if values.dtype in (np.float32, np.int8, np.int64):
            np.testing.assert_array_equal(told[name], values)
    scaled = [node for node in graph.node if node.op_type == "DequantizeLinear"]
    assert len(scaled) > 20
    for node in scaled:
        attributes = {one.name: helper.get_attribute_value(one) for one in node.attribute}
        if plain[node.input[0]].size > 20_000:  # a loop over millions
            continue
        expected = by_definition(*(plain[name] for name in node.input), attributes["axis"], attributes["block_size"])
        found = told[node.output[0].removesuffix("_dequantized")]
        np.testing.assert_array_equal(found.ravel(), expected.ravel())


def by_definition(values, scales, zeros, axis, block):
    made = np.empty(values.shape, np.float32)
    for place in np.ndindex(values.shape):
        part = tuple(at // block if number == axis else at for number, at in enumerate(place))
        made[place] = (np.float32(values[place]) - np.float32(zeros[part])) * scales[part]
    return made


def test_another_network_is_refused(tmp_path):
    with pytest.raises(AccordError, match="is not SFace's network"):
        SFace(packaged.weights(YUNET))
    (tmp_path / "net.onnx").write_bytes(b"no network")
    with pytest.raises(AccordError, match="is not a valid ONNX file"):
        SFace(tmp_path / "net.onnx")
