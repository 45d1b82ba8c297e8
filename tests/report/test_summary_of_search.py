"""What `make run` says at the end of a search: it published nothing, and has no page but that of its test."""

import json

import pytest

from accord.errors import AccordError
from accord.report import command


def test_a_search_ends_with_the_page_of_its_test(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    page, record = tmp_path / "results/report/rapid.html", tmp_path / "results/release/release.json"
    for path in (page, record):
        path.parent.mkdir(parents=True)
    facts = {"dataset": "search", "version": "search", "path": "search", "images": 30, "subjects": 3}
    record.write_text(json.dumps(facts))
    with pytest.raises(AccordError, match=r"rapid\.html: is missing"):
        command.main([])
    page.write_text("")
    assert command.main([]) == 0
    told = capsys.readouterr().out
    assert "pictures of a search, deleted since: 30 images of 3 people" in told and "rapid.html" in told
