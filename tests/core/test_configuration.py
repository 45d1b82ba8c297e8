"""Configuration files are read as the workflow reads them."""

from pathlib import Path

import pytest

from accord.engine import configuration
from accord.errors import AccordError


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


@pytest.mark.parametrize("content", [b"[1, 2]", b"a: [", b"\xff\xfe", b"text"])
def test_what_is_no_map_of_keys_is_refused(folder, content):
    Path("a.yaml").write_bytes(content)
    with pytest.raises(AccordError, match=r"a\.yaml: is not a valid configuration"):
        configuration.read([Path("a.yaml")])


def test_a_section_is_a_map(folder):
    assert configuration.section({}, "consent") == {}
    with pytest.raises(AccordError, match="consent: is not a valid section of a configuration"):
        configuration.section({"consent": None}, "consent")
