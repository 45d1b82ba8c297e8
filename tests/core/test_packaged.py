"""Where packages that ship files lie."""

import hashlib
import importlib
import os
import sys
from pathlib import Path

import pytest
import yaml

from accord.errors import AccordError
from accord.models import detectors, packaged, sums, weights
from accord.models.packaged import Packaged
from accord.privacy.proof import faces

ROOT = Path(__file__).parents[2]
ONE = hashlib.sha256(b"1").hexdigest()


def made(parent, name="shipped_weights"):
    (parent / name).mkdir(parents=True)
    (parent / name / "__init__.py").write_text("raise_if_run = True\n")
    (parent / name / "net.bin").write_bytes(b"1")
    return parent / name


def test_a_package_in_front_is_found_though_another_was_imported(tmp_path, monkeypatch):
    behind, front = made(tmp_path / "behind"), made(tmp_path / "front")
    monkeypatch.syspath_prepend(behind.parent)
    monkeypatch.setitem(sys.modules, "shipped_weights", importlib.import_module("shipped_weights"))
    assert packaged.folder("shipped_weights") == behind
    monkeypatch.syspath_prepend(front.parent)
    assert packaged.folder("shipped_weights") == front
    assert packaged.weights(Packaged("shipped_weights", "net.bin", ONE)) == front / "net.bin"


@pytest.mark.parametrize("name", ["no_such_package", "os.path", "../x", ""])
def test_what_is_no_package_is_told(name):
    assert packaged.folder(name) is None
    with pytest.raises(AccordError, match="its weights are not installed"):
        packaged.weights(Packaged(name, "net.bin", ONE))


def test_another_file_is_not_used(tmp_path, monkeypatch):
    folder = made(tmp_path)
    monkeypatch.syspath_prepend(folder.parent)
    (folder / "net.bin").write_bytes(b"2")
    what = "model net.bin: its weights have sha256 d4735e3a265e..., but 6b86b273ff34... was expected"
    with pytest.raises(AccordError, match=what):
        packaged.weights(Packaged("shipped_weights", "net.bin", ONE))


def test_a_file_is_read_once_until_it_changes(tmp_path, monkeypatch):
    file, read = tmp_path / "net.bin", []
    summed = sums.provenance.sha256
    monkeypatch.setattr(sums.provenance, "sha256", lambda path: read.append(path) or summed(path))
    file.write_bytes(b"1")
    assert [sums.fault(file, ONE) for _ in range(2)] == ["", ""] and len(read) == 2  # written just now: not remembered
    os.utime(file, ns=(0, 1_000))
    entry = {"net": {"path": "net.bin", "sha256": ONE}}
    found = [weights.find("m", entry, tmp_path)["net"] for _ in range(3)]
    assert found == [file] * 3 and len(read) == 3
    file.write_bytes(b"2")  # of the same size, with the old time
    os.utime(file, ns=(0, 2_000))
    assert sums.fault(file, ONE) == "sha256 d4735e3a265e..., but 6b86b273ff34... was expected" and len(read) == 4


def test_models_of_both_kinds_state_the_same_sums():
    """What ships with a package, and is also in models.yaml."""
    listed = yaml.safe_load((ROOT / "config/models.yaml").read_text())
    files = [file for entry in listed.values() for file in entry.get("weights", {}).values() if "package" in file]
    stated = {(file["package"], file["path"]): file["sha256"] for file in files}
    ours = [detectors.YUNET, detectors.BLAZEFACE, detectors.BLAZEPOSE, faces.SFACE]
    assert {stated[one.package, one.path] for one in ours} == {one.sha256 for one in ours}
