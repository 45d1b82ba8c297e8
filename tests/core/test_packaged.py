"""Where packages that ship files lie."""

import importlib
import sys

import pytest

from accord.errors import AccordError
from accord.models import packaged


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
    assert packaged.weights(("shipped_weights", "net.bin")) == front / "net.bin"


@pytest.mark.parametrize("name", ["no_such_package", "os.path", "../x", ""])
def test_what_is_no_package_is_told(name):
    assert packaged.folder(name) is None
    with pytest.raises(AccordError, match="its weights are not installed"):
        packaged.weights((name, "net.bin"))
