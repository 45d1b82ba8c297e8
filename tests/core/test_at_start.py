"""What a start of Snakemake leaves for the next and for the jobs: whole, of the same key, or not at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.engine import at_start

FOUND = {"00": "a", "01": ["b", {"c": ""}]}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "below/start.json"


def never():
    raise AssertionError("what is kept is not found again")


def test_jobs_read_what_the_process_that_plans_them_found(path):
    assert at_start.found(path, "key", lambda: FOUND, main=True) == FOUND
    assert at_start.found(path, "key", never, main=False) == FOUND


def test_who_plans_finds_anew(path):
    at_start.found(path, "key", lambda: FOUND, main=True)
    assert at_start.found(path, "key", lambda: {"00": "z"}, main=True) == {"00": "z"}
    assert at_start.found(path, "key", never, main=False) == {"00": "z"}


def test_a_job_finds_itself_what_is_not_there_or_of_another_key_and_keeps_nothing(path):
    assert at_start.found(path, "key", lambda: FOUND, main=False) == FOUND
    assert not path.exists()
    at_start.keep(path, "key", FOUND)
    assert at_start.found(path, ["other", "key"], dict, main=False) == {}
    assert at_start.read(path, "key") == FOUND


@given(st.data())
def test_no_part_of_a_file_and_no_changed_one_is_taken(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("kept") / "start.json"
    at_start.keep(path, "key", FOUND)
    whole = path.read_bytes()
    at = data.draw(st.integers(0, len(whole) - 1))
    other = data.draw(st.integers(0, 255).filter(lambda byte: byte != whole[at]))
    for broken in (whole[:at], whole[:at] + bytes([other]) + whole[at + 1 :], whole + b"\0", whole[at + 1 :]):
        path.write_bytes(broken)
        assert at_start.read(path, "key") is None


def test_a_write_that_was_killed_leaves_what_was_there(path):
    at_start.keep(path, "key", FOUND)
    path.with_name(f"{path.name}.partial").write_bytes(b"half of")
    assert at_start.read(path, "key") == FOUND
    at_start.keep(path, "key", {})
    assert at_start.read(path, "key") == {}


def test_where_nothing_can_be_written_all_is_found_all_the_same(tmp_path):
    (tmp_path / "below").write_text("a file where the folder should be")
    path = tmp_path / "below/start.json"
    assert at_start.found(path, "key", lambda: FOUND, main=True) == FOUND
    assert at_start.found(path, "key", lambda: FOUND, main=False) == FOUND


def test_others_do_not_read_it(path):
    at_start.keep(path, "key", FOUND)
    assert path.stat().st_mode & 0o777 == 0o600
