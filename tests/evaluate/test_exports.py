"""Files that workflow/export.py writes: of small networks behind the authors' interfaces, read by our adapters through
the entries of config/models.yaml, and held against torch's own graph and against what the authors' code does."""

import sys
from pathlib import Path

import checkouts
import export
import mmdet_nets
import numpy as np
import poses
import pytest
import torch
import yaml
from exports import FAMILIES, checked, checkpoints, stylegan_ops
from exports import mmdetection as mmdet_exports
from exports import mmpose as mmpose_exports
from PIL import Image

from accord.engine import provenance
from accord.models import loading, tasks

ROOT = Path(__file__).parents[2]
ENTRIES = yaml.safe_load((ROOT / "config/models.yaml").read_text())
SHOWN = {"fit": "squeeze", "origin": "corner"}
"""A picture of the input's own size goes in as it is; how others are fitted is tested elsewhere."""
AUTHORS = ("data", "models", "layers", "utils", "networks", "op", "gpen_model", "gfpgan", "basicsr", "inplace_abn")


@pytest.fixture(autouse=True)
def one_checkout_at_a_time(monkeypatch):
    """Checkouts name their modules alike: none is left behind."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield
    for name in [name for name in sys.modules if name.split(".")[0] in AUTHORS]:
        del sys.modules[name]


@pytest.fixture
def pictures() -> list[np.ndarray]:
    """Broad, and upright."""
    rng = np.random.default_rng(3)
    return [rng.integers(0, 256, size, dtype=np.uint8) for size in ((300, 400, 3), (400, 300, 3))]


def entry(folder: Path, name: str, **changes):
    """The adapter of an entry of config/models.yaml, over the file in a folder; changes: of its input."""
    told = {**ENTRIES[name], "name": name}
    file = folder / told["weights"]["net"]["path"]
    told["weights"] = {"net": {"path": file.name, "sha256": provenance.sha256(file)}}
    told["options"] = {**told["options"], "input": {**told["options"]["input"], **changes}}
    return loading.load(told, folder, tasks.method_of(told["task"]))


def exported(folder: Path, name: str, state: dict, code: Path | None = None, *more: str) -> int:
    """Write a checkpoint, run the command on it; returns its exit code."""
    torch.save(state, folder / "checkpoint.pth")
    out = folder / FAMILIES[name].file
    told = ["--code", str(code or folder), "--checkpoint", str(folder / "checkpoint.pth"), "--out", str(out)]
    return export.main([name, *told, *more])


def off(found: np.ndarray, expected: np.ndarray, name: str) -> float:
    """The largest difference of shades; where the entry rounds down, from half a shade below."""
    down = not ENTRIES[name]["options"]["outputs"]["picture"].get("rounded", True)
    return np.abs(found + 0.5 * down * (expected < 255) * (expected > 0) - expected).max()


def random_state(net: torch.nn.Module) -> dict:
    """Tensors of a network, all different, those of batch norms too."""
    torch.manual_seed(2)
    with torch.no_grad():
        for name, value in net.state_dict().items():
            if "running_var" in name:
                value.uniform_(0.5, 2)
            elif value.is_floating_point() and value.ndim == 1:
                value.normal_(0, 0.5)
    return net.state_dict()


def test_every_entry_that_nobody_publishes_as_a_graph_has_an_export_that_writes_its_file():
    graphs = {
        name: told["weights"]["net"]["path"]
        for name, told in ENTRIES.items()
        if told.get("adapter", "").endswith((":Onnx", ":TorchScript"))
    }
    assert {name: told.file for name, told in FAMILIES.items()} == graphs
    text = (ROOT / "docs/models-export.md").read_text()
    assert not [name for name in graphs if f"workflow/export.py {name} " not in text]


def test_retinaface_finds_what_its_authors_code_finds(tmp_path, pictures):
    code = checkouts.written(tmp_path, checkouts.RETINAFACE)
    sys.path.insert(0, str(tmp_path))
    from models.retinaface import RetinaFace

    net = RetinaFace({"pretrain": False}, "test")
    state = random_state(net)
    assert exported(tmp_path, "retinaface", {f"module.{name}": value for name, value in state.items()}, code) == 0
    from data.config import cfg_re50
    from layers.functions.prior_box import PriorBox
    from utils.box_utils import decode

    # Each picture fills the input, so that nothing is resized: preparing pictures is tested elsewhere.
    for picture in pictures:
        height, width = picture.shape[:2]
        [found] = entry(tmp_path, "retinaface", size=[height, width], fit="squeeze").detect([picture])
        given = torch.tensor(picture[:, :, ::-1].astype(np.float32) - [104, 117, 123]).float().permute(2, 0, 1)[None]
        with torch.no_grad():
            moves, scores, _ = net(given)
            boxes = decode(moves[0], PriorBox(cfg_re50, (height, width)).forward(), [0.1, 0.2])
        boxes = boxes.double().numpy() * [width, height, width, height]
        first = int(scores[0, :, 1].argmax())
        np.testing.assert_allclose(found.boxes[0], boxes[first], atol=0.05)
        assert found.scores[0] == pytest.approx(float(scores[0, first, 1]), abs=1e-5)
        for box, score in zip(found.boxes, found.scores, strict=True):
            near = np.abs(boxes - box).max(axis=1) + np.abs(scores[0, :, 1].numpy() - score)
            assert near.min() < 0.05


def test_dml_csr_labels_as_its_authors_code_does(tmp_path, pictures):
    code = checkouts.written(tmp_path, checkouts.DML_CSR)
    body = torch.nn.Sequential(torch.nn.Conv2d(3, 8, 7, 4, 3), torch.nn.BatchNorm2d(8), torch.nn.Conv2d(8, 19, 3, 1, 1))
    with torch.no_grad():
        body[2].weight.mul_(30)
    state = random_state(torch.nn.ModuleDict({"body": body}))
    training = {"edge_layer.conv1.weight": torch.zeros(1)}
    assert exported(tmp_path, "dml_csr", {**state, **training}, code) == 0
    square = np.ascontiguousarray(pictures[0][:300, :300].repeat(2, axis=0).repeat(2, axis=1)[:473, :473])
    [found] = entry(tmp_path, "dml_csr", **SHOWN, order="rgb", mean=[0, 0, 0], std=[1, 1, 1]).label([square])
    given = torch.tensor(square / 255).float().permute(2, 0, 1)[None]
    body.eval()
    with torch.no_grad():
        x, norm = body[0](given), body[1]
        # inplace_abn: |weight| + eps instead of the weight, then a leaky ReLU of 0.01.
        shape = (1, -1, 1, 1)
        x = (x - norm.running_mean.view(shape)) / (norm.running_var.view(shape) + norm.eps).sqrt()
        x = x * (norm.weight.abs() + norm.eps).view(shape) + norm.bias.view(shape)
        x = body[2](torch.where(x > 0, x, 0.01 * x))
        whole = torch.nn.functional.interpolate(x, (473, 473), mode="bilinear", align_corners=True)
    assert len(np.unique(found)) > 3
    assert (found != whole[0].argmax(0).numpy()).mean() < 1e-4
    assert (norm.weight < 0).any()


@pytest.mark.parametrize(("name", "files"), [("gpen", checkouts.GPEN), ("gfpgan", checkouts.GFPGAN)])
def test_restored_faces_are_those_of_the_network_with_the_noise_of_its_checkpoint(tmp_path, name, files):
    code = checkouts.written(tmp_path, files)
    torch.manual_seed(5)
    first, last = torch.nn.Conv2d(3, 4, 1), torch.nn.Conv2d(4, 3, 1)
    conv, noise, bias = torch.nn.Conv2d(3, 3, 3, 1, 1), torch.randn(1, 1, 512, 512), torch.randn(4)
    line = torch.tensor([1.0, 3, 3, 1])
    kernel = line[None] * line[:, None] / 64
    if name == "gpen":
        parts = {"first": first, "last": last}
        state = {f"{key}.{k}": v for key, part in parts.items() for k, v in part.state_dict().items()}
        state |= {"activate.bias": bias, "kernel": kernel, "weight": torch.eye(4)[None, :, :, None, None]}
    else:
        state = {"params_ema": {**{f"conv.{k}": v for k, v in conv.state_dict().items()}, "noise": noise}}
    assert exported(tmp_path, name, state, code) == 0
    face = np.random.default_rng(1).integers(0, 256, (512, 512, 3), dtype=np.uint8)
    given = torch.tensor(face / 127.5 - 1).float().permute(2, 0, 1)[None]
    with torch.no_grad():
        if name == "gpen":
            x = torch.nn.functional.leaky_relu(first(given) + bias.view(1, -1, 1, 1), 0.2) * 2**0.5
            x = x * x.mean((2, 3), keepdim=True)
            each = kernel[None, None].repeat(4, 1, 1, 1)
            x = torch.nn.functional.conv2d(x, each, stride=2, padding=1, groups=4)
            x = torch.nn.functional.conv_transpose2d(x, each * 4, stride=2, padding=1, groups=4)
            expected = last(x)
        else:
            expected = conv(given) + 0.3 * noise
    expected = ((expected[0].permute(1, 2, 0).numpy() + 1) * 127.5).clip(0, 255)
    found = entry(tmp_path, name).restore([face, face])
    np.testing.assert_array_equal(found[0], found[1])
    assert off(found[0], expected, name) <= 0.51


def test_restyle_goes_through_its_encoder_five_times_from_the_average_face(tmp_path):
    code = checkouts.written(tmp_path, checkouts.RESTYLE)
    torch.manual_seed(6)
    encoder, decoder = torch.nn.Linear(96, 8), torch.nn.Linear(8, 768)
    bias, average = torch.randn(3) * 0.1, torch.randn(8)
    state = {f"encoder.2.{k}": v for k, v in encoder.state_dict().items()}
    state |= {f"decoder.0.{k}": v for k, v in decoder.state_dict().items()} | {"decoder.2.bias": bias}
    options = {"output_size": 64, "input_nc": 6, "dataset_type": "ffhq_encode", "device": "cuda:0"}
    held = {"state_dict": state, "opts": options, "latent_avg": average}
    assert exported(tmp_path, "restyle_e4e", held, code) == 0

    def face(codes):
        x = torch.nn.functional.leaky_relu(decoder(codes).view(1, 3, 16, 16) + bias.view(1, 3, 1, 1), 0.2) * 2**0.5
        return torch.nn.functional.interpolate(x, scale_factor=4).tanh()

    picture = np.random.default_rng(2).integers(0, 256, (256, 256, 3), dtype=np.uint8)
    given = torch.tensor(picture / 127.5 - 1).float().permute(2, 0, 1)[None]
    pool = torch.nn.functional.adaptive_avg_pool2d
    with torch.no_grad():
        before, codes = pool(face(average[None]), 256), average[None]
        for _ in range(5):
            codes = codes + encoder(pool(torch.cat([given, before], 1), 4).flatten(1))
            before = pool(face(codes), 256)
        expected = ((face(codes)[0].permute(1, 2, 0).numpy() + 1) * 127.5).clip(0, 255)
    [found] = entry(tmp_path, "restyle_e4e").restore([picture])
    assert found.shape == (64, 64, 3)
    assert off(found, expected, "restyle_e4e") <= 0.51
    del held["state_dict"]["encoder.2.bias"]
    assert exported(tmp_path, "restyle_e4e", held, code) == 1


@pytest.mark.parametrize("flips", [True, False])
@pytest.mark.parametrize(("name", "made"), [("simple_baseline", poses.SimpleBaseline), ("rtmpose", poses.rtmpose)])
def test_keypoints_are_those_that_mmpose_decodes_in_the_mean_with_the_mirrored_picture(
    tmp_path, monkeypatch, pictures, name, made, flips
):
    net = made().eval()
    state = random_state(net)
    monkeypatch.setattr(mmpose_exports, "built", lambda *_: made())
    assert exported(tmp_path, name, {"state_dict": state}, None, *([] if flips else ["--no-flip"])) == 0
    picture = pictures[0][:256, :192]
    [pose] = entry(tmp_path, name, margin=1.0).estimate([picture], [np.array([0, 0, 192, 256])])
    mean, std = torch.tensor([123.675, 116.28, 103.53]), torch.tensor([58.395, 57.12, 57.375])
    given = ((torch.tensor(picture).float() - mean) / std).permute(2, 0, 1)[None]
    with torch.no_grad():
        feats = [net.extract_feat(given), net.extract_feat(given.flip(-1))] if flips else net.extract_feat(given)
        told = net.head.predict(feats, [mmpose_exports.sample()], {**net.test_cfg, "flip_test": flips})
    expected = decoded(told)
    # Ours count from the outer corner of the first pixel, MMPose from its middle.
    np.testing.assert_allclose(np.sort(pose.points - 0.5, axis=0), np.sort(expected, axis=0), atol=1e-3)


def decoded(told) -> np.ndarray:
    """(17, 2) px of the input, from the middle of its first pixel, as MMPose's codecs decode heatmaps and SimCC."""
    if isinstance(told, tuple):
        seen = torch.minimum(*(one[0].max(1).values for one in told)) > 0
        return np.stack([np.where(seen, one[0].argmax(1).numpy(), -1) / 2 for one in told], axis=1)
    found = []
    for heat in told[0].numpy():
        y, x = np.unravel_index(heat.argmax(), heat.shape)
        if heat.max() <= 0:
            found.append([-4, -4])
            continue
        inside = 1 < x < 47 and 0 < y < 64, 1 < y < 63 and 0 < x < 48
        across = np.sign(heat[y, x + 1] - heat[y, x - 1]) if inside[0] else 0
        down = np.sign(heat[y + 1, x] - heat[y - 1, x]) if inside[1] else 0
        found.append([(x + across * 0.25) * 4, (y + down * 0.25) * 4])
    return np.array(found)


DETECTORS = {
    "ddod": (mmdet_nets.Ddod, "detect"),
    "cascade_rcnn": (mmdet_nets.Cascade, "detect"),
    "cascade_mask_rcnn": (lambda: mmdet_nets.Cascade(masks=True), "parse"),
}


@pytest.mark.parametrize("name", DETECTORS)
def test_people_are_those_that_mmdetection_finds(tmp_path, monkeypatch, name):
    """In an upright and a broad picture, which fill the input: sizes are another test's."""
    made, method = DETECTORS[name]
    torch.manual_seed(8)
    net = made().eval()
    monkeypatch.setattr(mmdet_exports, "built", lambda *_: made())
    for part, size in (("UPRIGHT", (96, 64)), ("BROAD", (64, 96)), ("TRACED", (64, 64))):
        monkeypatch.setattr(mmdet_exports, part, size)
    assert exported(tmp_path, name, {"state_dict": net.state_dict()}) == 0
    mean, std = torch.tensor([123.675, 116.28, 103.53]), torch.tensor([58.395, 57.12, 57.375])
    rng, seen = np.random.default_rng(9), 0
    for size in ((96, 64), (64, 96)):
        picture = rng.integers(0, 256, (*size, 3), dtype=np.uint8)
        given = ((torch.tensor(picture).float() - mean) / std).permute(2, 0, 1)[None]
        with torch.no_grad():
            dets, labels, *masks = mmdet_exports.answer(net, given, method == "parse")
        mine = (labels[0] == 0) & (dets[0, :, 4] >= 0.05)
        seen += int(mine.sum())
        [found] = getattr(entry(tmp_path, name, size=list(size), fit="squeeze"), method)([picture])
        if method == "detect":
            np.testing.assert_allclose(found.boxes, dets[0, mine, :4], atol=1e-3)
            np.testing.assert_allclose(found.scores, dets[0, mine, 4], atol=1e-5)
            continue
        np.testing.assert_allclose([mask.score for mask in found], dets[0, mine, 4], atol=1e-5)
        for mask, values, box in zip(found, masks[0][0, mine], dets[0, mine, :4], strict=True):
            expected = pasted(values, box, size)
            assert (mask.mask != expected).sum() <= 0.01 * expected.size
            assert 0 < expected.sum() < expected.size
    assert seen > 2


@pytest.mark.parametrize("name", ["cascade_rcnn", "cascade_mask_rcnn"])
def test_nobody_is_seen_where_there_is_nobody_and_a_file_that_was_compared_in_nothing_is_not_left(
    tmp_path, monkeypatch, capsys, name
):
    made, method = DETECTORS[name]
    sure = {**mmdet_nets.RoiHead.test_cfg, "score_thr": 0.999}
    monkeypatch.setattr(mmdet_nets.RoiHead, "test_cfg", sure)
    monkeypatch.setattr(mmdet_exports, "built", lambda *_: made())
    for part in ("UPRIGHT", "BROAD", "TRACED"):
        monkeypatch.setattr(mmdet_exports, part, (64, 64))
    torch.manual_seed(8)
    state = made().state_dict()
    assert exported(tmp_path, name, {"state_dict": state}) == 1
    assert "nothing was found in random pictures" in capsys.readouterr().err
    # One that sees a person wherever a picture is bright, and is held against one that is.
    for key in [key for key in state if "roi_head.bbox_head" in key and "scores" in key]:
        state[key].zero_()
    state["roi_head.bbox_head.0.scores.weight"][0] = 60
    for key, weight, bias in (("first.0", 0.01, -1.0), ("second.0", 0.02, -0.5)):
        state[f"{key}.weight"].fill_(weight)
        state[f"{key}.bias"].fill_(bias)
    bright = np.random.default_rng(5).integers(150, 256, (64, 64, 3), dtype=np.uint8)
    Image.fromarray(bright).save(tmp_path / "bright.png")
    assert exported(tmp_path, name, {"state_dict": state}, None, "--picture", str(tmp_path / "bright.png")) == 0
    adapter = getattr(entry(tmp_path, name, size=[64, 64], fit="squeeze"), method)
    [dark], [light] = adapter([np.zeros((64, 64, 3), np.uint8)]), adapter([bright])
    assert [len(one.scores if method == "detect" else one) > 0 for one in (dark, light)] == [False, True]


def pasted(values: torch.Tensor, box: torch.Tensor, size: tuple[int, int]) -> np.ndarray:
    """(height, width) bool: a mask in its box, as MMDetection pastes it."""
    y, x = (
        (torch.arange(side) + 0.5 - box[n]) / (box[n + 2] - box[n]) * 2 - 1
        for side, n in zip(size, (1, 0), strict=True)
    )
    grid = torch.stack(torch.broadcast_tensors(x[None, :], y[:, None]), dim=-1)[None]
    return (torch.nn.functional.grid_sample(values[None, None], grid, align_corners=False)[0, 0] >= 0.5).numpy()


class Twice(torch.nn.Module):
    def forward(self, x):
        return x * 2


def test_a_file_that_says_something_else_is_not_left(tmp_path, capsys):
    path = tmp_path / "net.onnx"
    path.write_text("the former one")
    graph = checked.Graph(Twice(), ["y"], (4, 6), (0, 1), reference=lambda given: given * 2.001)
    with pytest.raises(checked.NotTheSame, match="nothing was written"):
        checked.write(graph, path)
    assert [file.name for file in tmp_path.iterdir()] == ["net.onnx"]
    assert path.read_text() == "the former one"
    assert capsys.readouterr().out.startswith("4 x 6: y 5.0e-04\n4 x 6: y 5.0e-04\n")
    graph.reference = lambda given: given * float("nan")
    with pytest.raises(checked.NotTheSame):
        checked.write(graph, path)
    graph.reference = None
    assert checked.write(graph, path) == 0


def test_rows_are_told_apart_in_any_order_and_one_too_many_is_not_the_same():
    boxes, labels = np.array([[[0.0, 1], [2, 3], [2, 3.5]]]), np.array([[4, 5, 6]])
    order = [2, 0, 1]
    assert checked.rows_apart([boxes, labels], [boxes[:, order], labels[:, order]]) == [0, 0]
    assert checked.rows_apart([boxes, labels], [boxes, labels[:, order]])[1] > 0.1
    assert checked.rows_apart([boxes, labels], [boxes[:, :2], labels[:, :2]]) == [float("inf")] * 2


class Payload:
    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return Path.touch, (self.path,)


def test_a_checkpoint_is_never_unpickled_and_must_fit(tmp_path):
    path, harmed = tmp_path / "net.pth", tmp_path / "harmed"
    torch.save({"state_dict": {"w": torch.ones(2)}, "log": Payload(harmed)}, path)
    with pytest.raises(checkpoints.Unfit, match="is not a plain checkpoint of tensors"):
        checkpoints.tensors(path)
    assert not harmed.exists()
    record = {"state_dict": {"module.weight": torch.ones(2, 1)}, "record": np.float64(3), "log": np.arange(3.0)}
    torch.save(record, path)
    state = checkpoints.tensors(path)
    assert list(state) == ["weight"]
    net = torch.nn.Linear(1, 2, bias=False)
    assert checkpoints.fitted(net, state, path.name).weight.tolist() == [[1], [1]]
    with pytest.raises(checkpoints.Unfit, match=r"net\.pth is a checkpoint of another network: 1 tensors"):
        checkpoints.fitted(torch.nn.Linear(1, 2), state, path.name)
    with pytest.raises(checkpoints.Unfit, match="extra"):
        checkpoints.fitted(net, {**state, "extra": torch.ones(1)}, path.name)


def test_a_folder_that_is_no_checkout_is_told(tmp_path, capsys):
    assert exported(tmp_path, "retinaface", {"w": torch.ones(1)}) == 1
    assert "--code is the checkout of the authors' repository" in capsys.readouterr().err


def test_onnx_is_asked_for_before_anything_is_computed(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ImportError, match="onnx"):
        checked.write(checked.Graph(Twice(), ["y"], (4, 6), (0, 1)), tmp_path / "net.onnx")
    assert not list(tmp_path.iterdir())


def test_a_package_that_the_authors_code_needs_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "mmengine", None)
    assert exported(tmp_path, "hrnet", {"w": torch.ones(1)}) == 1
    said = capsys.readouterr().err
    assert "mmengine" in said
    assert "docs/models-export.md says what its authors' code needs" in said


@pytest.mark.parametrize(("up", "down", "pad"), [(1, 1, (1, 2)), (2, 1, (2, 1)), (1, 2, (1, 1))])
def test_stylegans_filter_is_what_its_definition_says(up, down, pad):
    """Zeros between the cells, zeros around them, and each cell the kernel's sum over what lies there."""
    rng = np.random.default_rng(4)
    given, kernel = rng.normal(size=(3, 5, 6)), rng.normal(size=(4, 4))
    found = stylegan_ops.upfirdn2d(torch.tensor(given)[None], torch.tensor(kernel), up, down, pad)[0].numpy()
    spread = np.zeros((3, 5 * up + sum(pad), 6 * up + sum(pad)))
    spread[:, pad[0] : pad[0] + 5 * up : up, pad[0] : pad[0] + 6 * up : up] = given
    rows, columns = spread.shape[1] - 3, spread.shape[2] - 3
    expected = np.array(
        [[(spread[:, i : i + 4, j : j + 4] * kernel[::-1, ::-1]).sum((1, 2)) for j in range(0, columns, down)]
         for i in range(0, rows, down)]
    ).transpose(2, 0, 1)  # fmt: skip
    np.testing.assert_allclose(found, expected, atol=1e-9)
