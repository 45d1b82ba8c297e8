"""What a module means, found once and kept beside its bytecode."""

import json
import os
import sys

import pytest

from accord.engine import ast_digest as room
from accord.engine.ast_digest import meaning

CODE = '''
"""Doc."""
import os.path
from . import near
from ..far.away import thing
WORDS = "words.csv"
'''


@pytest.fixture(autouse=True)
def writes(monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", False)


@pytest.fixture
def module(tmp_path):
    file = tmp_path / "module.py"
    file.write_text(CODE)
    return file


def kept(module):
    (file,) = (module.parent / "__pycache__").iterdir()
    return file


def test_imports_and_strings_are_told(module):
    found = meaning(module)
    assert found.imports == ["os.path", ".", ".near", "..far.away", "..far.away.thing"]
    assert found.strings == ["words.csv"]


def test_what_is_kept_is_not_found_again(module, monkeypatch):
    before = meaning(module)
    monkeypatch.setattr(room, "_found", lambda source: pytest.fail("was parsed again"))
    assert meaning(module) == before


def test_an_edit_is_seen_even_at_the_same_time_and_size(module):
    before, times = meaning(module), module.stat()
    module.write_text(CODE.replace("words", "sword"))
    os.utime(module, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert meaning(module).digest != before.digest
    assert meaning(module).strings == ["sword.csv"]


@pytest.mark.parametrize("damage", ["", "{", "[]", "{}", "null", '{"of": 1}'])
def test_a_damaged_one_is_found_again(module, damage):
    before = meaning(module)
    kept(module).write_text(damage)
    assert meaning(module) == before
    assert json.loads(kept(module).read_text())["digest"] == before.digest


def test_nothing_is_left_where_python_keeps_no_bytecode(module, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    meaning(module)
    assert not (module.parent / "__pycache__").exists()


def test_a_folder_that_cannot_be_written_to_is_no_error(module):
    (module.parent / "__pycache__").write_text("a file where the folder should be")
    assert meaning(module).strings == ["words.csv"]


def test_no_python(tmp_path):
    file = tmp_path / "module.py"
    file.write_text("def")
    with pytest.raises(SyntaxError):
        meaning(file)
