"""A byte order mark, as editors of Windows write it, changes nothing of what is read."""

import pytest

from accord.abuse import secrets
from accord.engine import yaml_text
from accord.evaluate.exchange import json_stream
from accord.review import command as review
from accord.text import cells

MARK = b"\xef\xbb\xbf"


@pytest.fixture
def marked(tmp_path):
    def write(data: bytes):
        file = tmp_path / "marked.txt"
        file.write_bytes(MARK + data)
        file.chmod(0o600)
        return file

    return write


def test_passwords_and_secrets(marked, monkeypatch):
    assert review._password(marked(b"correct horse\n")) == "correct horse"
    monkeypatch.delenv("KEY", raising=False)
    monkeypatch.setenv("KEY_FILE", str(marked(b"abc\n")))
    assert secrets.secret("KEY", "a word") == "abc"


def test_predictions_tables_and_settings(marked):
    assert list(json_stream.entries(marked(b'{"a.jpg": [1, 2]}'))) == [("a.jpg", [1, 2])]
    assert list(cells.rows(marked(b"id,name\n1,x\n"), 100)) == [{"id": "1", "name": "x"}]
    assert cells.lines(MARK + b"id\n1\n") == [["id"], ["1"]]
    assert yaml_text.strings((MARK + b"vendor: acme\n").decode()) == {"vendor": "acme"}
