"""What config/models.yaml gives each network, and how its answer goes back to the picture, held against the authors'
code as it is written out here from their repositories: on an upright picture, on one that lies, and on a large one.

Nothing of what is tested is used for what is expected. Networks stand for those whose weights nobody ships: small
graphs of random numbers, or what they are given.
"""

import warnings
from importlib.util import find_spec
from pathlib import Path

import cv2
import numpy as np
import onnx
import onnxruntime
import pytest
import torch
import transformers
import yaml
from onnx import helper, numpy_helper
from PIL import Image

from accord import vocabularies
from accord.engine import provenance
from accord.models import loading
from accord.models.adapters.declaring.declared_inputs import Input

ENTRIES = yaml.safe_load((Path(__file__).parents[2] / "config/models.yaml").read_text())
MEAN, STD = np.array([123.675, 116.28, 103.53]), np.array([58.395, 57.12, 57.375])
SIZES = {"upright": (517, 333), "lying": (333, 517), "large": (1531, 2047), "large upright": (2047, 1531)}
METHODS = {"person_localization": "detect", "face_localization": "detect", "person_parsing": "parse"}
METHODS |= {"keypoint_estimation": "estimate", "face_parsing": "label", "face_encoding": "restore"}
METHODS |= {"face_super_resolution": "restore", "face_verification": "embed"}


@pytest.fixture(scope="module", params=SIZES)
def picture(request) -> np.ndarray:
    """Smooth shapes with noise on them, RGB."""
    return painted(*SIZES[request.param])


def painted(height: int, width: int) -> np.ndarray:
    rng = np.random.default_rng(height)
    coarse = rng.integers(0, 256, (9, 7, 3)).astype(np.float32)
    smooth = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    return np.clip(smooth + rng.normal(0, 12, smooth.shape), 0, 255).astype(np.uint8)


def graph(nodes: list, outputs: list[str], constants: dict) -> bytes:
    """A graph from an input `x` of any size."""
    held = [numpy_helper.from_array(np.asarray(value), name) for name, value in constants.items()]
    ends = [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None) for name in outputs]
    start = helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [None] * 4)
    made = helper.make_graph(nodes, "g", [start], ends, held)
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    return model.SerializeToString()


def constant(**arrays) -> bytes:
    constants = {f"{name}_": np.float32(value) for name, value in arrays.items()}
    return graph([helper.make_node("Identity", [f"{name}_"], [name]) for name in arrays], list(arrays), constants)


def loaded(folder: Path, name: str, content: bytes, suffix: str = "onnx", **keypoints):
    """The adapter of an entry, with its own options and another network; keypoints: what is said of these besides."""
    path = folder / f"net.{suffix}"
    path.write_bytes(content)
    entry = ENTRIES[name]
    weights = {"net": {"path": path.name, "sha256": provenance.sha256(path)}}
    options = entry["options"]
    if keypoints:
        options = {**options, "outputs": {"keypoints": {**options["outputs"]["keypoints"], **keypoints}}}
    told = {"name": name, "task": entry["task"], "adapter": entry["adapter"], "options": options}
    return loading.load({**told, "weights": weights, "batch": 2}, folder, METHODS[entry["task"]])


def given(name: str, picture: np.ndarray) -> np.ndarray:
    """What an entry gives its network of a whole picture."""
    told = Input(**ENTRIES[name]["options"]["input"])
    return told.values(picture, told.whole(picture))


def run(content: bytes, *batch: np.ndarray) -> list[np.ndarray]:
    session = onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])
    return session.run(None, {"x": np.stack(batch).astype(np.float32)})


# MMDetection: mmcv.imrescale within 1333 x 800, DetDataPreprocessor (mean, std, then padding with 0 to 32 px).


def mmdetection(picture: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The input, and the factors of width and height."""
    height, width = picture.shape[:2]
    factor = min(1333 / max(height, width), 800 / min(height, width))
    size = int(width * factor + 0.5), int(height * factor + 0.5)
    bgr = np.ascontiguousarray(picture[:, :, ::-1])
    small = torch.from_numpy(cv2.resize(bgr, size, interpolation=cv2.INTER_LINEAR).transpose(2, 0, 1).copy()).float()
    mean, std = (torch.tensor(values, dtype=torch.float32).view(3, 1, 1) for values in (MEAN, STD))
    filled = torch.nn.functional.pad((small[[2, 1, 0]] - mean) / std, (0, -size[0] % 32, 0, -size[1] % 32))
    return filled.numpy(), np.array(size) / (width, height)


MMDETECTION = [name for name, held in ENTRIES.items() if "MMDetection" in held["source"]]


@pytest.mark.parametrize("name", MMDETECTION)
def test_detectors_of_mmdetection_see_what_its_test_pipeline_gives(name, picture):
    expected, _ = mmdetection(picture)
    found = given(name, picture)
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, atol=2e-6)


def test_upright_pictures_and_lying_ones_get_as_many_pixels():
    shapes = {given("cascade_rcnn", painted(*size)).shape[1:] for size in ((640, 480), (480, 640))}
    assert shapes == {(1088, 800), (800, 1088)}


def test_boxes_go_back_by_the_factors_of_each_axis_as_in_mmdetection(tmp_path, picture):
    dets = np.float32([[10, 20, 110.5, 220, 0.9], [300, 30, 500, 60, 0.7], [1, 2, 3, 4, 0.6], [0, 0, 0, 0, 0]])
    net = loaded(tmp_path, "cascade_rcnn", constant(dets=dets[np.newaxis], labels=[[0, 0, 7, 0]]))
    [found] = net.detect([picture])
    np.testing.assert_allclose(found.boxes, dets[:2, :4] / np.tile(mmdetection(picture)[1], 2), rtol=1e-6)
    np.testing.assert_allclose(found.scores, [0.9, 0.7], atol=1e-6)


def test_pictures_of_two_shapes_are_asked_about_in_two_batches(tmp_path):
    pictures = [painted(*SIZES[name]) for name in ("upright", "lying", "upright")]
    adapter = "accord.evaluate.adapters.onnx:Onnx"
    sums = graph(
        [
            helper.make_node("ReduceMean", ["x"], ["m"], axes=[2, 3], keepdims=0),
            helper.make_node("Identity", ["m"], ["y"]),
        ],
        ["y"],
        {},
    )
    (tmp_path / "net.onnx").write_bytes(sums)
    weights = {"net": {"path": "net.onnx", "sha256": provenance.sha256(tmp_path / "net.onnx")}}
    options = {"input": ENTRIES["cascade_rcnn"]["options"]["input"], "outputs": {"vector": {"output": "y"}}}
    told = {"name": "small", "task": "face_verification", "adapter": adapter, "weights": weights, "batch": 3}
    both = [
        loading.load({**told, "options": {**options, "together": together}}, tmp_path, "embed").embed(pictures)
        for together in (False, True)
    ]
    expected = [mmdetection(one)[0].mean(axis=(1, 2)) for one in pictures]
    for found in both:
        np.testing.assert_allclose(found, expected, atol=1e-5)


def test_masks_of_boxes_are_pasted_as_mmdetection_pastes_them(tmp_path, picture):
    rng = np.random.default_rng(2)
    masks = cv2.resize(rng.random((6, 6), np.float32), (28, 28), interpolation=cv2.INTER_CUBIC)[np.newaxis]
    box = np.float32([37.3, 41.9, 401.2, 330.8])
    dets = np.float32([[*box, 0.9]])
    net = loaded(tmp_path, "cascade_mask_rcnn", constant(dets=dets[np.newaxis], labels=[[0]], masks=masks[np.newaxis]))
    [[found]] = net.parse([picture])
    x0, y0, x1, y1 = box / np.tile(mmdetection(picture)[1], 2).astype(np.float32)
    height, width = picture.shape[:2]
    y = (torch.arange(height) + 0.5 - y0) / (y1 - y0) * 2 - 1
    x = (torch.arange(width) + 0.5 - x0) / (x1 - x0) * 2 - 1
    grid = torch.stack([x[None].expand(height, width), y[:, None].expand(height, width)], dim=2)[None]
    pasted = torch.nn.functional.grid_sample(torch.from_numpy(masks)[None], grid.float(), align_corners=False)
    expected = (pasted[0, 0] >= 0.5).numpy()
    assert expected.any()
    assert (found.mask ^ expected).sum() <= 2e-5 * expected.size


# MMPose: GetBBoxCenterScale with 1.25, TopdownAffine without UDP, MSRAHeatmap and SimCCLabel, flip_test.

PAIRS = [0, 2, 1, 4, 3, 6, 5, 8, 7, 10, 9, 12, 11, 14, 13, 16, 15]


def mmpose(picture: np.ndarray, box: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The input of 192 x 256 px, and the centre and sides of the part of the picture that it shows."""
    centre, (width, height) = (box[:2] + box[2:]) * 0.5, (box[2:] - box[:2]) * 1.25
    scale = np.array([width, width / 0.75] if width > height * 0.75 else [height * 0.75, height])
    here = np.float32([centre, centre - (scale[0] / 2, 0), centre - (scale[0] / 2, -scale[0] / 2)])
    there = np.float32([(96, 128), (0, 128), (0, 128 + 96)])
    bgr = np.ascontiguousarray(picture[:, :, ::-1])
    crop = cv2.warpAffine(bgr, cv2.getAffineTransform(here, there), (192, 256), flags=cv2.INTER_LINEAR)
    return ((crop[:, :, ::-1] - MEAN) / STD).transpose(2, 0, 1), centre, scale


def msra(heatmaps: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """x, y in px of the input and scores of (17, 64, 48) heatmaps: refine_keypoints' loop."""
    points, scores = np.zeros((17, 2)), np.zeros(17)
    for number, one in enumerate(heatmaps):
        y, x = np.unravel_index(one.argmax(), one.shape)
        scores[number] = one[y, x]
        if one[y, x] <= 0:
            x = y = -1
        points[number] = x, y
        if 1 < x < 47 and 0 < y < 64:
            points[number, 0] += 0.25 * np.sign(one[y, x + 1] - one[y, x - 1])
        if 1 < y < 63 and 0 < x < 48:
            points[number, 1] += 0.25 * np.sign(one[y + 1, x] - one[y - 1, x])
    return points * 4, scores


def pose_net(simcc: bool) -> bytes:
    """17 heatmaps of a quarter of the input's sides, or their largest over rows and columns at twice its sides."""
    rng = np.random.default_rng(4)
    kernel = rng.normal(size=(17, 3, 5, 5)).astype(np.float32) / 9
    conv = helper.make_node("Conv", ["x", "k"], ["h"], strides=[4, 4], pads=[1, 1, 1, 1])
    if not simcc:
        return graph([conv, helper.make_node("Identity", ["h"], ["output"])], ["output"], {"k": kernel})
    up = helper.make_node("Resize", ["h", "", "s"], ["u"], mode="linear")
    across = helper.make_node("ReduceMax", ["u"], ["simcc_x"], axes=[2], keepdims=0)
    down = helper.make_node("ReduceMax", ["u"], ["simcc_y"], axes=[3], keepdims=0)
    return graph([conv, up, across, down], ["simcc_x", "simcc_y"], {"k": kernel, "s": np.float32([1, 1, 8, 8])})


def turned_back(found: list[np.ndarray]) -> list[np.ndarray]:
    """flip_heatmaps with shift_heatmap, or flip_vectors, of what a network says to a mirror image."""
    found = [one[:, PAIRS] for one in found]
    if len(found) == 1:
        [heatmaps] = found
        heatmaps = heatmaps[..., ::-1].copy()
        heatmaps[..., 1:] = heatmaps[..., :-1].copy()
        return [heatmaps]
    return [found[0][..., ::-1], found[1]]


BOXES = {"inside": (0.2, 0.25, 0.7, 0.9), "wide": (0.1, 0.5, 0.95, 0.7), "over the edge": (-0.05, 0.4, 0.3, 1.1)}


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("place", BOXES)
@pytest.mark.parametrize("name", ["simple_baseline", "hrnet", "rtmpose"])
def test_keypoints_are_those_of_mmpose(tmp_path, picture, name, place, mirrored):
    """mirrored: with flip_test, of a network that doesn't do that itself."""
    height, width = picture.shape[:2]
    box = np.array(BOXES[place]) * (width, height, width, height)
    values, centre, scale = mmpose(picture, box)
    told = Input(**ENTRIES[name]["options"]["input"])
    seen = told.values(picture, told.around(picture, box))
    # Rounding of a matrix moves a few pixels by a shade or two of 255; 57 shades are a standard deviation.
    assert np.abs(seen - values).max() <= 2.01 / 57
    assert np.abs(seen - values).mean() <= 0.01 / 57

    net = pose_net(name == "rtmpose")
    found = run(net, seen)
    if mirrored:
        found = [(one + back) / 2 for one, back in zip(found, turned_back(run(net, seen[:, :, ::-1])), strict=True)]
    if name == "rtmpose":
        x, y = found[0][0], found[1][0]
        points, scores = np.stack([x.argmax(1), y.argmax(1)], axis=1) / 2, np.minimum(x.max(1), y.max(1))
    else:
        points, scores = msra(found[0][0])
    expected = points / (192, 256) * scale + centre - 0.5 * scale
    [pose] = loaded(tmp_path, name, net, mirrored=mirrored).estimate([picture], [box])
    coco = ["Nose", *(f"{side} {part}" for part in COCO for side in ("Left", "Right"))]
    order = [coco.index(vocabularies.text(vocabularies.KEYPOINTS[number])) for number in pose.keypoints]
    # MMPose counts from the centre of the first pixel, we from its corner.
    np.testing.assert_allclose(pose.points, expected[order] + 0.5, atol=1e-4)
    np.testing.assert_allclose(pose.scores, np.clip(scores, 0, 1)[order], atol=1e-6)


COCO = ("eye", "ear", "shoulder", "elbow", "wrist", "hip", "knee", "ankle")


def test_a_heatmap_at_its_edge_or_below_zero_is_read_as_mmpose_reads_it(tmp_path):
    heatmaps = np.full((17, 64, 48), -1.0)
    for number, (y, x) in enumerate([(0, 0), (0, 5), (5, 0), (1, 1), (63, 47), (63, 20), (20, 47), (2, 1), (1, 2)]):
        heatmaps[number] = np.random.default_rng(number).random((64, 48)) / 2
        heatmaps[number, y, x] = 1
    box = np.array([40.0, 50, 100, 130])
    picture = painted(200, 150)
    _, centre, scale = mmpose(picture, box)
    entry = {**ENTRIES["hrnet"], "options": {**ENTRIES["hrnet"]["options"], "outputs": {"keypoints": {"output": "y"}}}}
    (tmp_path / "net.onnx").write_bytes(constant(y=heatmaps[np.newaxis]))
    weights = {"net": {"path": "net.onnx", "sha256": provenance.sha256(tmp_path / "net.onnx")}}
    net = loading.load({**entry, "name": "hrnet", "weights": weights, "batch": 1}, tmp_path, "estimate")
    [pose] = net.estimate([picture], [box])
    expected = msra(heatmaps)[0] / (192, 256) * scale + centre - 0.5 * scale + 0.5
    np.testing.assert_allclose(np.sort(pose.points, axis=0), np.sort(expected, axis=0), atol=1e-4)


# RetinaFace: test_widerface.py of biubug6/Pytorch_Retinaface, at the picture's size; larger ones by its other bounds.


def test_retinaface_sees_the_picture_at_its_own_size(picture):
    expected = np.float32(picture[:, :, ::-1]) - np.float32([104, 117, 123])
    found = given("retinaface", picture).transpose(1, 2, 0)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("size", [(1700, 2600), (2600, 1700), (1200, 3100)])
def test_a_larger_picture_is_bounded_as_retinaface_s_second_mode_does(size):
    picture = cv2.GaussianBlur(painted(*size), (0, 0), 2)
    factor = 1600 / min(size)
    if np.round(factor * max(size)) > 2150:
        factor = 2150 / max(size)
    bgr = np.float32(picture[:, :, ::-1])
    expected = cv2.resize(bgr, None, None, fx=factor, fy=factor, interpolation=cv2.INTER_LINEAR) - (104, 117, 123)
    found = given("retinaface", picture).transpose(1, 2, 0)
    assert found.shape == expected.shape
    # Their pixels aren't rounded after resizing, and their factor isn't fitted to the whole pixels that come of it.
    assert np.abs(found - expected).max() <= 3
    assert np.abs(found - expected).mean() < 0.3


def test_faces_go_back_as_shares_of_the_picture_and_those_that_overlap_are_dropped(tmp_path, picture):
    height, width = picture.shape[:2]
    rng = np.random.default_rng(8)
    starts = np.repeat(rng.random((40, 2)) * 0.6, 25, axis=0) + rng.normal(0, 0.002, (1000, 2))
    boxes = np.concatenate([starts, starts + 0.05 + 0.1 * np.repeat(rng.random((40, 2)), 25, axis=0)], axis=1)
    scores = rng.random(1000)
    content = constant(boxes=boxes[np.newaxis], scores=np.stack([1 - scores, scores], axis=1)[np.newaxis])
    [found] = loaded(tmp_path, "retinaface", content).detect([picture])
    sides = np.float32([width, height, width, height])
    rows = np.float32(boxes) * sides
    sure = np.flatnonzero(np.float32(scores) > 0.02)
    left, kept = list(sure[np.argsort(-scores[sure], kind="stable")]), []
    while left:
        best = left.pop(0)
        kept.append(best)
        left = [one for one in left if iou(rows[best], rows[one]) <= 0.4]
    np.testing.assert_allclose(found.boxes, rows[kept], atol=0.01)
    np.testing.assert_allclose(found.scores, scores[kept], atol=1e-6)


def iou(one: np.ndarray, other: np.ndarray) -> float:
    """As py_cpu_nms.py counts it: a box's sides are a pixel longer."""
    start, end = np.maximum(one[:2], other[:2]), np.minimum(one[2:], other[2:])
    shared = np.prod(np.maximum(end - start + 1, 0))
    return shared / (np.prod(one[2:] - one[:2] + 1) + np.prod(other[2:] - other[:2] + 1) - shared)


# DML-CSR: dataset/datasets.py, test.py and utils/transforms.py of insightface's parsing/dml_csr.


def dml_csr(picture: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The input, and the matrix from the picture to it."""
    height, width = picture.shape[:2]
    centre, side = np.float32([(width - 1) * 0.5, (height - 1) * 0.5]), np.float32(max(height, width) - 1)
    here = np.float32([centre, centre - (0, side / 2), centre - (side / 2, side / 2)])
    there = np.float32([(236.5, 236.5), (236.5, 0), (0, 0)])
    matrix = cv2.getAffineTransform(here, there)
    bgr = np.ascontiguousarray(picture[:, :, ::-1])
    seen = cv2.warpAffine(bgr, matrix, (473, 473), flags=cv2.INTER_LINEAR, borderValue=(0, 0, 0))
    values = torch.from_numpy(seen.transpose(2, 0, 1).copy()).float() / 255
    mean, std = torch.tensor([0.485, 0.456, 0.406]), torch.tensor([0.229, 0.224, 0.225])
    back = cv2.getAffineTransform(there, here)
    return ((values - mean.view(3, 1, 1)) / std.view(3, 1, 1)).numpy(), back


def test_dml_csr_sees_a_letterbox_of_its_colours_and_labels_go_back_from_it(tmp_path, picture):
    expected, back = dml_csr(picture)
    found = given("dml_csr", picture)
    assert np.abs(found - expected).max() <= 2.01 / (255 * 0.224)
    assert np.abs(found - expected).mean() <= 0.01 / (255 * 0.224)

    kernel = np.random.default_rng(6).normal(size=(19, 3, 9, 9)).astype(np.float32)
    conv = helper.make_node("Conv", ["x", "k"], ["labels"], strides=[4, 4], pads=[4, 4, 4, 4])
    net = graph([conv], ["labels"], {"k": kernel})
    [logits] = run(net, found)
    assert logits.shape == (1, 19, 119, 119)
    large = torch.nn.functional.interpolate(torch.from_numpy(logits), (473, 473), mode="bilinear", align_corners=True)
    best = large[0].argmax(0).numpy().astype(np.uint8)
    height, width = picture.shape[:2]
    wanted = cv2.warpAffine(best, back, (width, height), flags=cv2.INTER_NEAREST, borderValue=0)
    [labels] = loaded(tmp_path, "dml_csr", net).label([picture])
    assert labels.shape == wanted.shape
    assert (labels != wanted).mean() < 0.001


# GFPGAN (has_aligned), GPEN (FaceGAN.process), ReStyle (transform_inference, tensor2im).

SQUARES = [(128, 128), (512, 512), (301, 301), (1024, 1024)]


@pytest.mark.parametrize("size", SQUARES)
@pytest.mark.parametrize("name", ["gfpgan", "gpen"])
def test_restorers_see_the_face_at_512_px_and_their_answer_is_rounded_as_theirs(tmp_path, name, size):
    face = painted(*size)
    bgr = cv2.resize(np.ascontiguousarray(face[:, :, ::-1]), (512, 512))
    values = ((bgr[:, :, ::-1] / 255.0 - 0.5) / 0.5).transpose(2, 0, 1).astype(np.float32)
    np.testing.assert_allclose(given(name, face), values, atol=1e-6)
    half = graph([helper.make_node("Mul", ["x", "c"], ["output"])], ["output"], {"c": np.float32(0.37)})
    out = np.clip(values * np.float32(0.37) * 0.5 + 0.5, 0, 1).transpose(1, 2, 0) * 255
    expected = out.round() if name == "gfpgan" else out
    [found] = loaded(tmp_path, name, half).restore([face])
    same = found == expected.astype(np.uint8)
    assert same.mean() > 0.999
    assert np.abs(found.astype(int) - expected.astype(np.uint8)).max() <= 1


@pytest.mark.parametrize("size", [*SQUARES, SIZES["upright"], SIZES["lying"]])
@pytest.mark.parametrize("name", ["restyle_e4e", "restyle_psp"])
def test_restyle_sees_what_torchvision_s_resize_gives(tmp_path, name, size):
    face = painted(*size)
    small = np.asarray(Image.fromarray(face).resize((256, 256), Image.Resampling.BILINEAR))
    values = torch.from_numpy(small.copy()).permute(2, 0, 1).float().div(255).sub(0.5).div(0.5)
    np.testing.assert_allclose(given(name, face), values.numpy(), atol=1e-6)

    class Half(torch.nn.Module):
        def forward(self, x):
            return x * 0.37

    path = tmp_path / "made.pt"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        torch.jit.save(torch.jit.trace(Half(), values[None]), str(path))
    [found] = loaded(tmp_path, name, path.read_bytes(), "pt").restore([face])
    expected = (((values * 0.37 + 1) / 2).clamp(0, 1) * 255).permute(1, 2, 0).numpy().astype(np.uint8)
    assert (found == expected).mean() > 0.999
    assert np.abs(found.astype(int) - expected).max() <= 1


# Transformers' processors beside the transforms of the papers' own code (Pillow's resize and ImageNet's numbers):
# DETR's within 800 and 1333 px, RT-DETR's and Segformer's to a square of 640. That ours are those of the checkpoint,
# before and after, is in test_transformers.py.

PROCESSORS = {
    "detr": ("DetrImageProcessorPil", {}),
    "rt_detr": ("RTDetrImageProcessorPil", {}),
    "segformer_people": ("SegformerImageProcessorPil", {"size": {"height": 640, "width": 640}}),
}


@pytest.mark.parametrize("size", [SIZES["upright"], SIZES["lying"]])
@pytest.mark.parametrize("name", PROCESSORS)
def test_processors_of_transformers_give_what_the_authors_transforms_give(name, size):
    kind, settings = PROCESSORS[name]
    picture = painted(*size)
    found = getattr(transformers, kind)(**settings)(images=[picture], return_tensors="np")["pixel_values"][0]
    height, width = size
    long = int(800 * max(size) / min(size))
    shape = (640, 640) if name != "detr" else ((long, 800) if height > width else (800, long))
    small = np.asarray(Image.fromarray(picture).resize(shape[::-1], Image.Resampling.BILINEAR)) / 255
    expected = small if name == "rt_detr" else (small - MEAN / 255) / (STD / 255)
    np.testing.assert_allclose(found, expected.transpose(2, 0, 1), atol=1e-5)


# OpenCV's, dlib's and ImageNet's networks, on photographs.


@pytest.fixture(scope="module", params=["upright", "lying"])
def portrait(request, photo) -> np.ndarray:
    picture = photo("P001", "amateur_selfie")
    return np.pad(picture, ((0, 0), (300, 150), (0, 0)), mode="edge") if request.param == "lying" else picture


def package_file(file: dict) -> str:
    return str(Path(find_spec(file["package"]).submodule_search_locations[0]) / file["path"])


def test_yunet_is_asked_at_the_picture_s_own_size_as_opencv_s_zoo_asks_it(adapter, portrait):
    net = cv2.FaceDetectorYN.create(
        package_file(ENTRIES["yunet"]["weights"]["net"]), "", portrait.shape[1::-1], 0.5, 0.3
    )
    [face] = net.detect(cv2.cvtColor(portrait, cv2.COLOR_RGB2BGR))[1]
    [found] = adapter("yunet").detect([portrait])
    np.testing.assert_allclose(found.boxes, [[*face[:2], *(face[:2] + face[2:4])]], atol=1e-3)
    np.testing.assert_allclose(found.scores, [face[14]], atol=1e-6)


def test_sface_s_vector_is_that_of_opencv_s_own_steps(adapter, heads):
    weights = ENTRIES["sface"]["weights"]
    detector = cv2.FaceDetectorYN.create(package_file(weights["detector"]), "", (320, 320), 0.5, 0.3)
    net = cv2.FaceRecognizerSF.create(package_file(weights["net"]), "")
    for face in (face for faces in heads.values() for face in faces):
        bgr = cv2.cvtColor(face, cv2.COLOR_RGB2BGR)
        [points] = detector.detect(cv2.resize(bgr, (320, 320), interpolation=cv2.INTER_AREA))[1]
        expected = net.feature(net.alignCrop(bgr, np.append(points[:14] * (512 / 320), points[14]).astype(np.float32)))
        np.testing.assert_allclose(adapter("sface").embed([face])[0], expected[0], atol=0.01)


def test_dlib_s_vector_is_near_that_of_a_face_that_dlib_finds_itself(adapter, heads):
    """As in dlib's face_recognition.py; 0.6 is its limit between two people."""
    import dlib

    weights = {name: package_file(file) for name, file in ENTRIES["dlib_faces"]["weights"].items()}
    points, net = dlib.shape_predictor(weights["points"]), dlib.face_recognition_model_v1(weights["net"])
    for face in (faces[0] for faces in heads.values()):
        box = max(dlib.get_frontal_face_detector()(face, 0), key=lambda one: one.area())
        expected = np.array(net.compute_face_descriptor(face, points(face, box)))
        assert np.linalg.norm(adapter("dlib_faces").embed([face])[0] - expected) < 0.15


def test_efficientnet_is_given_the_whole_picture_squeezed_with_its_authors_numbers(adapter, portrait, monkeypatch):
    """Its authors crop the middle: here, all of a picture counts."""
    small = cv2.resize(portrait, (224, 224), interpolation=cv2.INTER_AREA)
    values = torch.from_numpy((small.astype(np.float32) - 127) / 128).permute(2, 0, 1)[None]
    with torch.inference_mode():
        expected = adapter("efficientnet")._net.extract_features(values).mean(dim=(2, 3))
    for mkldnn in (True, False):  # processors that oneDNN doesn't know have torch's own convolutions
        monkeypatch.setattr(torch.backends.mkldnn, "is_available", lambda is_there=mkldnn: is_there)
        np.testing.assert_allclose(adapter("efficientnet").embed([portrait]), expected, atol=1e-5)


DETECTED = "test_boxes_are_those_of_the_saved_network_in_px_of_each_picture"
PEOPLE = "test_boxes_of_people_best_first"
MASKED = "test_masks_are_the_queries_of_the_class_on_their_pictures"
RESTORED = "test_restorers_see_the_face_at_512_px_and_their_answer_is_rounded_as_theirs"
PROMPTED = "test_what_fits_a_prompt_is_found_in_px_of_the_picture"
GROUNDED = "test_what_grounding_dino_finds_is_in_px_of_the_picture"
MMDET = "test_detectors_of_mmdetection_see_what_its_test_pipeline_gives"
MMPOSE = "test_keypoints_are_those_of_mmpose"
INSIGHT = "test_faces_are_given_as_insightface_s_evaluation_gives_them"
RESTYLED = "test_restyle_sees_what_torchvision_s_resize_gives"
ANSWERED = "test_answers_are_those_of_the_network_asked_alone"
PAIRED = "test_confidences_are_cosines_and_none_where_there_is_no_vector"
BEGUN = "test_features_are_those_of_the_library_for_the_same_weights"
HELD = {
    "vit": "test_answers_are_the_classes_of_transformers_highest_output",
    "yunet": "test_yunet_is_asked_at_the_picture_s_own_size_as_opencv_s_zoo_asks_it",
    "mtcnn": "test_mtcnn_finds_what_the_package_s_own_cascade_finds",
    "blazeface": "test_a_face_s_box_and_score",
    "blazepeople_boxes": "test_masks",
    "blazepeople_masks": "test_masks",
    "blazepose": "test_keypoints_and_how_visible_they_are",
    "selfie_mask": "test_masks",
    "sface": "test_sface_s_vector_is_that_of_opencv_s_own_steps",
    "dlib_age_gender": "test_the_shipped_model_says_what_its_package_says",
    "dlib_faces": "test_dlib_s_vector_is_near_that_of_a_face_that_dlib_finds_itself",
    "efficientnet": "test_efficientnet_is_given_the_whole_picture_squeezed_with_its_authors_numbers",
    "blazeparts": "test_keypoints_and_how_visible_they_are",
    "facemesh": "test_a_face_s_mesh",
    "bicubic": "test_bicubic_keeps_what_is_smooth",
    "lpips_vgg": "test_the_distance_is_that_of_the_package",
    "faster_rcnn": PEOPLE,
    "fcos": PEOPLE,
    "cascade_rcnn": MMDET,
    "ddod": MMDET,
    "detr": DETECTED,
    "conditional_detr": DETECTED,
    "deformable_detr": DETECTED,
    "rt_detr": DETECTED,
    "yolos": DETECTED,
    "owlv2_people": PROMPTED,
    "owlv2_faces": PROMPTED,
    "owlv2_logos": PROMPTED,
    "grounding_dino": GROUNDED,
    "grounding_dino_logos": GROUNDED,
    "mask_rcnn": "test_masks_go_with_their_scores",
    "cascade_mask_rcnn": MMDET,
    "mask2former": MASKED,
    "segformer_people": "test_regions_of_people_are_the_pixels_of_their_classes",
    "simple_baseline": MMPOSE,
    "hrnet": MMPOSE,
    "rtmpose": MMPOSE,
    "vitpose": "test_keypoints_are_where_the_heatmaps_peak_in_each_box",
    "keypoint_rcnn": "test_keypoints_are_those_of_the_person_in_the_box",
    "retinaface": "test_retinaface_sees_the_picture_at_its_own_size",
    "dml_csr": "test_dml_csr_sees_a_letterbox_of_its_colours_and_labels_go_back_from_it",
    "segformer_faces": "test_labels_of_faces_go_by_name",
    "arcface": INSIGHT,
    "curricularface": INSIGHT,
    "facenet": "test_facenet_is_given_what_the_package_cuts_out",
    "seer": "test_a_picture_is_embedded_as_the_average_of_the_last_feature_map",
    **dict.fromkeys(("clip_base", "clip_large"), "test_cosines_are_the_logits_of_transformers_without_scale_and_bias"),
    "clip_texts": "test_sentences_are_the_texts_of_the_same_network_and_long_ones_are_cut",
    **dict.fromkeys(("minilm", "sentence_t5_base", "sentence_t5_xxl"), "test_vectors_are_means_over_tokens"),
    "restyle_e4e": RESTYLED,
    "restyle_psp": RESTYLED,
    "gfpgan": RESTORED,
    "gpen": RESTORED,
    "clip_base": "test_cosines_are_the_logits_of_transformers_without_scale_and_bias",
    "clip_large": "test_cosines_are_the_logits_of_transformers_without_scale_and_bias",
    **dict.fromkeys(("blip2", "llava_7b", "llava_13b", "llava_34b"), ANSWERED),
    **dict.fromkeys(("yunet_sface", "mtcnn_dlib", "blazeface_sface_24"), PAIRED),
    "xception_imagenet": "test_features_are_those_of_the_published_xception",
    **dict.fromkeys(("efficientnet_b4_imagenet", "vit_b16_imagenet"), BEGUN),
    "sd2_inpainting": None,
    "big_lama": None,
}
"""Entry -> the test that holds it against its authors' code; None: a painter, which no measure is taken of."""


@pytest.mark.parametrize("name", ENTRIES)
def test_every_entry_is_held_against_its_authors_code(name):
    assert name in HELD, "write a comparison, and name it in HELD"
    if ENTRIES[name]["task"] == "inpainting":
        return
    tests = Path(__file__).parents[1]
    files = [path.read_text() for room in ("evaluate", "train") for path in (tests / room).glob("test_*.py")]
    assert sum(f"def {HELD[name]}(" in text for text in files) == 1
