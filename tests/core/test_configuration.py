"""Configuration files are read as the workflow reads them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from accord.engine import configuration, yaml_files
from accord.errors import AccordError

ROOT = Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_later_files_lie_over_earlier_ones_key_by_key(folder):
    Path("a.yaml").write_text("checks: {limit: 3, inner: {x: 1, y: 2}}\nvault: v\n")
    Path("b.yaml").write_text("checks: {inner: {x: 5}}\n")
    found = configuration.said([Path("a.yaml"), Path("b.yaml")])
    assert found == {"checks": {"limit": 3, "inner": {"x": 5, "y": 2}}, "vault": "v"}


def test_without_named_files_the_usual_one_counts_where_it_is(folder):
    assert configuration.used([]) == []
    Path("config").mkdir()
    Path("config/config.yaml").write_text("vault: here\n")
    assert configuration.read(configuration.used([])) == {"vault": "here"}
    assert configuration.used([Path("a.yaml")]) == [Path("a.yaml")]


@pytest.mark.parametrize("content, told", [
    (b"[1, 2]", "a.yaml, line 1: is not a valid configuration: a list, not a map of keys"),
    (b"text", "a.yaml, line 1: is not a valid configuration: a single value, not a map of keys"),
    (b"x: 1\na: b: c", "a.yaml, line 2: is not a valid configuration: mapping values are not allowed in this context"),
    (b"x: 1\ny: !!python/name:os.system", "a.yaml, line 2: is not a valid configuration: could not determine"),
    (b"\xff\xfe", "a.yaml, line 1: is not a valid configuration: not UTF-8 (byte 1)"),
    (b"x: 1\ny: \xff", "a.yaml, line 2: is not a valid configuration: not UTF-8 (byte 9)"),
    (b"x: 1\na: &a {b: *a}", "a.yaml, line 2: is not a valid configuration: a value holds itself by an alias (*)"),
    (b"x: 1\na: &a\n- [*a]", "a.yaml, line 2: is not a valid configuration: a value holds itself by an alias (*)"),
    (b"a: 2026-13-01", "a.yaml: is not a valid configuration: month must be in 1..12"),
])  # fmt: skip
def test_what_is_no_map_of_keys_is_refused(folder, content, told):
    Path("a.yaml").write_bytes(content)
    with pytest.raises(AccordError) as error:
        configuration.read([Path("a.yaml")])
    assert told in str(error.value)


@pytest.mark.parametrize("content, told", [
    (b"x: 1\ny: \xff", "line 2: is not a valid configuration: not UTF-8 (byte 9)"),
    (b"report: &a\n  title: *a", "line 1: is not a valid configuration: a value holds itself by an alias (*)"),
])  # fmt: skip
def test_what_snakemake_cannot_read_is_told_before_it_starts(folder, content, told):
    Path("a.yaml").write_bytes(content)
    paths = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    command = ["make", "-C", ROOT, "--old-file", ".venv/ready", "dry", f"CONFIG={folder / 'a.yaml'}"]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PATH": paths})
    assert done.returncode == 2 and f"a.yaml, {told}" in done.stderr
    assert "Traceback" not in done.stdout + done.stderr and "hint: " in done.stderr


def test_one_thread_for_each_job_is_no_limit_of_jobs(folder):
    """GNU nproc answers with the threads of OpenMP where these are set."""
    command = ["make", "-n", "-C", ROOT, "--old-file", ".venv/ready", "run"]
    limited = {**os.environ, "OMP_NUM_THREADS": "1", "OMP_THREAD_LIMIT": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=limited, check=True)
    assert f"--cores {len(os.sched_getaffinity(0))} " in done.stdout


def test_every_key_that_is_given_twice_is_told_with_its_line_in_all_files(folder):
    Path("a.yaml").write_text("vault: v\nchecks:\n  limit: 1\n  lists: [{x: 1, x: 2}]\n  limit: 2\nvault: w\n")
    Path("b.yaml").write_text("below: &b {x: 1}\nabove: {<<: *b, x: 2}\nagain: {<<: *b}\n")  # neither is twice
    Path("c.yaml").write_text("[1]")
    with pytest.raises(AccordError) as error:
        configuration.said([Path("a.yaml"), Path("b.yaml"), Path("c.yaml")])
    assert [(problem.where, problem.what) for problem in error.value.problems] == [
        ("a.yaml, line 4", "key 'checks.lists[0].x' is given twice, first on line 4"),
        ("a.yaml, line 5", "key 'checks.limit' is given twice, first on line 3"),
        ("a.yaml, line 6", "key 'vault' is given twice, first on line 1"),
        ("c.yaml, line 1", "is not a valid configuration: a list, not a map of keys"),
    ]
    with pytest.raises(AccordError, match="3 problems"):
        yaml_files.refuse_twice([Path("a.yaml"), Path("b.yaml"), Path("c.yaml")])


def test_a_section_is_a_map(folder):
    assert configuration.section({}, "consent") == {}
    with pytest.raises(AccordError, match="consent: is not a valid section of a configuration"):
        configuration.section({"consent": None}, "consent")
