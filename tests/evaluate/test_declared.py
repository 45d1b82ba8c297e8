"""Networks that models.yaml declares: ONNX graphs and TorchScript programs, made here, loaded by the ordinary path."""

import pickle
import warnings
from pathlib import Path

import numpy as np
import onnx
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from onnx import TensorProto, helper, numpy_helper
from torch.nn.functional import interpolate

from accord import vocabularies
from accord.engine import provenance
from accord.errors import AccordError
from accord.models import loading
from accord.models.adapters.declaring import placing
from accord.models.adapters.declaring.declared_keypoints import peaks
from accord.models.adapters.declaring.sampling import sampled

FLOAT = TensorProto.FLOAT
ECHO = {"picture": {"output": "y"}}
TASKS = {"detect": "person_localization", "estimate": "keypoint_estimation", "parse": "person_parsing"}
TASKS |= {"embed": "face_verification", "label": "face_parsing", "restore": "face_encoding"}
TASKS |= {"parts": "body_parts_detection"}


def graph(nodes: list, outputs: list[str], constants: dict | None = None, **model) -> onnx.ModelProto:
    """A graph of nodes from `x` to outputs, of constants by name."""
    held = [numpy_helper.from_array(np.asarray(v), k) for k, v in (constants or {}).items()]
    ends = [helper.make_tensor_value_info(name, FLOAT, None) for name in outputs]
    start = helper.make_tensor_value_info("x", FLOAT, [None] * 4)
    made = helper.make_graph(nodes, "g", [start], ends, held)
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)], ir_version=9, **model)


def echo() -> onnx.ModelProto:
    return graph([helper.make_node("Identity", ["x"], ["y"])], ["y"])


def constant(**arrays) -> onnx.ModelProto:
    """A graph that always answers the same."""
    constants = {f"{name}_": np.float32(value) for name, value in arrays.items()}
    nodes = [helper.make_node("Identity", [f"{name}_"], [name]) for name in arrays]
    return graph(nodes, list(arrays), constants)


def load(folder: Path, model: onnx.ModelProto | bytes, method: str, **options):
    path = folder / "net.onnx"
    path.write_bytes(model if isinstance(model, bytes) else model.SerializeToString())
    return load_file(folder, path, "accord.evaluate.adapters.onnx:Onnx", method, options)


def load_file(folder: Path, path: Path, adapter: str, method: str, options: dict, **more: Path):
    files = {
        name: {"path": file.name, "sha256": provenance.sha256(file)} for name, file in {"net": path, **more}.items()
    }
    entry = {"name": "small", "task": TASKS[method], "adapter": adapter, "batch": 2}
    return loading.load({**entry, "weights": files, "options": options}, folder, method)


@pytest.fixture(scope="module")
def picture() -> np.ndarray:
    return np.random.default_rng(5).integers(0, 256, (24, 32, 3), dtype=np.uint8)


sides = st.integers(1, 300)


@given(sides, sides, sides, sides, st.sampled_from(["squeezed", "letterboxed", "cropped"]))
def test_points_come_back_from_where_they_were_put(height, width, rows, columns, fit):
    placed = getattr(placing, fit)((height, width), (rows, columns))
    points = np.array([[0.0, 0.0], [width, height], [width / 3, height / 2]])
    np.testing.assert_allclose(placed.to_picture(points * placed.scale + placed.shift), points, atol=1e-9 * width)
    ends = np.array([[0.0, 0.0], [width, height]]) * placed.scale + placed.shift
    holds = {"squeezed": [[0, 0], [columns, rows]]}.get(fit)
    if holds is not None:
        np.testing.assert_allclose(ends, holds, atol=1e-9)
    inner = (ends >= -1e-9).all() and (ends <= np.array([columns, rows]) + 1e-9).all()
    assert inner or fit == "cropped"


def test_a_picture_in_a_letterbox_has_grey_beside_it_and_its_places_where_they_belong():
    picture = np.zeros((20, 40, 3), np.uint8)
    picture[5:15, 30:40] = 200
    placed = placing.letterboxed((20, 40), (80, 80))
    shown = sampled(picture, placed, pad=114)
    assert (shown[:20] == 114).all()
    assert (shown[60:] == 114).all()
    assert (shown[31:49, 61:80] == 200).all()
    assert (shown[20:60, :58] == 0).all()
    back = placing.unplaced(shown[:, :, 0].astype(np.float32), placed)
    np.testing.assert_allclose(back[6:14, 31:], 200, atol=1)
    np.testing.assert_allclose(back[:, :29], 0, atol=1)


def test_fine_texture_is_averaged_when_it_shrinks():
    stripes = np.zeros((160, 160, 3), np.uint8)
    stripes[:, ::2] = 200
    assert np.ptp(sampled(stripes, placing.squeezed((160, 160), (20, 20)))) <= 1


@pytest.mark.parametrize("order", ["rgb", "bgr"])
@pytest.mark.parametrize("layout", ["nchw", "nhwc"])
@pytest.mark.parametrize("between", [[0, 1], [-1, 1], [0, 255]])
def test_what_a_graph_echoes_is_the_picture(tmp_path, picture, order, layout, between):
    told = {"order": order, "layout": layout, "range": between}
    net = load(
        tmp_path, echo(), "restore", input={"size": [24, 32], **told}, outputs={"picture": {"output": "y", **told}}
    )
    [found] = net.restore([picture])
    np.testing.assert_array_equal(found, picture)


def test_numbers_are_those_that_the_declaration_says(tmp_path):
    told = {"size": [1, 1], "order": "bgr", "mean": [0.1, 0.2, 0.3], "std": [0.5, 1, 2]}
    net = load(tmp_path, echo(), "embed", input=told, outputs={"vector": {"output": "y"}})
    [found] = net.embed([np.full((4, 4, 3), (51, 102, 204), np.uint8)])
    np.testing.assert_allclose(found, [(0.8 - 0.1) / 0.5, 0.4 - 0.2, (0.2 - 0.3) / 2], atol=1e-6)


def test_a_window_of_the_picture_is_shown(tmp_path, picture):
    told = {"size": [12, 8], "window": [0.25, 0.5, 0.5, 1.0]}
    net = load(tmp_path, echo(), "restore", input=told, outputs=ECHO)
    np.testing.assert_array_equal(net.restore([picture])[0], picture[12:, 8:16])


def test_pictures_of_many_sizes_get_the_same_answers_together_and_alone(tmp_path, picture):
    pictures = [picture, picture[:10], picture[:, :7]]
    told = {"input": {"size": [16, 16], "fit": "letterbox"}, "outputs": {"vector": {"output": "y"}}}
    alone = load(tmp_path, echo(), "embed", **told).embed(pictures)
    together = load(tmp_path, echo(), "embed", together=True, **told)
    np.testing.assert_array_equal(together.embed(pictures), alone)
    assert together.embed([]) == []


BOXES = [[10, 10, 30, 50], [12, 10, 30, 50], [60, 60, 80, 80], [0, 0, 9, 9]]


@pytest.mark.parametrize(
    ("boxes", "told"),
    [
        (np.array(BOXES), {}),
        (np.array([BOXES]) / 100, {"units": "fractions"}),
        ([[x, y, right - x, bottom - y] for x, y, right, bottom in BOXES], {"form": "xywh"}),
        ([[[(x + r) / 2, (y + b) / 2, r - x, b - y] for x, y, r, b in BOXES]], {"form": "cxcywh"}),
        (np.array(BOXES).T[np.newaxis], {"transposed": True}),
        (np.pad(np.array(BOXES), ((0, 0), (2, 1))), {"first": 2}),
    ],
)
def test_boxes_come_back_in_px_of_the_picture_without_those_that_overlap(tmp_path, boxes, told):
    scores = [[0.1, 0.9], [0.2, 0.8], [0.3, 0.7], [0.99, 0.01]]
    outputs = {"boxes": {"output": "boxes", **told}, "scores": {"output": "scores", "column": 1}}
    shape = {"size": [100, 100], "fit": "letterbox"}
    answer = constant(boxes=boxes, scores=scores)
    net = load(tmp_path, answer, "detect", input=shape, outputs=outputs, overlap=0.5, label="face")
    [found] = net.detect([np.zeros((100, 200, 3), np.uint8)])
    # Half the size, and 25 px further down, in the input.
    np.testing.assert_allclose(found.boxes, [[20, -30, 60, 50], [120, 70, 160, 110]], atol=1e-4)
    np.testing.assert_allclose(found.scores, [0.9, 0.7], atol=1e-6)
    assert found.labels == ["face", "face"]


def test_boxes_end_at_the_edge_of_the_picture_where_that_is_declared(tmp_path):
    answer, shape = constant(b=[[-4, 10, 30, 60]], s=[0.9]), {"size": [64, 64], "fit": "corner"}
    for clip, expected in ((True, [0, 20, 60, 100]), (False, [-8, 20, 60, 120])):
        outputs = {"boxes": {"output": "b", "clip": clip}, "scores": {"output": "s"}}
        net = load(tmp_path, answer, "detect", input=shape, outputs=outputs)
        # Half the size in the input: 64 x 50 of its 64 x 64 px are the picture.
        [found] = net.detect([np.zeros((100, 128, 3), np.uint8)])
        np.testing.assert_allclose(found.boxes, [expected], atol=1e-4)


def test_classes_activations_and_objectness_count_and_the_best_are_kept(tmp_path):
    logits = np.log([[1, 3], [1, 1], [9, 1], [1, 1e9]])
    outputs = {"boxes": {"output": "b"}, "classes": {"output": "c", "keep": [0, 7]}}
    outputs |= {"scores": {"output": "s", "column": 1, "activation": "softmax"}}
    outputs |= {"objectness": {"output": "o", "activation": "sigmoid"}}
    answer = constant(b=BOXES, c=[0, 7, 0, 3], s=logits, o=[0, np.log(3), 0, 0])
    net = load(tmp_path, answer, "detect", input={"size": [100, 100]}, outputs=outputs, most=2)
    [found] = net.detect([np.zeros((100, 100, 3), np.uint8)])
    np.testing.assert_allclose(found.scores, [0.75 * 0.5, 0.5 * 0.75], atol=1e-6)
    np.testing.assert_allclose(found.boxes, BOXES[:2], atol=1e-4)


def test_masks_cover_the_input_or_their_boxes(tmp_path):
    """The mask is the red of the picture, as the graph sees it."""
    picture = np.zeros((40, 60, 3), np.uint8)
    picture[10:30, 20:50, 0] = 255
    first = helper.make_node("Slice", ["x", "zero", "one", "axis"], ["m"])
    score = helper.make_node("Identity", ["half"], ["s"])
    numbers = {"zero": np.array([0]), "one": np.array([1]), "axis": np.array([1]), "half": np.float32([0.5])}
    outputs = {"masks": {"output": "m"}, "scores": {"output": "s"}}
    net = load(tmp_path, graph([first, score], ["m", "s"], numbers), "parse", input={"size": [40, 60]}, outputs=outputs)
    [[mask]] = net.parse([picture])
    np.testing.assert_array_equal(mask.mask, picture[:, :, 0] > 0)
    assert (mask.score, mask.label) == (0.5, "person")

    answer = constant(m=[[[1] * 10 + [0] * 10] * 20], s=[0.9], b=[[10, 10, 30, 30]])
    outputs = {"masks": {"output": "m", "cover": "box"}, "scores": {"output": "s"}, "boxes": {"output": "b"}}
    [[mask]] = load(tmp_path, answer, "parse", input={"size": [40, 60]}, outputs=outputs).parse([picture])
    expected = np.zeros((40, 60), bool)
    expected[10:30, 10:20] = True
    np.testing.assert_array_equal(mask.mask, expected)


def test_labels_are_the_best_of_the_layers_or_the_numbers_themselves(tmp_path):
    picture = np.zeros((8, 8, 3), np.uint8)
    picture[:, :4, 1], picture[:, 4:, 2] = 255, 255
    net = load(tmp_path, echo(), "label", input={"size": [8, 8]}, outputs={"labels": {"output": "y", "to": [0, 17, 3]}})
    np.testing.assert_array_equal(net.label([picture])[0], np.repeat([[17] * 4 + [3] * 4], 8, axis=0))
    answer = constant(y=np.repeat([[[0] * 2 + [2] * 2]], 4, axis=1))
    told = {"input": {"size": [4, 4]}, "outputs": {"labels": {"output": "y", "to": [0, 0, 1]}}}
    [found] = load(tmp_path, answer, "label", **told).label([picture])
    np.testing.assert_array_equal(found, np.repeat([[0] * 4 + [1] * 4], 8, axis=0))
    [[mask]] = load(tmp_path, answer, "parse", **told).parse([picture])
    np.testing.assert_array_equal(mask.mask, found == 1)


@given(st.integers(1, 9), st.integers(1, 9), st.integers(1, 20), st.integers(1, 20), st.booleans())
def test_scores_are_enlarged_as_torch_does_it(rows, columns, height, width, align_corners):
    values = np.random.default_rng(rows).normal(size=(3, rows, columns)).astype(np.float32)
    found = placing.enlarged(values, (height, width), align_corners)
    expected = interpolate(torch.tensor(values)[None], (height, width), mode="bilinear", align_corners=align_corners)
    np.testing.assert_allclose(found, expected[0], atol=1e-5)


def test_a_peak_is_a_quarter_of_a_cell_towards_its_higher_neighbour():
    maps = np.zeros((1, 4, 6))
    maps[0, 2, 3], maps[0, 2, 4], maps[0, 1, 3] = 1.0, 0.5, 0.2
    places, scores = peaks(maps, (40, 60))
    np.testing.assert_allclose(places, [[(3.5 + 0.25) * 10, (2.5 - 0.25) * 10]])
    assert scores == [1.0]


def told_pose(form: str) -> tuple[dict, dict]:
    """Outputs that put all keypoints at 12.5, 22.5 of a 32 x 64 px input, and how they are declared."""
    if form == "points":
        return {"y": [[12.5, 22.5, 0.5]] * 17}, {"output": "y"}
    if form == "simcc":
        across, down = np.zeros((1, 17, 32)), np.zeros((1, 17, 64))
        across[:, :, 12], down[:, :, 22] = 0.5, 0.7
        return {"y": across, "z": down}, {"output": "y", "second": "z"}
    maps = np.zeros((1, 17, 64, 32))
    maps[:, :, 22, 12] = 0.5
    return {"y": maps}, {"output": "y"}


@pytest.mark.parametrize("form", ["points", "simcc", "heatmaps"])
def test_keypoints_come_back_from_the_crop_around_each_box(tmp_path, form):
    arrays, declared = told_pose(form)
    outputs = {"keypoints": {"form": form, **declared}}
    net = load(tmp_path, constant(**arrays), "estimate", input={"size": [64, 32], "margin": 1.0}, outputs=outputs)
    picture = np.zeros((200, 200, 3), np.uint8)
    # 32 x 64 px of input show 64 x 128 px around the box's middle, 100, 100.
    [pose] = net.estimate([picture], [np.array([90, 36, 110, 164])])
    np.testing.assert_allclose(pose.points, [[68 + 25, 36 + 45]] * 17, atol=1e-4)
    np.testing.assert_allclose(pose.scores, 0.5, atol=1e-6)
    names = [vocabularies.text(vocabularies.KEYPOINTS[number]) for number in pose.keypoints]
    assert names[:4] == ["Nose", "Right eye", "Left eye", "Right ear"]


def test_left_and_right_are_told_apart_by_name(tmp_path):
    points = np.zeros((17, 2))
    points[5] = 10, 20  # COCO's sixth is the left shoulder
    outputs = {"keypoints": {"output": "y", "form": "points"}}
    net = load(tmp_path, constant(y=points), "estimate", input={"size": [32, 32], "margin": 1.0}, outputs=outputs)
    [pose] = net.estimate([np.zeros((32, 32, 3), np.uint8)], [np.array([0, 0, 32, 32])])
    [at] = np.flatnonzero(pose.points[:, 0] == 10)
    assert vocabularies.KEYPOINTS[pose.keypoints[at]] == "12. Left shoulder"


def test_parts_are_told_with_their_chances(tmp_path):
    outputs = {"parts": {"output": "y", "names": ["Face", "Hand"], "activation": "sigmoid"}}
    net = load(tmp_path, constant(y=[0, np.log(3)]), "parts", input={"size": [8, 8]}, outputs=outputs)
    [found] = net.parts([np.zeros((9, 9, 3), np.uint8)], [np.array([0, 0, 9, 9])])
    assert found == pytest.approx({"Face": 0.5, "Hand": 0.75})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"input": {"size": [8]}}, r"option input: size must be a list of 2 numbers, not \[8\]"),
        ({"input": {"size": [0, 8]}}, "whole numbers from 1 to 8192"),
        ({"input": {"fit": "squeeze"}}, "option input: missing 1 required positional argument: 'size'"),
        (
            {"input": {"size": [8, 8], "fit": "stretch"}},
            "fit must be one of squeeze, letterbox, corner, crop, not 'stretch'",
        ),
        ({"input": {"size": [8, 8], "sampling": "area"}}, "sampling must be one of averaged, opencv, pillow"),
        ({"input": {"size": [8, 8], "pad": 300}}, "pad must be a whole number from 0 to 255, or mean, not 300"),
        ({"input": {"size": [8, 8], "origin": "centre"}}, "origin: centre requires fit: letterbox, not squeeze"),
        ({"input": {"size": {"short": 8, "long": 9}}}, "a size with short and long requires fit: corner"),
        ({"input": {"size": {"short": 8}, "fit": "corner"}}, "size must have short and long, and may have"),
        (
            {"input": {"size": {"short": 9, "long": 8}, "fit": "corner"}},
            "long must be at least short, not 8 with short 9",
        ),
        (
            {"input": {"size": {"short": 8, "long": 9.5}, "fit": "corner"}},
            r"long must be a whole number from 1 to \d+, not 9\.5",
        ),
        ({"outputs": {"labels": {"output": "y", "align_corners": True}}}, "align_corners requires best: input"),
        ({"outputs": {"keypoints": {"output": "y", "form": "points", "mirrored": True}}}, "mirrored requires heatmaps"),
        ({"input": {"size": [8, 8], "colour": 1}}, "got an unexpected keyword argument 'colour'"),
        ({"outputs": {"heads": {}}}, "option outputs: has no output heads"),
        (
            {"input": {"size": [8, 8], "std": [float("nan")] * 3}},
            "std must be a list of 3 numbers, not .nan, nan, nan.",
        ),
        ({"input": {"size": [8, 8], "std": [0, 1, 1]}}, "std must not contain 0, but is .0, 1, 1."),
        ({"input": {"size": [8, 8], "range": [0, 0]}}, "range must have two different numbers, not .0, 0."),
        ({"input": {"size": [8, 8], "margin": -1}}, "margin must be a number above 0, not -1"),
        ({"min_score": "x"}, "option min_score: must be a number, not 'x'"),
        ({"overlap": -1}, "option overlap: must be a number from 0 to 1, or null, not -1"),
        ({"most": 0}, "option most: must be a whole number of at least 1, not 0"),
        (
            {"outputs": {"scores": {"output": "y", "activation": "relu"}}},
            r"option outputs\.scores: activation must be one of .*, not 'relu'",
        ),
        ({"outputs": {"keypoints": {"output": "y", "form": "simcc"}}}, "second is required with form: simcc"),
    ],
)
def test_what_is_declared_wrongly_is_told(tmp_path, options, message):
    told = {"input": {"size": [8, 8]}, "outputs": ECHO, **options}
    with pytest.raises(AccordError, match=message):
        load(tmp_path, echo(), "restore", **told)


@pytest.mark.parametrize("column", [9, -9])
def test_a_column_that_is_not_there_is_told(tmp_path, picture, column):
    answer = constant(d=[[[0, 0, 1, 1, 0.5]]])
    outputs = {"boxes": {"output": "d"}, "scores": {"output": "d", "column": column}}
    net = load(tmp_path, answer, "detect", input={"size": [8, 8]}, outputs=outputs)
    with pytest.raises(AccordError, match=f"option outputs: d: column is {column}, but the output has 5 columns"):
        net.detect([picture])


def test_a_network_that_is_blinded_is_told_not_scored(tmp_path, picture):
    answer = constant(b=[[[0, 0, 1, 1]]], s=[[float("nan")]])
    outputs = {"boxes": {"output": "b"}, "scores": {"output": "s"}}
    net = load(tmp_path, answer, "detect", input={"size": [8, 8]}, outputs=outputs)
    with pytest.raises(AccordError, match="the network's scores are not finite"):
        net.detect([picture])


def test_people_need_crops_of_one_size(tmp_path, picture):
    told = {"size": {"short": 8, "long": 9}, "fit": "corner"}
    net = load(tmp_path, echo(), "estimate", input=told, outputs={"keypoints": {"output": "y"}})
    with pytest.raises(AccordError, match="option input: size: has short and long, but crops of people need one"):
        net.estimate([picture], [np.array([0, 0, 8, 8])])


@given(sides, sides, st.integers(1, 300), st.integers(0, 300), st.integers(1, 64), st.booleans())
def test_a_size_that_follows_the_picture_keeps_its_proportions_within_its_bounds(h, w, short, more, multiple, enlarge):
    long = short + more
    placed = placing.bounded((h, w), short, long, multiple, enlarge)
    width, height = placed.ends()[1]
    assert min(width, height) <= short + 1e-6
    assert max(width, height) <= long + 1e-6
    assert abs(width - np.rint(width)) < 1e-6
    assert abs(height - np.rint(height)) < 1e-6
    if not enlarge:
        assert (placed.scale <= 1 + 1e-9).all()
    assert all(side % multiple == 0 and -1e-6 < side - shown < multiple + 1e-6 for side, shown in
               zip(placed.size, (height, width), strict=True))  # fmt: skip
    upright = placing.bounded((w, h), short, long, multiple, enlarge)
    assert upright.size == placed.size[::-1]


def test_what_the_graph_does_not_have_is_told(tmp_path, picture):
    net = load(tmp_path, echo(), "restore", input={"size": [8, 8]}, outputs={"picture": {"output": "image"}})
    with pytest.raises(AccordError, match="option outputs: names unknown outputs: image\n    hint: the network has y"):
        net.restore([picture])
    with pytest.raises(AccordError, match="lacks vector, which this task needs"):
        net.embed([picture])
    fixed = echo()
    for dim, side in zip(fixed.graph.input[0].type.tensor_type.shape.dim, (1, 3, 8, 8), strict=True):
        dim.dim_value = side
    net = load(tmp_path, fixed, "restore", input={"size": [9, 8]}, outputs=ECHO)
    with pytest.raises(AccordError, match=r"option input: the graph rejects an input of shape \(1, 3, 9, 8\)"):
        net.restore([picture])


def outside(location: str, nested: bool = False) -> onnx.ModelProto:
    """A graph that adds a number, which it takes from a file."""
    told = TensorProto(name="far", data_type=FLOAT, dims=[1], data_location=TensorProto.EXTERNAL)
    told.external_data.add(key="location", value=location)
    told.external_data.add(key="length", value="4")
    made = graph([helper.make_node("Add", ["x", "far"], ["y"])], ["y"])
    made.graph.initializer.append(told)
    if nested:
        inner = helper.make_graph(made.graph.node, "inner", [], made.graph.output, made.graph.initializer)
        yes = numpy_helper.from_array(np.array(True), "yes")
        either = helper.make_node("If", ["yes"], ["y"], then_branch=inner, else_branch=inner)
        made = graph([either], ["y"], {})
        made.graph.initializer.append(yes)
    return made


@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize("location", ["../secret.bin", "{parent}/secret.bin", "beside.bin", "sub/../../secret.bin"])
def test_a_graph_that_reads_other_files_is_refused(tmp_path, location, nested):
    folder = tmp_path / "weights"
    folder.mkdir()
    for file in (tmp_path / "secret.bin", folder / "beside.bin"):
        file.write_bytes(np.float32([1]).tobytes())
    with pytest.raises(AccordError, match=r"net\.onnx: reads data from '.*\.bin', which models\.yaml doesn't list"):
        load(folder, outside(location.format(parent=tmp_path), nested), "restore", input={"size": [8, 8]}, outputs=ECHO)


def test_data_that_models_yaml_lists_are_read_and_a_link_out_of_the_folder_is_not(tmp_path):
    beside, net = tmp_path / "beside.bin", tmp_path / "net.onnx"
    beside.write_bytes(np.float32([0.2]).tobytes())
    net.write_bytes(outside("beside.bin").SerializeToString())
    options = {"input": {"size": [2, 2]}, "outputs": ECHO}
    adapter = "accord.evaluate.adapters.onnx:Onnx"
    loaded = load_file(tmp_path, net, adapter, "restore", options, data=beside)
    assert (loaded.restore([np.zeros((2, 2, 3), np.uint8)])[0] == 51).all()
    beside.write_bytes(np.float32([0.4]).tobytes())
    files = {
        "net": {"path": "net.onnx", "sha256": provenance.sha256(net)},
        "data": {"path": "beside.bin", "sha256": "0" * 64},
    }
    entry = {"name": "small", "task": "face_encoding", "adapter": adapter, "weights": files, "options": options}
    with pytest.raises(AccordError, match=r"its weights .*beside\.bin have sha256"):
        loading.load(entry, tmp_path, "restore")


def test_operators_of_others_and_files_that_are_none_are_refused(tmp_path):
    made = graph([helper.make_node("Phone", ["x"], ["y"], domain="example.org")], ["y"])
    made.opset_import.append(helper.make_opsetid("example.org", 1))
    with pytest.raises(AccordError, match=r"net\.onnx: can't be loaded by ONNX Runtime"):
        load(tmp_path, made, "restore", input={"size": [8, 8]}, outputs=ECHO)
    for content in (
        b"\xff" * 100,
        echo().SerializeToString()[:-3],
        b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
    ):
        with pytest.raises(AccordError, match=r"net\.onnx: is not a valid ONNX file"):
            load(tmp_path, content, "restore", input={"size": [8, 8]}, outputs=ECHO)


def script(folder: Path, module, example=None) -> Path:
    """A TorchScript program, saved."""
    import torch

    path = folder / "net.pt"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        made = torch.jit.script(module) if example is None else torch.jit.trace(module, example)
        torch.jit.save(made, str(path))
    return path


SCRIPT = "accord.evaluate.adapters.torchscript:TorchScript"


def test_a_program_embeds_and_restores_and_bfloat16_tells_much_the_same(tmp_path, picture):
    import torch

    torch.manual_seed(3)
    net = torch.nn.Sequential(
        torch.nn.Conv2d(3, 8, 5), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(8 * 144, 16)
    )
    path = script(tmp_path, net.eval(), torch.zeros(1, 3, 16, 16))
    options = {"input": {"size": [16, 16], "mean": [0.5] * 3}, "outputs": {"vector": {"output": "out0"}}}
    pictures = [picture, 255 - picture]
    found = load_file(tmp_path, path, SCRIPT, "embed", options).embed(pictures)
    together = load_file(tmp_path, path, SCRIPT, "embed", {**options, "together": True}).embed(pictures)
    np.testing.assert_allclose(found, together, atol=1e-5)
    less = load_file(tmp_path, path, SCRIPT, "embed", {**options, "precision": "bfloat16"}).embed(pictures)
    for one, other in zip(found, less, strict=True):
        assert np.abs(one - other).max() > 0
        assert one @ other / np.linalg.norm(one) / np.linalg.norm(other) > 0.999
    with pytest.raises(
        AccordError, match="option precision: unknown value 'int4'\n    hint: use one of float32, bfloat16, float16"
    ):
        load_file(tmp_path, path, SCRIPT, "embed", {**options, "precision": "int4"})

    path = script(tmp_path, torch.nn.Upsample(scale_factor=2), torch.zeros(1, 3, 24, 32))
    told = {"input": {"size": [24, 32], "range": [-1, 1]}, "outputs": {"picture": {"output": "out0", "range": [-1, 1]}}}
    [larger] = load_file(tmp_path, path, SCRIPT, "restore", told).restore([picture])
    np.testing.assert_array_equal(larger, picture.repeat(2, axis=0).repeat(2, axis=1))


class Payload:
    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return Path.touch, (self.path,)


def test_programs_that_reach_out_and_pickles_are_refused_and_not_run(tmp_path):
    import torch

    options = {"input": {"size": [8, 8]}, "outputs": ECHO}
    harmed = tmp_path / "harmed"

    class Reaching(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x + torch.from_file("harmed", shared=True, size=1)

    path = script(tmp_path, Reaching())
    with pytest.raises(AccordError, match=r"net\.pt: is a program that calls from_file"):
        load_file(tmp_path, path, SCRIPT, "restore", options)
    torch.save({"w": Payload(harmed)}, path)
    with pytest.raises(AccordError, match=r"net\.pt: is not a valid TorchScript program"):
        load_file(tmp_path, path, SCRIPT, "restore", options)
    path.write_bytes(pickle.dumps(Payload(harmed)))
    with pytest.raises(AccordError, match=r"net\.pt: is not a valid TorchScript program"):
        load_file(tmp_path, path, SCRIPT, "restore", options)
    assert not harmed.exists()
