"""Code that Python would run instead of the source."""

import importlib.util
import marshal
import os
import py_compile
from pathlib import Path

import pytest

from accord.audit.evidence import compiled
from accord.audit.telling.checks import FAIL


@pytest.fixture
def module(tmp_path):
    source = tmp_path / "a/b.py"
    source.parent.mkdir()
    source.write_text("def verdict():\n    return 'fail'\n")
    py_compile.compile(str(source))
    return source


def failed(package):
    return [check.where for check in compiled.checks(package) if check.verdict == FAIL]


def poison(source, kind):
    code = compile("def verdict():\n    return 'pass'\n", str(source), "exec")
    facts = source.stat()
    proof = {
        0: int(facts.st_mtime).to_bytes(4, "little") + facts.st_size.to_bytes(4, "little"),
        1: importlib.util.source_hash(source.read_bytes()),
    }
    data = importlib.util.MAGIC_NUMBER + kind.to_bytes(4, "little") + proof[kind] + marshal.dumps(code)
    Path(importlib.util.cache_from_source(str(source))).write_bytes(data)


@pytest.mark.parametrize("kind", [0, 1])
def test_code_that_is_not_its_source_s_is_told(tmp_path, module, kind):
    assert failed(tmp_path) == []
    poison(module, kind)
    assert len(failed(tmp_path)) == 1


def test_what_python_makes_anew_is_not_told(tmp_path, module):
    module.write_text("def verdict():\n    return 'another one'\n")
    os.utime(module, (1, 1))
    assert failed(tmp_path) == []
