"""The audit of a finished search: what must be gone is not missed, what is left of it fails, nothing is searched."""

import json

import pytest

from accord.audit.evidence import lineage, parameters
from accord.audit.records import reproduce
from accord.audit.targets import everything
from accord.audit.targets.places import Places
from accord.audit.telling.checks import FAIL, PASS
from accord.release import import_search

GONE = ("release/00/files.tar", "release/00/derivatives.parquet", "evaluate/00/yunet_sface.templates.parquet")
KEPT = ("release/00/people.parquet", "evaluate/00/queries.parquet", "evaluate/yunet_sface.confidences.parquet")


@pytest.fixture(autouse=True)
def results(tmp_path, monkeypatch):
    """Results of a search that is done."""
    monkeypatch.chdir(tmp_path)
    lineage.forget()
    described(tmp_path / "results", "search")
    return tmp_path / "results"


def described(results, dataset):
    (results / "release").mkdir(parents=True, exist_ok=True)
    (results / "release/release.json").write_text(json.dumps({"dataset": dataset}))


def status(name):
    lineage.forget()
    return lineage._expected(f"results/{name}", "0" * 64).status


def test_what_a_search_deletes_is_deleted_and_all_else_is_missing(results):
    assert {status(name) for name in GONE} == {lineage.DELETED}
    assert {status(name) for name in KEPT} == {lineage.MISSING}
    assert lineage.DELETED not in lineage.BROKEN
    described(results, "fhibe")
    assert {status(name) for name in GONE} == {lineage.MISSING}


@pytest.mark.parametrize("name", GONE)
def test_pictures_and_vectors_of_faces_that_a_search_left_fail(results, name):
    path = results / name
    path.parent.mkdir(parents=True, exist_ok=True)
    assert {check.verdict for check in everything._results([], [])} == {PASS}
    path.write_bytes(b"left")
    [check] = everything._results([path], [])
    assert check.verdict == FAIL and "must be gone" in check.what


def test_the_vault_of_a_search_needs_no_key_and_no_ledger(results):
    at = Places(results, results.parent / "releases", results.parent / "vault")
    at.vault.mkdir()
    for name in ("search.sqlite", "search.sqlite-journal", "answers.sqlite"):
        (at.vault / name).write_bytes(b"")
    assert not at.need_vault
    (at.vault / "ledger.sqlite").write_bytes(b"")
    assert at.need_vault


def test_a_search_has_no_folder_that_could_differ():
    config = {"release": {"archive": {"format": "search", "search": {"most": 3}}}}
    assert parameters.wanted_of("release.describe_archive", "archive", config) is None
    with_path = {"release": {"archive": {"format": "fhibe", "path": "a/b"}}}
    assert parameters.wanted_of("release.describe_archive", "archive", with_path) == (["b"],)


def test_an_audit_never_searches_again(results, monkeypatch):
    monkeypatch.setattr(import_search.searchers, "made", lambda *_: pytest.fail("it searched"))
    record = {"step": "release.import_search", "inputs": {}, "params": {}, "arguments": {}, "code": ""}
    assert reproduce._is_of_search(record)
    assert reproduce.named(record, Places(results), by_any_code=True) is None
    assert reproduce._is_of_search(record | {"step": "evaluate.queries", "inputs": {f"results/{GONE[0]}": "0" * 64}})
    assert not reproduce._is_of_search(
        record | {"step": "evaluate.queries", "inputs": {f"results/{KEPT[0]}": "0" * 64}}
    )
