"""The adapters of body parts, face labels and restored faces, on photographs and on tiny networks."""

import numpy as np
import pytest
import torch

from accord.errors import AccordError
from accord.evaluate.adapters.restorers import Bicubic, OnnxRestorer, ScriptRestorer
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


def faces() -> list[np.ndarray]:
    rng = np.random.default_rng(5)
    return [rng.integers(0, 256, (16, 16, 3), np.uint8) for _ in range(3)]


def test_bicubic_keeps_what_is_smooth():
    ramp = np.tile(np.arange(0, 128, 4, dtype=np.uint8)[:, np.newaxis, np.newaxis], (1, 32, 3))
    large = Bicubic({}, side=128).restore([ramp])[0]
    assert large.shape == (128, 128, 3)
    np.testing.assert_allclose(large[8:-8, 0, 0], np.arange(128)[8:-8] - 1.5, atol=1)


SCRIPTS = pytest.mark.filterwarnings("ignore:`torch.jit:DeprecationWarning")  # torch would have exported programs


class Negative(torch.nn.Module):
    def forward(self, picture):
        return -picture


@SCRIPTS
def test_a_torchscript_module_gets_and_gives_the_range_of_values(tmp_path):
    torch.jit.script(Negative()).save(tmp_path / "net.pt")
    for low, high, bright in ((-1.0, 1.0, 255), (-255.0, 0.0, 0)):
        net = ScriptRestorer({"net": tmp_path / "net.pt"}, side=16, low=low, high=high)
        for face, made in zip(faces(), net.restore(faces()), strict=True):
            wanted = bright - face.astype(int) if bright else np.full_like(face, 255)
            np.testing.assert_array_equal(made, wanted)


def field(number: int, value: bytes | int) -> bytes:
    """One field of a protocol buffer; short ones are enough here."""
    if isinstance(value, int):
        return bytes([number << 3, value])
    assert len(value) < 128
    return bytes([number << 3 | 2, len(value)]) + value


def negative_onnx() -> bytes:
    """An ONNX graph with the node y = -x, x and y (1, 3, 16, 16) float."""
    shape = b"".join(field(1, field(1, size)) for size in (1, 3, 16, 16))
    kind = field(1, field(1, 1) + field(2, shape))
    ends = [field(1, name) + field(2, kind) for name in (b"x", b"y")]
    node = field(1, b"x") + field(2, b"y") + field(4, b"Neg")
    graph = field(1, node) + field(2, b"g") + field(11, ends[0]) + field(12, ends[1])
    return field(1, 8) + field(7, graph) + field(8, field(2, 13))


def test_an_onnx_graph_gets_and_gives_the_range_of_values(tmp_path):
    (tmp_path / "net.onnx").write_bytes(negative_onnx())
    net = OnnxRestorer({"net": tmp_path / "net.onnx"}, side=16)
    for face, made in zip(faces(), net.restore(faces()), strict=True):
        np.testing.assert_array_equal(made, 255 - face)


class Broken(torch.nn.Module):
    def forward(self, picture):
        return picture / 0 - picture / 0


@SCRIPTS
def test_a_network_that_answers_with_no_numbers_is_refused(tmp_path):
    torch.jit.script(Broken()).save(tmp_path / "net.pt")
    with pytest.raises(AccordError, match="restorer: answers with numbers that are not finite"):
        ScriptRestorer({"net": tmp_path / "net.pt"}, side=16).restore(faces()[:1])
