"""The example in docs/models.md runs as it is printed, and the table lists what ships."""

import json
import re
from pathlib import Path

import numpy as np
import yaml

from accord.evaluate import loading, models

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs/models.md").read_text()
SCHEMA = ROOT / "workflow/schemas/models.schema.yaml"


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)


def test_the_example_finds_the_face(tmp_path, monkeypatch, photo):
    monkeypatch.chdir(tmp_path)
    Path("config").mkdir()
    Path("config/cascade.py").write_text(blocks("python")[0])
    Path("config/models.yaml").write_text(blocks("yaml")[1])
    found = models.read({"models": "config/models.yaml", "run": ["cascade"]}, SCHEMA)
    detector = loading.load(json.loads(found.spec("cascade")), tmp_path, "detect")
    [boxes] = detector.detect([photo("P001", "studio_portrait")])
    assert len(boxes.boxes) == 1
    middle = (boxes.boxes[0, :2] + boxes.boxes[0, 2:]) / 2
    np.testing.assert_allclose(middle, (322, 305), atol=40)


def test_the_table_lists_every_model_with_its_task():
    listed = dict(re.findall(r"^\| `(\w+)` \| (\w+) \|", TEXT, re.MULTILINE))
    shipped = yaml.safe_load((ROOT / "config/models.yaml").read_text())
    assert listed == {name: entry["task"] for name, entry in shipped.items()}


def test_the_entry_that_is_explained_fits_the_schema_but_for_the_sums(tmp_path):
    path = tmp_path / "models.yaml"
    path.write_text(blocks("yaml")[0].replace("sha256: ...", "sha256: " + "a" * 64))
    assert list(models.read({"models": str(path), "run": ["detr_resnet_50"]}, SCHEMA).entries) == ["detr_resnet_50"]
