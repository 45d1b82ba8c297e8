"""The example in docs/models.md runs as it is printed, and the table lists what ships."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
import yaml
from onnx import TensorProto, helper, numpy_helper

from accord import cli
from accord.engine import provenance
from accord.errors import AccordError
from accord.evaluate import try_command
from accord.imaging.decode import encode_png
from accord.models import loading, registry

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs/models.md").read_text()
SCHEMA = ROOT / "workflow/schemas/models.schema.yaml"


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)


def test_the_example_finds_the_face(tmp_path, monkeypatch, photo):
    monkeypatch.chdir(tmp_path)
    Path("config").mkdir()
    Path("config/cascade.py").write_text(blocks("python")[0])
    Path("config/models.yaml").write_text(blocks("yaml")[2])
    assert sum(block.count("\n") for block in (blocks("python")[0], blocks("yaml")[2])) < 30
    found = registry.read({"models": "config/models.yaml", "run": ["cascade"]}, SCHEMA)
    detector = loading.load(json.loads(found.spec("cascade")), tmp_path, "detect")
    [boxes] = detector.detect([photo("P001", "studio_portrait")])
    assert len(boxes.boxes) == 1
    middle = (boxes.boxes[0, :2] + boxes.boxes[0, 2:]) / 2
    np.testing.assert_allclose(middle, (322, 305), atol=40)


def test_the_example_is_tried_on_a_picture_as_the_documentation_says(tmp_path, monkeypatch, photo, capsys):
    monkeypatch.chdir(tmp_path)
    Path("config").mkdir()
    Path("config/cascade.py").write_text(blocks("python")[0])
    Path("config/models.yaml").write_text(blocks("yaml")[2])
    Path("portrait.png").write_bytes(encode_png(photo("P001", "studio_portrait")))
    [command] = [line.split()[1:] for line in TEXT.splitlines() if line.startswith("    accord try cascade")]
    assert cli.main([word.replace(".jpg", ".png") for word in command]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["picture"], said["boxes"], said["best"][0]["label"]) == ("portrait.png", 1, "face")
    with pytest.raises(AccordError, match=r"nowhere\.png: no such picture"):
        cli.main(["try", "cascade", "nowhere.png"])


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("blazepose", {"keypoints": 33}),
        ("blazepeople_masks", {"masks": 1}),
        ("sface", {"numbers": 128}),
        ("efficientnet", {"numbers": 1280}),
        ("facemesh", {"labels"}),
        ("bicubic", {"size"}),
        ("blazeparts", {"parts"}),
    ],
)
def test_every_kind_of_answer_is_told(name, said, photo):
    settings = {"models": str(ROOT / "config/models.yaml"), "weights": "weights", "run": [name]}
    [answer] = try_command.ask(settings, name, [photo("P001", "studio_portrait")])
    found = json.loads(json.dumps(try_command.told(answer)))
    assert said.items() <= found.items() if isinstance(said, dict) else said <= set(found)


def test_a_model_that_was_run_elsewhere_has_nothing_to_be_asked(tmp_path):
    outputs = {"path": "model_outputs.json", "sha256": "0" * 64}
    entry = {"task": "face_localization", "licence": "MIT", "source": "there", "outputs": outputs}
    (tmp_path / "models.yaml").write_text(yaml.safe_dump({"m": entry}))
    settings = {"models": str(tmp_path / "models.yaml"), "weights": "weights", "run": ["m"]}
    with pytest.raises(AccordError, match="model m: was run elsewhere"):
        try_command.ask(settings, "m", [])


def test_a_graph_that_is_declared_runs(tmp_path):
    """The documentation's entry, with a network that puts one face in the middle of a letterbox."""
    path = tmp_path / "models.yaml"
    rows = np.float32([[[320], [320], [64], [64], [0.9]]])
    node = helper.make_node("Identity", ["c"], ["output0"])
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in ("images", "output0")]
    made = helper.make_graph([node], "g", ends[:1], ends[1:], [numpy_helper.from_array(rows, "c")])
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    (tmp_path / "my_detector.onnx").write_bytes(model.SerializeToString())
    digest = provenance.sha256(tmp_path / "my_detector.onnx")
    path.write_text(blocks("yaml")[0].replace("null", digest))
    settings = {"models": str(path), "weights": str(tmp_path), "run": ["my_detector"]}
    [found] = try_command.ask(settings, "my_detector", [np.zeros((640, 320, 3), np.uint8)])
    np.testing.assert_allclose(found.boxes, [[128, 288, 192, 352]], atol=1e-6)
    assert found.labels == ["face"]


def test_the_table_lists_every_model_with_its_task():
    listed = dict(re.findall(r"^\| `(\w+)` \| (\w+) \|", TEXT, re.MULTILINE))
    shipped = yaml.safe_load((ROOT / "config/models.yaml").read_text())
    begun_with = {name for name, entry in shipped.items() if entry["task"] == "backbone"}
    assert listed == {name: entry["task"] for name, entry in shipped.items() if name not in begun_with}
    assert begun_with and all(f"`{name}`" in TEXT for name in begun_with)


def test_the_entry_that_is_explained_fits_the_schema_but_for_the_sums(tmp_path):
    path = tmp_path / "models.yaml"
    path.write_text(blocks("yaml")[1].replace("sha256: ...", "sha256: " + "a" * 64))
    assert list(registry.read({"models": str(path), "run": ["detr_resnet_50"]}, SCHEMA).entries) == ["detr_resnet_50"]
