"""Weights are found and checked before anything reads them; what is missing or wrong is said."""

import hashlib
import pickle
from pathlib import Path

import numpy as np
import pytest
import torch

from accord.errors import AccordError
from accord.models import adapter_paths, loading, registry, weights

ADAPTER = """
class Mine:
    def __init__(self, weights, factor=1):
        self.data = weights["net"].read_bytes() * factor
    def detect(self, pictures):
        return []
class Hungry(Mine):
    def __init__(self, weights):
        import no_such_package_at_all
"""


@pytest.fixture
def spec(tmp_path: Path) -> dict:
    (tmp_path / "net.bin").write_bytes(b"net")
    (tmp_path / "mine.py").write_text(ADAPTER)
    file = {"path": "net.bin", "sha256": hashlib.sha256(b"net").hexdigest()}
    task = {"task": "face_localization", "batch": 2, "options": {}}
    return {"name": "mine", "adapter": f"{tmp_path}/mine.py:Mine", "weights": {"net": file}, **task}


def test_an_adapter_from_a_file_gets_its_weights_and_options(spec, tmp_path):
    assert loading.load({**spec, "options": {"factor": 2}}, tmp_path, "detect").data == b"netnet"


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"package": "no_such_package"}, "looked for net.bin in the package no_such_package"),
        ({"package": "yaml"}, "looked for net.bin in the package yaml"),
        (
            {"hub": "some/model"},
            "looked for here/some/model/net.bin\n    hint: on a machine with network: accord weights fetch mine",
        ),
        ({"path": "other.bin"}, "looked for here/other.bin\n    hint: put the file there"),
        ({"path": "../outside.bin"}, "looked for here/../outside.bin"),
    ],
)
def test_missing_weights_name_the_model_what_was_looked_for_and_a_hint(entry, message, tmp_path):
    (tmp_path / "here").mkdir()
    (tmp_path / "outside.bin").write_bytes(b"net")
    wanted = {"net": {"path": "net.bin", "sha256": hashlib.sha256(b"net").hexdigest(), **entry}}
    with pytest.raises(AccordError) as error:
        weights.find("mine", wanted, tmp_path / "here")
    assert f"model mine: its weights are missing: {message}" in str(error.value)
    assert "hint:" in str(error.value)


def test_weights_with_another_sha256_are_not_used(spec, tmp_path):
    (tmp_path / "net.bin").write_bytes(b"changed")
    with pytest.raises(AccordError) as error:
        loading.load(spec, tmp_path, "detect")
    got, stated = hashlib.sha256(b"changed").hexdigest()[:12], hashlib.sha256(b"net").hexdigest()[:12]
    assert f"have sha256 {got}..., but {stated}... was expected" in str(error.value)


def test_all_files_of_a_model_are_told_at_once(tmp_path):
    file = {"path": "net.bin", "sha256": "0" * 64}
    with pytest.raises(AccordError, match="2 problems found"):
        weights.find("mine", {"a": file, "b": {**file, "hub": "x/y"}}, tmp_path)


@pytest.mark.parametrize(
    ("change", "method", "message"),
    [
        ({"options": {"colour": 1}}, "detect", "its options don't fit: got an unexpected keyword argument 'colour'"),
        ({}, "embed", r"mine\.py:Mine has no method embed\(\)"),
        ({"adapter": "nowhere.py:Mine"}, "detect", r"there is no adapter nowhere\.py:Mine \(no file nowhere\.py\)"),
        ({"adapter": "accord.evaluate.nowhere:Mine"}, "detect", r"there is no adapter accord\.evaluate\.nowhere:Mine"),
        ({"adapter": "accord.evaluate.weights:Mine"}, "detect", r"there is no adapter accord\.evaluate\.weights:Mine"),
        ({"weights": {}}, "detect", "needs weights named 'net'"),
    ],
)
def test_wrong_entries_are_told(spec, tmp_path, change, method, message):
    with pytest.raises(AccordError, match=f"model mine: .*{message}"):
        loading.load({**spec, **change}, tmp_path, method)


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        ("import os\nclass Mine(:\n", "line 2: can't be loaded (SyntaxError: invalid syntax)"),
        ("import os\n\nfrom os import nothing_such\n", "line 3: can't be loaded (ImportError: cannot import name "),
        ("import os\nx = 1 / 0\n", "line 2: can't be loaded (ZeroDivisionError: division by zero)"),
    ],
)
def test_a_file_that_is_wrong_is_told_with_its_line(spec, tmp_path, code, problem):
    (tmp_path / "mine.py").write_text(code)
    with pytest.raises(AccordError) as error:
        loading.load(spec, tmp_path, "detect")
    assert f"{tmp_path}/mine.py, {problem}" in str(error.value)
    assert "hint: an adapter is a class" in str(error.value)
    if "Syntax" in problem:  # the workflow tells it at its start
        with pytest.raises(AccordError, match=r"mine\.py, line 2: can't be loaded"):
            registry.adapter_code(spec["adapter"])


@pytest.mark.parametrize("adapter", ["mine.py:Mien", "opencv:YuNt", "accord.evaluate.adapters.opencv:YuNt"])
def test_a_misspelt_class_is_told_with_what_was_meant_and_the_short_path(spec, tmp_path, monkeypatch, adapter):
    monkeypatch.chdir(tmp_path)
    meant = "Mine" if "mine" in adapter else "YuNet"
    told = adapter.rpartition(".adapters.")[2]
    with pytest.raises(AccordError) as error:
        loading.load({**spec, "adapter": adapter_paths.recorded(adapter)}, tmp_path, "detect")
    assert f"model mine: there is no adapter {told} (no class " in str(error.value)
    assert f"(did you mean '{meant}'?)" in str(error.value)


def test_a_missing_package_of_an_adapter_is_told(spec, tmp_path):
    adapter = spec["adapter"].replace("Mine", "Hungry")
    with pytest.raises(AccordError, match="model mine: needs the package no_such_package_at_all"):
        loading.load({**spec, "adapter": adapter}, tmp_path, "detect")


class Payload:
    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return Path.touch, (self.path,)


def test_a_pickle_that_runs_code_is_refused_and_not_run(tmp_path):
    harmed, trap = tmp_path / "harmed", tmp_path / "net.pt"
    trap.write_bytes(pickle.dumps(Payload(harmed), protocol=2))
    with pytest.raises(AccordError, match=r"net\.pt: is not a plain tensor checkpoint"):
        weights.load_state(trap)
    torch.save({"w": torch.zeros(1), "x": Payload(harmed)}, trap)
    with pytest.raises(AccordError, match=r"net\.pt: is not a plain tensor checkpoint"):
        weights.load_state(trap)
    assert not harmed.exists()


@pytest.mark.parametrize("name", ["net.pt", "net.safetensors"])
def test_plain_checkpoints_load(tmp_path, name):
    from safetensors.torch import save_file

    tensor = torch.arange(6).reshape(2, 3)
    (save_file if name.endswith("safetensors") else torch.save)({"w": tensor}, tmp_path / name)
    np.testing.assert_array_equal(weights.load_state(tmp_path / name)["w"], tensor)
