"""Files that are whole or not there."""

import os
import stat

import pytest

from accord import files
from accord.errors import AccordError


def mode_of(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_a_file_is_replaced_whole_and_nothing_stays_beside_it(tmp_path):
    path = tmp_path / "table"
    path.write_bytes(b"old")
    files.replace(path, b"new", files.READ_ONLY)
    assert path.read_bytes() == b"new"
    assert mode_of(path) == 0o444
    assert list(tmp_path.iterdir()) == [path]


def test_a_write_that_fails_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "table"
    path.write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError("no space left on device")))
    with pytest.raises(OSError, match="no space left"):
        files.replace(path, b"new")
    assert path.read_bytes() == b"old"


def test_what_a_killed_write_left_is_no_obstacle(tmp_path):
    (tmp_path / "table.partial").write_bytes(b"half")
    files.replace(tmp_path / "table", b"whole")
    assert [path.name for path in tmp_path.iterdir()] == ["table"]


def test_the_unfinished_file_can_lie_in_another_folder(tmp_path, monkeypatch):
    other, seen = tmp_path / "other", []
    other.mkdir()
    monkeypatch.setattr(os, "fsync", lambda _: seen.extend(path.name for path in other.iterdir()))
    files.replace(tmp_path / "table", b"whole", beside=other)
    assert seen == ["table.partial"]
    assert (tmp_path / "table").read_bytes() == b"whole"


def test_a_private_file_and_its_folders_are_the_owners_alone(tmp_path):
    path = tmp_path / "vault" / "keys" / "secret"
    files.keep_private(path, b"secret")
    assert [mode_of(place) for place in (path, path.parent, path.parent.parent)] == [0o600, 0o700, 0o700]


@pytest.mark.parametrize("kind", ["missing", "file"])
def test_a_tmpdir_that_cannot_be_used_is_told_and_no_other_taken(tmp_path, monkeypatch, kind):
    if kind == "file":
        (tmp_path / kind).touch()
    monkeypatch.setenv("TMPDIR", str(tmp_path / kind))
    with pytest.raises(AccordError, match=rf"TMPDIR: .*{kind} is no folder that can be written to\n    hint: make it"):
        files.temporary()
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with files.temporary() as made:
        made.write(b"1")
