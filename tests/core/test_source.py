"""The digest of a step's code follows its meaning."""

import textwrap

import pytest

from accord.engine import source


@pytest.fixture
def package(tmp_path, monkeypatch):
    root = tmp_path / "accord"
    (root / "room").mkdir(parents=True)
    monkeypatch.setattr(source, "ROOT", root)
    write(root, "__init__.py", "")
    write(root, "room/__init__.py", "")
    write(root, "helper.py", "FACTOR = 2")
    write(root, "other.py", "X = 1")
    write(root, "room/words.csv", "a")
    write(
        root,
        "room/step.py",
        '''
        """A step."""
        from pathlib import Path
        def run(x: int) -> int:
            """Doc."""
            from accord.helper import FACTOR
            return x * FACTOR * len(Path(__file__).with_name("words.csv").read_text())
        ''',
    )
    yield root
    forget()


def write(root, name, text):
    (root / name).write_text(textwrap.dedent(text))


def digest():
    forget()
    return source.digest("room.step")


def test_comments_docstrings_layout_and_strangers_change_nothing(package):
    before = digest()
    text = (package / "room/step.py").read_text()
    (package / "room/step.py").write_text(
        "# a comment\n" + text.replace('"""Doc."""', '"""Else."""').replace("x * F", "x *  F")
    )
    write(package, "other.py", "X = 2")
    assert digest() == before


def forget():
    for cached in (
        source.digest,
        source._imported,
        source._file,
        source._digest,
        source._data,
        source._sum,
        source._meaning,
    ):
        cached.cache_clear()


@pytest.mark.parametrize(
    ("file", "text"), [("helper.py", "FACTOR = 3"), ("room/words.csv", "b"), ("__init__.py", "Y = 1")]
)
def test_an_edit_of_what_the_step_uses_changes_it(package, file, text):
    before = digest()
    write(package, file, text)
    assert digest() != before


def test_relative_imports_are_followed(package):
    write(package, "room/step.py", "from ..helper import FACTOR\nfrom . import near\ndef run(): return FACTOR")
    write(package, "room/near.py", "A = 1")
    before = digest()
    write(package, "room/near.py", "A = 2")
    middle = digest()
    write(package, "helper.py", "FACTOR = 9")
    assert len({before, middle, digest()}) == 3


def test_no_such_step():
    with pytest.raises(ValueError, match=r"No step .room\.nothing."):
        source.digest("room.nothing")
