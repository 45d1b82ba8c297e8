"""Networks without words: a picture and a mask in, a picture out; TorchScript and ONNX."""

import warnings

import numpy as np
import pytest
import torch
from onnx import TensorProto, helper, numpy_helper
from painting_cases import run_paint

from accord.engine import provenance
from accord.errors import AccordError
from accord.privacy.painting import painters
from accord.privacy.painting.lama import LaMa
from accord.privacy.painting.request import Job, Request

REQUEST = Request("a street", "person", 14.0, 7, 2)
PLATE = [60, 70, 110, 70, 110, 100, 60, 100]


class Green(torch.nn.Module):
    """LaMa's signature: what is known stays, the hole becomes green."""

    def forward(self, image, mask):
        green = torch.zeros_like(image)
        green[:, 1] = 0.8
        return image * (1 - mask) + green * mask


class Seen(torch.nn.Module):
    """What it is shown in the hole, made brighter: 0.5 where nothing is."""

    def forward(self, image, mask):
        return image + 0.5 * mask


def saved(path, module):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        torch.jit.save(torch.jit.script(module), str(path))
    return {"net": path}


def graph(path, inputs=("image", "mask")):
    """As Green, from 0 to 255, in ONNX."""
    kinds = {"image": [1, 3, "h", "w"], "mask": [1, 1, "h", "w"]}
    nodes = [
        helper.make_node("Sub", ["one", "mask"], ["known"]),
        helper.make_node("Mul", ["image", "known"], ["kept"]),
        helper.make_node("Mul", ["green", "mask"], ["fill"]),
        helper.make_node("Add", ["kept", "fill"], ["both"]),
        helper.make_node("Mul", ["both", "white"], ["out"]),
    ]
    values = {"one": 1.0, "white": 255.0, "green": np.float32([0, 0.8, 0]).reshape(1, 3, 1, 1)}
    constants = [numpy_helper.from_array(np.float32(value), name) for name, value in values.items()]
    if "mask" not in inputs:
        constants.append(numpy_helper.from_array(np.zeros((1, 1, 1, 1), np.float32), "mask"))
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, kinds[name]) for name in inputs]
    out = helper.make_tensor_value_info("out", TensorProto.FLOAT, [1, 3, "h", "w"])
    made = helper.make_graph(nodes, "g", ends, [out], constants)
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    path.write_bytes(model.SerializeToString())
    return {"net": path}


@pytest.fixture
def unknown(picture):
    mask = np.zeros(picture.shape[:2], bool)
    mask[60:150, 80:130] = True
    return mask


@pytest.fixture(params=["torchscript", "onnx"])
def painter(request, tmp_path):
    if request.param == "onnx":
        return LaMa(graph(tmp_path / "net.onnx"), side=64, largest=128, white=255)
    return LaMa(saved(tmp_path / "net.pt", Green()), side=64, largest=128)


def test_the_hole_is_painted_by_the_network(painter, picture, unknown):
    crop = np.full_like(picture, 128)
    crop[..., 1] = 204
    crop[~unknown] = (0, 204, 0)
    fill = painter.paint_all([Job(crop, unknown, REQUEST)])[0]
    assert fill.shape == crop.shape and fill.dtype == np.uint8
    np.testing.assert_allclose(fill[unknown].astype(int), np.tile([0, 204, 0], (unknown.sum(), 1)), atol=2)


def test_what_is_hidden_is_not_shown_to_it(tmp_path, picture, unknown):
    painter, other = LaMa(saved(tmp_path / "net.pt", Seen()), side=64, largest=128), picture.copy()
    other[unknown] = 255
    fills = [painter.paint_all([Job(crop, unknown, REQUEST)])[0][unknown] for crop in (picture, other)]
    assert (fills[0] == fills[1]).all()


def test_people_beside_the_hole_are_hidden_from_it_too(painter, picture, unknown, monkeypatch):
    """The network is shown neither the pixels of what is barred nor that they are known."""
    seen, real = [], painter._net
    monkeypatch.setattr(painter, "_net", lambda *given: seen.append(given) or real(*given))
    barred = np.zeros_like(unknown)
    barred[0:40, 0:240] = True
    painter.paint_all([Job(np.maximum(picture, 1), unknown, REQUEST, barred)])
    [(image, mask)] = seen
    side = image.shape[-1]
    assert mask[0, 0, : 40 * side // 200 - 1].all() and not image[0, :, : 40 * side // 200 - 1].any()
    assert not mask[0, 0, side // 2, : side // 4].any()


def test_words_and_seeds_change_nothing_and_neither_does_who_shares_a_call(painter, picture, unknown):
    other = Request("", "", 1.0, 8, 3)
    jobs = [Job(picture, unknown, REQUEST), Job(picture[:150], unknown[:150], other), Job(picture, unknown, other)]
    first, _, last = painter.paint_all(jobs)
    assert (first == last).all() and (painter.paint_all(jobs[:1])[0] == first).all()


@pytest.mark.parametrize(("shape", "expected"), [((40, 50), 64), ((90, 99), 104), ((300, 200), 128)])
def test_a_crop_is_shown_at_its_own_size_within_limits(painter, monkeypatch, shape, expected):
    seen = []
    real = painter._net
    monkeypatch.setattr(painter, "_net", lambda *given: seen.append([one.shape for one in given]) or real(*given))
    hole = np.zeros(shape, bool)
    hole[10:20, 10:20] = True
    painter.paint_all([Job(np.zeros((*shape, 3), np.uint8), hole, REQUEST)])
    assert seen == [[(1, 3, expected, expected), (1, 1, expected, expected)]]


def test_one_that_answers_something_else_is_told(tmp_path, picture, unknown):
    class Half(torch.nn.Module):
        def forward(self, image, mask):
            return image[:, :, ::2] + mask[:, :, ::2]

    painter = LaMa(saved(tmp_path / "net.pt", Half()), side=64, largest=128)
    with pytest.raises(AccordError, match=r"answers \(1, 3, 64, 128\) to a picture of \(1, 3, 128, 128\)"):
        painter.paint_all([Job(picture, unknown, REQUEST)])


def test_a_graph_without_a_mask_is_refused(tmp_path):
    with pytest.raises(
        AccordError,
        match=r"net.onnx: has the inputs image \(tensor\(float\)\)\n    hint: the graph must have 2 numeric inputs",
    ):
        LaMa(graph(tmp_path / "net.onnx", ["image"]))


def test_a_pickle_is_refused(tmp_path):
    torch.save(Green().state_dict(), tmp_path / "net.pt")
    with pytest.raises(AccordError, match=r"net.pt: is not a valid TorchScript program"):
        LaMa({"net": tmp_path / "net.pt"})


@pytest.mark.parametrize("sides", [(500, 1024), (512, 256), (512, 1001)])
def test_sides_that_it_can_not_take_are_told(tmp_path, sides):
    with pytest.raises(AccordError, match="options side, largest"):
        LaMa(saved(tmp_path / "net.pt", Green()), *sides)


def test_an_entry_paints_a_shard_once_and_without_words(shard, tmp_path):
    path = saved(tmp_path / "net.pt", Green())["net"]
    files = {"net": {"path": "net.pt", "sha256": provenance.sha256(path)}}
    entry = {"name": "net", "task": "inpainting", "adapter": "accord.privacy.lama:LaMa", "weights": files,
             "batch": 8, "options": {"side": 64, "largest": 128}}  # fmt: skip
    told = {"guidance": [12.0, 16.0], "steps": 2, "attempts": 3, "candidates": 3, "batch": 4}
    delivery = shard(regions=[("license_plate", PLATE)])
    made = run_paint(delivery, tmp_path / "out.tar", model="net@1", entry=entry, weights=tmp_path, **told)
    edit = made.edits.iloc[0]
    assert (edit["method"], edit["candidates"], edit["attempts"]) == ("lama", 1, 1)
    assert (edit["prompt"], edit["guidance"]) == ("", 0.0)
    assert edit["model_sha256"] == painters.stated(files)
    path.write_bytes(path.read_bytes() + b" ")
    with pytest.raises(AccordError, match="was expected"):
        painters.load("net@1", 1, entry, tmp_path)
